"""The tables of Kassaie 2016: the paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from types import MappingProxyType
from typing import Any

from phiscrub.experiments.bench import Bench
from phiscrub.experiments.figures import EVERY, triple
from phiscrub.experiments.paper import Page
from phiscrub.experiments.picture import DOTS, Series, draw
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Cell, Table, side_by_side

Triple = tuple[float | None, float | None, float | None]

MEASURES = ("P", "R", "F1")
# Words by category: P, R, F1.
CRF_CLINIC = MappingProxyType(
    {
        "DATE": (0.595, 0.651, 0.621),
        "DOCTOR": (0.504, 0.487, 0.495),
        "HOSPITAL": (1.0, 0.233, 0.333),
        "LOCATION": (0.741, 0.264, 0.319),
        "PATIENT": (0.406, 0.291, 0.319),
        "PHONE": (0.963, 0.054, 0.092),
        EVERY: (0.702, 0.330, 0.363),
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
        EVERY: (None, None, 0.432),
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
        EVERY: (0.8365, 0.700, 0.736),
    }
)
TRANSFER = (0.321, 0.321, 0.275)  # LSTM, from the clinic to AMIA
LETTERS = (0.566, 0.539, 0.552)  # CRF on 160 formal letters
CHANGES = (5e-78, 1.6e-9, 0.49)  # p of successive quarters
SOURCES = (("primary", 1_281_033), ("pretrained", 1_036_212), ("unknown", 23_250))
SIMILARITY, CORRELATION = "kassaie-vectors.svg", "kassaie-correlation.svg"
CATEGORIES = ("DATE", "DOCTOR", "HOSPITAL", "LOCATION", "PATIENT", "PHONE", "ID", "AGE", EVERY)


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
            f"words of their own, F1 over all is {_f1(done, 'LSTM, digits split')}.",
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
        (category,): (paper.get(category), _of(own, category)) for category in CATEGORIES
    }
    return side_by_side(title, f"Words by category. {about}", ("category",), MEASURES, rows)


def _of(own: Mapping[str, Any] | None, category: str) -> Triple | None:
    return None if own is None or category not in own["tokens"] else triple(own["tokens"][category])


def _f1(done: Results, name: str) -> str:
    value = triple(done[name]["tokens"][EVERY])[2] if name in done else None
    return "not known yet" if value is None else f"{value:.3f}"


def _folds(done: Results) -> Table:
    rows = []
    for category in CATEGORIES:
        cells: list[Cell] = []
        for name in ("CRF", "LSTM"):
            folds = done.get(f"folds, {name}", {}).get("folds", [])
            known = [t for fold in folds if (t := _of(fold, category)) is not None]
            for at in range(len(MEASURES)):
                values = [triple[at] for triple in known]
                cells.append(fmean(v or 0.0 for v in values) if values else None)
        rows.append((category, *cells))
    head = tuple(f"{name} {measure}" for name in ("CRF", "LSTM") for measure in MEASURES)
    return Table(
        "Cross-validation",
        "Words by category, ours: means over folds in which a category is, what is undefined as 0.",
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
    every = {
        "LSTM, first to second": (TRANSFER, _of(done.get("transfer, LSTM"), EVERY)),
        "LSTM, second to first": (None, _of(done.get("transfer back, LSTM"), EVERY)),
        "CRF, first to second": (None, _of(done.get("transfer, CRF"), EVERY)),
        "CRF, second to first": (None, _of(done.get("transfer back, CRF"), EVERY)),
        "CRF within the second (the paper: 160 letters)": (
            LETTERS,
            _of(done.get("CRF, second corpus"), EVERY),
        ),
    }
    moved = side_by_side(
        "Transfer",
        "Learned from one corpus, tested on another: words over all categories. The second corpus "
        "is tested whole, the first on its tested side.",
        ("system",),
        MEASURES,
        {(name,): row for name, row in every.items()},
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
        figures: Triple = _of(own, EVERY) or (None, None, None)
        rows.append((name, *figures, own["trained_seconds"] if own else None))
    return Table(
        "Next steps: other directions, depths, windows and vectors",
        "Words over all categories, on the one split.",
        ("system", *MEASURES, "seconds of training"),
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
