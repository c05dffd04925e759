"""The same words in another layout: lines, fields, bullets, blank lines, line ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from phiscrub.core.mention import Annotated
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, edited, reordered

LINE = re.compile(r"[^\n]*(?:\n|$)")
FIELD = re.compile(
    r"^(?P<gap>[ \t]*)(?P<key>[^\W\d_][\w /.#&'()-]{0,28}?)(?P<mark>[ \t]*:[ \t]+)(?=\S)"
)
BULLET = re.compile(r"^[ \t]*(?P<mark>[-*•·–]|\d{1,2}[.)])(?P<gap>[ \t]+)(?=\S)", re.M)
FOLDED = re.compile(r"(?<=[a-z,;]) ?\n(?=[a-z])")
BLANK = re.compile(r"\n[ \t]*\n")
WIDTHS = (60, 66, 72, 76, 80, 90, 100)
MARKS = (": ", ":", ":  ", " : ", ":\t", " - ", " = ")
BULLETS = ("- ", "* ", "• ", "-", "– ", "· ", "> ")
LONG_LINE = 45  # characters; a shorter line ends where its writer ended it


@dataclass(frozen=True, slots=True)
class Lines:
    """Wraps long lines, or joins wrapped ones."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note in other lines."""
        text, edges = note.document.text, Edges.of(note)
        if draw.happens(0.5):
            places = _ends(note, draw.choice(WIDTHS))
            return edited(note, (Edit(at, at + 1, "\n") for at in places))
        edits = []
        for found in FOLDED.finditer(text):
            short = found.start() - (text.rfind("\n", 0, found.start()) + 1) < LONG_LINE
            if not short and not edges.crossed(*found.span()):
                edits.append(Edit(*found.span(), " "))
        return edited(note, edits)


def _ends(note: Annotated, width: int) -> Iterator[int]:
    """Yield the spaces, none of them in a mention, at which lines longer than a width are cut."""
    text = note.document.text
    for line in LINE.finditer(text):
        start, end = line.span()
        while end - start > width + 1:
            at = text.rfind(" ", start + 1, start + width + 1)
            while at >= 0 and _in_mention(note, at):
                at = text.rfind(" ", start + 1, at)
            if at < 0:
                break
            yield at
            start = at + 1


@dataclass(frozen=True, slots=True)
class Fields:
    """Writes `Key: value` lines otherwise: the key's case, the mark behind it, their order."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with other fields."""
        note = _shuffled(note, draw) if draw.happens(0.5) else note
        text, edges = note.document.text, Edges.of(note)
        cases: tuple[Callable[[str], str], ...] = (str, str, str.upper, str.lower, str.title)
        case, mark = draw.choice(cases), draw.choice(MARKS)
        edits = []
        for start, found in _fields(text):
            key = start + found.start("key"), start + found.end("key")
            behind = start + found.start("mark"), start + found.end("mark")
            if edges.crossed(key[0], behind[1]) or edges.at(key[1]) or _in_mention(note, key[0]):
                continue
            edits += [Edit(*key, case(found["key"])), Edit(*behind, mark)]
        return edited(note, edits)


def _fields(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    for line in LINE.finditer(text):
        found = FIELD.match(line[0])
        if found:
            yield line.start(), found


def _in_mention(note: Annotated, place: int) -> bool:
    return any(m.span.start <= place < m.span.end for m in note.mentions)


def _shuffled(note: Annotated, draw: Draw) -> Annotated:
    """Exchange neighbouring lines that are both fields; lines that share a mention stay one."""
    text = note.document.text
    starts = {start for start, _ in _fields(text)}
    lines: list[tuple[int, int]] = []
    for line in LINE.finditer(text):
        if lines and _crossed(note, line.start()):
            lines[-1] = lines[-1][0], line.end()
        elif line[0]:
            lines.append(line.span())
    at = 0
    while at + 1 < len(lines):
        (start, middle), (_, end) = lines[at], lines[at + 1]
        both = start in starts and middle in starts and text[end - 1] == "\n"
        if both and draw.happens(0.5):
            lines[at : at + 2] = lines[at + 1], lines[at]
            at += 1
        at += 1
    return reordered(note, lines)


def _crossed(note: Annotated, place: int) -> bool:
    """Tell whether a mention stands on both sides of a place."""
    return any(m.span.start < place < m.span.end for m in note.mentions)


@dataclass(frozen=True, slots=True)
class Bullets:
    """Writes the items of lists with other marks."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with other bullets; a number that is a mention's stays."""
        text, edges = note.document.text, Edges.of(note)
        mark, edits = draw.choice(BULLETS), []
        for found in BULLET.finditer(text):
            span = found.start("mark"), found.end("gap")
            if not edges.crossed(*span) and not _in_mention(note, span[0]):
                edits.append(Edit(*span, mark))
        return edited(note, edits)


@dataclass(frozen=True, slots=True)
class Blanks:
    """Takes blank lines out, or puts more in."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with other gaps between its paragraphs."""
        text, edges = note.document.text, Edges.of(note)
        put, rate = draw.choice((("\n", 0.9), ("\n\n\n", 0.5), ("\n \n", 0.5)))
        found = [m for m in BLANK.finditer(text) if not edges.crossed(*m.span())]
        return edited(note, (Edit(*found[i].span(), put) for i in draw.hits(rate, len(found))))


@dataclass(frozen=True, slots=True)
class LineEnds:
    """Ends lines as Windows does."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:  # noqa: ARG002 - the contract's
        """Return the note with other line ends."""
        ends = re.finditer(r"(?<!\r)\n", note.document.text)
        return edited(note, (Edit(end.start(), end.end(), "\r\n") for end in ends))


LAYOUTS = ((Lines(), 0.5), (Fields(), 0.5), (Bullets(), 0.4), (Blanks(), 0.3), (LineEnds(), 0.15))
