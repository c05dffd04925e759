"""Changes of an annotated text, in which every mention keeps its words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span

Mark = tuple[int, int, str]  # start, end, label, in the words that are put


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch that is replaced; where it is empty, words are put in. `marks` are in the words."""

    start: int
    end: int
    words: str = field(repr=False)
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """Where mentions begin and end in a text."""

    places: tuple[int, ...]

    @classmethod
    def of(cls, note: Annotated) -> Edges:
        """Collect the edges of a note's mentions."""
        spans = [mention.span for mention in note.mentions]
        return cls(tuple(sorted({at for span in spans for at in (span.start, span.end)})))

    def crossed(self, start: int, end: int) -> bool:
        """Tell whether an edge lies inside a stretch: an edit there would be half in a mention."""
        return bisect_right(self.places, start) < bisect_left(self.places, end)

    def at(self, place: int) -> bool:
        """Tell whether a mention begins or ends here."""
        index = bisect_left(self.places, place)
        return self.places[index : index + 1] == (place,)


def edited(note: Annotated, edits: Iterable[Edit]) -> Annotated:
    """Return the note with its text changed and its mentions moved along.

    An edit is either all inside a mention, which then holds the new words, or all outside; words
    put in at a mention's edge stand outside it. Raises `AnnotationError` for an edit across an
    edge, for edits that overlap, and where a mention would be left without words.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if not ordered:
        return note
    if any(left.end > right.start for left, right in pairwise(ordered)):
        raise AnnotationError("two changes of a text overlap")
    document, pieces, done = note.document, list[str](), 0
    for edit in ordered:
        pieces += (document.text[done : edit.start], edit.words)
        done = edit.end
    pieces.append(document.text[done:])
    grown = [0, *accumulate(len(e.words) - (e.end - e.start) for e in ordered)]
    starts, ends = [e.start for e in ordered], [e.end for e in ordered]
    mentions = []
    for mention in note.mentions:
        span = mention.span
        first, behind = bisect_right(ends, span.start), bisect_left(starts, span.end)
        if first < behind and (starts[first] < span.start or ends[behind - 1] > span.end):
            raise AnnotationError("a change of a text crosses the edge of a mention")
        moved = Span(span.start + grown[first], span.end + grown[max(first, behind)])
        mentions.append(Mention(moved, mention.label, mention.score, mention.source))
    for edit, before in zip(ordered, grown, strict=False):
        at = edit.start + before
        mentions += (Mention(Span(at + a, at + b), label) for a, b, label in edit.marks)
    text = "".join(pieces)
    return Annotated(replace(document, text=text), tuple(sorted(mentions, key=lambda m: m.key)))


def reordered(note: Annotated, stretches: Sequence[tuple[int, int]]) -> Annotated:
    """Return the note with stretches, which together are the text, in another order.

    Raises `AnnotationError` where they are not the whole text, or one cuts a mention.
    """
    text = note.document.text
    tiled = sorted(stretches)
    edges = [0, *(edge for stretch in tiled for edge in stretch), len(text)]
    if edges[::2] != edges[1::2]:
        raise AnnotationError("stretches of a text are not the whole of it")
    lengths = accumulate((end - start for start, end in stretches), initial=0)
    target = {start: at for (start, _), at in zip(stretches, lengths, strict=False)}
    starts = [start for start, _ in tiled]
    mentions = []
    for mention in note.mentions:
        start, end = tiled[bisect_right(starts, mention.span.start) - 1]
        if mention.span.end > end:
            raise AnnotationError("a stretch of a text cuts a mention")
        mentions.append(replace(mention, span=mention.span.shift(target[start] - start)))
    moved = "".join(text[start:end] for start, end in stretches)
    return Annotated(
        replace(note.document, text=moved), tuple(sorted(mentions, key=lambda m: m.key))
    )
