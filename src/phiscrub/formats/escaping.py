r"""Cells in which a sign stands before what would end them, as MySQL, Hive and Python write them.

The sign before a letter stands for a control character, as MySQL reads it, where it has one.
`\N`, which is MySQL's NULL, and the sign before anything else are plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from phiscrub.core.errors import SettingsError
from phiscrub.formats.encoding import Encoding

QUOTE = b'"'
ENDS = (b"\n", b"\r")
MEANT = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0", b"b": b"\b", b"Z": b"\x1a"}
HIGH = range(0x80, 0x100)
SHIFTED = ("iso2022", "hz", "utf-7")  # in these, letters may be written in bytes of ASCII


def escape_of(named: str | None, mark: bytes) -> bytes:
    r"""Return the sign that was named (`\\` is the backslash, too); no bytes where none was.

    Raises `SettingsError` where it is not one ASCII sign, or already has a meaning in the table.
    """
    if named is None:
        return b""
    known = "\\" if named == r"\\" else named
    plain = len(known) == 1 and known.isascii() and known.isprintable()
    if not plain or known.isalnum() or known in ' "' or known.encode() == mark:
        raise SettingsError(f"{named!r} is no --escape", hint="it is '\\' in most tables")
    return known.encode()


def hides(sign: bytes, encoding: Encoding) -> bool:
    """Tell whether the sign's byte can be a part of another character's."""
    if encoding.name.startswith(SHIFTED):
        return True
    pairs = (bytes([high]) + sign for high in HIGH)
    return any(not pair.decode(encoding.name, "replace").endswith(sign.decode()) for pair in pairs)


def unescaped(cell: bytes, sign: bytes, mark: bytes) -> bytes:
    """Return what a raw cell says, quoted or not."""
    quoted = cell.startswith(QUOTE)
    if quoted:
        cell = cell[1:-1]
    elif sign not in cell:
        return cell
    known = dict(_pairs(cell, sign, mark))
    pattern = re.escape(sign) + rb"(?s:.)" + (rb'|""' if quoted else b"")
    known[QUOTE * 2] = QUOTE
    return re.sub(pattern, lambda pair: known.get(pair[0], pair[0]), cell)


def escaped(data: bytes, sign: bytes, mark: bytes, was: bytes = b"") -> bytes:
    """Return the raw cell that says `data`, quoted and escaped like the one that `was` there."""
    quoted = was.startswith(QUOTE)
    must = (sign, QUOTE) if quoted else (sign, mark, *ENDS)
    raw = {one: sign + one for one in must}
    raw |= {said: pair for pair, said in _pairs(was, sign, mark)}
    pattern = b"|".join(re.escape(one) for one in raw)
    cell = re.sub(pattern, lambda one: raw[one[0]], data)
    if quoted:
        return QUOTE + cell + QUOTE
    return sign + cell if cell.startswith(QUOTE) else cell


def _pairs(cell: bytes, sign: bytes, mark: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield what in a cell stands for another byte, with that byte."""
    known = MEANT | {one: one for one in (sign, mark, QUOTE, *ENDS)}
    for pair in re.findall(re.escape(sign) + rb"(?s:.)", cell):
        if pair[1:] in known:
            yield pair, known[pair[1:]]
