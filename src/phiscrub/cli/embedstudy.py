"""The study of vectors over parts of the notes, as a table and as a picture."""

from __future__ import annotations

from html import escape

from rich.table import Table

from phiscrub.cli.htmlpictures import STYLE, page, rising
from phiscrub.cli.printed import plain_table
from phiscrub.embeddings.study import Change, Study

HEAD = ("notes", "tokens", "words", "similarity", "accuracy", "change", "t", "p")
PAGE_STYLE = (
    "body{font:15px system-ui,sans-serif;margin:2em auto;max-width:46em;color:#1c2733}"
    "table{border-collapse:collapse}td,th{padding:.3em .8em;text-align:right;"
    f"border-bottom:1px solid #dde3e9}} {STYLE}"
)


def study_table(study: Study) -> Table:
    """Return a row a part, with its change against the one before."""
    table = plain_table(_title(study))
    for name in ("part", *HEAD):
        table.add_column(name, justify="right", no_wrap=True)
    for row in _rows(study):
        table.add_row(*row)
    table.caption = (
        "similarity: mean cosine of b - a + c with d; p: two-sided t test over paired questions,\n"
        "which share words, so that p is too small"
    )
    return table


def study_page(study: Study, *, html: bool) -> str:
    """Return the picture as an SVG file, or with its table as an HTML file of its own."""
    points = [(step.tokens, step.similarity) for step in study.steps]
    picture = rising(points, "tokens of the notes", "mean similarity")
    if not html:
        return page(picture)
    head = "".join(f"<th>{name}</th>" for name in ("part", *HEAD))
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in _rows(study)
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Vectors by size of text'
        f"</title><style>{PAGE_STYLE}</style><h1>Vectors by size of text</h1>"
        f"<p>{escape(_title(study))}.</p>{picture}<table><tr>{head}</tr>{rows}</table></html>\n"
    )


def _title(study: Study) -> str:
    return f"{study.questions:,} analogies asked, {study.skipped:,} left out"


def _rows(study: Study) -> list[tuple[str, ...]]:
    changes: tuple[Change | None, ...] = (None, *study.changes)
    return [
        (
            f"{step.part:.2f}",
            f"{step.notes:,}",
            f"{step.tokens:,}",
            f"{step.words:,}",
            f"{step.similarity:.4f}",
            f"{step.accuracy:.3f}",
            *_shown(change),
        )
        for step, change in zip(study.steps, changes, strict=True)
    ]


def _shown(change: Change | None) -> tuple[str, str, str]:
    if change is None:
        return ("", "", "")
    t = "–" if change.t is None else f"{change.t:.2f}"
    p = "–" if change.p is None else f"{change.p:.2g}"
    return (f"{change.difference:+.4f}", t, p)
