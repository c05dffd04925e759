"""What a model's manifest states of its settings, and its lists of text, trusted in nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from phiscrub.core.errors import AnnotationError, SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.core.schemes import OUTSIDE, Scheme

HEAVIEST_TRANSITION = 200.0  # so that scaled sums stay within e ** 600, which is a number
ESCAPED = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
ESCAPE = re.compile(r"\\(u[0-9a-f]{4})?")


def text(settings: Mapping[str, Any], key: str) -> str:
    """Return a setting that is a string; raise `SettingsError` where it is not."""
    value = settings[key]
    return value if isinstance(value, str) else _refuse(key, "a string")


def texts(settings: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a setting that is a list of strings; raise `SettingsError` where it is not."""
    values = settings[key]
    if isinstance(values, list) and all(isinstance(v, str) for v in values):
        return tuple(values)
    return _refuse(key, "a list of strings")


def tables(settings: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...]:
    """Return a setting that is a list of tables; raise `SettingsError` where it is not."""
    values = settings[key]
    if isinstance(values, list) and all(isinstance(v, dict) for v in values):
        return tuple(values)
    return _refuse(key, "a list of tables")


def table(settings: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a setting that is a table; raise `SettingsError` where it is not."""
    value = settings[key]
    return value if isinstance(value, dict) else _refuse(key, "a table")


def whole(settings: Mapping[str, Any], key: str) -> int:
    """Return a setting that is a whole number; raise `SettingsError` where it is not."""
    value = settings[key]
    return value if type(value) is int else _refuse(key, "a whole number")


def labels_of(tags: Iterable[str], style: Scheme) -> tuple[str, ...]:
    """Return the labels that tags of a scheme speak of, sorted."""
    return tuple(sorted({style.split(tag, 0)[1] for tag in tags if tag != OUTSIDE}))


def are_tags(tags: Sequence[str], chunks: Scheme) -> bool:
    """Tell whether these are distinct tags of a scheme with `O`."""
    try:
        chunks.chunks(tags)
    except AnnotationError:
        return False
    return OUTSIDE in tags and all(tags) and len(set(tags)) == len(tags)


def write_lines(lines: Iterable[str]) -> bytes:
    """Write texts one a line, what would break one as its code point."""
    return "".join(f"{ESCAPED.sub(_escaped, line)}\n" for line in lines).encode()


def read_lines(data: bytes, what: str, where: str) -> tuple[str, ...]:
    """Read what `write_lines` wrote; raise `SettingsError` where it is no list of `what`."""

    def unescape(found: re.Match[str]) -> str:
        if found[1] is None:
            raise ValueError
        return chr(int(found[1][1:], 16))

    try:
        *lines, rest = data.decode().split("\n")
        if rest:
            raise ValueError
        return tuple(ESCAPE.sub(unescape, line) if "\\" in line else line for line in lines)
    except ValueError:  # a UnicodeDecodeError is one
        raise SettingsError(f"is no list of {what}", where=where, hint=AGAIN) from None


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _refuse(key: str, kind: str) -> NoReturn:
    raise SettingsError(f"its '{key}' is not {kind}", hint=AGAIN)
