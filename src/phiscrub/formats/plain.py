"""Plain text: one note a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, Place
from phiscrub.core.mention import Annotated
from phiscrub.formats.encoding import Encoding, decode
from phiscrub.formats.limits import check_size
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source


class PlainText:
    """Text in UTF-8, UTF-16 with a mark, Windows-1252 or Latin-1; written as it was read."""

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
        if not data:
            raise InputError("is empty", where=source.name, hint="remove it or give it text")
        check_size(len(data), options.max_note, Place(source.name))
        text, encoding = decode(data, options.encoding, source.name)
        return Record((Annotated(Document(source.stem, text)),), carry=encoding)

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:
        """Write the text, in the encoding it was read in unless another is asked for."""
        encoding = carry if isinstance(carry, Encoding) else Encoding(options.encoding or "utf-8")
        return {self.suffix: encoding.encode(note.document.text)}
