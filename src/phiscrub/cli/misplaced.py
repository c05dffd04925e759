"""Files whose marks do not fit their text: the official scripts score them all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from phiscrub.core.errors import AnnotationError
from phiscrub.formats.record import NoteFormat, Options
from phiscrub.formats.registry import get_format
from phiscrub.formats.source import Source


def misplaced(side: str, files: Sequence[Path], name: str) -> Iterator[str]:
    """Yield a notice where a format's strict reading refuses files of a side, and why the first."""
    kind = cast(NoteFormat, get_format(name))
    refused = [error for file in files if (error := _refusal(file, kind)) is not None]
    if refused:
        yield (
            f"{len(refused)} of {len(files)} {side} files mark places that do not fit their text, "
            f"and figures may be wrong: {refused[0]}"
        )


def _refusal(file: Path, kind: NoteFormat) -> AnnotationError | None:
    try:
        kind.load(Source(file), Options())
    except AnnotationError as error:
        return error
    return None
