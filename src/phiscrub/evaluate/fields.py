"""Measures under the names and with the numbers that the official scorers give them.

Where a measure divides by nothing, its ratio is 0 as theirs is, and None where theirs is nan.
"""

from __future__ import annotations

from collections.abc import Mapping

from phiscrub.core.counts import Counts
from phiscrub.evaluate import meddocan
from phiscrub.evaluate.bytype import Average, ByType
from phiscrub.evaluate.conlleval import Conlleval
from phiscrub.evaluate.masking import ALL, DOCUMENTS, ENTITIES, Masking
from phiscrub.evaluate.semeval import Outcome
from phiscrub.evaluate.tally import Tally

Fields = dict[str, object]
Measures = dict[str, Fields]

DETAILED = frozenset(("i2b2.token", "i2b2.strict", "i2b2.relaxed"))  # by document too


def of_counts(counts: Counts) -> Fields:
    """Return counts and ratios."""
    return {
        "tp": counts.hit,
        "fp": counts.spurious,
        "fn": counts.missed,
        "precision": counts.precision or 0.0,
        "recall": counts.recall or 0.0,
        "f1": counts.f1 or 0.0,
    }


def of_i2b2(tallies: Mapping[str, Tally]) -> Measures:
    """Return the 42 measures of the i2b2 script."""
    return {name: _i2b2(name, tally) for name, tally in tallies.items()}


def of_meddocan(tallies: Mapping[str, Tally], sentences: Mapping[str, int]) -> Measures:
    """Return the three measures of the MEDDOCAN script, with the leak score."""
    measures: Measures = {
        name: {
            "documents": len(tally.documents),
            **of_counts(tally.total),
            "per_document": _documents(tally),
        }
        for name, tally in tallies.items()
    }
    leak = meddocan.leak(tallies[meddocan.NER], sentences)
    score = "NA" if leak.score is None else leak.score
    measures[meddocan.NER] |= {"leak": score, "sentences": leak.sentences}
    return measures


def of_conlleval(result: Conlleval) -> Measures:
    """Return conlleval's figures, those of types in percent to two decimals as it prints them."""
    overall = of_counts(result.chunks.total)
    overall |= {"tokens": result.tokens, "accuracy": result.accuracy or 0.0}
    types: Measures = {
        f"conlleval.type.{name}": {
            "found": counts.hit + counts.spurious,
            "precision_pct": _percent(counts.hit, counts.hit + counts.spurious),
            "recall_pct": _percent(counts.hit, counts.hit + counts.missed),
            "f1_pct": _percent(2 * counts.hit, 2 * counts.hit + counts.missed + counts.spurious),
        }
        for name, counts in result.chunks.counts.items()
    }
    return {"conlleval.overall": overall, **types}


def of_types(chunks: ByType) -> Fields:
    """Return seqeval's totals, with the averages over types."""
    averages: dict[str, Average] = {"macro": chunks.macro, "weighted": chunks.weighted}
    return of_counts(chunks.total) | {name: list(values) for name, values in averages.items()}


def of_outcome(outcome: Outcome) -> Fields:
    """Return what nervaluate counts in one mode."""
    return {
        "correct": outcome.correct,
        "incorrect": outcome.incorrect,
        "partial": outcome.partial,
        "missed": outcome.missed,
        "spurious": outcome.spurious,
        "actual": outcome.actual,
        "possible": outcome.possible,
        "precision": outcome.precision or 0.0,
        "recall": outcome.recall or 0.0,
        "f1": outcome.f1 or 0.0,
    }


def of_masking(masking: Masking) -> Measures:
    """Return the masking and leak measures; those of a group end with its name."""
    return {
        f"{measure}.{group}" if group else measure: _masking(measure, tally.total)
        for (measure, group), tally in masking.tallies.items()
    }


def official_masking(measures: Measures, masking: Masking) -> Measures:
    """Return those of all labels, which the evaluation kit has reference numbers for."""
    return {name: measures[name] for name, group in masking.tallies if group == ALL}


def _i2b2(name: str, tally: Tally) -> Fields:
    macro = tally.macro
    fields: Fields = {
        "documents": len(tally.documents),
        **of_counts(tally.total),
        "macro_precision": macro.precision,
        "macro_precision_sd": macro.precision_sd,
        "macro_recall": macro.recall,
        "macro_recall_sd": macro.recall_sd,
        "macro_f1": macro.f1,
    }
    return fields | {"per_document": _documents(tally)} if name in DETAILED else fields


def _documents(tally: Tally) -> dict[str, list[int]]:
    """Return true positives, false positives and false negatives of each document."""
    rows = tally.table[:, (0, 2, 1)].tolist()
    return dict(zip(tally.documents, rows, strict=True))


def _masking(measure: str, counts: Counts) -> Fields:
    whole, recall = counts.hit + counts.missed, counts.recall or 0.0
    if measure == ENTITIES:
        return {"entities": whole, "leaked": counts.missed, "recall": recall}
    if measure == DOCUMENTS:
        return {
            "all_or_nothing_recall": recall,
            "documents_leaking": counts.missed,
            "documents_with_phi": whole,
        }
    return of_counts(counts)


def _percent(part: int, whole: int) -> float:
    return float(f"{100 * part / whole:.2f}") if whole else 0.0
