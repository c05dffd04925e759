"""What a calibrated pipeline says of its promise, as a table of its file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from phiscrub.calibrate.claim import Claim
from phiscrub.calibrate.ladder import Tried
from phiscrub.core.version import VERSION
from phiscrub.evaluate.masking import ALL

DIGITS = 6
ASSUMED = (
    "patients like those of the data, drawn independently; notes that the models did not learn "
    "from; identifiers as they were annotated"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The notes that a promise rests on: their name, a hash of texts and annotations, how many.

    `unnamed` of them do not say whose they are. `unseen` says what is known of whether models
    learned from them.
    """

    name: str
    sha256: str
    notes: int
    unnamed: int
    unseen: str

    @property
    def units(self) -> str:
        """What was taken for a patient."""
        if not self.unnamed:
            return "every note says whose it is"
        return f"each note taken for a patient: {self.unnamed:,} of {self.notes:,} unnamed"


def promise(claim: Claim, groups: Collection[str]) -> str:
    """Return the promise in words; `groups` are whose recall it is, `ALL` for everything."""
    sure = (
        "on average over calibrations, of which one that is refused counts as no leak"
        if claim.confidence is None
        else f"with confidence {claim.confidence:g}"
    )
    return f"{claim.risk.says} is at least {claim.recall:g}{_of(groups)}, {sure}"


def _of(groups: Collection[str]) -> str:
    named = [group for group in groups if group != ALL]
    if not named:
        return ""
    each = f"{'each of ' * (len(named) > 1)}{', '.join(named)}"
    return f" for everything and for {each}" if ALL in groups else f" for {each} alone"


def certificate(
    claim: Claim, found: Tried, source: Source, *, by: str, date: str, pipeline: str
) -> dict[str, Any]:
    """Return the table; `pipeline` is the fingerprint of the calibrated pipeline.

    `observed` is what the notes themselves show at the threshold, without any promise but that.
    """
    precision = found.rung.words.precision
    observed: dict[str, Any] = {"recall": round(found.recall(), DIGITS)}
    if precision is not None:
        observed["word_precision"] = round(precision, DIGITS)
    table: dict[str, Any] = {
        "promise": promise(claim, found.losses),
        "assumed": ASSUMED,
        "measure": claim.risk.name,
        "recall": claim.recall,
        "confidence": "on average" if claim.confidence is None else claim.confidence,
        "threshold": found.rung.threshold,
        "patients": found.patients,
        "notes": source.notes,
        "units": source.units,
        "data": source.name,
        "sha256": source.sha256,
        "unseen": source.unseen,
        "observed": observed,
    }
    if set(found.losses) != {ALL}:
        table["by"] = by
        table["each"] = [
            {"name": name, "patients": len(own), "recall": round(found.recall(name), DIGITS)}
            for name, own in found.losses.items()
            if name != ALL
        ]
    return table | {"date": date, "phiscrub": VERSION, "pipeline": pipeline}


def is_void(table: Mapping[str, Any], pipeline: str) -> bool:
    """Tell whether a pipeline, which a certificate stands beside, was changed since."""
    return table.get("pipeline") != pipeline


def told(table: Mapping[str, Any], pipeline: str) -> str:
    """Return a line on a certificate, wherever it came from; `pipeline` is what it stands beside.

    A pipeline that was changed since has lost its promise.
    """
    if is_void(table, pipeline):
        return "Its certificate is of another pipeline or version: what was promised is void."
    return (
        f"Promised: {table.get('promise')}; from {table.get('patients')} patients of "
        f"{table.get('data')}, {table.get('date')}."
    )
