"""What is to be scored, and in which format both sides are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phiscrub.cli.pairing import Missing
from phiscrub.core.errors import SettingsError
from phiscrub.formats.folder import below

JSON_LINES = frozenset((".jsonl", ".ndjson"))
TABLES = frozenset((".csv", ".parquet"))  # a .tsv holds columns more often


class FormatName(StrEnum):
    """What the two sides hold; `any` is whatever phiscrub reads annotations of, tables too."""

    I2B2 = "i2b2"
    MEDDOCAN = "meddocan"
    BRAT = "brat"
    CONLL = "conll"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Request:
    """What to score, and how."""

    gold: Path
    system: Path
    format: str
    scheme: str | None = None
    sentences: Path | None = None
    missing: Missing = Missing.ERROR
    by_type: str | None = None  # what says which type a note is of, as `note_type` takes it


def detected(named: FormatName | None, gold: Path, system: Path) -> str:
    """Return the format that is named, or tell what the sides hold from the names of files.

    Raises `SettingsError` where these do not tell.
    """
    if named is not None:
        return named.value
    one, other = _suffixes(gold), _suffixes(system)
    if JSON_LINES & (one | other) or (one and one <= TABLES):
        return FormatName.ANY.value
    if gold.is_file():
        return FormatName.CONLL.value
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
