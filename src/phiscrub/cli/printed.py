"""What commands print on standard output: tables for people, JSON for machines."""

from __future__ import annotations

import json
import sys

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


def stdout() -> Console:
    """Return a console on standard output, which takes words as they are: names hold brackets."""
    return Console(highlight=False, markup=False, emoji=False)


def plain_table(title: str | None = None, *, collapsed: bool = False) -> Table:
    """Return a table without columns: a rule under its head, title and caption at the left.

    In a `collapsed` one, columns stand as near to each other as they can.
    """
    return Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=collapsed,
        title=title,
        title_justify="left",
        caption_justify="left",
    )


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print what a command found; with `indent`, each value on a line of its own."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")
