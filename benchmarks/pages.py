"""Where data and results are, results that are kept from run to run, and the tables of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = HERE / "results"
DATA = ROOT.parent / "shared" / "data"
FIGURE = re.compile(r"\[\s+([^\[\]{}]*?)\s+\]")  # a list of plain values


def kept(file: Path) -> dict[str, Any]:
    """Return the results that a file holds, none where there is none."""
    results: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return results


def keep(file: Path, results: Mapping[str, Any]) -> None:
    """Write results, each value on a line of its own."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def keep_figures(file: Path, results: Mapping[str, Any]) -> None:
    """Write results, each figure and its bounds on one line."""
    text = json.dumps(results, ensure_ascii=False, indent=1)
    text = FIGURE.sub(lambda found: f"[{' '.join(found[1].split())}]", text)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text + "\n", "utf-8")


def shown(value: float | None) -> str:
    """Return a share with three decimals."""
    return "–" if value is None else f"{value:.3f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]
