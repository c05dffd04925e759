"""What is to be scored, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phiscrub.cli.pairing import Missing
from phiscrub.formats.annotated import DEFAULT
from phiscrub.formats.record import Options


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
    reading: Options = DEFAULT  # how records are read
