"""Berg and Dalianis 2019: a CRF against a BiLSTM on Swedish records, with other corpora added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any

from phiscrub.combine.ranked import Ranked
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.embeddings.training import Training
from phiscrub.evaluate.sample import Sample
from phiscrub.experiments import vectors
from phiscrub.experiments.added import notice, suited
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Own, played
from phiscrub.experiments.figures import EVERY, figures, triple
from phiscrub.experiments.folding import Folding
from phiscrub.experiments.paper import Page
from phiscrub.experiments.step import IDENTITY, Result, Results, Step, Tick
from phiscrub.experiments.table import Cell, Table, side_by_side
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.folds import deal, set_aside

TITLE = "Berg and Dalianis 2019: CRF and BiLSTM with other corpora added"
LABELS = ""
SIDED = False
EXTRA = 2
DIFFERS = (
    "Stockholm EPR PHI may not be handed on; other notes have other text and labels, so that ours "
    "stand beside the paper's to compare settings, not systems.",
    "The paper's vectors come from 200 million words of records; ours from --vectors, or without "
    "those from --text; without either they are learnt with the network.",
    "Loose sentences are dealt into folds by the pieces that --cut makes.",
)
TARGET = "Stockholm EPR PHI"
DOMAIN = "the paper's second corpus of patient records"
GENERAL = "SUC, general text"
SYSTEMS = MappingProxyType({"CRF": "berg-dalianis2019-crf", "LSTM": "berg-dalianis2019-bilstm"})
HYBRID = "hybrid"
LAYER, ADAPTED = "LSTM with a CRF layer", "LSTM, adapted"
TARGET_ONLY, PLUS_DOMAIN, PLUS_GENERAL = "target", "target + same domain", "target + general text"
SETTINGS = (TARGET_ONLY, PLUS_DOMAIN, PLUS_GENERAL)
BEYOND = ((LAYER, TARGET_ONLY), (ADAPTED, PLUS_DOMAIN), (ADAPTED, PLUS_GENERAL))
FOLDS, HELD_OUT = 10, 0.1
NAME = "NAME"
ROUTED = ("LSTM", "CRF")  # names from the first, all else from the second
VECTORS, DIMENSIONS = "vectors", 300
SPELLING = vectors.Spelling("clinical")
MEASURES = ("P", "R", "F1")
# Micro over all classes, mean of ten folds.
PAPER = MappingProxyType(
    {
        ("CRF", TARGET_ONLY): (0.9376, 0.8653, 0.90),
        ("CRF", PLUS_DOMAIN): (0.9466, 0.8672, 0.91),
        ("CRF", PLUS_GENERAL): (0.9231, 0.8497, 0.88),
        ("LSTM", TARGET_ONLY): (0.8587, 0.8896, 0.87),
        ("LSTM", PLUS_DOMAIN): (0.8628, 0.8546, 0.86),
        ("LSTM", PLUS_GENERAL): (0.8478, 0.8544, 0.85),
    }
)


def roles(bench: Bench) -> tuple[str, ...]:
    """Say which notes stand in for which."""
    told = list(bench.played(TARGET))
    parts = {PLUS_DOMAIN: DOMAIN, PLUS_GENERAL: GENERAL}
    for setting, added in settings(bench).items():
        told += [played(parts[setting], corpus, Own.EXTRA, bench.own) for corpus in added]
    return tuple(told)


def settings(bench: Bench) -> dict[str, tuple[Corpus, ...]]:
    """Return what is added in each setting; a single extra corpus is general text."""
    extra = [one.whole for one in bench.extra]
    added: dict[str, tuple[Corpus, ...]] = {TARGET_ONLY: ()}
    if len(extra) > 1:
        added[PLUS_DOMAIN] = (extra[0],)
    if extra:
        added[PLUS_GENERAL] = (extra[-1],)
    return added


def held_out(bench: Bench) -> Corpus:
    """Return the tenth of all records that stops training."""
    data = bench.data
    return data.whole.only(set_aside(data.whole, data.groups, HELD_OUT, bench.how.seed))


def folds_of(bench: Bench, dev: Corpus) -> tuple[tuple[str, ...], ...]:
    """Deal the rest into folds."""
    data, how = bench.data, bench.how
    left = data.whole.without([note.document.id for note in dev.notes])
    return tuple(deal(left, data.groups, how.fold_count(FOLDS), how.seed))


def protocol(bench: Bench) -> tuple[Step, ...]:
    """Vectors where there is text for them; both systems in each setting; the hybrids."""
    dev = held_out(bench)
    folds = folds_of(bench, dev)
    steps, file = list[Step](), bench.vectors
    needs: tuple[str, ...] = ()
    if bench.vectors is None and bench.text is not None:
        how, text = Training(dimensions=DIMENSIONS), (bench.text,)
        steps.append(vectors.learnt(bench, VECTORS, how, SPELLING, text))
        file, needs = vectors.file_of(bench, VECTORS), (VECTORS,)
    for setting, others in settings(bench).items():
        added = tuple(suited(corpus, bench.data.whole.label_set) for corpus in others)
        pair = {
            "CRF": Folding(f"CRF, {setting}", SYSTEMS["CRF"], folds, dev, added),
            "LSTM": Folding(f"LSTM, {setting}", SYSTEMS["LSTM"], folds, dev, added, file, needs),
        }
        steps += [folding.step(bench) for folding in pair.values()]
        steps.append(_hybrid(bench, setting, [pair[system] for system in ROUTED]))
    steps += _beyond(bench, dev, folds, file, needs)
    return tuple(steps)


def _beyond(
    bench: Bench,
    dev: Corpus,
    folds: tuple[tuple[str, ...], ...],
    file: Path | None,
    needs: tuple[str, ...],
) -> list[Step]:
    """Return the ablation that the paper names, and its next step.

    The LSTM with a CRF layer; and adaptation instead of pooling: a network that learned from the
    added corpus is trained on by each fold.
    """
    recipe = SYSTEMS["LSTM"]
    layer = Folding(
        *(f"{LAYER}, {TARGET_ONLY}", recipe, folds, dev),
        vectors=file,
        needs=needs,
        network={"output": "crf"},
    )
    steps = [layer.step(bench)]
    for setting, others in settings(bench).items():
        for corpus in others:
            name = f"LSTM before {setting}"
            added = suited(corpus, bench.data.whole.label_set)
            steps.append(bench.train(name, recipe, added, dev, dev, vectors=file, needs=needs))
            own = Folding(f"{ADAPTED}, {setting}", recipe, folds, dev, init=name)
            steps.append(own.step(bench))
    return steps


def page(bench: Bench, done: Results) -> Page:
    """Return the tables."""
    systems = (*SYSTEMS, HYBRID)
    rows: dict[tuple[str, ...], tuple[Sequence[Cell] | None, Sequence[Cell] | None]] = {}
    whole = ((system, setting) for system in systems for setting in SETTINGS)
    for system, setting in (*whole, *BEYOND):
        own = _means(done.get(f"{system}, {setting}"), EVERY)
        near = _means(done.get(f"{system}, {setting}"), EVERY, "partly")
        both = None if own is None or near is None else (*own, *near)
        paper = PAPER.get((system, setting))
        rows[system, setting] = (None if paper is None else (*paper, None, None, None), both)
    overall = side_by_side(
        "Settings (table 3)",
        "All classes, micro, means over the folds: place and class right, then (`partly`) class "
        "right and a character shared. The hybrid, the paper's next step, takes names from the "
        "LSTM and all else from the CRF. The paper says of a CRF layer that it did not help, and "
        "names adaptation as a next step: the LSTM learns from the added corpus, and each fold "
        "trains it on, on the target alone, with the words of the added corpus and of the vectors.",
        ("system", "learned from"),
        (*MEASURES, *(f"{measure}, partly" for measure in MEASURES)),
        rows,
    )
    classes = [_classes(done, setting, systems) for setting in settings(bench)]
    added = dict.fromkeys(corpus for others in settings(bench).values() for corpus in others)
    told = (notice(corpus, bench.data.whole.label_set) for corpus in added)
    return Page((*DIFFERS, *filter(None, told)), (overall, *classes))


def _classes(done: Results, setting: str, systems: Sequence[str]) -> Table:
    names = {system: f"{system}, {setting}" for system in systems}
    there = {system: done[name] for system, name in names.items() if name in done}
    folds = [fold for own in there.values() for fold in own["folds"]]
    labels = sorted({label for fold in folds for label in fold["mentions"]} - {EVERY})
    rows = []
    for label in labels:
        cells: list[Cell] = []
        for system in systems:
            own = there.get(system)
            cells += _means(own, label) or (None, None, None)
            cells.append((_means(own, label, "partly") or (None, None, None))[2])
        rows.append((label, *cells))
    head = tuple(f"{system} {m}" for system in systems for m in (*MEASURES, "F1, partly"))
    return Table(
        f"Classes: {setting}",
        "Ours, means over the folds in which a class is; what is undefined counts as 0.",
        ("class", *head),
        tuple(rows),
    )


def _means(
    own: Mapping[str, Any] | None, label: str, kind: str = "mentions"
) -> tuple[float, float, float] | None:
    """Return mean precision, recall and F1 of a class over the folds that have it."""
    if own is None:
        return None
    known = [triple(fold[kind][label]) for fold in own["folds"] if label in fold[kind]]
    if not known:
        return None
    p, r, f = (fmean(row[at] or 0.0 for row in known) for at in range(len(MEASURES)))
    return p, r, f


def _hybrid(bench: Bench, setting: str, parts: Sequence[Folding]) -> Step:
    """Return the step that routes classes: what both found in the folds, combined."""

    def work(done: Results, tick: Tick) -> Result:
        whole, names = bench.data.whole, label_set(bench.data.whole.label_set)
        sides = [part.made(bench, done[part.name][IDENTITY], tick) for part in parts]
        told = []
        for of_names, of_rest in zip(*sides, strict=True):
            notes = whole.only(of_names.found).notes
            cut = get_tokenizer().tokenize([note.document for note in notes])
            samples = []
            for gold, note in zip(notes, cut, strict=True):
                name = gold.document.id
                claims = [m for m in of_names.found[name] if names.category(m.label) == NAME]
                claims += [m for m in of_rest.found[name] if names.category(m.label) != NAME]
                cover = Ranked().combine(note, claims)
                samples.append(Sample.of(gold, Annotated(gold.document, cover.mentions)))
            told.append(figures(samples, whole.label_set))
        return {"folds": told}

    told = bench.told(bench.data.whole, routed=ROUTED)
    needs = tuple(part.name for part in parts)
    return Step(f"{HYBRID}, {setting}", "fold", told, work, needs)
