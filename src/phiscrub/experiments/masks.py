"""What the thesis' systems mask, and the steps that measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from phiscrub.core.contracts import Detector
from phiscrub.core.labels import HUB, label_set
from phiscrub.detect.inverse import Inverse
from phiscrub.detect.inverse_features import WordLists
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.usefulness import LANGUAGES, usefulness
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Sides
from phiscrub.experiments.figures import masked, told_of
from phiscrub.experiments.leaks import write_leaks
from phiscrub.experiments.step import Result, Results, Step, Tick, slug
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.reading import tried

TOKENIZER = "i2b2"
PAIRS = MappingProxyType({"1": (0.8, 0.9), "2": (0.9, 0.95)})
ALONE = 0.95


def spoken(language: str) -> str:
    """Return the language whose lists the inverse rule takes: English where it has none."""
    return language if language in LANGUAGES else "en"


@cache
def lists_of(language: str) -> WordLists:
    """Return the inverse rule's lists; those of English where a language has none."""
    name = spoken(language)
    tools = Shelf(name, None)
    return WordLists.load(tools.folder("inverse", name), name, tools)


def masking(bench: Bench, name: str, source: str, sides: Sides, kind: str) -> Step:
    """Return the step that measures what a trained tagger masks, without the rules."""

    def work(done: Results, tick: Tick) -> Result:
        del done, tick
        samples = samples_of(bench.tagger(source, HUB), sides.test)
        return told_masks(bench, name, samples, sides.language)

    return Step(f"masking by {name}", kind, bench.told(sides.test), work, (source,))


def thresholds(bench: Bench, name: str, source: str, sides: Sides, kind: str) -> Step:
    """Return the step that masks by a network and the rules at each pair, and by it alone."""

    def work(done: Results, tick: Tick) -> Result:
        del done
        tagger, lists = bench.tagger(source, HUB), lists_of(sides.language)
        systems = {f"pair {n}": Inverse(lists, tagger, *pair) for n, pair in PAIRS.items()}
        systems["alone"] = Inverse(replace(lists, always=()), tagger, ALONE, ALONE)
        told = {}
        for system, inverse in systems.items():
            tick(system)
            samples = samples_of(inverse, sides.test)
            told[system] = told_masks(bench, f"{name} {system}", samples, sides.language)
        return told

    told = bench.told(sides.test, pairs=list(PAIRS.values()), language=sides.language)
    return Step(f"thresholds {name}", kind, told, work, (source,))


def samples_of(detector: Detector, corpus: Corpus) -> list[Sample]:
    """Return notes with what a detector finds in them, cut as the thesis cuts them."""
    return tried(corpus.notes, get_tokenizer(TOKENIZER), detector)


def told_masks(bench: Bench, name: str, samples: Sequence[Sample], language: str) -> dict[str, Any]:
    """Return masking and what useful is kept; write the leaks to a file of their own."""
    whole = masked(samples, label_set(HUB))
    write_leaks(bench.out / "leaks" / f"{slug(name)}.tsv", samples, whole.leaks)
    kept = None
    if language in LANGUAGES:
        table = sum(t.table.sum(axis=0) for t in usefulness(samples, language).kinds.values())
        kept = [int(table[0]), int(table[1])]
    return {"masking": told_of(whole), "leaks": len(whole.leaks), "useful": kept}
