"""Notes with the tags that the i2b2 script compares: of XML files, or made of mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from phiscrub.cli.pairing import files
from phiscrub.core.errors import InputError
from phiscrub.core.mention import Annotated
from phiscrub.evaluate.i2b2 import TaggedText
from phiscrub.evaluate.rows import category_of
from phiscrub.formats.i2b2 import ELEMENTS, Tag, read_tags
from phiscrub.formats.source import Source

OFFICIAL_NAME = re.compile(r"(?P<patient>\d+)-(?P<record>\d+)(?P<system>.*)\.xml")
UNKNOWN = "OTHER"  # the element of a label that the script does not know


def tagged_files(folder: Path) -> Iterator[tuple[Path, str, TaggedText]]:
    """Yield the XML files below a folder, each with its system and its document.

    Both are named as the i2b2 script names them. Raises `InputError` where TAGS is lacking.
    """
    return ((path, *_read(path)) for path in files(folder, ".xml"))


def tagged(note: Annotated) -> TaggedText:
    """Return a note as if it were written as i2b2 XML; its labels are TYPEs."""
    categories = category_of({mention.label for mention in note.mentions})
    tags = [
        Tag(
            element if (element := categories[mention.label]) in ELEMENTS else UNKNOWN,
            str(mention.span.start),
            str(mention.span.end),
            mention.label,
            "",
            0,
        )
        for mention in note.mentions
    ]
    ordered = sorted(tags, key=lambda tag: ELEMENTS.index(tag.element))
    return TaggedText(note.document.id, note.document.text, tuple(ordered))


def _read(path: Path) -> tuple[str, TaggedText]:
    text, tags = read_tags(Source(path))
    if tags is None:
        raise InputError(
            "has no TAGS element", where=str(path), hint="add one, empty where nothing is tagged"
        )
    named = OFFICIAL_NAME.fullmatch(path.name)
    name = f"{named['patient']}-{named['record']}" if named else f"{path.stem}-"
    return named["system"] if named else "", TaggedText(name, text, tags, str(path))
