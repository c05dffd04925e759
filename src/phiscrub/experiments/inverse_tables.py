"""The tables of the inverse hybrid: the thesis' figures beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from phiscrub.core.counts import ratio
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.figures import EVERY, HIPAA, read
from phiscrub.experiments.inverse_outcome import outcome
from phiscrub.experiments.paper import Page
from phiscrub.experiments.picture import DOTS, Frame, Series, draw
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Cell, Table

VARIANTS, PAIRS = "abcd", "12"
LEFT = 0.9  # recall where the picture begins, unless a point has less
CATEGORIES = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID")
CURVES = "inverse-curves.svg"
ANN_CRF, SVM = "ANN+CRF (Dernoncourt)", "SVM"
STACKS = ("stack logistic", "stack svm", "stack tree", "stack boosting")
NOT_TUNED, OF_SECOND = "not fine-tuned", "learned from the second corpus"

# HIPAA recall and precision on the 2014 i2b2 test notes; it gives the last three on others.
PAPER = MappingProxyType(
    {
        "a-1": (0.985, 0.493),
        "a-2": (0.994, 0.361),
        "b-1": (0.991, 0.518),
        "b-2": (0.991, 0.494),
        "c-1": (0.987, 0.464),
        "c-2": (0.981, 0.571),
        "d-1": (0.988, 0.563),
        "d-2": (0.990, 0.505),
        "rules alone": (0.988, 0.117),
        "network alone at .95": (0.991, 0.498),
        ANN_CRF: (0.978, 0.979),
        "regular expressions": (None, None),
        "CRF": (None, None),
        SVM: (None, None),
    }
)
# Ranges over its systems on the narratives.
PAPER_SECOND: Mapping[str, tuple[Cell, Cell]] = MappingProxyType(
    {
        NOT_TUNED: (".901–.929", ".285–.347"),
        "fine-tuned 2": (".983–.990", ".455–.570"),
    }
)
# What stands beside them on the narratives: a row's system and setting, the step that has ours
# (none: the rules'), and the thesis' figures.
PAPER_BESIDE = (
    ("rules alone", "", "", (None, None)),
    ("regular expressions", "", "", (0.881, 0.930)),
    ("CRF", NOT_TUNED, "masking by CRF", (0.783, 0.859)),
    ("CRF", OF_SECOND, "masking by CRF", (0.783, 0.859)),
    (SVM, NOT_TUNED, "masking by SVM", (0.889, 0.905)),
    (SVM, OF_SECOND, "SVM", (0.889, 0.905)),
    (ANN_CRF, NOT_TUNED, "masking by ANN+CRF", (None, None)),
    (ANN_CRF, "fine-tuned 1", "masking by ANN+CRF", (None, None)),
    (ANN_CRF, "fine-tuned 2", "masking by ANN+CRF", (None, None)),
)
PAPER_CORRECTED = 0.993


def page_of(bench: Bench, done: Results, differs: Sequence[str]) -> Page:
    """Return all tables and the picture of the curves."""
    tables, told = [_systems(done), _validation(done)], _told(done)
    tables += [_categories("Recall by category", told), _leaks("What leaked", told)]
    if bench.extra:
        second = {name: own for name, _, own in _of_second(done) if own is not None}
        tables += [_second(done), _categories("Recall by category, second corpus", second)]
        tables += [_leaks("What leaked, second corpus", second)]
    tables += [_next_steps(done), *outcome(done)]
    pictures = {}
    if "threshold search" in done:
        tables += [_search(done["threshold search"])]
        pictures[CURVES] = curves(done["threshold search"])
    return Page(tuple(differs), tuple(tables), pictures)


def _told(done: Results) -> dict[str, Mapping[str, Any]]:
    """Return what is known of each row of `PAPER`; the network alone is the one best held out."""
    told: dict[str, Mapping[str, Any]] = {}
    for v in VARIANTS:
        for n in PAIRS:
            if f"thresholds {v}" in done:
                told[f"{v}-{n}"] = done[f"thresholds {v}"][f"pair {n}"]
    best = best_variant(done)
    if f"thresholds {best}" in done:
        told["network alone at .95"] = done[f"thresholds {best}"]["alone"]
    if "rules" in done:
        told |= {name: done["rules"][name] for name in ("rules alone", "regular expressions")}
    steps = {
        ANN_CRF: "masking by ANN+CRF",
        "CRF": "masking by CRF",
        SVM: SVM,
    }
    return told | {row: done[step] for row, step in steps.items() if step in done}


def best_variant(done: Results) -> str:
    """Return the variation whose network was best on the held-out notes, "" for none."""
    there = [v for v in VARIANTS if f"network {v}" in done]
    return max(there, key=lambda v: (done[f"network {v}"]["judged"] or 0.0, v), default="")


def both(own: Mapping[str, Any] | None) -> tuple[Cell, Cell]:
    """Return HIPAA recall and precision over all of a system's masking."""
    if own is None:
        return None, None
    masking = own["masking"]
    return read(masking.get(HIPAA)).recall, read(masking[EVERY]).precision


def _systems(done: Results) -> Table:
    told = _told(done)
    rows: list[tuple[Cell, ...]] = []
    for name, paper in PAPER.items():
        own = told.get(name)
        masking = own["masking"] if own else {}
        useful = own.get("useful") if own else None
        kept = ratio(useful[0], sum(useful)) if useful else None
        rows.append(
            (
                name,
                *paper,
                *both(own),
                read(masking.get("corrected")).recall,
                read(masking.get(EVERY)).recall,
                kept,
            )
        )
    best = best_variant(done)
    return Table(
        "Systems (i2b2 2014 in the thesis)",
        "Recall over words that HIPAA names, masked under any label; precision over all masked "
        "words. Corrected: without words that tell nobody apart (`of`, `years`). "
        "Useful: the share of drugs, findings, doses and the "
        "like that stays, which the thesis had an expert judge. The network alone is variation "
        f"{best or '–'}, the best on the notes held out. The thesis gives its regular expressions, "
        "CRF and SVM on its narratives, so that ours have nothing beside them here.",
        (
            *("system", "paper HIPAA R", "paper P", "ours HIPAA R", "ours P"),
            *("corrected R", "R, all", "useful"),
        ),
        tuple(rows),
    )


def _validation(done: Results) -> Table:
    rows = []
    for v in VARIANTS:
        own = done.get(f"network {v}", {})
        rows.append((v, *(own.get(key) for key in ("judged", "epochs", "trained_seconds"))))
    return Table(
        "Networks on the notes held out",
        "What chooses the epoch and the network: HIPAA recall, and a hundredth of the precision; "
        "below 0 where that is too low.",
        ("variation", "judged", "epochs", "seconds"),
        tuple(rows),
    )


def _categories(title: str, told: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [
        (
            name,
            *(read(own["masking"].get(f"category.{category}")).recall for category in CATEGORIES),
        )
        for name, own in told.items()
    ]
    return Table(
        title,
        "Ours: words of each category that are masked under any label.",
        ("system", *CATEGORIES),
        tuple(rows),
    )


def _leaks(title: str, told: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = []
    for name, own in told.items():
        missed = read(own["masking"][EVERY]).missed
        by = [read(own["masking"].get(f"category.{category}")).missed for category in CATEGORIES]
        rows.append((name, own.get("leaks"), missed, *by))
    return Table(
        title,
        "Mentions of which something stayed, and the words that stayed, by category. Every one "
        "with its place and the text around it is listed in `leaks/` beside this page, which is "
        "no part of it: it holds text of notes.",
        ("system", "mentions", "words", *CATEGORIES),
        tuple(rows),
    )


def _of_second(done: Results) -> Iterator[tuple[str, tuple[Cell, Cell], Mapping[str, Any] | None]]:
    """Yield each system on the second corpus with the thesis' figures and ours, if there are."""
    rules = done.get("rules, second corpus", {})
    for name, setting, step, paper in PAPER_BESIDE:
        own = done.get(f"{step}, {setting}") if step else rules.get(name)
        yield f"{name}, {setting}" if setting else name, paper, own
    for setting in (NOT_TUNED, "fine-tuned 1", "fine-tuned 2"):
        for v in VARIANTS:
            told = done.get(f"thresholds {v}, {setting}", {})
            for n in PAIRS:
                spread = PAPER_SECOND.get(setting, (None, None))
                yield f"{v}-{n}, {setting}", spread, told.get(f"pair {n}")


def _second(done: Results) -> Table:
    rows = []
    for name, paper, own in _of_second(done):
        masking, useful = (own["masking"], own.get("useful")) if own else ({}, None)
        corrected, every = (read(masking.get(key)).recall for key in ("corrected", EVERY))
        kept = ratio(useful[0], sum(useful)) if useful else None
        rows.append((name, *paper, *both(own), corrected, every, kept))
    return Table(
        "A second corpus, as it is and fine-tuned (narratives in the thesis)",
        "The thesis gives ranges over its systems, and fine-tunes for 2 epochs. Its figures of CRF "
        "and SVM on its narratives stand beside both of ours: as they learned from the first "
        "corpus, and learned from the training notes of the second alone. Corrected, without "
        f"harmless words, the thesis has a recall of {PAPER_CORRECTED}.",
        (
            *("system", "paper HIPAA R", "paper P", "ours HIPAA R", "ours P"),
            *("corrected R", "R, all", "useful"),
        ),
        tuple(rows),
    )


def _next_steps(done: Results) -> Table:
    rows = []
    for name in STACKS:
        own = done.get(name)
        every = read(own["masking"][EVERY]) if own else None
        rows.append((name, *both(own), every.recall if every else None))
    return Table(
        "Next steps: the parts combined by what was learned",
        "Networks a to d, an independent CRF, patterns and the rules' features, weighed by a model "
        "that learns which words are identifying. The most likely answer, without thresholds.",
        ("combination", "HIPAA R", "P", "R, all"),
        tuple(rows),
    )


def _search(told: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("rules alone", None, None, None, None, None, *told["rules"]),
    ]
    for system, found in told["systems"].items():
        for row in found["targets"]:
            pair = (float(row["low"]), float(row["high"]))
            rows.append((system, row["wanted"], *pair, *row["held"][:2], *row["test"]))
    return Table(
        "Thresholds searched",
        "For each recall that is wanted, the thresholds that reach it on the held-out notes with "
        "the highest precision, and what they give on the tested notes; over words (runs of "
        "letters and digits). Thresholds are rounded up: so written, they mask no less. "
        f"The network is {told['best']}, the best on the held-out notes.",
        (
            *("system", "wanted R", "low", "high", "held-out R", "held-out P"),
            *("R", "P", "HIPAA R"),
        ),
        tuple(rows),
        CURVES,
        ("low", "high"),
    )


def curves(told: Mapping[str, Any]) -> str:
    """Draw what a search of thresholds found: precision by recall, every point in the frame."""
    series = [
        Series(name, tuple((recall, precision) for recall, precision, _ in found["curve"]))
        for name, found in told["systems"].items()
        if not name.startswith(STACKS[:-1])
    ]
    rules = Series("rules alone", ((told["rules"][0], told["rules"][1]),), DOTS)
    left = min([LEFT, *(recall for one in (*series, rules) for recall, _ in one.points)])
    return draw([*series, rules], "masking recall", "precision", Frame((left, 0.0), (1.0, 1.0)))
