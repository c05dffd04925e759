"""Every leak and every false alarm in its context, with what the detectors said."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from phiscrub.core.counts import Counts
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.evaluate.masking import FalseAlarm, Leak, Masking
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.tokenize.sections import split_sections

LEAK, ALARM = "leak", "false alarm"
AROUND = 40  # characters shown on either side
ASCII = 128
OFTEN = 3  # notes that must have a heading before it stands for itself
OTHER = "other headings"
TOP = "before the first heading"


@dataclass(frozen=True, slots=True)
class Case:
    """A leak or a false alarm with the text around it.

    `pieces` are the words of the mark, each with whether it is at fault: stayed though it
    identifies, or was masked though it does not. `reason` is what the detectors said of it.
    """

    kind: str
    document: str
    start: int
    end: int
    labels: tuple[str, ...]
    before: str = field(repr=False)
    pieces: tuple[tuple[str, bool], ...] = field(repr=False)
    after: str = field(repr=False)
    reason: str

    def redacted(self) -> Case:
        """Return the case with shapes instead of text."""
        return Case(
            self.kind,
            self.document,
            self.start,
            self.end,
            self.labels,
            shape(self.before),
            tuple((shape(words), fault) for words, fault in self.pieces),
            shape(self.after),
            self.reason,
        )


def cases(samples: Sequence[Sample], masking: Masking) -> tuple[Case, ...]:
    """Return all leaks and false alarms, in the order of documents and places."""
    by_id = {sample.id: sample for sample in samples}
    found = [_leaked(by_id[leak.document], leak) for leak in masking.leaks]
    found += [_alarmed(by_id[alarm.document], alarm) for alarm in masking.alarms]
    return tuple(sorted(found, key=lambda c: (c.document, c.start, c.end, c.kind, c.labels)))


def sections(samples: Sequence[Sample], masking: Masking) -> dict[str, Counts]:
    """Count gold places by the heading that they are under: hit where nothing is left.

    A heading that few notes have, or that a gold mark stands in, may identify; those are summed
    up as `OTHER`. Most missed first.
    """
    leaked = {(leak.document, leak.start, leak.end) for leak in masking.leaks}
    notes: Counter[str] = Counter()
    private: set[str] = set()
    rows: list[tuple[str, bool]] = []
    for sample in samples:
        size = len(sample.text)
        places = sorted({(a, min(b, size)) for a, b, _ in sample.gold if a < min(b, size)})
        found = _headings(sample.text)
        notes.update({name for name, _ in found})
        private.update(name for name, span in found if _touches(span, places))
        starts = [span.start for _, span in found]
        for start, end in places:
            at = bisect_right(starts, start)
            rows.append((found[at - 1][0] if at else TOP, (sample.id, start, end) in leaked))
    counts: dict[str, Counts] = {}
    for name, missed in rows:
        shown = name if name == TOP or (notes[name] >= OFTEN and name not in private) else OTHER
        counts[shown] = counts.get(shown, Counts()) + Counts(not missed, missed)
    return dict(sorted(counts.items(), key=lambda row: (-row[1].missed, row[0])))


def shape(text: str) -> str:
    """Return text with letters as X or x and digits as 9: `Ann Lee, 04/12` is `Xxx Xxx, 99/99`."""
    return "".join(map(_shape, text))


def _shape(character: str) -> str:
    if character.isalpha():
        return "X" if character.isupper() else "x"
    if character.isnumeric():
        return "9"
    return character if character.isspace() or ord(character) < ASCII else "·"


def _leaked(sample: Sample, leak: Leak) -> Case:
    near = {mark for mark in sample.found if max(mark[0], leak.start) < min(mark[1], leak.end)}
    reason = "; ".join(f"in part as {words}" for words in _said(sample, near)) or "not found"
    edges = sorted({leak.start, leak.end, *(at for place in leak.uncovered for at in place)})
    pieces = tuple(
        (sample.text[low:high], any(a <= low < b for a, b in leak.uncovered))
        for low, high in pairwise(edges)
    )
    before, after = _around(sample, leak.start, leak.end)
    return Case(LEAK, sample.id, leak.start, leak.end, leak.labels, before, pieces, after, reason)


def _alarmed(sample: Sample, alarm: FalseAlarm) -> Case:
    mark = alarm.start, alarm.end, alarm.label
    known = {claim.source for claim in sample.claims if _mark_of(claim) == mark}
    pieces = ((sample.text[alarm.start : alarm.end], True),)
    reason = ", ".join(sorted(known))
    before, after = _around(sample, alarm.start, alarm.end)
    return Case(
        ALARM, sample.id, alarm.start, alarm.end, (alarm.label,), before, pieces, after, reason
    )


def _around(sample: Sample, start: int, end: int) -> tuple[str, str]:
    """Return what stands before and behind a place."""
    return sample.text[max(0, start - AROUND) : start], sample.text[end : end + AROUND]


def _said(sample: Sample, marks: Iterable[Mark]) -> list[str]:
    """Return label and source of each mark, the label alone where no source is known."""
    sources = {_mark_of(claim): claim.source for claim in sample.claims}
    return [
        f"{mark[2]} by {sources[mark]}" if mark in sources else mark[2] for mark in sorted(marks)
    ]


def _headings(text: str) -> list[tuple[str, Span]]:
    """Return every heading in capitals, with where it stands."""
    spans = [section.heading for section in split_sections(text) if section.heading]
    return [(" ".join(text[span.start : span.end].upper().split()), span) for span in spans]


def _touches(span: Span, places: Sequence[tuple[int, int]]) -> bool:
    return any(max(span.start, start) < min(span.end, end) for start, end in places)


def _mark_of(claim: Mention) -> Mark:
    return claim.span.start, claim.span.end, claim.label
