"""Bytes to text and back, exactly."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from phiscrub.core.errors import EncodingError, InputError, Place

BOMS = (  # UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MULTIBYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
C1 = re.compile(rb"[\x80-\x9f]")
UNDEFINED_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
BINARY_SHARE = 0.02  # of control bytes in a head; text has almost none, or one
SURROGATE = re.compile("[\ud800-\udfff]")
WIDE_SHARE = 0.4  # of NULs among every second byte, where ASCII letters are UTF-16
HINT = "name the right one with --encoding, or convert the file to UTF-8"


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding and the byte-order mark that the file began with."""

    name: str = "utf-8"
    bom: bytes = b""

    def encode(self, text: str) -> bytes:
        """Turn text into bytes, mark included; raise `EncodingError` where it has no such bytes."""
        try:
            return self.bom + text.encode(self.name)
        except UnicodeEncodeError as error:
            raise EncodingError(
                f"the character at offset {error.start} cannot be written as {self.name}",
                hint="choose --encoding utf-8",
            ) from None


def known_encoding(name: str) -> str:
    """Return an encoding's usual name; raise `EncodingError` where there is none."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        hint = "try utf-8, windows-1252 or latin-1"
        raise EncodingError(f"no encoding {name!r}", hint=hint) from None


def detect_encoding(head: bytes, forced: str | None, name: str, *, whole: bool) -> Encoding:
    """Tell the encoding from a file's first bytes; `whole` says that there are no more.

    A byte-order mark decides. Bytes that are UTF-8 are read as UTF-8. Others are Windows-1252
    where they use its letters at 0x80-0x9F, else Latin-1; but a file that has well-formed UTF-8
    sequences beside broken ones is broken UTF-8, and a guess would garble it.
    """
    bom, marked = next(((b, e) for b, e in BOMS if head.startswith(b)), (b"", None))
    if forced is not None:
        known = known_encoding(forced)
        known = "utf-8" if known == "utf-8-sig" else known
        if known in ("utf-16", "utf-32"):
            known = marked or f"{known}-le"
        return Encoding(known, bom if known == marked else b"")
    if marked is not None:
        return Encoding(marked, bom)
    refuse_binary(head, name)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=whole)
    except UnicodeDecodeError as error:
        if MULTIBYTE.search(head):
            raise broken(head, error.start, "utf-8", name) from None
        if not C1.search(head):
            return Encoding("iso8859-1")
        undefined = UNDEFINED_1252.search(head)
        if undefined:
            raise broken(head, undefined.start(), "windows-1252", name) from None
        return Encoding("cp1252")
    return Encoding()


def decode(data: bytes, forced: str | None, name: str) -> tuple[str, Encoding]:
    """Turn a whole file into text; line ends are kept, a byte-order mark is not text."""
    encoding = detect_encoding(data, forced, name, whole=True)
    body = data[len(encoding.bom) :]
    try:
        text = body.decode(encoding.name)
    except UnicodeDecodeError as error:
        raise broken(data, error.start + len(encoding.bom), encoding.name, name) from None
    check_text(text, Place(name))
    return text, encoding


def broken(data: bytes, start: int, encoding: str, name: str) -> EncodingError:
    """Return the error for a byte that the encoding does not allow."""
    where = Place(name, line=data.count(b"\n", 0, start) + 1, offset=start)
    return EncodingError(f"byte {data[start]:#04x} is not {encoding}", where=where, hint=HINT)


def refuse_binary(head: bytes, name: str) -> None:
    """Raise `InputError` for bytes that are no text: NULs and control characters, many of them."""
    if len(CONTROL.findall(head)) > max(1, BINARY_SHARE * len(head)):
        wide = _unmarked_utf16(head)
        if wide is not None:
            hint = f"give --encoding {wide}, or convert the file to UTF-8"
            raise InputError("looks like UTF-16 without a mark", where=name, hint=hint)
        raise InputError("is a binary file", where=name, hint="export it as text first")


def _unmarked_utf16(head: bytes) -> str | None:
    """Return the UTF-16 whose letters have their NULs where these bytes have them, if one has."""
    even, odd = (head[start::2].count(b"\0") / max(1, len(head) // 2) for start in (0, 1))
    if max(even, odd) < WIDE_SHARE or min(even, odd) >= WIDE_SHARE:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def check_text(text: str, where: Place) -> None:
    """Raise `InputError` for characters that no note has: NUL and unpaired surrogates."""
    at = text.find("\0")
    what = "NUL character"
    if at < 0:
        lone = SURROGATE.search(text)
        if lone is None:
            return
        at, what = lone.start(), "unpaired surrogate"
    place = Place(where.path, (where.line or 1) + text.count("\n", 0, at), at, where.record)
    raise InputError(f"{what} in the text", where=place, hint="remove it and run again")
