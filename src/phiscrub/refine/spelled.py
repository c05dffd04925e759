"""Letters behind a name that spell it are a mention of their own: `Bray, spelled B-R-A-Y`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox

LEAST = 3  # letters; `A L` is anything
# Single letters with the same mark between them, in speech and in writing.
LETTERS = r"(?P<letters>[^\W\d_](?P<mark>[ .-])(?:[^\W\d_](?P=mark)){1,22}[^\W\d_])(?![\w'’])"
INSIDE = re.compile(rf"(?<![\w'’-]){LETTERS}")
GOES_ON = r"(?![ ,]{1,2}(?:hyphen|dash|new[ ]word|space|capital|apostrophe|[^\W\d_](?:[ .-]|$)))"
BEHIND = re.compile(
    rf",?[ ]{{1,2}}[(\"]?(?:(?:that['’]?s|that[ ]is|spell?ed|spelt|spelling)[ ]|comma[ ])?"
    rf"{LETTERS}{GOES_ON}",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels of the names that are spelled; `label_set` is the set that these are of."""

    labels: tuple[str, ...]
    label_set: str = ""


def build(settings: Settings, _: Toolbox) -> Spelled:
    """Make the refiner; raise `LabelError` for a label that the set lacks."""
    check_labels(settings.label_set, labels=settings.labels)
    return Spelled(frozenset(settings.labels))


@dataclass(frozen=True, slots=True)
class Spelled:
    """Parts a name from the letters that spell a word of it, or adds these as one more mention."""

    labels: frozenset[str]

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and those of letters, which are under the name's label."""
        return tuple(part for mention in mentions for part in self._parts(note.text, mention))

    def _parts(self, text: str, mention: Mention) -> Iterator[Mention]:
        start, end = mention.span.start, mention.span.end
        if mention.label not in self.labels:
            yield mention
            return
        for found in INSIDE.finditer(text, start, end):
            first, last = found.span("letters")
            before = text[start:first].rstrip(' ,("')
            if _spells(text, found, start, first):
                yield replace(mention, span=Span(start, start + len(before)))
                yield replace(mention, span=Span(first, last))
                if text[last:end].strip(' ,.)"'):
                    yield replace(mention, span=Span(_word_at(text, last, end), end))
                return
        yield mention
        behind = BEHIND.match(text, end)
        if behind and _spells(text, behind, start, end):
            yield replace(mention, span=Span(*behind.span("letters")))


def _spells(text: str, found: re.Match[str], start: int, end: int) -> bool:
    """Tell whether letters spell a word of the text before them."""
    letters = found["letters"].replace(found["mark"], "").lower()
    words = (word.lower() for word in WORD.findall(text[start:end]))
    return len(letters) >= LEAST and letters in words


def _word_at(text: str, start: int, end: int) -> int:
    return next(at for at in range(start, end) if text[at].isalnum())
