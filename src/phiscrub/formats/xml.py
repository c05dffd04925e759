"""XML read safely, as a stream of events, and the pieces that XML is written from.

The standard library's expat does the parsing. Files that declare entities are refused before
anything is expanded, and nothing outside the file is ever opened.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.parsers import expat

from phiscrub.core.errors import EncodingError, InputError, PhiscrubError, Place
from phiscrub.formats.encoding import BOMS, HINT, Encoding, detect_encoding, refuse_binary
from phiscrub.formats.record import Options
from phiscrub.formats.source import Source

BLOCK = 262_144  # bytes that are decoded and parsed at a time
HEADER = '<?xml version="1.0" encoding="UTF-8" ?>\n'
DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
# Everything outside production 2 (Char) of XML 1.0, fifth edition.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ASCII_FORBIDDEN = bytes(code for code in range(0x20) if chr(code) not in "\t\n\r")
HANDLERS = (
    *("StartElementHandler", "EndElementHandler", "CharacterDataHandler"),
    *("StartDoctypeDeclHandler", "SkippedEntityHandler"),
)
REFERENCES = {ord(c): f"&#{ord(c)};" for c in "\t\n\r"}
ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): REFERENCES[13]}
ATTRIBUTE_ESCAPES = ESCAPES | REFERENCES | {ord('"'): "&quot;"}


@dataclass(frozen=True, slots=True)
class Start:
    """A start tag, on its line of the file (from 1)."""

    name: str
    attributes: Mapping[str, str] = field(repr=False)
    line: int


@dataclass(frozen=True, slots=True)
class End:
    """An end tag."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Chars:
    """Text, escaped or CDATA alike, and the line that it ends on; a run may come in pieces."""

    text: str = field(repr=False)
    line: int


Event = Start | End | Chars


def events(source: Source, options: Options) -> Iterator[Event]:
    """Parse a file as it is read: memory does not grow with the file.

    Line ends come as LF, as XML has it. Raises `EncodingError` and `InputError` with line and
    column at the first thing that is not well formed, after the events before it; bytes and
    characters that no XML has are found a block ahead.
    """
    parser = guarded(source.name)
    found = _recorded(parser)
    trouble: PhiscrubError | None = None
    with source.open() as file:
        for text in _decoded(file, options.encoding, source.name):
            try:
                _feed(parser, text, source.name)
            except PhiscrubError as error:
                trouble = error
            yield from found
            found.clear()
            if trouble is not None:
                raise trouble from None


def parse(parser: expat.XMLParserType, source: Source, options: Options) -> None:
    """Parse a file as `events` does, into handlers that are set on a guarded parser.

    Several times as fast where most events are of no interest. Handlers may raise; they are
    let go of at the end, as else they and the parser would hold each other in memory.
    """
    try:
        with source.open() as file:
            for text in _decoded(file, options.encoding, source.name):
                _feed(parser, text, source.name)
    finally:
        for name in HANDLERS:
            setattr(parser, name, None)


def _feed(parser: expat.XMLParserType, text: str, name: str) -> None:
    """Parse a piece, the empty one being the end."""
    try:
        parser.Parse(text, not text)
    except expat.ExpatError as error:
        raise InputError(
            f"broken XML at column {error.offset + 1}: {expat.errors.messages[error.code]}",
            where=Place(name, error.lineno),
            hint="repair the file so that an XML parser can read it",
        ) from None


def guarded(name: str) -> expat.XMLParserType:
    """Return a parser that refuses declarations and entities of the file's own."""
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def doctype(_name: str, _system: str | None, _public: str | None, internal: bool) -> None:
        if internal:
            raise InputError(
                "the document type declares entities or elements of its own",
                where=Place(name, parser.CurrentLineNumber),
                hint="remove the <!DOCTYPE ...> declaration",
            )

    def skipped(_name: str, _parameter: bool) -> None:
        raise InputError(
            "an entity stands in the text that the file does not define",
            where=Place(name, parser.CurrentLineNumber),
            hint="write the character itself in its place",
        )

    parser.StartDoctypeDeclHandler = doctype
    parser.SkippedEntityHandler = skipped
    return parser


def _recorded(parser: expat.XMLParserType) -> list[Event]:
    """Return the list that a parser's events go to."""
    found: list[Event] = []
    parser.StartElementHandler = lambda element, attributes: found.append(
        Start(element, attributes, parser.CurrentLineNumber)
    )
    parser.EndElementHandler = lambda element: found.append(End(element, parser.CurrentLineNumber))
    parser.CharacterDataHandler = lambda text: found.append(Chars(text, parser.CurrentLineNumber))
    return found


def _decoded(file: BinaryIO, forced: str | None, name: str) -> Iterator[str]:
    """Yield the file's text block by block, then one empty string that ends it."""
    block = file.read(BLOCK)
    if not block:
        raise InputError("is empty", where=name, hint="remove it or give it a note")
    encoding = detect_xml_encoding(block, forced, name)
    decoder = codecs.getincrementaldecoder(encoding.name)()
    at, line, characters = len(encoding.bom), 1, 0
    block = block[at:]
    while True:
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeError as error:
            data, start = block, 0
            if isinstance(error, UnicodeDecodeError):
                data, start = error.object, error.start  # begins with what the last block left
            where = Place(
                name,
                line + data.count(b"\n", 0, start),
                at - (len(data) - len(block)) + start,
            )
            raise EncodingError(f"a byte is not {encoding.name}", where=where, hint=HINT) from None
        check_characters(text, Place(name, line, characters))
        if text:
            yield text
        if not block:
            break
        at, line, characters = at + len(block), line + text.count("\n"), characters + len(text)
        block = file.read(BLOCK)
    yield ""


def detect_xml_encoding(head: bytes, forced: str | None, name: str) -> Encoding:
    """Tell a file's encoding: the forced one, its mark's, the declared one, or UTF-8.

    Raises `EncodingError` for a declared encoding that there is not, `InputError` for a binary
    file. A file that declares UTF-16 in single bytes is UTF-8, as its writer meant.
    """
    marked = _marked(head)
    if forced is not None:
        return detect_encoding(head, forced, name, whole=False)
    if marked is not None:
        return marked
    refuse_binary(head, name)
    declared = DECLARED.match(head)
    if declared is None:
        return Encoding()
    said = declared[1].decode("ascii")
    try:
        known = codecs.lookup(said).name
        b" ".decode(known, "replace")  # refuses codecs that are no text encodings, such as zlib
    except (LookupError, UnicodeError):
        raise EncodingError(
            "the XML declaration names an encoding that is not known",
            where=Place(name, 1),
            hint="name the right one with --encoding",
        ) from None
    return Encoding() if known.startswith(("utf-16", "utf-32")) else Encoding(known)


def _marked(head: bytes) -> Encoding | None:
    """Return the encoding that a byte-order mark or the width of the first `<` shows."""
    for bom, name in BOMS:
        if head.startswith(bom):
            return Encoding(name, bom)
    return next((Encoding(name) for start, name in UNMARKED if head.startswith(start)), None)


@dataclass(frozen=True, slots=True)
class Sketch:
    """What the first bytes of a file show of it: enough to tell XML formats apart.

    `declared` says that it begins as XML does, `tags` has name and TYPE of the start tags that
    could be read; a file that is no XML has none.
    """

    declared: bool = False
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def root(self) -> str:
        """The root's name, or an empty string."""
        return self.tags[0][0] if self.tags else ""

    @property
    def child(self) -> str:
        """The name of the root's first child, or an empty string."""
        return self.tags[1][0] if len(self.tags) > 1 else ""


def sketch(head: bytes) -> Sketch:
    """Read as much of a file's head as is XML; never raises, never expands an entity."""
    encoding = _marked(head) or Encoding("iso8859-1")  # tags are ASCII
    text = head[len(encoding.bom) :].decode(encoding.name, "replace").lstrip()
    if not text.startswith("<"):
        return Sketch()
    parser = guarded("")
    found = _recorded(parser)
    declared = text.startswith("<?xml")
    try:
        parser.Parse(text, False)
    except InputError:
        declared = True  # it declares entities: XML, to be refused where it is read
    except expat.ExpatError:
        pass
    tags = (event for event in found if isinstance(event, Start))
    return Sketch(declared, tuple((tag.name, tag.attributes.get("TYPE", "")) for tag in tags))


def check_characters(text: str, where: Place) -> None:
    """Raise `EncodingError` for a character that XML 1.0 cannot hold, such as NUL or form feed.

    `where` is the place of the text's beginning; the error's is that of the character.
    """
    if text.isascii():  # most notes are, and this takes a tenth of the time
        data = text.encode()
        if len(data.translate(None, ASCII_FORBIDDEN)) == len(data):
            return
    found = FORBIDDEN.search(text)
    if found is None:
        return
    at = found.start()
    line = None if where.line is None else where.line + text.count("\n", 0, at)
    raise EncodingError(
        f"the character U+{ord(found[0]):04X} cannot stand in XML",
        where=Place(where.path, line, (where.offset or 0) + at, where.record),
        hint="remove it, or choose a format other than XML",
    )


def escape(text: str) -> str:
    """Return text as element content; a parser gives back each character, CR included."""
    return text.translate(ESCAPES)


def escape_attribute(text: str) -> str:
    """Return text as the content of a double-quoted attribute, white space kept."""
    return text.translate(ATTRIBUTE_ESCAPES)


def cdata(text: str) -> str:
    """Return text as CDATA, split where the text holds its end mark or a CR.

    A parser would turn a bare CR into LF; as a character reference it stays, but that works
    only outside CDATA.
    """
    split = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{split}]]>"
