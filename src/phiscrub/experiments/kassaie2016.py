"""Kassaie 2016: a windowed LSTM on vectors of the clinic's own text, against a CRF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path
from typing import Any

from phiscrub.core.errors import InputError
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.embeddings.analogies import read_questions
from phiscrub.embeddings.files import read_embedding
from phiscrub.embeddings.study import study
from phiscrub.embeddings.training import Training
from phiscrub.experiments import vectors
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Sides
from phiscrub.experiments.figures import f1, figures, training_tokens
from phiscrub.experiments.folding import Folding
from phiscrub.experiments.kassaie_tables import page_of
from phiscrub.experiments.paper import Page
from phiscrub.experiments.statistics import pearson
from phiscrub.experiments.step import Result, Results, Step, Tick
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.reading import tried
from phiscrub.train.recipe import load_recipe

TITLE = "Kassaie 2016: a windowed LSTM on in-domain vectors"
LABELS = "i2b2-2006"
SIDED = True
EXTRA = 1
DIFFERS = (
    "The paper learns its vectors from 68,278 records; ours are learnt from the training notes, "
    "and from --text where that is given. In the folds they have seen the text of notes that are "
    "tested there, as the paper's have, but none of their marks.",
    "The paper's vectors of a small corpus fall back on GoogleNews'; ours on those of --vectors.",
    "IDs and ages, which the 2006 notes mark and the paper's clinic does not, are kept.",
    "Questions are phiscrub's own analogies of clinical words, not Mikolov's.",
)
CLINIC = "the clinic's optometry notes"
AMIA = "the 2006 i2b2/AMIA notes"
LSTM, CRF = "kassaie2016-lstm", "kassaie2016-crf"
FOLDS = 3
DEV = 0.19 / 0.75  # of what is not tested: 56 % to learn from, 19 % to stop by, 25 % tested
DIMENSIONS = 200
SPELLING = vectors.Spelling("treebank", digits="glued")
SPLIT = vectors.Spelling("treebank", digits="split")
GLUED, PARTED, SECOND, COMPOSED = (
    f"vectors, {name}" for name in ("digits glued", "digits split", "second corpus", "composed")
)
QUESTIONS = ("en", "es")  # languages of which there are analogies
SCHEDULE = "schedule"  # of an ablation: what changes of the training, not of the network
ABLATIONS: dict[str, dict[str, Any]] = {
    "both ways": {"context": {"both_ways": True}},
    "two layers": {"context": {"layers": 2}},
    "both ways, two layers": {"context": {"both_ways": True, "layers": 2}},
    "windows of 9": {"windows": {"length": 9}},
    "windows of 25": {"windows": {"length": 25}},
    "vectors trained on": {"words": {"frozen": False}},
    "no dropout": {"context": {"dropout": 0.0}},
    "dropout .5": {"context": {"dropout": 0.5}},
    "rate .0003": {SCHEDULE: {"rate": 3e-4}},
    "rate .003": {SCHEDULE: {"rate": 3e-3}},
}
PRETRAINED = "pretrained vectors trained on"  # those of --vectors


def roles(bench: Bench) -> tuple[str, ...]:
    """Say which notes stand in for which."""
    return bench.played(CLINIC, AMIA)


def protocol(bench: Bench) -> tuple[Step, ...]:
    """Vectors, one split, folds, transfer, the correlation, the analogies, the next steps."""
    text = vectors.training_text(bench)
    size = size_of(bench.vectors)
    steps = [
        vectors.learnt(bench, GLUED, Training(dimensions=size), SPELLING, text),
        vectors.learnt(bench, PARTED, Training(dimensions=size), SPLIT, text),
        _sources(bench),
    ]
    train, dev = bench.data.held_out(DEV)
    test, glued, parted = bench.data.test, *(vectors.file_of(bench, n) for n in (GLUED, PARTED))
    steps += [
        bench.train("CRF", CRF, train, dev, test),
        bench.train("LSTM", LSTM, train, dev, test, vectors=glued, needs=(GLUED,)),
        bench.train(
            "LSTM, digits split",
            LSTM,
            train,
            dev,
            test,
            vectors=parted,
            needs=(PARTED,),
            **changed({"words": {"digits": "split"}}),
        ),
    ]
    folds = tuple(bench.data.folds(bench.how.fold_count(FOLDS), bench.how.seed))
    steps += [
        Folding("folds, CRF", CRF, folds).step(bench),
        Folding("folds, LSTM", LSTM, folds, vectors=glued, needs=(GLUED,)).step(bench),
    ]
    if bench.extra:
        steps += _second(bench, bench.extra[0], size)
    steps += [_correlation(bench, train), _analogies(bench, text, size)]
    steps += [
        bench.train(
            f"LSTM, {name}",
            LSTM,
            train,
            dev,
            test,
            kind="ablate",
            vectors=glued,
            needs=(GLUED,),
            schedule=changes.get(SCHEDULE, {}),
            **changed({part: own for part, own in changes.items() if part != SCHEDULE}),
        )
        for name, changes in ABLATIONS.items()
    ]
    if bench.vectors is not None:
        own = changed({"words": {"frozen": False, "digits": "none"}})
        name = f"LSTM, {PRETRAINED}"
        steps.append(
            bench.train(
                *(name, LSTM, train, dev, test), kind="ablate", vectors=bench.vectors, **own
            )
        )
    return tuple(steps)


def page(bench: Bench, done: Results) -> Page:
    """Return the tables."""
    pretrained = () if bench.vectors is None else (PRETRAINED,)
    return page_of(bench, done, DIFFERS, (*ABLATIONS, *pretrained))


def size_of(file: Path | None) -> int:
    """Return the dimensions of vectors to fall back on, else the paper's."""
    return DIMENSIONS if file is None else read_embedding(file, 1)[0].dimensions


def changed(changes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return parts of the LSTM's network with other settings."""
    network = load_recipe(LSTM).network
    return {part: replace(getattr(network, part), **own) for part, own in changes.items()}


def _sources(bench: Bench) -> Step:
    """Return the step that tells from where the tested words have their vectors."""
    files = [vectors.file_of(bench, GLUED), *([bench.vectors] if bench.vectors else [])]
    name = "sources of vectors"
    data = bench.data
    return vectors.composed(
        bench, name, files, corpora=(data.whole,), tested=data.test, needs=(GLUED,)
    )


def _second(bench: Bench, other: Sides, size: int) -> list[Step]:
    """Return the steps on the second corpus: its own vectors composed, and transfer both ways."""
    fallback = bench.vectors or vectors.file_of(bench, GLUED)
    own = vectors.file_of(bench, SECOND)
    train, dev = other.held_out(DEV)
    how = Training(dimensions=size)
    steps = [
        vectors.learnt(bench, SECOND, how, SPELLING, (other.train,)),
        vectors.composed(
            bench,
            COMPOSED,
            (own, fallback),
            corpora=(other.whole,),
            tested=other.test,
            needs=(SECOND, GLUED),
        ),
    ]
    composed = vectors.file_of(bench, COMPOSED)
    steps.append(
        bench.train(
            "LSTM, second corpus",
            LSTM,
            train,
            dev,
            other.test,
            language=other.language,
            vectors=composed,
            needs=(COMPOSED,),
            **changed({"words": {"digits": "none"}}),  # as composed vectors are spelt
        )
    )
    language = other.language
    crf = bench.train("CRF, second corpus", CRF, train, dev, other.test, language=language)
    steps.append(crf)
    for name in ("LSTM", "CRF"):
        steps += [
            _transfer(bench, f"transfer, {name}", name, other.whole),
            _transfer(bench, f"transfer back, {name}", f"{name}, second corpus", bench.data.test),
        ]
    return steps


def _transfer(bench: Bench, name: str, source: str, test: Corpus) -> Step:
    def work(done: Results, tick: Tick) -> Result:
        del done, tick
        model = bench.model(source)
        tokenizer = get_tokenizer(read_manifest(model, str(model)).tokenizer)
        samples = tried(test.notes, tokenizer, bench.tagger(source, LABELS))
        return figures(samples, LABELS)

    return Step(name, "transfer", bench.told(test), work, (source,))


def _correlation(bench: Bench, train: Corpus) -> Step:
    """Return the step that correlates a category's words to learn from with its F1."""
    systems = ("CRF", "LSTM")

    def work(done: Results, tick: Tick) -> Result:
        del tick
        tokens = training_tokens(train)
        told: dict[str, Any] = {"tokens": dict(sorted(tokens.items()))}
        for name in systems:
            by_label = done[name]["tokens"]
            points = [
                (count, f1(by_label[label]) or 0.0)
                for label, count in sorted(tokens.items())
                if label in by_label
            ]
            told[name] = {
                "points": points,
                **asdict(pearson([x for x, _ in points], [y for _, y in points])),
            }
        return told

    return Step("correlation", "correlate", bench.told(train), work, systems)


def _analogies(bench: Bench, text: Sequence[Corpus], size: int) -> Step:
    """Return the step that asks analogies of vectors of growing text."""
    language = bench.data.language

    def work(done: Results, tick: Tick) -> Result:
        del done
        if language not in QUESTIONS:
            return {"why": f"there are no analogies for language {language}"}
        file = resources.files("phiscrub") / "data" / "analogies" / f"{language}.txt"
        how = Training(dimensions=size, epochs=1 if bench.how.quick else 0, seed=bench.how.seed)
        lower = replace(SPELLING, lower=True)
        try:
            found = study(
                vectors.text_of(text, lower),
                read_questions(file.read_text("utf-8"), file.name),
                how,
                lower.normalise,
                tick=lambda step: tick(f"{step.part:.0%} of the notes"),
                inner=lambda _, __: None,
            )
        except InputError as error:  # too little text for any question is a result, not a fault
            return {"why": error.what}
        return asdict(found)

    return Step("analogies", "t test", bench.told(*text, language=language), work)
