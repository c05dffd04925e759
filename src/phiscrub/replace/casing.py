"""Words written as other words were: in capitals, small letters or with a capital first."""

from __future__ import annotations


def like(model: str, words: str) -> str:
    """Return the words in the case of the model; mixed case in either stays the words' own."""
    letters = [c for c in model if c.isalpha()]
    if not letters:
        return words
    if all(c.isupper() for c in letters):
        return words.upper() if len(letters) > 1 else words
    if all(c.islower() for c in letters):
        return words.lower()
    if letters[0].isupper() and words[:1].islower():
        return words[:1].upper() + words[1:]
    return words
