"""Sentences in clinical layout, where line breaks mean as much as full stops."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from phiscrub.core.tokens import Tokens
from phiscrub.tokenize.lines import is_table, stands_alone
from phiscrub.tokenize.vocabulary import (
    BEFORE_NUMBERS,
    LETTERED,
    SHORTENED,
    STARTERS,
    TITLES,
)

CLOSING = "\"'”’»)]}>"
OPENING = "\"'“”‘’«([{¿¡<*#•"
STOP = re.compile(r"[.?!…][\"'”’»)\]}>]*\s+(?=\S)")
DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}", re.ASCII | re.IGNORECASE)
NUMBER = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,2})*|[A-Za-z])")
FIRST_WORD = re.compile(r"[^\W\d_]+")
SHORT = {word: words for words in (SHORTENED, BEFORE_NUMBERS, TITLES) for word in words}
BLANK = re.compile(r"\n[^\S\n]*\n")
REACH = 24  # characters looked back for the word before a period
WRAPPED = 40  # a line this long may be wrapped where the next goes on in lower case
FULL = 60  # a line this long may be wrapped whatever the next begins with


def split_sentences(text: str) -> Tokens:
    """Cut a text into sentences, trimmed of white space.

    Every character that is not white space is in exactly one of them. A sentence ends

    - at a blank line, always;
    - at ``. ? ! …`` before white space and a capital, a digit or an opening mark, unless the
      period belongs to a title, an abbreviation, an initial or a list number;
    - at a line break, unless the line is long enough to be wrapped, does not end in ``? ! :``
      or a full stop, and the next line goes on: it is no list item, heading, ``Key: value``
      line or table row.
    """
    starts = sorted({*_line_starts(text), *_stops(text)})
    ends = [s + len(text[s:e].rstrip()) for s, e in pairwise([*starts, len(text)])]
    return Tokens(text, np.array(starts, dtype=np.int32), np.array(ends, dtype=np.int32))


def split_all(texts: Iterable[str]) -> Iterator[Tokens]:
    """Cut every text into sentences, one after the other."""
    return map(split_sentences, texts)


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line's first visible character where a sentence begins there."""
    starts: list[int] = []
    offset, before = 0, ""
    for line in text.splitlines(keepends=True):
        body = line.strip()
        if body and not (len(before) >= WRAPPED and _goes_on(before, body)):
            blank = line[0] != body[0]
            starts.append(offset + (len(line) - len(line.lstrip()) if blank else 0))
        offset += len(line)
        before = body
    return starts


def _goes_on(before: str, line: str) -> bool:
    """Tell whether a line goes on with the sentence of the long line before it; both stripped."""
    if len(before) < FULL and not line[0].islower():
        return False
    end = before.rstrip(CLOSING)[-1:]
    if end in "?!…:" or (end == "." and not _is_short(before.rstrip(CLOSING + "."))):
        return False
    return not stands_alone(line) and not is_table(before)


def _is_short(text: str) -> bool:
    """Tell whether a text, its period taken off, ends in an abbreviation or an initial."""
    word = _last_word(text)
    return len(word) == 1 or word.lower() in SHORT or DOTTED.fullmatch(word) is not None


def _stops(text: str) -> list[int]:
    """Return the offset behind each full stop at which a sentence begins."""
    starts = [0]
    for match in STOP.finditer(text):
        at, start = match.span()
        first = text[start]
        if not first.isupper() and (first.islower() or not _may_begin(first)):
            continue
        low = max(starts[-1], at - REACH)
        word = text[max(low, text.rfind(" ", low, at) + 1) : at]
        plain = len(word) > 1 and word.isalpha() and word.lower() not in SHORT
        if plain or text[at] != "." or _ends(text, low, at, start):
            starts.append(start)
    return starts[1:]


def _may_begin(first: str) -> bool:
    return first.isalnum() or first in OPENING


def _ends(text: str, low: int, at: int, start: int) -> bool:
    """Tell whether the period at `at` ends the sentence; `low` is how far back to look."""
    before = BLANK.split(text[low:at])[-1]
    word = _last_word(before)
    use = SHORT.get(word.lower())
    if use is TITLES:
        return False
    if NUMBER.fullmatch(word) and _opens_line(before[: len(before) - len(word)]):
        return False
    if len(word) == 1 and word.isupper():
        return _last_word(before[:-1]).lower() in LETTERED
    if use is BEFORE_NUMBERS:
        return not text[start].isdigit()
    if use is SHORTENED or DOTTED.fullmatch(word):
        following = FIRST_WORD.match(text, start)
        return following is not None and following[0] in STARTERS
    return True


def _opens_line(before: str) -> bool:
    """Tell whether what stands before a list number is a line's beginning, or a colon."""
    blank = before.rstrip(" \t")
    return not blank or blank[-1] in "\r\n:"


def _last_word(text: str) -> str:
    words = text.rsplit(maxsplit=1)
    return words[-1].lstrip(OPENING) if words else ""
