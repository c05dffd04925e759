"""The inverse hybrid's output, and the next steps that the thesis names, as steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import EncodingError
from phiscrub.core.labels import HUB, UNNAMED, label_set
from phiscrub.core.mention import Annotated
from phiscrub.detect.inverse import Inverse
from phiscrub.evaluate.identifying import split
from phiscrub.evaluate.risk import Model, assess
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.usefulness import LANGUAGES
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.figures import masked
from phiscrub.experiments.invented import COURSES, note
from phiscrub.experiments.masks import (
    PAIRS,
    TOKENIZER,
    lists_of,
    samples_of,
    spoken,
    thresholds,
    told_masks,
)
from phiscrub.experiments.samples import samples_by
from phiscrub.experiments.step import Result, Results, Step, Tick, slug
from phiscrub.formats.i2b2 import I2b2
from phiscrub.formats.private import write_private
from phiscrub.formats.record import Options
from phiscrub.formats.stream import written
from phiscrub.pipeline.load import Declaration, build
from phiscrub.pipeline.parts import Table
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.train.augment import Augment
from phiscrub.train.corpus import Corpus

FOLDER = "masked"  # of the notes as the thesis hands them on; they hold text
PERSONS = ("PATIENT", "DOCTOR")
PHI, TEMPLATES = {"use": "phi"}, {"use": "templates"}
ONSET = {"use": "surrogates", "dates": "onset"}
DATE = "DATE"
AS_PHI, BY_CATEGORY, SINCE = "PHI for all", "placeholders by category", "dates as time to onset"


def next_steps(bench: Bench, train: Corpus, dev: Corpus, variants: Sequence[str]) -> list[Step]:
    """Return the steps on the last of the variations of the network, and on the best of them."""
    last = variants[-1]
    taught: dict[str, tuple[Corpus, dict[str, Any]]] = {
        "binary labels": (relabelled(train, coarse=False), {}),
        "coarse labels": (relabelled(train, coarse=True), {}),
    }
    if bench.data.language in LANGUAGES:
        taught["augmented"] = (train, {"augment": Augment()})
    steps = list[Step]()
    for how, (corpus, schedule) in taught.items():
        name = f"network {last}, {how}"
        own = bench.train(
            *(name, f"inverse-{last}", corpus, dev, bench.data.test),
            kind="ablate",
            vectors=bench.vectors,
            schedule=schedule,
        )
        steps += [own, thresholds(bench, f"{last}, {how}", name, bench.data, "ablate")]
    networks = tuple(f"network {v}" for v in variants)
    return [*steps, _repeated(bench, networks), _risk(bench, networks), _output(bench, networks)]


def relabelled(corpus: Corpus, *, coarse: bool) -> Corpus:
    """Return a corpus with one label for all mentions, or the first one of each category."""
    known = label_set(corpus.label_set)
    first = {known.category(label): label for label in reversed(known.labels)}
    notes = tuple(
        Annotated(
            own.document,
            tuple(
                replace(m, label=first[known.category(m.label)] if coarse else UNNAMED)
                for m in own.mentions
            ),
        )
        for own in corpus.notes
    )
    return replace(corpus, notes=notes)


def best_of(done: Results, networks: Sequence[str]) -> str:
    """Return the network that was best on the held-out notes."""
    return max(networks, key=lambda name: (done[name]["judged"] or 0.0, name))


def hybrid(
    model: Path,
    language: str,
    pair: tuple[float, float],
    *,
    labels: str = "tagger",
    replacer: Table = PHI,
    merge: bool = False,
    repeats: bool = False,
) -> Pipeline:
    """Build the thesis' system from a network's folder: mentions are single words.

    Their labels are the network's, or ``phi``. With `merge`, words of one label that follow each
    other are one mention; with `repeats`, words of a name with a salutation are names everywhere
    in the note.
    """
    rule = {
        "use": "inverse",
        "tagger": {"use": "neural", "model": str(model.resolve())},
        "low": pair[0],
        "high": pair[1],
        "lists": spoken(language),
        "labels": labels,
        "merge": merge,
    }
    again = ({"use": "repeat", "labels": list(PERSONS)},) if repeats else ()
    return build(
        Declaration(
            *(language, (rule,)),
            tokenizer={"use": TOKENIZER},
            refiner=again,
            replacer=replacer,
        )
    )


def _repeated(bench: Bench, networks: tuple[str, ...]) -> Step:
    """Return the step that masks names with a salutation wherever they stand again."""
    sides = bench.data

    def work(done: Results, tick: Tick) -> Result:
        model = bench.model(best_of(done, networks))
        told = {}
        for number, pair in PAIRS.items():
            tick(f"pair {number}")
            made = hybrid(model, sides.language, pair, repeats=True)
            name = f"names repeated pair {number}"
            told[f"pair {number}"] = told_masks(
                bench, name, samples_by(made, sides.test.notes), sides.language
            )
        return told

    told = bench.told(sides.test, pairs=list(PAIRS.values()), language=sides.language)
    return Step("names repeated", "pipeline", told, work, networks)


def _risk(bench: Bench, networks: tuple[str, ...]) -> Step:
    """Return the step that measures the risk that a released note names its patient."""
    test, language = bench.data.test, bench.data.language

    def work(done: Results, tick: Tick) -> Result:
        best, lists = best_of(done, networks), lists_of(language)
        tagger = bench.tagger(best, HUB)
        systems = {f"{best}, pair {n}": Inverse(lists, tagger, *pair) for n, pair in PAIRS.items()}
        systems["rules alone"] = Inverse(lists, None)
        told = {}
        for name, system in systems.items():
            tick(name)
            told[name] = risk_of(samples_of(system, test))
        return {"systems": told}

    told = bench.told(test, pairs=list(PAIRS.values()), language=language)
    return Step("risk", "pipeline", told, work, networks)


def risk_of(samples: Sequence[Sample]) -> dict[str, Any]:
    """Return the notes in which identifiers leak, and the chance that a note names its patient."""
    gold = {sample.id: {mark[2] for mark in sample.gold} for sample in samples}
    direct, quasi = split({label for labels in gold.values() for label in labels})
    found = assess(gold, masked(samples, label_set(HUB)).leaks, Model(direct, quasi))
    chance = found.chance
    return {
        "notes": found.documents,
        "direct": found.direct.missed,
        "quasi": found.quasi.missed,
        "chance": [chance.value, chance.low, chance.high],
        "threshold": found.model.threshold,
        "acceptable": found.acceptable,
    }


def _output(bench: Bench, networks: tuple[str, ...]) -> Step:
    """Return the step that writes the tested notes as the thesis does, and an invented one."""
    test, language = bench.data.test, bench.data.language
    example = note(COURSES[spoken(language)])
    text = example.document.text

    def work(done: Results, tick: Tick) -> Result:
        best = best_of(done, networks)
        model, pair = bench.model(best), PAIRS["1"]
        made = hybrid(model, language, pair, labels="phi")
        folder = bench.out / FOLDER
        with written(folder):
            folder.mkdir(parents=True, exist_ok=True)
        tags = left_out = 0
        tick(f"{len(test)} notes")
        documents = [own.document for own in test.notes]
        for number, (document, cover) in enumerate(
            zip(documents, made.covers(documents), strict=True)
        ):
            name = f"{number:05}-{slug(document.id)}"
            tags += len(cover)
            clean = made.replacer.replace(document, cover)
            write_private(folder / f"{name}.txt", clean.text)
            try:
                write_private(folder / f"{name}.xml", _xml(Annotated(document, cover.mentions)))
            except EncodingError:  # XML cannot hold every character
                left_out += 1
        kinds = hybrid(model, language, pair, merge=True, replacer=TEMPLATES)
        since = hybrid(model, language, pair, merge=True, replacer=ONSET)
        right = Cover.of(example.mentions)
        ways = {AS_PHI: made, BY_CATEGORY: kinds}
        wordings = {
            way: [own.replacer.replace(example.document, right).text, own.scrub(text).text]
            for way, own in ways.items()
        }
        covers = (right, *kinds.covers([example.document]))
        wordings[SINCE] = [_dated(example.document, cover, kinds, since) for cover in covers]
        (marked,) = made.annotate([example.document])
        told = {"network": best, "notes": len(test), "tags": tags, "left out": left_out}
        tagged = _xml(marked).decode()
        return {**told, "note": text, "tagged": tagged, "wordings": wordings}

    told = bench.told(test, pair=PAIRS["1"], language=language, note=text)
    return Step("output", "pipeline", told, work, networks)


def _dated(document: Document, cover: Cover, kinds: Pipeline, since: Pipeline) -> str:
    """Return a text with placeholders, but for dates what is told of them."""
    placed, told = (own.replacer.replace(document, cover) for own in (kinds, since))
    pairs = zip(placed.cover, placed.replacements, told.replacements, strict=True)
    words = tuple(since if m.label == DATE else kind for m, kind, since in pairs)
    return replace(placed, replacements=words).text


def _xml(marked: Annotated) -> bytes:
    (content,) = I2b2().dump(marked, None, Options()).values()
    return content
