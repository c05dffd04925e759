"""Whether a model tells that it learned from a note, by the note's text alone."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.learned import (
    LONG,
    Learned,
    each_mark,
    learned,
    mark_of,
    marks_of,
    unseen,
)
from phiscrub.detect.tagging.manifest import Manifest, TrainedOn, read_manifest
from phiscrub.train.corpus import Corpus
from training_notes import corpus

ROOT = Path(__file__).parents[3]
SHIPPED = sorted((Path(str(resources.files("phiscrub"))) / "data" / "models").iterdir())
NOTE = "Seen by Dr Kalo on the third, and again on the fifth. " * 5


def trained(*data: TrainedOn) -> Manifest:
    return Manifest("crf", "own", "en", "i2b2-2014", ("DATE",), "clinical", "", {}, data)


def told_of(made: Corpus) -> TrainedOn:
    return TrainedOn(made.name, made.licence, len(made), made.sha256)


def marks(made: Corpus) -> str:
    return marks_of(note.document.text for note in made.notes)


def long_corpus() -> Corpus:
    made = corpus(4)
    longer = [
        replace(
            n, document=replace(n.document, text=n.document.text + f"\n{i}" + " so it went" * 20)
        )
        for i, n in enumerate(made.notes)
    ]
    return replace(made, notes=tuple(longer))


def test_a_mark_is_of_words_alone_and_of_long_texts_alone() -> None:
    assert mark_of(NOTE) == mark_of(NOTE.replace(" ", "\r\n") + "\n")
    assert mark_of(NOTE) != mark_of(NOTE.replace("third", "fourth"))
    assert mark_of("x" * (LONG - 1) + " " * LONG) is None
    assert mark_of("x" * LONG) is not None


def test_marks_hold_neither_order_nor_number() -> None:
    texts = [f"{NOTE}{n}" for n in range(9)]
    assert marks_of(texts) == marks_of([*texts[::-1], texts[0], "short"])
    assert each_mark(marks_of(texts)) == {mark_of(text) for text in texts}
    assert each_mark("") == frozenset()


def test_one_note_among_others_is_refused_whatever_its_id() -> None:
    made = long_corpus()
    model = Learned.by(trained(told_of(made)), {made.sha256: marks(made)})
    others = {"a": NOTE, "b": "short"}
    told = unseen([model], others, "", "held")
    assert told == (
        "no text of 200 characters or more is one that a model learned from; 1 of 2 are shorter"
    )
    text = made.notes[1].document.text
    with pytest.raises(SettingsError, match="own learned from some of these notes: 1 of 3, z"):
        unseen([model], {**others, "z": text}, "", "held")
    with pytest.raises(SettingsError, match="own learned from these very notes: 1 of 1, z"):
        unseen([model], {"z": text}, "", "held")


def test_a_model_that_does_not_tell_is_named_and_its_very_corpus_refused() -> None:
    made = long_corpus()
    model = Learned.by(trained(told_of(made)), {})
    assert unseen([model], {"a": NOTE}, "", "held").startswith("not known: own does not tell")
    with pytest.raises(SettingsError, match="learned from these very notes"):
        unseen([model], {"a": NOTE}, made.sha256, "held")
    assert Learned.by(trained(told_of(made)), {made.sha256: marks(made)}).is_whole
    assert not Learned.by(trained(), {}).is_whole


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_every_shipped_model_tells(folder: Path) -> None:
    (model,) = learned([read_manifest(folder, folder.name)])
    assert model.is_whole, "run benchmarks/learned.py"


def test_a_shipped_model_knows_its_own_notes_under_other_names() -> None:
    models = learned([read_manifest(folder, folder.name) for folder in SHIPPED])
    english = [model for model in models if model.model.startswith("en")]
    notes = {
        f"other-{number}": file.read_text("utf-8")
        for number, file in enumerate(sorted((ROOT / "corpus/en/n-odd").rglob("*.txt")))
    }
    assert len(notes) == 60
    with pytest.raises(SettingsError, match="these very notes: 60 of 60"):
        unseen(english, notes, "", "held")
    kept = [f.read_text("utf-8") for f in (ROOT / "corpus/en/n-even").rglob("*.txt")]
    told = unseen(english, {str(n): text for n, text in enumerate(kept)}, "", "held")
    assert told.startswith("no text of 200")
