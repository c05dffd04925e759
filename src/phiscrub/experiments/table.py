"""Tables with a paper's figures and ours side by side, as Markdown and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Any

Cell = str | float | int | None

SMALL = 5e-4  # below this, three decimals show nothing
DECIMALS = range(3, 7)  # of thresholds
MARK = "†"  # on a row in which a system found nothing
OF_FOUND = re.compile(r"^(?!paper|wanted|held-out).*\b(?:R|F1)\b")  # heads of columns


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head. A cell that is not known yet, or that the paper lacks, is None.

    `picture` is the name of the SVG file that shows it, empty for none. Columns that are `exact`
    hold thresholds: shown with the digits that tell them apart, and rounded up, so that what is
    read off the page masks no less. `found` are columns that say how much is found, beside those
    of ours whose head says R or F1.
    """

    title: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    picture: str = ""
    exact: tuple[str, ...] = ()
    found: tuple[str, ...] = ()

    def markdown(self, unfound: str = "") -> str:
        """Return the table under its title; `unfound` is said of rows in which one found nothing.

        Without it they are not marked.
        """
        lines = [f"## {self.title}", "", self.about, ""]
        marks = ["---" if at == 0 else "---:" for at in range(len(self.head))]
        told = [list(self.head), marks, *self._shown()]
        empty = [at for at, row in enumerate(self.rows) if unfound and self._finds_nothing(row)]
        for at in empty:
            told[at + len(("head", "marks"))][0] += f" {MARK}"
        lines += [f"| {' | '.join(line)} |" for line in told]
        if empty:
            lines += ["", f"{MARK} {unfound}"]
        if self.picture:
            lines += ["", f"![{self.title}]({self.picture})"]
        return "\n".join(lines) + "\n"

    def _finds_nothing(self, row: Sequence[Cell]) -> bool:
        """Tell whether a system of the row has found nothing."""
        return any(
            cell == 0 and (name in self.found or OF_FOUND.search(name))
            for name, cell in zip(self.head, row, strict=True)
        )

    def _shown(self) -> Iterator[list[str]]:
        columns = [self.head.index(name) for name in self.exact]
        numbers = {v for row in self.rows for at in columns if isinstance(v := row[at], float)}
        digits = digits_for(numbers)
        for row in self.rows:
            cells = [shown(cell) for cell in row]
            for at in columns:
                if isinstance(value := row[at], float):
                    cells[at] = str(risen(value, digits))
            yield cells

    def json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return asdict(self)


def digits_for(thresholds: Iterable[float]) -> int:
    """Return how many decimals tell thresholds apart, and from 0 and 1: three to six."""
    every = {0.0, 1.0, *thresholds}
    fitting = (n for n in DECIMALS if len({risen(value, n) for value in every}) == len(every))
    return next(fitting, DECIMALS[-1])


def risen(value: float, digits: int) -> Decimal:
    """Return a number rounded up to so many decimals."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_CEILING)


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
