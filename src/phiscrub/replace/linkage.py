"""A file for those who may re-identify: which words stood where, encrypted with the user's key."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from phiscrub.core.errors import InputError, MissingError, SettingsError

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

# patient or note, the note, where in its output, label, original, what stands for it
Row = tuple[str, str, int, str, str, str]
FIELDS = ("subject", "note", "start", "label", "original", "surrogate")


def cipher(key_file: Path) -> Fernet:
    """Return the cipher (Fernet: AES-128-CBC and HMAC-SHA256) of a key file.

    Raises `MissingError` or `SettingsError` where there is no such key, or no `cryptography`.
    """
    try:
        from cryptography.fernet import Fernet  # noqa: PLC0415 - an extra
    except ImportError:
        hint = "pip install 'phiscrub[linkage]'"
        raise SettingsError("the linkage file needs the package cryptography", hint=hint) from None
    make = "openssl rand -base64 32 | tr '+/' '-_' > FILE"
    try:
        return Fernet(key_file.read_bytes().strip())
    except FileNotFoundError:
        where = str(key_file)
        raise MissingError("no such key file", where=where, hint=f"make one: {make}") from None
    except (OSError, ValueError):
        where = str(key_file)
        raise SettingsError("holds no key", where=where, hint=f"make one: {make}") from None


def sealed(rows: Iterable[Row], key: Fernet) -> str:
    """Return rows as a line of encrypted text; a file may have many."""
    told = "\n".join(
        json.dumps(dict(zip(FIELDS, row, strict=True)), ensure_ascii=False)
        for row in sorted(set(rows))
    )
    return key.encrypt(told.encode("utf-8", "surrogatepass")).decode() + "\n"


def opened(file: Path, key: Fernet) -> str:
    """Return a linkage file as JSON Lines; raises `InputError` where the key is another.

    A last line that the end of a run cut off is left out: its notes were not written.
    """
    from cryptography.fernet import InvalidToken  # noqa: PLC0415 - an extra

    try:
        *whole, last = file.read_bytes().split(b"\n")
        told = [key.decrypt(line) for line in (whole or [last])]
    except FileNotFoundError:
        raise MissingError("no such linkage file", where=str(file)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(file)) from None
    except InvalidToken:
        hint = "give the key that it was written with"
        raise InputError("is no linkage file under this key", where=str(file), hint=hint) from None
    rows = (row for part in told for row in part.decode("utf-8", "surrogatepass").split("\n"))
    return "\n".join(row for row in dict.fromkeys(rows) if row)
