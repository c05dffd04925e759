"""Which language a note is in, by common words and letters of each that a pipeline ships for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Self

WORD = re.compile(r"[^\W\d_]+")
READ = 10_000  # characters of a note that are looked at
UNKNOWN = "en"  # what a note without any common word is taken for


@dataclass(frozen=True, slots=True)
class Languages:
    """The language of each common word, in small letters, and of letters that one alone has."""

    words: Mapping[str, str] = field(repr=False)
    letters: Mapping[str, str] = field(repr=False)

    @classmethod
    def load(cls) -> Self:
        """Load the lists that ship with phiscrub."""
        file = resources.files("phiscrub") / "data" / "languages" / "words.toml"
        lists: dict[str, dict[str, str]] = tomllib.loads(file.read_text("utf-8"))
        words, letters = lists["words"], lists["letters"]
        return cls(
            {word: name for name, own in words.items() for word in own.split()},
            {letter: name for name, own in letters.items() for letter in own},
        )

    def of(self, text: str) -> str:
        """Return the language that most words speak for, the first by name of equals.

        A word speaks for the language that it is common in, or else for those of its letters.
        """
        counts: dict[str, int] = {}
        for word in WORD.findall(text[:READ].lower()):
            own = self.words.get(word)
            spoken = {own} if own else {self.letters[c] for c in word if c in self.letters}
            for language in spoken:
                counts[language] = counts.get(language, 0) + 1
        return min(counts, key=lambda name: (-counts[name], name), default=UNKNOWN)
