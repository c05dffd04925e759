"""Letterheads: what the first lines of a note name beside its kind."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists

SCORE = 0.35  # below every finder that knows what a part is
LINES = 4  # at the head of a note, empty ones not counted
WIDEST = 400  # characters of a line
SHORT = 100  # characters of a line that has no capitals and may still be a letterhead
MOST, LEAST = 8, 2  # words of a name
LETTERS = 4  # of a word that identifies
# A part of a line ends at a wide gap, a comma, a bar, a bracket or a dash between blanks.
PART = re.compile(r"[^\s,|()/^~:;!?](?:[^\s,|()/^~:;!?–—-]++|[ ](?![\s–—-])|(?<=\w)-(?=\w))*:?")
WORD = re.compile(r"[^\W\d_]+")
FIELD = re.compile(r"\d|:\Z")  # in a number, or before what it tells
LINKS = frozenset({"of", "the", "at", "and", "for", "de", "la", "del", "in", "on", "s", "upon"})
ABBREVIATED = 4  # letters of a credential in capitals


@dataclass(frozen=True, slots=True, eq=False)
class Letterheads:
    """Takes the capitalised parts of the first lines that hold an unknown word.

    What stands there names the institution or its place, if not the patient; the kind of note is
    told in words that are known.
    """

    lists: Lists
    medical: Container[str] = field(repr=False)

    def find(self, text: str) -> Iterator[Mention]:
        """Yield the names at the head of a text of several lines."""
        begins = lines = 0
        while lines < LINES and (ends := text.find("\n", begins)) >= 0:
            line = text[begins : min(ends, begins + WIDEST)]
            small = line.islower() and len(line) <= SHORT
            parts = () if "^" in line else PART.finditer(text, begins, begins + len(line))
            for part in parts:  # of text, not of a message between machines
                yield from self._named(part, small=small)
            lines += bool(line.strip())
            begins = ends + 1

    def _named(self, part: re.Match[str], *, small: bool) -> Iterator[Mention]:
        """Yield the name in a part of a line, without the words beside a person's name."""
        words = WORD.findall(part[0])
        if not LEAST - small <= len(words) <= MOST or FIELD.search(part[0]):
            return
        lowers = [word.lower() for word in words]
        plain = small or all(word[0].isupper() or word in LINKS for word in words)
        stopped = small and any(low in self.lists.words["stops"] for low in lowers)
        if not plain or stopped or any(low in self.lists.words["headings"] for low in lowers):
            return
        if not any(map(self._unknown, lowers)):
            return
        mixed = not part[0].isupper()
        found = list(WORD.finditer(part[0]))
        while found and self._beside(found[0][0], mixed=mixed):
            del found[0]
        while found and self._beside(found[-1][0], mixed=mixed):
            del found[-1]
        if found:
            span = Span(part.start() + found[0].start(), part.start() + found[-1].end())
            yield Mention(span, "HOSPITAL", SCORE, "gazetteer:letterhead")

    def _beside(self, word: str, *, mixed: bool) -> bool:
        low = word.lower()
        abbreviated = mixed and word.isupper() and 1 < len(word) <= ABBREVIATED
        words = self.lists.words
        return abbreviated or low in LINKS or low in words["beside"] or low in words["titles"]

    def _unknown(self, word: str) -> bool:
        words = self.lists.words
        return len(word) >= LETTERS and not (
            word in self.lists.common
            or word in self.medical
            or word in words["generic"]
            or word in words["stops"]
            or word in words["titles"]
        )
