"""What is asked beside the measures: risk, recall by type of note, and what survives of use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from phiscrub.cli.scoring import Result
from phiscrub.core.counts import Counts
from phiscrub.evaluate.fields import of_counts
from phiscrub.evaluate.hiding import Hiding, Tell, hiding
from phiscrub.evaluate.identifying import split
from phiscrub.evaluate.notetypes import TypeRow, by_type
from phiscrub.evaluate.risk import Model, Risk, assess
from phiscrub.evaluate.usefulness import Usefulness, usefulness


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask: the language of useful items, None for none, and what the risk assumes.

    `direct` are labels that identify by themselves, None for those that do so by their meaning.
    """

    useful: str | None = None
    threshold: float = 0.09
    attempt: float = 1.0
    direct: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Insight:
    """The answers for one system; `types` is empty where no note has a type."""

    risk: Risk
    hiding: Hiding
    types: Mapping[str, TypeRow]
    kept: Usefulness | None


def insights(results: Sequence[Result], question: Question) -> dict[str, Insight]:
    """Answer for each system by its name; columns of tags, which have no text, are left out."""
    answers = {}
    for result in results:
        if result.masking is None or not result.samples:
            continue
        direct, quasi = split(result.labels, question.direct)
        model = Model(direct, quasi, attempt=question.attempt, threshold=question.threshold)
        gold = {sample.id: {mark[2] for mark in sample.gold} for sample in result.samples}
        answers[result.system] = Insight(
            assess(gold, result.masking.leaks, model),
            hiding(result.samples, result.masking.leaks),
            by_type(result.samples, result.masking),
            usefulness(result.samples, question.useful) if question.useful else None,
        )
    return answers


def as_json(answers: Mapping[str, Insight]) -> dict[str, object]:
    """Return the answers for a file; no text of a note is in them."""
    whole: dict[str, object] = {
        "risk": {system: _risk(one.risk) for system, one in answers.items()},
        "hiding": {system: _hiding(one.hiding) for system, one in answers.items()},
        "by_type": {
            system: {kind: _type(row) for kind, row in one.types.items()}
            for system, one in answers.items()
        },
    }
    kept = {system: _kept(one.kept) for system, one in answers.items() if one.kept is not None}
    return whole | ({"usefulness": kept} if kept else {})


def verdict(risk: Risk) -> str:
    """Say how the chance stands to the threshold."""
    limit = f"the threshold {risk.model.threshold:g}"
    if risk.acceptable:
        return f"within {limit}, its upper bound too"
    if (risk.chance.value or 0.0) <= risk.model.threshold:
        return f"within {limit}, but its upper bound is not: too few notes to be sure"
    return f"above {limit}"


def _risk(risk: Risk) -> dict[str, object]:
    model = risk.model
    return {
        "documents": risk.documents,
        "direct": _all_or_nothing(risk.direct),
        "quasi": _all_or_nothing(risk.quasi),
        "probability": risk.chance.value,
        "low": risk.chance.low,
        "high": risk.chance.high,
        "level": risk.chance.level,
        "threshold": model.threshold,
        "acceptable": risk.acceptable,
        "assumed": {
            "direct": sorted(model.direct),
            "quasi": sorted(model.quasi),
            "together": model.together,
            "attempt": model.attempt,
            "success_direct": model.success_direct,
            "success_quasi": model.success_quasi,
        },
    }


def _hiding(found: Hiding) -> dict[str, object]:
    """Return what a reader can tell by category, and of every leak by its place."""
    share = found.tellable
    return {
        "identifiers": found.identifiers,
        "leaked": len(found.leaks),
        "tellable": {"share": share.value, "low": share.low, "high": share.high},
        "residual": found.residual,
        "guess": found.guess,
        "reasons": {tell.value: found.reasons[tell] for tell in Tell},
        "categories": {
            kind: {**asdict(row), "best_guess": row.guess} for kind, row in found.rows.items()
        },
        "leaks": [
            {
                "document": one.leak.document,
                "start": one.leak.start,
                "end": one.leak.end,
                "tells": [tell.value for tell in one.tells],
                "guess": one.guess,
            }
            for one in found.leaks
        ],
    }


def _all_or_nothing(counts: Counts) -> dict[str, object]:
    """Return what is left of documents that have such identifiers."""
    return {
        "documents": counts.hit + counts.missed,
        "leaking": counts.missed,
        "all_or_nothing_recall": counts.recall,
    }


def _type(row: TypeRow) -> dict[str, object]:
    return {
        "documents": row.size,
        "tokens": of_counts(row.tokens.total),
        "entities": {
            "entities": row.entities.total.hit + row.entities.total.missed,
            "leaked": row.entities.total.missed,
            "recall": row.entities.total.recall,
        },
        "all_or_nothing": _all_or_nothing(row.documents.total),
    }


def _kept(found: Usefulness) -> dict[str, object]:
    """Return what survives by kind, and every lost item by its place."""
    return {
        "kinds": {
            kind: {"kept": tally.total.hit, "lost": tally.total.missed}
            for kind, tally in found.kinds.items()
        },
        "lost": [asdict(item) for item in found.lost],
    }
