"""XML of the i2b2 2014 task, its N-GRID 2016 successor and MEDDOCAN: text, then tags by offset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from xml.parsers.expat import XMLParserType

from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, InputError, Place
from phiscrub.core.labels import LabelSet, check_label, label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats import xml
from phiscrub.formats.limits import check_size
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source

# The elements that the official scripts read, in the order in which they read them.
ELEMENTS = ("PHI", "NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER")
OFFSET = re.compile(r"\s*([0-9]{1,12})\s*", re.ASCII)
DEFAULTS = Options()
DEPTH = 3  # of annotations: root, TAGS, annotation


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as it stands in the file: raw strings, empty where an attribute is absent.

    `words` is its `text` attribute. Tags are equal where element, offsets and type are.
    """

    element: str
    start: str
    end: str
    type: str
    words: str = field(compare=False, repr=False)
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a note: the format that read it and its root element's name."""

    format: str
    root: str


class I2b2:
    """i2b2 2014 and N-GRID 2016 XML: one note a file, written as UTF-8.

    A label is the tag's TYPE where the label set has it under the tag's element. A tag without one
    reads as the element's only label, or as the element. Any other tag reads as ``ELEMENT/TYPE``,
    so that nothing is lost, and is written as it was.
    """

    name = "i2b2"
    suffix = ".xml"
    label_set = "i2b2-2014"
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept XML other than that of 2006, so that no XML is taken for plain text."""
        seen = xml.sketch(head)
        return seen.child != "RECORD" and (
            seen.declared or seen.root == "deIdi2b2" or seen.child in ("TEXT", "TAGS")
        )

    def load(self, source: Source, options: Options) -> Record:
        """Read one note; its id is the file's name without the suffix."""
        return _load(source, options, self.name, label_set(self.label_set))

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:  # noqa: ARG002 - the contract's
        """Write the note, its tags in text order, numbered anew."""
        root = carry.root if isinstance(carry, Frame) and carry.format == self.name else "deIdi2b2"
        return {self.suffix: _dump(note, root, label_set(self.label_set))}


class Meddocan:
    """MEDDOCAN XML: the shape of i2b2 2014 with the Spanish types; labels as in `I2b2`."""

    name = "meddocan"
    suffix = ".xml"
    label_set = "meddocan"
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept what has MEDDOCAN's root, or types that only MEDDOCAN has.

        XML of 2006 may have them too: its records tell it.
        """
        seen = xml.sketch(head)
        if seen.child == "RECORD":
            return False
        own = set(label_set(self.label_set).labels) - set(label_set("i2b2-2014").labels)
        return seen.root == "MEDDOCAN" or any(
            element in ELEMENTS and kind in own for element, kind in seen.tags
        )

    def load(self, source: Source, options: Options) -> Record:
        """Read one note; its id is the file's name without the suffix."""
        return _load(source, options, self.name, label_set(self.label_set))

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:  # noqa: ARG002 - the contract's
        """Write the note, its tags in text order, numbered anew."""
        root = carry.root if isinstance(carry, Frame) and carry.format == self.name else "MEDDOCAN"
        return {self.suffix: _dump(note, root, label_set(self.label_set))}


def read_tags(source: Source, options: Options = DEFAULTS) -> tuple[str, tuple[Tag, ...] | None]:
    """Return a note's text and its tags as the official scripts take them, offsets unchecked.

    Tags are grouped by element in the order of `ELEMENTS`, in document order inside a group;
    other elements are left out. None stands for a file without a TAGS element. Raises
    `InputError` where the file is no such XML.
    """
    draft = _read(source, options)
    if draft.tags is None:
        return draft.text, None
    return draft.text, tuple(sorted(draft.tags, key=lambda tag: ELEMENTS.index(tag.element)))


@dataclass(slots=True)
class _Draft:
    """What has been read of one file so far: `path` is the names of the open elements."""

    name: str
    limit: int
    parser: XMLParserType
    root: str = ""
    path: list[str] = field(default_factory=list)
    pieces: list[str] | None = None
    size: int = 0
    tags: list[Tag] | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces or ())

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Take a start tag; most are annotations, which are told first."""
        path = self.path
        path.append(element)
        if len(path) != DEPTH or path[1] != "TAGS" or self.tags is None:
            self._open()
        elif element in ELEMENTS:
            get = attributes.get
            raw = get("start", ""), get("end", ""), get("TYPE", ""), get("text", "")
            self.tags.append(Tag(element, *raw, self.parser.CurrentLineNumber))

    def end(self, element: str) -> None:
        """Take an end tag."""
        self.path.pop()
        if element == "TEXT":
            self.parser.CharacterDataHandler = None

    def _open(self) -> None:
        where = Place(self.name, self.parser.CurrentLineNumber)
        match self.path:
            case [root]:
                self.root = root.rpartition(":")[2]  # the prefix's declaration is not kept
            case [_, "TEXT"]:
                if self.pieces is not None:
                    raise InputError(
                        "there are two TEXT elements", where=where, hint="keep one note a file"
                    )
                self.pieces = []
                # Set only for the text: each call for the blanks between tags would cost.
                self.parser.CharacterDataHandler = self._read
            case [_, "TAGS"]:
                if self.tags is not None:
                    raise InputError(
                        "there are two TAGS elements", where=where, hint="join them into one"
                    )
                self.tags = []
            case [_, "TEXT", _, *_]:
                raise InputError(
                    "an element stands inside the text",
                    where=where,
                    hint="escape the text, or mark it up by offsets in TAGS",
                )

    def _read(self, text: str) -> None:
        self.size += len(text)
        if self.pieces is not None and self.size <= self.limit:
            self.pieces.append(text)


def _read(source: Source, options: Options) -> _Draft:
    parser = xml.guarded(source.name)
    draft = _Draft(source.name, options.max_note, parser)
    parser.StartElementHandler, parser.EndElementHandler = draft.start, draft.end
    xml.parse(parser, source, options)
    if draft.pieces is None:
        raise InputError(
            "has no TEXT element under its root",
            where=source.name,
            hint="it is no i2b2 XML; name its format with --from",
        )
    check_size(draft.size, options.max_note, Place(source.name))
    return draft


def _load(source: Source, options: Options, name: str, labels: LabelSet) -> Record:
    draft = _read(source, options)
    text = draft.text
    mentions = tuple(_mention(tag, text, labels, source.name) for tag in draft.tags or ())
    note = Annotated(Document(source.stem, text), mentions)
    return Record((note,), carry=Frame(name, draft.root))


def _mention(tag: Tag, text: str, labels: LabelSet, name: str) -> Mention:
    """Turn a tag into a mention; raise `AnnotationError` where its offsets do not fit the text."""
    found = OFFSET.fullmatch(tag.start), OFFSET.fullmatch(tag.end)
    if found[0] is None or found[1] is None:
        raise AnnotationError(
            f"{tag.element} tag without a number as its {'end' if found[0] else 'start'}",
            where=Place(name, tag.line),
            hint="give it start and end as character offsets",
        )
    start, end = int(found[0][1]), int(found[1][1])
    where = Place(name, tag.line, start)
    if not start < end <= len(text):
        raise AnnotationError(
            f"{tag.element} tag [{start}, {end}) is empty or outside the text, which has "
            f"{len(text)} characters",
            where=where,
            hint="check that the offsets count characters of this very text",
        )
    # Only letters and digits are compared, as far as both go: tools write quotes, white space
    # and long texts each in their own way, but shifted offsets show.
    if not _letters(text[start:end]).startswith(_letters(tag.words)):
        raise AnnotationError(
            f"{tag.element} tag [{start}, {end}) names other words than stand there",
            where=where,
            hint="offsets must count characters of the parsed text: not bytes, a line end is one",
        )
    return Mention(Span(start, end), _label(tag.element, tag.type, labels))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _label(element: str, kind: str, labels: LabelSet) -> str:
    """Return the label of an element and its TYPE; of one without, the element's only label."""
    own = [label for label, category in labels.categories.items() if category == element]
    if not kind:
        return own[0] if len(own) == 1 else element
    return kind if kind in own else f"{element}/{kind}"


def _element(label: str, labels: LabelSet) -> tuple[str, str]:
    """Return the element and the TYPE that a label is written as; raise `LabelError`."""
    element, slash, kind = label.partition("/")
    if element in ELEMENTS and (slash or label not in labels.categories):
        return element, kind
    check_label(label, labels)
    return labels.category(label), label


def _dump(note: Annotated, root: str, labels: LabelSet) -> bytes:
    text = note.document.text
    where = Place(record=note.document.id)
    xml.check_characters(text, where)
    lines = [f"{xml.HEADER}<{root}>\n<TEXT>{xml.cdata(text)}</TEXT>\n<TAGS>\n"]
    for number, mention in enumerate(sorted(note.mentions, key=lambda m: m.key)):
        element, kind = _element(mention.label, labels)
        xml.check_characters(kind, where)
        start, end = mention.span.start, mention.span.end
        words = xml.escape_attribute(text[start:end])
        lines.append(
            f'<{element} id="P{number}" start="{start}" end="{end}" text="{words}" '
            f'TYPE="{xml.escape_attribute(kind)}" comment="" />\n'
        )
    lines.append(f"</TAGS>\n</{root}>\n")
    return "".join(lines).encode()
