"""Digits that a scanner put for letters, `L1mavady`, `New 0rleans`, and letters for digits."""

from __future__ import annotations

import re

WORD = re.compile(r"(?=[^\W_]*\d)[^\W_]{3,}|(?<!\w)0(?=['’][^\W\d_]{2})")
DIGITS = re.compile(
    r"(?<=[^\W\d_])\d{1,2}(?=[^\W\d_])|(?<!\w)0(?=[^\W\d_]{2}|['’])|(?<=[^\W\d_]{3})0(?!\w)"
)
LETTERS = str.maketrans("0123456789", "olzeasbtbg")
AS_DIGITS = str.maketrans("OolI", "0011")
LEAST = 4  # signs of a word in capitals; a shorter one may be a code
VOWELS = frozenset("aeiouáéíóú")


def as_letters(words: str) -> str:
    """Return a name with letters where its words have digits among letters, as long as it was.

    Codes stay: their digits stand at an end, `A104` and `4th`, or among few letters.
    """
    return WORD.sub(_word, words) if any(map(str.isdigit, words)) else words


def _word(found: re.Match[str]) -> str:
    word = found[0]
    digits, letters = sum(map(str.isdigit, word)), sum(map(str.isalpha, word))
    if word != "0" and (digits * 2 > letters or (len(word) < LEAST and not word[-1].islower())):
        return word
    put = DIGITS.sub(_letter, found.string[: found.end() + 2])[found.start() : found.end()]
    return put.upper() if word.isupper() else put


def _letter(found: re.Match[str]) -> str:
    words, start = found.string, found.start()
    around = set(words[max(0, start - 1) : found.end() + 1].lower())
    if found[0] == "1" and not around & VOWELS:
        return "i"
    put = found[0].translate(LETTERS)
    return put if start and words[start - 1].isalpha() else put.upper()
