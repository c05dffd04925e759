"""Every format by name, and which one a file is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from phiscrub.core.errors import SettingsError
from phiscrub.formats.plain import DetectedText
from phiscrub.formats.record import Format
from phiscrub.formats.source import Source

# In the order in which detection asks them; plain text accepts what is left.
FORMATS = MappingProxyType(
    {
        "parquet": "phiscrub.formats.parquet:Parquet",
        "meddocan": "phiscrub.formats.i2b2:Meddocan",
        "i2b2": "phiscrub.formats.i2b2:I2b2",
        "i2b2-2006": "phiscrub.formats.i2b2_2006:I2b2Year2006",
        "jsonl": "phiscrub.formats.jsonl:JsonLines",
        "json": "phiscrub.formats.json_file:Json",
        "brat": "phiscrub.formats.brat:Brat",
        "conll": "phiscrub.formats.conll:Conll",
        "csv": "phiscrub.formats.table:Csv",
        "text": "phiscrub.formats.plain:PlainText",
    }
)


def get_format(name: str) -> Format:
    """Return a format by name; raise `SettingsError` where there is none."""
    if name not in FORMATS:
        raise SettingsError(f"no format {name!r}", hint=f"known: {', '.join(FORMATS)}")
    module, _, attribute = FORMATS[name].partition(":")
    return cast(Format, getattr(import_module(module), attribute)())


def detect_format(source: Source) -> Format:
    """Tell a file's format from its first bytes, its name helping where bytes cannot."""
    head = source.head()
    path = None if source.path is None else Path(source.path)
    for name in FORMATS:
        found = get_format(name)
        if name != "text" and found.sniff(head, path):
            return found
    return cast(Format, DetectedText())
