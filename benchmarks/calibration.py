"""Whether promised recalls hold: calibration over 200 random splits, and over draws.

Run: python benchmarks/calibration.py MODEL … [--data FOLDER] [--work FOLDER]
MODEL are folders of models trained on MEDDOCAN's training notes; the development notes are split
and drawn from. Writes benchmarks/results/calibration.json and calibration.md, which hold no text.
What a model leaks of each note at each threshold is kept in `--work`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pages import DATA, RESULTS, keep, table

from phiscrub.calibrate.claim import Claim
from phiscrub.calibrate.ladder import LADDER, Rung, descend
from phiscrub.calibrate.losses import RISKS, TOKENIZERS, TOKENS
from phiscrub.cli.calibrate import walked
from phiscrub.core.counts import Counts
from phiscrub.core.labels import label_set
from phiscrub.evaluate.masking import ALL, measure
from phiscrub.pipeline.tunable import Tunable
from phiscrub.train.corpus import Corpus, read_corpus

TIMES = 200
SEED = 2024
CATEGORIES = ("NAME", "LOCATION", "DATE", "AGE", "ID")  # of MEDDOCAN's, those of most notes
# Measure, recall, confidence (None: on average), groups beside everything, by halves of 125.
SPLIT = (
    ("words", 0.95, 0.95, ()),
    ("words", 0.96, 0.95, ()),
    ("words", 0.97, 0.95, ()),
    ("words", 0.95, 0.80, ()),
    ("words", 0.98, None, ()),
    ("mentions", 0.95, 0.95, ()),
    ("patients", 0.80, 0.95, ()),
    ("words", 0.95, 0.95, CATEGORIES),
)
# The same, and how many notes are drawn, with repeats, of a population that is the 250 notes.
DRAWN = (
    (250, "words", 0.97, 0.95, ()),
    (250, "words", 0.98, 0.95, ()),
    (250, "words", 0.98, 0.80, ()),
    (250, "words", 0.98, None, ()),
    (250, "patients", 0.80, 0.95, ()),
    (250, "words", 0.96, 0.95, CATEGORIES),
    (700, "words", 0.99, 0.95, ()),
    (700, "words", 0.995, 0.95, ()),
    (1500, "words", 0.99, 0.95, ()),
    (1500, "words", 0.995, 0.95, ()),
    (1500, "mentions", 0.99, 0.95, ()),
)
Table = NDArray[np.int64]  # [thresholds, notes, 3]: hit, missed, spurious


@dataclass(frozen=True, slots=True)
class Seen:
    """A model's tables by measure and group; each note is of a patient of its own."""

    name: str
    tables: Mapping[tuple[str, str], Table] = field(repr=False)

    @property
    def notes(self) -> int:
        """How many notes there are."""
        return next(iter(self.tables.values())).shape[1]

    def rungs(
        self, claim: Claim, groups: Sequence[str], drawn: NDArray[np.int64]
    ) -> Iterator[Rung]:
        """Yield what leaks of some notes, one threshold after another."""
        for at, threshold in enumerate(LADDER):
            losses = {}
            for group in (ALL, *groups):
                rows = self.tables[claim.risk.measure, group][at][drawn]
                losses[group] = claim.risk.loss(rows[rows[:, :2].any(axis=1)])
            words = self.tables[TOKENS, ALL][at].sum(axis=0)
            yield Rung(threshold, losses, Counts(*words.tolist()))


def seen(model: str, corpus: Corpus, work: Path) -> Seen:
    """Run a model at every threshold, or take what was kept of that."""
    name = Path(model).name
    kept = work / f"calibration-{name}.npz"
    if not kept.exists():
        known = label_set(corpus.label_set)
        rows: dict[str, list[Table]] = {}
        for threshold, samples in walked(Tunable.load(model), corpus.notes):
            masking = measure(samples, lambda x: (known.category(x),), tokenizers=TOKENIZERS)
            for risk in RISKS.values():
                for group in (ALL, *CATEGORIES):
                    table = masking.tallies[risk.measure, group].table
                    rows.setdefault(f"{risk.measure} {group}", []).append(table)
            print(name, threshold)
        np.savez_compressed(kept, **{key: np.stack(tables) for key, tables in rows.items()})
    with np.load(kept, allow_pickle=False) as stored:
        tables = {_key(key): stored[key] for key in stored.files}
    return Seen(name, tables)


def _key(stored: str) -> tuple[str, str]:
    measured, _, group = stored.partition(" ")
    return measured, group


def tried(model: Seen, claim: Claim, groups: Sequence[str], count: int | None) -> dict[str, Any]:
    """Calibrate 200 times; `count` notes are drawn of all with repeats, or half of them.

    The recall is then that of all notes, which is the truth, or that of the other half.
    """
    random = np.random.default_rng(SEED)
    everything = np.arange(model.notes)
    told: list[dict[str, Any]] = []
    for _ in range(TIMES):
        if count is None:
            order = random.permutation(everything)
            drawn, tested = np.array_split(order, 2)
        else:
            drawn, tested = random.choice(everything, count), everything
        proved = [one for one in descend(claim, model.rungs(claim, groups, drawn)) if one.is_proved]
        if not proved:
            continue
        threshold = proved[-1].rung.threshold
        recall = worst(model, claim, groups, tested, threshold)
        told.append(
            {
                "threshold": threshold,
                "recall": recall,
                "is_kept": recall >= claim.recall,
                "is_true": worst(model, claim, groups, everything, threshold) >= claim.recall,
                "precision": proved[-1].rung.words.precision,
            }
        )
    row: dict[str, Any] = {
        "model": model.name,
        "notes": model.notes // 2 if count is None else count,
        "measure": claim.risk.name,
        "each": list(groups),
        "recall": claim.recall,
        "confidence": claim.confidence,
        "times": TIMES,
        "promised": len(told),
    }
    if told:
        row |= {
            "broken": sum(not one["is_kept"] for one in told),
            "broken_of_all": sum(not one["is_true"] for one in told),
            "mean_recall": round(float(np.mean([one["recall"] for one in told])), 4),
            "least_recall": round(min(one["recall"] for one in told), 4),
            "median_threshold": float(np.median([one["threshold"] for one in told])),
            "mean_precision": round(float(np.mean([one["precision"] for one in told])), 4),
        }
    return row


def worst(
    model: Seen, claim: Claim, groups: Sequence[str], notes: NDArray[np.int64], threshold: float
) -> float:
    """Return the recall over some notes at a threshold, of the group that has the lowest."""
    rungs = model.rungs(claim, groups, notes)
    rung = next(rung for rung in rungs if rung.threshold == threshold)
    return min(1 - float(losses.mean()) for losses in rung.losses.values())


HEAD = (
    *("model", "notes", "recall of", "promised", "confidence", "given", "kept", "kept, of all 250"),
    *("mean recall", "least", "median threshold", "word precision"),
)


def markdown(split: Sequence[Mapping[str, Any]], drawn: Sequence[Mapping[str, Any]]) -> str:
    """Return both tables with what they say."""
    lines = [
        "# Calibration: do promised recalls hold?",
        "",
        "Written by `benchmarks/calibration.py`. CRFs trained on MEDDOCAN's training notes (CC BY "
        "4.0, PlanTL-GOB-ES); its 250 development notes, each a patient of its own, are what is "
        "calibrated on and tested on. The CRFs stopped training where these notes said so, which "
        "splits and draws among them do not feel. Each row is 200 calibrations. **Given**: in how "
        "many the notes supported the promise; in the others nothing was promised. **Kept**: in "
        "what share of the 200 no promise was broken, to hold against the confidence. Recall, "
        "precision and threshold are over those where it was given; with several categories the "
        "recall is that of the worst one. A promise on average has no confidence to be held "
        "against: it is the mean recall that must not be less. Losses are bounded only by 1, so "
        "the tests must reckon with a rare patient of whom everything leaks; where none is, as "
        "here, they keep their word more often than they must.",
        "",
        "## 200 random splits in halves",
        "",
        "**Kept** holds the promise against the mean over the other 125 notes, which is off the "
        "truth itself by chance: by 0.035 (one standard error) for a share of patients of 0.85, so "
        "that a promise can seem broken that is not. **Kept, of all 250** holds it against the "
        "mean over all notes, which has less chance in it, but has those in it that were "
        "calibrated on.",
        "",
        *table(HEAD, [_cells(row) for row in split]),
        "",
        "## 200 draws from a known population",
        "",
        "Notes are drawn with repeats of the 250, which are the whole population here: the truth "
        "is their mean, known exactly, and any number of notes can be asked for.",
        "",
        *table(HEAD, [_cells(row) for row in drawn]),
    ]
    return "\n".join(lines) + "\n"


def _cells(row: Mapping[str, Any]) -> list[str]:
    of = row["measure"] + (f", each of {len(row['each'])} categories" if row["each"] else "")
    sure = "on average" if row["confidence"] is None else f"{row['confidence']:g}"
    kept = [1 - row.get(key, 0) / row["times"] for key in ("broken", "broken_of_all")]
    cells = [row["model"], str(row["notes"]), of, f"{row['recall']:g}", sure]
    cells += [f"{row['promised']} of {row['times']}", *(f"{share:.3f}" for share in kept)]
    names = ("mean_recall", "least_recall", "median_threshold", "mean_precision")
    return [*cells, *(f"{row[name]:.6g}" if name in row else "–" for name in names)]


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--work", type=Path, default=Path("/tmp"))  # noqa: S108 - may be another
    given = parser.parse_args()
    corpus, _ = read_corpus(given.data / "meddocan" / "dev" / "xml")
    models = [seen(model, corpus, given.work) for model in given.models]
    split = [
        tried(model, Claim(recall, confidence, RISKS[of]), groups, None)
        for model in models
        for of, recall, confidence, groups in SPLIT
    ]
    drawn = [
        tried(model, Claim(recall, confidence, RISKS[of]), groups, count)
        for model in models
        for count, of, recall, confidence, groups in DRAWN
    ]
    whole = {"data": corpus.name, "splits": split, "draws": drawn}
    keep(RESULTS / "calibration.json", whole)
    (RESULTS / "calibration.md").write_text(markdown(split, drawn), "utf-8")


if __name__ == "__main__":
    main()
