"""Tables with a paper's figures and ours side by side, as Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Cell = str | float | int | None

SMALL = 5e-4  # below this, three decimals show nothing


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head. A cell that is not known yet, or that the paper lacks, is None.

    `picture` is the name of the SVG file that shows it, empty for none.
    """

    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    picture: str = ""

    def markdown(self) -> str:
        """Return the table under its title."""
        lines = [f"## {self.title}", "", self.about, ""]
        marks = ["---" if at == 0 else "---:" for at in range(len(self.head))]
        told = [self.head, marks, *([shown(cell) for cell in row] for row in self.rows)]
        lines += [f"| {' | '.join(line)} |" for line in told]
        if self.picture:
            lines += ["", f"![{self.title}]({self.picture})"]
        return "\n".join(lines) + "\n"

    def json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return asdict(self)


def shown(cell: Cell) -> str:
    """Return a cell as it stands on a page: three decimals, or two digits where that is nothing."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2g}" if 0 < abs(cell) < SMALL else f"{cell:.3f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return cell.replace("|", "\\|").replace("\n", " ")


def side_by_side(
    title: str,
    about: str,
    names: tuple[str, ...],
    measures: Sequence[str],
    rows: Mapping[tuple[str, ...], tuple[Sequence[Cell] | None, Sequence[Cell] | None]],
) -> Table:
    """Return a table whose rows have the paper's measures, then ours; None where one has none."""
    nothing: tuple[Cell, ...] = (None,) * len(measures)
    head = (*names, *(f"paper {m}" for m in measures), *(f"ours {m}" for m in measures))
    told = [(*key, *(paper or nothing), *(ours or nothing)) for key, (paper, ours) in rows.items()]
    return Table(title, about, head, tuple(told))
