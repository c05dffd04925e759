"""The tables of Kassaie 2016: the paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from types import MappingProxyType
from typing import Any

from phiscrub.experiments.bench import Bench
from phiscrub.experiments.figures import EVERY, read, triple
from phiscrub.experiments.paper import Page
from phiscrub.experiments.picture import DOTS, Series, draw
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Cell, Table, side_by_side

Triple = tuple[float | None, float | None, float | None]

NOTHING: Triple = (None, None, None)

MEASURES = ("P", "R", "F1")
NAMED = ("DATE", "DOCTOR", "HOSPITAL", "LOCATION", "PATIENT", "PHONE")  # the paper's categories
MEAN, MICRO = "all", "micro"
ROWS = (*NAMED, "ID", "AGE", MEAN, MICRO)
MEANT = (
    f"`{MEAN}` is the paper's: the mean over its six categories, here over those of them that the "
    f"tested notes mark, what is undefined as 0. `{MICRO}` sums all words of the notes' categories "
    "and stands beside no figure of the paper."
)
# Words by category: P, R, F1.
CRF_CLINIC = MappingProxyType(
    {
        "DATE": (0.595, 0.651, 0.621),
        "DOCTOR": (0.504, 0.487, 0.495),
        "HOSPITAL": (1.0, 0.233, 0.333),
        "LOCATION": (0.741, 0.264, 0.319),
        "PATIENT": (0.406, 0.291, 0.319),
        "PHONE": (0.963, 0.054, 0.092),
        MEAN: (0.702, 0.330, 0.363),
    }
)
LSTM_CLINIC = MappingProxyType(
    {
        "DATE": (None, None, 0.803),
        "DOCTOR": (None, None, 0.851),
        "HOSPITAL": (None, None, 0.0),
        "LOCATION": (None, None, 0.474),
        "PATIENT": (None, None, 0.435),
        "PHONE": (None, None, 0.0),
        MEAN: (None, None, 0.432),
    }
)
LSTM_AMIA = MappingProxyType(
    {
        "DATE": (None, None, 0.895),
        "DOCTOR": (None, None, 0.830),
        "HOSPITAL": (None, None, 0.636),
        "LOCATION": (None, None, 0.477),
        "PATIENT": (None, None, 1.0),
        "PHONE": (None, None, 0.577),
        MEAN: (0.8365, 0.700, 0.736),
    }
)
TRANSFER = (0.321, 0.321, 0.275)  # LSTM, from the clinic to AMIA
LETTERS = (0.566, 0.539, 0.552)  # CRF on 160 formal letters
CHANGES = (5e-78, 1.6e-9, 0.49)  # p of successive quarters
SOURCES = (("primary", 1_281_033), ("pretrained", 1_036_212), ("unknown", 23_250))
SIMILARITY, CORRELATION = "kassaie-vectors.svg", "kassaie-correlation.svg"


def page_of(bench: Bench, done: Results, differs: Sequence[str], ablations: Sequence[str]) -> Page:
    """Return all tables and pictures."""
    tables = [
        _by_category(
            "CRF, one split",
            "56 % to learn from, 19 % to stop by, 25 % tested. The paper: the CRF on its clinic.",
            CRF_CLINIC,
            done.get("CRF"),
        ),
        _by_category(
            "LSTM, one split",
            "The paper: the LSTM on its clinic. Digits are glued; of the other variant, digits as "
            f"words of their own, F1 is {_f1(done, 'LSTM, digits split')}.",
            LSTM_CLINIC,
            done.get("LSTM"),
        ),
        _folds(done),
    ]
    if bench.extra:
        tables += _second(done)
    tables += [_sources(done), *_correlation(done), _analogies(done), _ablations(done, ablations)]
    return Page(tuple(differs), tuple(tables), _pictures(done))


def _by_category(
    title: str,
    about: str,
    paper: Mapping[str, Triple],
    own: Mapping[str, Any] | None,
) -> Table:
    rows: dict[tuple[str, ...], tuple[Sequence[Cell] | None, Sequence[Cell] | None]] = {
        (row,): (paper.get(row), _of(own, row)) for row in ROWS
    }
    about = f"Words by category. {about} {MEANT}"
    return side_by_side(title, about, ("category",), MEASURES, rows)


def _of(own: Mapping[str, Any] | None, row: str) -> Triple | None:
    """Return the figures of a category, of their mean, or of the sum of all."""
    if own is None:
        return None
    tokens = own["tokens"]
    if row == MEAN:
        return _mean([triple(tokens[name]) for name in NAMED if _is_marked(tokens.get(name))])
    label = EVERY if row == MICRO else row
    return triple(tokens[label]) if label in tokens else None


def _is_marked(counts: Sequence[int] | None) -> bool:
    told = read(counts)
    return told.hit + told.missed > 0


def _mean(known: Sequence[Triple]) -> Triple | None:
    """Return means of precision, recall and F1, what is undefined as 0; None for none."""
    if not known:
        return None
    p, r, f1 = (fmean(one[at] or 0.0 for one in known) for at in range(len(MEASURES)))
    return p, r, f1


def _f1(done: Results, name: str) -> str:
    values = [(_of(done.get(name), row) or (None,))[-1] for row in (MEAN, MICRO)]
    mean, micro = ("not known yet" if value is None else f"{value:.3f}" for value in values)
    return f"{mean} (`{MEAN}`) and {micro} (`{MICRO}`)"


def _folds(done: Results) -> Table:
    rows = []
    for row in ROWS:
        cells: list[Cell] = []
        for name in ("CRF", "LSTM"):
            folds = done.get(f"folds, {name}", {}).get("folds", [])
            cells += _mean([t for fold in folds if (t := _of(fold, row)) is not None]) or NOTHING
        rows.append((row, *cells))
    head = tuple(f"{name} {measure}" for name in ("CRF", "LSTM") for measure in MEASURES)
    return Table(
        "Cross-validation",
        "Words by category, ours: means over folds in which a category is, what is undefined as 0. "
        + MEANT,
        ("category", *head),
        tuple(rows),
    )


def _second(done: Results) -> list[Table]:
    own = _by_category(
        "LSTM, second corpus, composed vectors",
        "Vectors of the second corpus' training notes; what they lack is taken from --vectors, or "
        "without those from the first corpus' vectors. The paper: the LSTM on AMIA.",
        LSTM_AMIA,
        done.get("LSTM, second corpus"),
    )
    systems = {
        "LSTM, first to second": (TRANSFER, "transfer, LSTM"),
        "LSTM, second to first": (None, "transfer back, LSTM"),
        "CRF, first to second": (None, "transfer, CRF"),
        "CRF, second to first": (None, "transfer back, CRF"),
        "CRF within the second (the paper: 160 letters)": (LETTERS, "CRF, second corpus"),
    }
    moved = side_by_side(
        "Transfer",
        "Learned from one corpus, tested on another: words. The second corpus is tested whole, the "
        f"first on its tested side. {MEANT}",
        ("system", "over"),
        MEASURES,
        {
            (name, row): (paper if row == MEAN else None, _of(done.get(step), row))
            for name, (paper, step) in systems.items()
            for row in (MEAN, MICRO)
        },
    )
    return [own, moved]


def _sources(done: Results) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"the paper, AMIA: {name}", number, number / sum(n for _, n in SOURCES), None)
        for name, number in SOURCES
    ]
    for step in ("sources of vectors", "vectors, composed"):
        shares = done.get(step, {}).get("shares", [])
        whole = sum(row["tokens"] for row in shares)
        rows += [
            (f"{step}: {row['source']}", row["tokens"], row["tokens"] / whole, row["words"])
            for row in shares
            if whole
        ]
    return Table(
        "Where vectors come from",
        "Words of the tested notes by the source of their vectors.",
        ("source", "tokens", "share", "different words"),
        tuple(rows),
    )


def _correlation(done: Results) -> list[Table]:
    told = done.get("correlation")
    if told is None:
        return []
    rows = [(n, told[n]["pairs"], told[n]["r"], told[n]["p"]) for n in ("CRF", "LSTM")]
    return [
        Table(
            "Words to learn from and F1",
            "Pearson's correlation, over categories, of the words of a category in the training "
            "notes with its F1.",
            ("system", "categories", "r", "p"),
            tuple(rows),
            CORRELATION,
        )
    ]


def _analogies(done: Results) -> Table:
    told = done.get("analogies", {})
    rows = []
    changes = [None, *told.get("changes", [])]
    for at, step in enumerate(told.get("steps", [])):
        change, paper = changes[at], (None, *CHANGES)[at]
        rows.append(
            (
                f"{at + 1}/4",
                step["tokens"],
                step["words"],
                step["similarity"],
                step["accuracy"],
                change["t"] if change else None,
                change["p"] if change else None,
                paper,
            )
        )
    asked = f"{told['questions']:,} questions" if rows else told.get("why", "not run")
    return Table(
        "Analogies over quarters of the text",
        f"Mean cosine of b - a + c with d; a paired t test against the quarter before ({asked}). "
        "Questions share words, so that p is too small.",
        ("text", "tokens", "words", "similarity", "right", "t", "ours p", "paper p"),
        tuple(rows),
        SIMILARITY if rows else "",
    )


def _ablations(done: Results, ablations: Sequence[str]) -> Table:
    names = ("LSTM", "LSTM, digits split", *(f"LSTM, {name}" for name in ablations))
    rows = []
    for name in names:
        own = done.get(name)
        figures = [cell for row in (MEAN, MICRO) for cell in _of(own, row) or NOTHING]
        rows.append((name, *figures, own["trained_seconds"] if own else None))
    return Table(
        "Next steps: other directions, depths, windows, dropout, rates and vectors",
        f"Words, on the one split. {MEANT}",
        ("system", *(f"{m}, {row}" for row in (MEAN, MICRO) for m in MEASURES), "seconds"),
        tuple(rows),
    )


def _pictures(done: Results) -> dict[str, str]:
    pictures = {}
    if done.get("analogies", {}).get("steps"):
        points = tuple((s["tokens"], s["similarity"]) for s in done["analogies"]["steps"])
        series = [Series("vectors of the notes", points)]
        pictures[SIMILARITY] = draw(series, "tokens of the notes", "mean similarity")
    if "correlation" in done:
        series = [
            Series(name, tuple((x, y) for x, y in done["correlation"][name]["points"]), DOTS)
            for name in ("CRF", "LSTM")
        ]
        pictures[CORRELATION] = draw(series, "words to learn from", "F1")
    return pictures
