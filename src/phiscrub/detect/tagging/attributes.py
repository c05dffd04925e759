"""The attributes of a CRF as text: a line for each template, and behind it its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from phiscrub.core.errors import SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.detect.tagging.stated import read_lines, write_lines

NAME_ENDS = "]="  # in an attribute: no trait's name holds a bracket
HEAD = re.compile(r"(.+]) ([1-9][0-9]{0,8})")  # a template's name, and how many values follow it


def template_of(attribute: str) -> tuple[str, str]:
    """Split an attribute into the name of its template and its value."""
    name, _, value = attribute.partition(NAME_ENDS)
    return f"{name}]", value


def write_attributes(attributes: Iterable[str]) -> bytes:
    """Write attributes, those of each template together.

    A template's name, that half the room would go to, is told once for neighbours that share it:
    ``lower[0] 2``, and on the lines behind it two values.
    """
    return write_lines(_lines(attributes))


def read_attributes(data: bytes, where: str) -> tuple[str, ...]:
    """Read what `write_attributes` wrote; raise `SettingsError` where it is anything else."""
    lines = read_lines(data, "attributes", where)
    found: list[str] = []
    at = 0
    while at < len(lines):
        head = HEAD.fullmatch(lines[at])
        end = at + 1 + int(head[2]) if head else 0
        if head is None or end > len(lines):
            raise SettingsError("is no list of attributes", where=where, hint=AGAIN)
        found += [f"{head[1]}={value}" for value in lines[at + 1 : end]]
        at = end
    return tuple(found)


def _lines(attributes: Iterable[str]) -> Iterator[str]:
    for name, group in groupby(map(template_of, attributes), lambda pair: pair[0]):
        values = [value for _, value in group]
        yield f"{name} {len(values)}"
        yield from values
