"""Texts without their disguises: what a reader sees, for rules to match, with the way back.

Invisible characters, look-alike letters, full-width digits, marks laid over letters, words broken
at a line's end and line ends written as escapes keep no human from reading an identifier, but they
keep a pattern from it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from phiscrub.core.span import Span
from phiscrub.core.tokens import Offsets

HIDDEN = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufe00-\ufe0f\ufeff"
)
MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
WIDE = "\u2000-\u200a\u202f\u205f\u2010\u2011\u2212\u3000\uff01-\uff5e\U0001d400-\U0001d7ff"
LIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝАВЕКМНОРСТХЅІЈҮԌԚԜαονρυιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshdqwABEKMHOPCTXSIJYGQWaovpuiABEZHIKMNOPTYX",
)
FOREIGN = "\u0370-\u03ff\u0400-\u04ff\u0500-\u052f"
WRAP = re.compile(r"(?<=[0-9])-\r?\n[ \t]*(?=[0-9])|(?<=[a-z])-\r?\n[ \t]*(?=[a-z])")
WORD = re.compile(rf"[A-Za-z{FOREIGN}]*[{FOREIGN}][A-Za-z{FOREIGN}]*")
ALIEN = re.compile(f"[{FOREIGN}]")  # quicker to miss than a word of them
ODD = re.compile(
    rf"\u00ad\r?\n[ \t]*|[{HIDDEN}]+|[^\W\d_][{MARKS}]+|[{MARKS}]+|[{WIDE}]"
    r"|[^\W0-9A-Za-z_\u00aa-\u024f]"
)
ESCAPE = re.compile(r"(?<!\\)(?:(?:\\++r)?\\++n|\\++[rt])")  # of a line end or tab
LINE_END = re.compile(r"\\[nr](?![a-z\d._-])|(?<=[.,;!?)])\\++[nr]")  # not `\notes` or `\r.lee`
# Where none of these stands there is no disguise; letters of Latin alphabets, dashes and curly
# quotes are not among them.
SUSPECT = re.compile(
    "[\u00ad\u0300-\u1fff\u2000-\u2011\u2028-\u202f\u205f-\u20ff\u2212\u2e80-\U0010ffff]"
)


@dataclass(frozen=True, slots=True, eq=False)
class Undisguised:
    """A text as it reads. Character i of it stands for ``[starts[i], ends[i])`` of the original."""

    text: str = field(repr=False)
    starts: Offsets = field(repr=False)
    ends: Offsets = field(repr=False)

    def original(self, span: Span) -> Span:
        """Return the stretch of the original that a span stands for."""
        return Span(int(self.starts[span.start]), int(self.ends[span.end - 1]))

    def reading(self, span: Span) -> Span | None:
        """Return what a stretch of the original reads as, or None where nothing is left of it."""
        first = int(np.searchsorted(self.ends, span.start, side="right"))
        last = int(np.searchsorted(self.starts, span.end, side="left"))
        return Span(first, last) if first < last else None


def undisguise(text: str) -> Undisguised | None:
    """Return the text as it reads, or None where it is what it seems.

    Hidden characters go; letters with marks are composed, or lose marks that do not compose;
    full-width and mathematical forms, foreign digits and odd blanks become ASCII; Cyrillic and
    Greek letters become the Latin ones that they look like, in words that have Latin ones too;
    numbers and words broken by a hyphen at a line's end are joined. Line ends and tabs that are
    written as escapes, as exports of databases do, are such in a note without real line ends.
    """
    changes = list(_changes(text))
    if not changes:
        return None
    pieces: list[str] = []
    starts, ends = [], []
    done = 0
    for start, end, words in sorted(changes):
        if start < done:
            continue
        pieces += (text[done:start], words)
        starts += [np.arange(done, start), np.full(len(words), start)]
        ends += [np.arange(done, start) + 1, np.full(len(words), end)]
        done = end
    pieces.append(text[done:])
    starts.append(np.arange(done, len(text)))
    ends.append(np.arange(done, len(text)) + 1)
    return Undisguised(
        "".join(pieces),
        np.concatenate(starts).astype(np.int32),
        np.concatenate(ends).astype(np.int32),
    )


def with_line_ends(text: str) -> str:
    """Return a text of the same length, with line ends and tabs for their escapes."""
    if "\\" in text and _has_escapes(text):
        return ESCAPE.sub(lambda escape: _line_end(escape).ljust(len(escape[0])), text)
    return text


def _changes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, what it reads)``; what it reads is one character or none."""
    ended = with_line_ends(text)
    if "-\n" in ended or "-\r\n" in ended:
        for match in WRAP.finditer(ended):
            is_number = text[match.start() - 1].isdigit()
            yield match.start(), match.end(), "-" if is_number else ""
    if ended is not text:
        for match in ESCAPE.finditer(text):
            yield match.start(), match.end(), _line_end(match)
    if text.isascii() or not SUSPECT.search(text):
        return
    for match in WORD.finditer(text) if ALIEN.search(text) else ():
        read = match[0].translate(LIKE)
        if read.isascii() and any("A" <= letter <= "z" for letter in match[0]):
            for at, letter in enumerate(read, match.start()):
                if letter != text[at]:
                    yield at, at + 1, letter
    for match in ODD.finditer(text):
        read = _read(match[0])
        if read != match[0]:
            yield match.start(), match.end(), read


def _has_escapes(text: str) -> bool:
    """Tell whether line ends are written as escapes; paths and log-in names look like some."""
    if "\n" in text.rstrip():
        return False
    if LINE_END.search(text):
        return True
    lines = ESCAPE.split(text)
    return sum(" " in line for line in lines[1:]) > 1 and not any("\\" in line for line in lines)


def _line_end(escape: re.Match[str]) -> str:
    return "\t" if escape[0].endswith("t") else "\n"


def _read(odd: str) -> str:
    """Return what an odd character, or a letter with its marks, reads as."""
    base = odd[0]
    if len(odd) > 1 and base.isalpha():
        composed = unicodedata.normalize("NFC", odd)
        return composed[0] if len(composed) < len(odd) or base.isascii() else odd
    if unicodedata.category(base) in ("Cf", "Mn", "Me"):
        return ""
    if base.isdecimal():
        return str(unicodedata.decimal(base))
    if base in "\u2010\u2011\u2212":
        return "-"
    plain = unicodedata.normalize("NFKC", base)
    return plain if len(plain) == 1 and plain.isascii() else base
