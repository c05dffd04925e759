"""What two sides of an evaluation hold, as their files tell."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.formats.folder import below
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source

JSON_LINES = frozenset((".jsonl", ".ndjson"))
RECORDS = frozenset((".csv", ".parquet", ".json"))  # a .tsv holds columns more often
NOTES = frozenset((".xml", ".ann"))  # of files by themselves
COLUMNS = frozenset((".conll",))
SEVERAL = "i2b2-2006"  # the XML that the official script does not read


class FormatName(StrEnum):
    """What the two sides hold; `any` is whatever phiscrub reads annotations of, tables too."""

    I2B2 = "i2b2"
    MEDDOCAN = "meddocan"
    BRAT = "brat"
    CONLL = "conll"
    ANY = "any"


def detected(named: FormatName | None, gold: Path, system: Path) -> str:
    """Return the format that is named, or tell what the sides hold from their files."""
    if named is not None:
        return named.value
    one, other = _suffixes(gold), _suffixes(system)
    if gold.is_dir() and not one:
        raise MissingError("holds no notes", where=str(gold), hint="check the path")
    if JSON_LINES & (one | other) or any(side and side <= RECORDS for side in (one, other)):
        return FormatName.ANY.value
    if gold.is_file():
        return (FormatName.ANY if one <= NOTES else FormatName.CONLL).value
    if any(side and side <= COLUMNS for side in (one, other)) or _is_several(gold):
        return FormatName.ANY.value
    xml, brat = ({".xml"}, FormatName.I2B2.value), ({".ann"}, FormatName.BRAT.value)
    for (own, name), (others, _) in ((xml, brat), (brat, xml)):
        if own <= one and not others <= one:
            mixed = others <= other and not own <= other
            return FormatName.ANY.value if mixed else name
    known = ", ".join(FormatName)
    raise SettingsError(
        f"cannot tell the format of {gold}", hint=f"name it with --format; known: {known}"
    )


def _suffixes(path: Path) -> set[str]:
    if path.is_dir():
        return {file.suffix for file in below(path)}
    return {path.suffix} if path.is_file() else set()


def _is_several(folder: Path) -> bool:
    """Tell whether the first XML file below a folder holds many notes."""
    first = next((file for file in below(folder) if file.suffix == ".xml"), None)
    return first is not None and detect_format(Source(first)).name == SEVERAL
