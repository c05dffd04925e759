"""Sides of an evaluation in brat: their files, their places, and what is to be told of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from phiscrub.cli.misplaced import misplaced
from phiscrub.cli.pairing import files, once
from phiscrub.core.wording import shown
from phiscrub.evaluate.meddocan import MarkedText
from phiscrub.formats.annotated import TEXT, Gold
from phiscrub.formats.brat_marks import Marks, one_line_end, read_marks
from phiscrub.formats.folder import below
from phiscrub.formats.source import Source

DIFFER = "texts differ between the sides: places are taken in the gold text"


def read_standoff(folder: Path) -> dict[str, tuple[Path, Marks]]:
    """Read the brat files below a folder by the name of each note."""
    read = ((path, read_marks(Source(path))) for path in files(folder, ".ann"))
    return once((path.stem, path, (path, marks)) for path, marks in read)


def bare_texts(folder: Path) -> tuple[str, ...]:
    """Return what there is to say of the texts below a folder that have no .ann."""
    texts = (path for path in below(folder) if path.suffix == TEXT)
    bare = sum(not path.with_suffix(".ann").exists() for path in texts)
    return Gold({}, bare).notices(folder)


def places(name: str, marks: Marks) -> MarkedText:
    """Return what the MEDDOCAN script compares of brat files."""
    keys = frozenset((label, start, end) for start, end, label in marks.marks)
    at = frozenset((start, end) for start, end, _ in marks.marks)
    return MarkedText(name, one_line_end(marks.text), keys, at)


def notices(
    pairs: Iterable[tuple[tuple[Path, Marks], tuple[Path, Marks]]],
    sides: Iterable[Mapping[str, tuple[Path, Marks]]],
) -> Iterator[str]:
    """Yield what a user should know of two sides: texts that differ, lines left out, wrong places.

    `sides` are the gold one and the system's.
    """
    if any(gold.unmarked[0] != found.unmarked[0] for (_, gold), (_, found) in pairs):
        yield DIFFER
    for name, side in zip(("gold", "system"), sides, strict=True):
        skipped = [f"{path}, line {n}" for path, marks in side.values() for n in marks.skipped]
        if skipped:
            yield f"mentions that the script does not read are left out: {shown(skipped)}"
        yield from misplaced(name, [path for path, _ in side.values()], "brat")
