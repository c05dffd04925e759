"""Files that long work goes on from: whole, or as they were before."""

from __future__ import annotations

from pathlib import Path

from phiscrub.formats.stream import written


def write_whole(file: Path, text: str) -> None:
    """Write a file in UTF-8 beside its place and put it there, its folder too where there is none.

    Raises `OutputError` where it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    with written(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, "utf-8")
        part.replace(file)
