"""Sections of a note, by their headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.tokenize.lines import is_capitals, is_item, is_rule, is_table
from phiscrub.tokenize.vocabulary import FIELDS, HEADINGS

HASHED = re.compile(r"#{1,6}\s+(?P<name>.*\w\)?)")
LABELLED = re.compile(
    r"(?:\*\*)?(?P<name>[^\W\d_][^\n:.;?!|\t*]{0,58}[^\W_]\)?)\s?:(?!//)(?P<rest>.*)"
)
WORD = re.compile(r"[^\W\d_]+")
MOST_WORDS = 7  # of a heading


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a note under one heading.

    `heading` is the heading's words without colon, hashes or underline, None for what stands
    before the first one; `body` is the text below or beside it, trimmed, None where there is
    none.
    """

    heading: Span | None
    body: Span | None


def split_sections(text: str) -> tuple[Section, ...]:
    """Cut a text at its headings; sections are in order and disjoint.

    A heading is a line that is

    - ``## Assessment``, hashed;
    - ``PLAN``, underlined by a line of dashes or equals signs;
    - ``Past Medical History:``, alone on its line;
    - ``HPI: text`` in capitals, or ``Family history: text`` with a word that headings have;
    - ``FAMILY HISTORY``, short, in capitals, and not inside a block of such lines.
    """
    found = list(_headings(text))
    if not found:
        return (Section(None, body),) if (body := _trim(text, 0, len(text))) else ()
    first = _trim(text, 0, found[0][0])
    sections = [Section(None, first)] if first else []
    limits = [begin for begin, _, _ in found[1:]] + [len(text)]
    for (_, heading, behind), limit in zip(found, limits, strict=True):
        sections.append(Section(heading, _trim(text, behind, limit)))
    return tuple(sections)


def headings(note: Note) -> tuple[list[str], NDArray[np.int64]]:
    """Return headings, '' before all, and for each token the number of that which it is under.

    Headings are in capitals and have single blanks.
    """
    text = note.text
    spans = [section.heading for section in split_sections(text) if section.heading]
    names = ["", *(" ".join(text[s.start : s.end].upper().split()) for s in spans)]
    places = np.array([span.start for span in spans], dtype=np.int32)
    under = np.searchsorted(places, note.tokens.starts, side="right")
    return names, under.astype(np.int64, copy=False)


def _headings(text: str) -> Iterator[tuple[int, Span, int]]:
    """Yield where each heading's line begins, the heading, and where its section's body begins."""
    lines = text.splitlines(keepends=True)
    bodies = ["", *(line.strip() for line in lines), ""]
    offset = 0
    for number, line in enumerate(lines, start=1):
        before, body, after = bodies[number - 1 : number + 2]
        indent = offset + len(line) - len(line.lstrip())
        offset += len(line)
        if hashed := HASHED.match(body):
            if _is_name(hashed["name"]):
                yield indent, _place(hashed, indent), offset
        elif is_rule(after) and _is_name(body):
            name = body.rstrip(" :")
            yield indent, Span(indent, indent + len(name)), offset + len(lines[number])
        elif labelled := LABELLED.match(body):
            if _is_label(labelled["name"], labelled["rest"].strip(" *")):
                yield indent, _place(labelled, indent), indent + labelled.start("rest")
        elif _is_title(before, body, after):
            yield indent, Span(indent, indent + len(body)), offset


def _is_label(name: str, rest: str) -> bool:
    """Tell whether words before a colon are a heading; `rest` follows them on the line."""
    words = WORD.findall(name)
    if len(words) > MOST_WORDS or is_table(name):
        return False
    if not rest:
        return name[0].isupper()
    if is_table(rest):
        return False
    if name.isupper():
        return words[0].lower() not in FIELDS
    return name[0].isupper() and not HEADINGS.isdisjoint(word.lower() for word in words)


def _is_title(before: str, line: str, after: str) -> bool:
    """Tell whether a line without a colon is a heading by its capitals.

    Only the first of a block of such lines can be, and only behind a blank line: blocks are
    letterheads, addresses, or whole notes in capitals.
    """
    if not line or not is_capitals(line) or not line[0].isalpha() or not _is_name(line):
        return False
    if "," in line or any(character.isdigit() for character in line):
        return False
    return not before or not (_is_shouted(before) or _is_shouted(after))


def _is_shouted(line: str) -> bool:
    return bool(line) and is_capitals(line)


def _is_name(line: str) -> bool:
    """Tell whether a line has the words of a heading, and no more."""
    if not line or line[-1] in ".,;" or is_table(line) or is_item(line):
        return False
    return len(line) > 1 and 0 < len(WORD.findall(line)) <= MOST_WORDS


def _place(match: re.Match[str], offset: int) -> Span:
    start, end = match.span("name")
    return Span(offset + start, offset + end)


def _trim(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return None
    start += len(piece) - len(piece.lstrip())
    return Span(start, start + len(body))
