"""A name once found with a strong cue is a name everywhere else in that note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox

PART = re.compile(r"[^\W\d_]{3,}(?:['’-][^\W\d_]+)*")  # shorter parts are too often words


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels whose words repeat, and the least score of a mention that is believed."""

    labels: tuple[str, ...]
    least_score: float = 0.9


def build(settings: Settings, toolbox: Toolbox) -> Repeat:  # noqa: ARG001 - every part's signature
    """Make the refiner."""
    return Repeat(frozenset(settings.labels), settings.least_score)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Adds a mention wherever a part of a believed name stands again, in its own or in capitals.

    A part must begin with a capital and have three letters. A repeated mention takes the label
    of the first mention that the part is from, and a little less than its score.
    """

    labels: frozenset[str]
    least_score: float = 0.9

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and their repetitions."""
        names: dict[str, Mention] = {}
        for mention in sorted(mentions, key=lambda m: m.key):
            if mention.label in self.labels and mention.score >= self.least_score:
                for part in PART.findall(note.text, mention.span.start, mention.span.end):
                    if part[0].isupper():
                        for form in (part, part.upper(), part.title()):
                            names.setdefault(form, mention)
        if not names:
            return tuple(mentions)
        told = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)"
        )
        covered = {(m.span.start, m.span.end) for m in mentions}
        found = []
        for match in told.finditer(note.text):
            first = names[match[0]]
            if match.span() not in covered:
                found.append(Mention(Span(*match.span()), first.label, first.score * 0.9, "repeat"))
        return (*mentions, *found)
