"""Invented notes with names, and CRF models over them, for the tests of taggers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from phiscrub.core.note import Note
from phiscrub.detect.tagging.engine import Engine
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.manifest import TrainedOn
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.detect.tagging.templates import Template, coded, parse_templates, trait_names
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from tagging_notes import cut

TAGS = ("O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE", "B-CITY", "I-CITY")
TEMPLATES = (
    *("word[0]", "lower[-2..2]", "suffix:3[0]", "prefix:2[0]", "short_shape[-1..1]"),
    *("classes[0]", "gap[0..1]", "line_place[0]", "nth[-1..1]", "digit_pattern[0]"),
    *("lower[-1]|lower[0]", "lower[0]|gap[1]", "classes[-1]|classes[0]|short_shape[1]"),
    *("line_place[0]|word[0]|nth[0]", "gap[0]|line_place[0]"),
)
AWKWARD = ("|", "\\", "]=", "=", "\\p", "é", "ß", "<edge>", "a|b", "\u2028", "漢", '"')
SYLLABLES = ("ka", "lo", "mi", "ren", "to", "sal", "vi", "ber", "an", "es", "dor", "pu")


def charts(count: int, seed: int, lines: int = 20) -> tuple[Sequence[Note], list[list[str]]]:
    """Write notes with names, dates and towns that are not quite plain, and their tags."""
    chance = random.Random(seed)
    texts, tags = [], []
    for _ in range(count):
        words: list[str] = []
        own: list[str] = []
        for _ in range(lines):
            for word, tag in _line(chance):
                words.append(word)
                own.append(tag)
            words.append("\n")
        texts.append(" ".join(words))
        tags.append(own)
    notes = cut(*texts)
    for note, own in zip(notes, tags, strict=True):
        assert len(note.tokens) == len(own)
    return notes, tags


def _line(chance: random.Random) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for _ in range(chance.randrange(3, 14)):
        kind = chance.random()
        if kind < 0.1:
            found += [("Dr", "O")] if chance.random() < 0.7 else []
            found.append((_word(chance).title(), "B-PATIENT"))
            found += [(_word(chance).title(), "I-PATIENT")] if chance.random() < 0.6 else []
        elif kind < 0.16:
            day = [str(chance.randrange(1, 31)), "/", str(chance.randrange(1, 12))]
            labelled = chance.random() < 0.8  # not every number is a date
            tags = ("B-DATE", "I-DATE", "I-DATE") if labelled else ("O", "O", "O")
            found += zip(day, tags, strict=True)
        elif kind < 0.2:
            found += [("in", "O"), (_word(chance).title(), "B-CITY")]
        elif kind < 0.23:
            found.append((chance.choice("|\\=é,;"), "O"))
        else:
            word = _word(chance)
            found.append((word if chance.random() < 0.9 else word.title(), "O"))
    return found


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(SYLLABLES) for _ in range(chance.randrange(1, 4)))


def traits_of(templates: Sequence[str]) -> Traits:
    """Load the traits of templates."""
    return Traits.of(trait_names(parse_templates(templates)), Shelf("en", None))


def attributes(
    frame: Frame, traits: Traits, templates: Sequence[Template]
) -> list[list[list[str]]]:
    """Return the attributes of every token, by sequence, then by token, in template order.

    This is the measure of the engine, which never writes them.
    """
    told = coded(frame, traits, templates)
    written = [map(texts.__getitem__, ids.tolist()) for texts, ids in told]
    rows = [[text for text in row if text] for row in zip(*written, strict=True)]
    rows = rows or [[] for _ in range(len(frame))]
    bounds = frame.starts.tolist()
    return [rows[low:high] for low, high in pairwise(bounds)]


def emissions(engine: Engine, frame: Frame) -> np.ndarray:
    """Return the scores of all rounds."""
    return np.concatenate([np.zeros((0, len(TAGS))), *(own for _, own in engine.emissions(frame))])


def random_model(
    notes: Sequence[Note], templates: Sequence[str] = TEMPLATES, seed: int = 0
) -> CrfModel:
    """Give random weights to half of the attributes that notes have."""
    chance = np.random.default_rng(seed)
    parsed = parse_templates(templates)
    rows = attributes(Frame.of(notes, "sentence"), traits_of(templates), parsed)
    texts = sorted({text for row in rows for token in row for text in token})
    kept = tuple(text for text in texts if chance.random() < 0.5)
    counts = chance.integers(1, 4, size=len(kept))
    columns = [np.sort(chance.choice(len(TAGS), size=n, replace=False)) for n in counts]
    return CrfModel(
        name="random",
        language="en",
        label_set="i2b2-2014",
        tokenizer="clinical",
        scheme="BIO",
        sequence="sentence",
        tags=TAGS,
        templates=tuple(template.name for template in parsed),
        detectors=(),
        attributes=kept,
        pointers=np.append(0, np.cumsum(counts)).astype(np.int64),
        columns=np.concatenate([*columns, np.zeros(0)]).astype(np.int32),
        weights=chance.normal(size=int(counts.sum())),
        transitions=chance.normal(size=(len(TAGS), len(TAGS))),
    )


def save(model: CrfModel, folder: Path) -> Path:
    """Save a model as training would."""
    data = [TrainedOn("invented", "CC0-1.0", 3)]
    model.save(folder, data=data, training={"c1": 0.1}, created="2025-01-01T00:00:00+00:00")
    return folder


def weights_of(of: CrfModel) -> dict[tuple[str, int], float]:
    """Return the weight of each attribute for each tag."""
    rows = np.repeat(np.arange(len(of.attributes)), np.diff(of.pointers))
    named = zip(rows, of.columns, of.weights, strict=True)
    return {(of.attributes[row], int(tag)): float(weight) for row, tag, weight in named}
