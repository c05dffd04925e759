"""The words of one text, and how they stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from phiscrub.core.tokens import Tokens

BLANKS = " \u00a0"  # that part words of one name


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Words by index, for finders that look around a word; outside the text there is no word."""

    text: str = field(repr=False)
    words: list[str] = field(repr=False)
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    cased: bool = True  # whether the words have the case of the text

    @classmethod
    def of(cls, tokens: Tokens) -> Reading:
        """Read the words of a text."""
        return cls(tokens.text, tokens.words(), *tokens.offsets())

    def word(self, index: int) -> str:
        """Return a word, or an empty string outside the text."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def lower(self, index: int) -> str:
        """Return a word in small letters, or an empty string outside the text."""
        return self.word(index).lower()

    def joined(self, index: int) -> bool:
        """Tell whether the word and the next one stand together: nothing or one blank between."""
        if not 0 <= index < len(self.words) - 1:
            return False
        end, start = self.ends[index], self.starts[index + 1]
        return start == end or (start == end + 1 and self.text[end] in BLANKS)

    def gap(self, index: int) -> str:
        """Return what stands between the word and the next one, or nothing at the text's end."""
        if not 0 <= index < len(self.words) - 1:
            return ""
        return self.text[self.ends[index] : self.starts[index + 1]]

    def lines(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the words ``[first, last)`` line by line."""
        begins = first
        for index in range(first + 1, last):
            if not self.same_line(index - 1):
                yield begins, index
                begins = index
        yield begins, last

    def touching(self, index: int) -> bool:
        """Tell whether nothing stands between the word and the next one."""
        return 0 <= index < len(self.words) - 1 and self.ends[index] == self.starts[index + 1]

    def same_line(self, index: int) -> bool:
        """Tell whether no line ends between the word and the next one."""
        if not 0 <= index < len(self.words) - 1:
            return False
        end, start = self.ends[index], self.starts[index + 1]
        return start == end or self.text.find("\n", end, start) < 0

    def on_one_line(self, first: int, last: int) -> bool:
        """Tell whether no line ends among the words ``[first, last)``."""
        return self.text.find("\n", self.starts[first], self.ends[last - 1]) < 0

    def before(self, index: int) -> str:
        """Return the word before this one in small letters, or nothing where a line begins."""
        return self.lower(index - 1) if self.same_line(index - 1) else ""

    def after(self, index: int) -> str:
        """Return the word after this one in small letters, or nothing where a line ends."""
        return self.lower(index + 1) if self.same_line(index) else ""

    def is_name(self, index: int) -> bool:
        """Tell whether a word begins with a capital letter."""
        word = self.word(index)
        return bool(word) and word[0].isalpha() and not word[0].islower()

    def written(self, index: int) -> bool:
        """Tell whether the text itself gives the word one capital, in front."""
        return self.text[self.starts[index] : self.ends[index]].istitle()

    def capitals(self, first: int, last: int) -> bool:
        """Tell whether each of the words ``[first, last)`` of letters begins with a capital."""
        return all(
            self.is_name(i) or not self.words[i][0].isalpha() or len(self.words[i]) <= 3  # noqa: PLR2004 - of, de, la
            for i in range(first, last)
        ) and self.is_name(first)
