"""Plain text: one note a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, Place
from phiscrub.core.mention import Annotated
from phiscrub.formats.encoding import Encoding, decode
from phiscrub.formats.limits import check_size
from phiscrub.formats.markup import hidden_by, markup_of
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source

# How files that are no text begin, and what each is called. RTF is text, but its escapes can
# stand inside any word and hide it.
MAGICS = MappingProxyType(
    {
        b"%PDF-": "PDF",
        b"{\\rtf": "RTF",
        b"%!PS": "PostScript",
        b"PK\x03\x04": "a ZIP archive or an Office file such as .docx",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an old Office file such as .doc",
        b"\xffWPC": "WordPerfect",
        b"\x1f\x8b": "gzip",
        b"BZh91AY&SY": "bzip2",
        b"\xfd7zXZ\x00": "xz",
        b"7z\xbc\xaf\x27\x1c": "7-Zip",
        b"\x28\xb5\x2f\xfd": "Zstandard",
        b"\x89PNG\r\n\x1a\n": "a PNG image",
        b"\xff\xd8\xff": "a JPEG image",
        b"GIF87a": "a GIF image",
        b"GIF89a": "a GIF image",
        b"II*\x00": "a TIFF image",
        b"MM\x00*": "a TIFF image",
    }
)
BLANK = b"\xef\xbb\xbf \t\r\n"  # may stand before a magic


class PlainText:
    """Text in UTF-8, UTF-16, UTF-32, Windows-1252 or Latin-1; written as it was read."""

    name = "text"
    suffix = ".txt"
    label_set = None
    annotates = False

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept anything: plain text is what is left when no other format fits."""
        return True

    def load(self, source: Source, options: Options) -> Record:
        """Read one note; its id is the file's name without the suffix."""
        data = source.read()
        _refuse_other(data, source.name)
        check_size(len(data), options.max_note, Place(source.name))
        text, encoding = decode(data, options.encoding, source.name)
        self._refuse(text, source)
        return Record((Annotated(Document(source.stem, text)),), carry=encoding)

    def _refuse(self, text: str, source: Source) -> None:
        """Raise `InputError` for a text that is not what it seems; asked for, any is taken."""

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:
        """Write the text, in the encoding it was read in unless another is asked for."""
        encoding = carry if isinstance(carry, Encoding) else Encoding(options.encoding or "utf-8")
        return {self.suffix: encoding.encode(note.document.text)}


class DetectedText(PlainText):
    """Plain text that nobody asked for: markup is refused."""

    def _refuse(self, text: str, source: Source) -> None:
        suffix = "" if source.path is None else source.path.suffix
        kind = markup_of(text, suffix) or hidden_by(text)
        if kind is not None:
            raise InputError(
                f"is {kind}, no plain text",
                where=source.name,
                hint="export it as plain text (.txt), or read tags and all with --from text",
            )


def _refuse_other(data: bytes, name: str) -> None:
    """Raise `InputError` for files that are known to be no plain text."""
    head = data[:64].lstrip(BLANK)
    kind = next((kind for magic, kind in MAGICS.items() if head.startswith(magic)), None)
    if kind is not None:
        raise InputError(
            f"is {kind}, no plain text",
            where=name,
            hint="save or export it as plain text (.txt), and scrub that",
        )
