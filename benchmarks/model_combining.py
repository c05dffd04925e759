"""How a language's rules and models go together in a mode: found on development notes.

A token is left alone where the models are surer than a threshold that it is nothing identifying.
Rules add what the models do not claim, for the labels at which they are mostly right; in the safe
mode also where they are less often so. A model's weak claims of a label are dropped where they
are mostly wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import mean
from typing import Any

from decoys import decoys_kept
from evaluate_rules import HIPAA, groups_of

from phiscrub.core.labels import HUB, LabelSet, label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.evaluate import entities
from phiscrub.evaluate.headline import STRICT, headlines
from phiscrub.evaluate.masking import TOKENS, measure
from phiscrub.evaluate.sample import Sample
from phiscrub.experiments.samples import samples_by
from phiscrub.pipeline.load import Declaration, build
from phiscrub.pipeline.parts import Table
from phiscrub.pipeline.shipped import BALANCED, SAFE
from phiscrub.train.corpus import Corpus

# Rules that are heard in every mode, whatever the notes say: a name with a title is a name.
ALWAYS: Mapping[str, tuple[Table, ...]] = {
    "en": (
        {
            "use": "patterns",
            "packs": ("en/ids", "en/names", "en/sure"),
            "rules": ("aircraft-by-form", "mbi", "title-doctor", "title-person", "en/sure"),
        },
    ),
    "es": (
        {
            "use": "patterns",
            "packs": ("es/when", "es/sure"),
            "rules": ("day_month_digits", "es/sure"),
        },
    ),
    "sv": (
        {
            "use": "patterns",
            "packs": ("sv/units", "sv/sure"),
            "rules": ("hospital", "sv/sure"),
        },
    ),
}
# What is known of the patient, and what a message's fields say, is always heard, and first.
FIRST = ("subject", "hl7")
# Then what rules say for sure; all before the models.
SURE: Mapping[str, tuple[str, ...]] = {
    "en": ("patterns:en/sure", "patterns:en/ids:aircraft-by-form", "patterns:en/ids:mbi"),
    "es": ("patterns:es/sure",),
    "sv": ("patterns:sv/sure",),
}
# Of masked tokens, of HIPAA's where a set has them: the safe mode's on all development notes; the
# others' on each part of them, and on all.
SAFE_PRECISION, PRECISION, RECALL = 0.87, 0.95, 0.985
DECOYS = 0.99  # of them left alone, by every mode but the safe one
COLLAPSE = 0.08  # of masked tokens' recall, that no part may lie further below the best
BALANCED_LADDER = (0.5, 0.6, 0.7, 0.8, 0.9)
SAFE_LADDER = (0.999, 0.998, 0.995, 0.99, 0.985, 0.98, 0.97, 0.95, 0.92, 0.9)
SEARCHED = 200_000  # characters of a writer's notes that are enough to choose by
CUTS = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
FEWEST = 5  # claims that say whether a label's weak ones are worth it
MOSTLY_WRONG = 1 / 3


@dataclass(frozen=True, slots=True)
class Combination:
    """A mode's choices; `heard` gives each rule detector's labels, None for all."""

    threshold: float
    heard: tuple[tuple[str, ...] | None, ...] = ()
    least_scores: Mapping[str, float] = field(default_factory=dict)

    def stated(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Combination:
        """Build it from what `stated` returned."""
        heard = tuple(None if one is None else tuple(one) for one in told["heard"])
        return cls(told["threshold"], heard, told["least_scores"])


def declared(rules: Declaration, tagger: Table, chosen: Combination) -> Declaration:
    """Return the pipeline of a mode: the rules that are heard, then the models."""
    tables: list[Table] = []
    for table, labels in zip(rules.detector, chosen.heard, strict=True):
        if labels != ():
            tables.append(dict(table) if labels is None else {**table, "only": own(table, labels)})
    tables += ALWAYS.get(rules.language, ())
    uses = [str(table["use"]) for table in rules.detector]
    sure = SURE.get(rules.language, ())
    believed = (*(use for use in FIRST if use in uses), *sure, str(tagger["use"]))
    spoken = build(rules).detectors
    said = {label for _, detector in spoken for label in detector.labels}
    combiner = {
        "use": "ranked",
        "prefer": dict.fromkeys(sorted(said), believed),
        "least_scores": dict(chosen.least_scores),
    }
    tables.append({**tagger, "threshold": chosen.threshold})
    return replace(rules, detector=tuple(tables), combiner=combiner)


def own(table: Table, labels: Sequence[str]) -> tuple[str, ...]:
    """Return what a detector may itself call labels, of which its table may rename some."""
    renamed: Mapping[str, str] = table.get("map", {})
    said = [label for label, called in renamed.items() if called in labels]
    return (*said, *(label for label in labels if label not in renamed))


def scores(found: Sequence[Sample], labels: LabelSet) -> dict[str, float]:
    """Return strict F1, and recall, precision and F2 of masked tokens, of HIPAA's if it can."""
    masking = measure(found, lambda label: tuple(groups_of(label, labels)))
    lines = headlines(entities.exact(found), masking)
    values = {(x.measure, x.figure): x.tally.total for x in lines}
    masked = (
        masking.tallies[TOKENS, HIPAA].total if labels.name == HUB else values[TOKENS, "recall"]
    )
    recall, precision = masked.recall or 0.0, masked.precision or 0.0
    return {
        "strict": values[STRICT, "f1"].f1 or 0.0,
        "recall": recall,
        "precision": precision,
        "masking": 5 * precision * recall / ((4 * precision + recall) or 1.0),
    }


def combined(mode: str, rules: Declaration, tagger: Table, dev: Sequence[Corpus]) -> Combination:
    """Find a mode's combination on development notes, a corpus a writer.

    The safe mode takes the most careful threshold with a precision of `SAFE_PRECISION` over all
    notes: a part full of numbers has less, and would cost the others their recall. The balanced
    mode takes the threshold with the best strict F1 on average over the writers, any other with the
    best sum of that and F2 of masked tokens, which holds recall dearer: of those with a precision
    of `PRECISION`, or of all where none has it, of these first of those that leave `DECOYS` alone,
    of these of those that mask `RECALL` over all notes, and of these of those without `COLLAPSE`.
    """
    dev = [corpus.sample(SEARCHED) for corpus in dev]
    gold = [note for corpus in dev for note in corpus.notes]
    evidence, labels = _Evidence.of(rules, gold), label_set(rules.labels)
    best: tuple[tuple[bool, bool, bool, bool, float], Combination] | None = None
    for threshold in SAFE_LADDER if mode == SAFE else BALANCED_LADDER:
        own = replace(rules, detector=({**tagger, "threshold": threshold},), refiner=())
        model = [cover.mentions for cover in build(own).covers([note.document for note in gold])]
        tried = evidence.at(threshold, mode, model)
        pipeline = build(declared(rules, tagger, tried))
        parts = [samples_by(pipeline, corpus.notes) for corpus in dev]
        whole = scores([sample for part in parts for sample in part], labels)
        each = [scores(part, labels) for part in parts]
        least = min(one["precision"] for one in each)
        told = ", ".join(f"{name} {value:.4f}" for name, value in whole.items())
        spared = decoys_kept(pipeline, rules.language)
        told += f"; least precision {least:.4f}, decoys {spared:.4f}"
        print(f"  {mode} {threshold}: {told}", flush=True)
        if mode == SAFE:
            best = ((True, True, True, True, whole["precision"]), tried)
            if whole["precision"] >= SAFE_PRECISION:
                break
            continue
        recalls = [one["recall"] for one in each]
        worth = mean(one["strict"] + (mode != BALANCED) * one["masking"] for one in each)
        reached = (
            least >= PRECISION,
            spared >= DECOYS,
            whole["recall"] >= RECALL,
            max(recalls) - min(recalls) <= COLLAPSE,
            worth,
        )
        if best is None or reached > best[0]:
            best = (reached, tried)
    assert best is not None  # noqa: S101 - no ladder is empty
    return best[1]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What each rule detector claims of annotated notes, less what the refiners drop."""

    gold: Sequence[Annotated]
    labels: tuple[frozenset[str], ...]
    claims: tuple[tuple[tuple[Mention, ...], ...], ...]

    @classmethod
    def of(cls, rules: Declaration, gold: Sequence[Annotated]) -> _Evidence:
        """Run the rules."""
        pipeline = build(rules)
        found = []
        for note in gold:
            told = pipeline.explain(note.document)
            stands = set(told.refined)
            found.append(tuple(tuple(m for m in own if m in stands) for _, own in told.claims))
        labels = tuple(
            frozenset() if name in FIRST else detector.labels
            for name, detector in pipeline.detectors
        )
        return cls(gold, labels, tuple(found))

    def at(self, threshold: float, mode: str, model: Sequence[Sequence[Mention]]) -> Combination:
        """Return which rules are heard beside a model's claims, and which of those are too weak."""
        touching, right = (0.35, 0.0) if mode == SAFE else (0.6, 0.4)
        heard: list[tuple[str, ...] | None] = []
        for number, labels in enumerate(self.labels):
            alone = self._alone(number, model)
            kept = tuple(
                label
                for label in sorted(labels)
                if sum(touches for touches, _ in alone[label]) >= touching * len(alone[label])
                and sum(is_right for _, is_right in alone[label]) >= right * len(alone[label])
            )
            heard.append(None if len(kept) == len(labels) else kept)
        cuts = {} if mode == SAFE else dict(self._cuts(model))
        return Combination(threshold, tuple(heard), cuts)

    def _alone(
        self, number: int, model: Sequence[Sequence[Mention]]
    ) -> Mapping[str, list[tuple[bool, bool]]]:
        """Return by label, of a detector's claims that the model does not touch: is it any, right.

        The first says whether the claim touches a mention of the gold, the second whether it is
        one.
        """
        found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        for claims, said, note in zip(self.claims, model, self.gold, strict=True):
            for claim in claims[number]:
                if any(claim.span.overlaps(m.span) for m in said):
                    continue
                touched = [m for m in note.mentions if claim.span.overlaps(m.span)]
                is_right = any((m.span, m.label) == (claim.span, claim.label) for m in touched)
                found[claim.label].append((bool(touched), is_right))
        return found

    def _cuts(self, model: Sequence[Sequence[Mention]]) -> Iterator[tuple[str, float]]:
        """Yield the highest score of a label below which claims are mostly wrong."""
        said: dict[str, list[tuple[float, bool]]] = defaultdict(list)
        for claims, note in zip(model, self.gold, strict=True):
            for claim in claims:
                touches = any(claim.span.overlaps(m.span) for m in note.mentions)
                said[claim.label].append((claim.score, touches))
        for label, pairs in sorted(said.items()):
            for cut in CUTS:
                below = [touches for score, touches in pairs if score < cut]
                if len(below) >= FEWEST and sum(below) < MOSTLY_WRONG * len(below):
                    yield label, cut
                    break
