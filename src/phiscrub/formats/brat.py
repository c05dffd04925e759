"""brat standoff: a note in a `.txt`, its mentions in an `.ann` of the same name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, InputError, LabelError, MissingError, Place
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.encoding import Encoding, decode
from phiscrub.formats.limits import check_size
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source

SPAN = re.compile(r"(?P<label>\S+) (?P<offsets>\S.*)")
OFFSETS = re.compile(r"(?P<start>[0-9]{1,18}) (?P<end>[0-9]{1,18})")
OTHER_KINDS = frozenset("REAMN#*")  # relations, events, attributes, normalisations, comments, sets
ONE_LINE = str.maketrans("\r\n\t", "   ")
SHAPE = "a mention is written ID, tab, LABEL START END, tab, text"
MISFIT = "check that the offsets count characters of this very text, its line ends included"
MARKED = Encoding("utf-8", codecs.BOM_UTF8)
EVENT = re.compile(r"^(?P<id>E[^\t]*\t)(?P<type>[^\s:]+)(?=:(?P<trigger>T[^\s:]+))")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Kept:
    """A note as it was read: its encoding, its mentions, and the lines that give them."""

    encoding: Encoding
    note: Annotated
    lines: tuple[str, ...] = field(repr=False)


class Brat:
    """Mentions by offsets beside an untouched text; https://brat.nlplab.org/standoff.html.

    Offsets count the code points of the text as it stands: a CRLF is two, and a UTF-8 byte-order
    mark is one, as brat and MEDDOCAN have it, unless the mentions only fit without. Either file
    names the note, and a listing that has both should take the `.txt` and skip the `.ann`. Only
    the lines of mentions (`T`) are read. Relations, events, attributes, normalisations and
    comments may quote the text: they are counted, and written only where `Options.verbatim` says
    that the text is the one they stand beside. Mentions then keep their ids.
    """

    name = "brat"
    suffix = ".txt"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept an `.ann`, and a `.txt` that has an `.ann` beside it."""
        if path is None:
            return False
        if path.suffix == ".ann":
            return True
        return path.suffix == ".txt" and Path(path.with_suffix(".ann")).exists()

    def load(self, source: Source, options: Options) -> Record:
        """Read one note by the path of either file; its id is their name without the suffix."""
        if source.path is None:
            raise InputError("brat is two files", where=source.name, hint="give the .txt's path")
        text_file, annotation_file = source.sibling(".txt"), source.sibling(".ann")
        for file, hint in (
            (text_file, "the text belongs beside its .ann, under the same name"),
            (annotation_file, "make an empty one, or read the text with --from text"),
        ):
            if file.path is None or not file.path.exists():
                raise MissingError("no such file", where=file.name, hint=hint)
        data = text_file.read()
        check_size(len(data), options.max_note, Place(text_file.name))
        text, encoding = decode(data, options.encoding, text_file.name)
        lines, _ = decode(annotation_file.read(), options.encoding, annotation_file.name)
        if encoding == MARKED:
            try:
                return _record(source.stem, BOM + text, lines, annotation_file, Encoding())
            except AnnotationError as error:
                counted = error
            try:
                return _record(source.stem, text, lines, annotation_file, Encoding())
            except AnnotationError:
                raise counted from None
        return _record(source.stem, text, lines, annotation_file, encoding)

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:
        """Write text and mentions; ids count from T1 in text order, or are as they were read.

        Raises `LabelError` where a label has white space, which brat cannot hold.
        """
        kept = carry if isinstance(carry, Kept) else None
        read = carry if kept is None else kept.encoding
        encoding = read if isinstance(read, Encoding) else Encoding(options.encoding or "utf-8")
        if encoding == MARKED:  # it counts as a character
            note, encoding = _marked(note), Encoding()
        if kept is not None and options.verbatim and _same_places(kept.note, note):
            lines = _relabelled(kept, note.mentions)
        else:
            ordered = sorted(note.mentions, key=lambda m: m.key)
            lines = [_line(f"T{n}", m, note.document.text) for n, m in enumerate(ordered, 1)]
            lines += [""] if lines else []
        body = "\n".join(lines)
        annotations = encoding.encode(body) if body else b""
        return {".txt": encoding.encode(note.document.text), ".ann": annotations}


def _record(name: str, text: str, lines: str, file: Source, encoding: Encoding) -> Record:
    note = Annotated(Document(name, text), _mentions(lines, text, file.name))
    rows = tuple(lines.split("\n"))
    others = sum(bool(row.strip()) and row[0] != "T" for row in rows)
    return Record((note,), carry=Kept(encoding, note, rows), others=others)


def _marked(note: Annotated) -> Annotated:
    """Return a note with a byte-order mark as its first character."""
    moved = [
        replace(m, span=Span(m.span.start + len(BOM), m.span.end + len(BOM))) for m in note.mentions
    ]
    return Annotated(replace(note.document, text=BOM + note.document.text), tuple(moved))


def _same_places(kept: Annotated, note: Annotated) -> bool:
    """Tell whether a note has the text and the mentions of another, labels aside."""
    return kept.document.text == note.document.text and (
        [mention.span for mention in kept.mentions] == [mention.span for mention in note.mentions]
    )


def _relabelled(kept: Kept, mentions: Iterable[Mention]) -> list[str]:
    """Return the lines as they were, but for the labels of mentions and of events they begin."""
    given = iter(zip(kept.note.mentions, mentions, strict=True))
    names: dict[str, str] = {}
    lines = list(kept.lines)
    for index, line in enumerate(lines):
        if line.startswith("T"):
            old, new = next(given)
            if old.label != new.label:
                name, _, rest = line.partition("\t")
                names[name] = _label(new)
                lines[index] = f"{name}\t{names[name]}{rest.removeprefix(old.label)}"

    def renamed(event: re.Match[str]) -> str:
        return event["id"] + names.get(event["trigger"], event["type"])

    return [EVENT.sub(renamed, line) for line in lines]


def _line(name: str, mention: Mention, text: str) -> str:
    start, end = mention.span.start, mention.span.end
    return f"{name}\t{_label(mention)} {start} {end}\t{text[start:end].translate(ONE_LINE)}"


def _label(mention: Mention) -> str:
    if mention.label.split() != [mention.label]:
        raise LabelError(
            f"label {mention.label!r} has white space, which brat cannot hold",
            hint="map it to a label in one word",
        )
    return mention.label


def _mentions(annotations: str, text: str, name: str) -> tuple[Mention, ...]:
    """Read the lines of mentions, in file order."""
    found = []
    for number, line in enumerate(annotations.split("\n"), 1):
        if line.startswith("T"):
            found.append(_mention(line, text, Place(name, number)))
        elif line.strip() and line[0] not in OTHER_KINDS:
            raise AnnotationError("is no line of brat", where=Place(name, number), hint=SHAPE)
    return tuple(found)


def _mention(line: str, text: str, where: Place) -> Mention:
    """Read one line ``T1<tab>LABEL start end<tab>text``; its text must stand at its offsets."""
    columns = line.split("\t", 2)
    span = SPAN.fullmatch(columns[1]) if len(columns) == 3 else None  # noqa: PLR2004 - as above
    if span is None:
        raise AnnotationError("is not the line of a mention", where=where, hint=SHAPE)
    if ";" in span["offsets"]:
        raise AnnotationError(
            "the mention is in several pieces", where=where, hint="write one mention a piece"
        )
    offsets = OFFSETS.fullmatch(span["offsets"])
    if offsets is None:
        raise AnnotationError("the offsets are not two numbers", where=where, hint=SHAPE)
    start, end = int(offsets["start"]), int(offsets["end"])
    if start >= end:
        raise AnnotationError(f"the mention [{start}, {end}) is empty", where=where, hint=SHAPE)
    if end > len(text):
        raise AnnotationError(
            f"the mention [{start}, {end}) ends behind the text, which has {len(text)} characters",
            where=where,
            hint=MISFIT,
        )
    if _one_line(text[start:end]) != _one_line(columns[2]):
        raise AnnotationError(
            f"the text at [{start}, {end}) is not the one that the line gives",
            where=where,
            hint=MISFIT,
        )
    return Mention(Span(start, end), span["label"])


def _one_line(words: str) -> str:
    """Return the words as brat writes them: line breaks as blanks, none at the end."""
    return words.translate(ONE_LINE).rstrip(" ")
