"""The part `ensemble`: means of probabilities, decoded so that tags are well-formed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import TAGS, charts, random_model, save, traits_of
from phiscrub.core.errors import SettingsError
from phiscrub.core.note import Note
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging import frame
from phiscrub.detect.tagging.crf import CrfTagger
from phiscrub.detect.tagging.ensemble import Agreed, EnsembleTagger, Settings, build, read_as
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shelf import Shelf
from tagging_notes import cut

NOTES, _ = charts(3, seed=5, lines=4)
TOOLS = Shelf("en", None)
CRFS = [replace(random_model(NOTES, seed=seed), name=f"crf{seed}") for seed in (1, 2)]


@dataclass(frozen=True)
class Fixed:
    """A member that says the same of the tokens of any note, by their places."""

    model: Agreed
    rows: np.ndarray

    def tag_rows(self, notes: Sequence[Note]) -> Iterator[np.ndarray]:
        for note in notes:
            yield self.rows[: len(note.tokens)].astype(np.float32)


@dataclass(frozen=True)
class ByText:
    """A member that says of each note what its text and a seed make it say."""

    model: Agreed
    seed: int

    def tag_rows(self, notes: Sequence[Note]) -> Iterator[np.ndarray]:
        for note in notes:
            seed = self.seed + sum(map(ord, note.text))
            yield random_rows(seed, len(note.tokens), len(self.model.tags)).astype(np.float32)


def agreed(style: str, labels: Sequence[str] = ("CITY", "DATE"), **changes: str) -> Agreed:
    tags = scheme(style).tags(labels)
    told = {"tokenizer": "clinical", "label_set": "i2b2-2014", "sequence": "sentence", **changes}
    return Agreed(name="m", scheme=style, tags=tags, labels=tuple(labels), **told)


def random_rows(seed: int, size: int, tags: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(tags, 0.3), size)


def test_one_model_is_an_ensemble_of_itself_in_the_mean() -> None:
    crf = CrfTagger(CRFS[0], traits_of(CRFS[0].templates))
    alone, twice = crf.tag_scores(NOTES), EnsembleTagger([crf, crf], [1.0, 3.0])
    order = [twice.model.tags.index(tag) for tag in TAGS]
    for own, both in zip(alone, twice.tag_scores(NOTES), strict=True):
        np.testing.assert_allclose(both.proba[:, order], own.proba, atol=1e-6)
    for own, both in zip(crf.scores(NOTES), twice.scores(NOTES), strict=True):
        assert own.labels == both.labels
        np.testing.assert_allclose(both.proba, own.proba, atol=1e-6)


def test_weights_share_the_mean() -> None:
    model = agreed("BIO")
    rows = [random_rows(seed, 3, 5) for seed in (1, 2)]
    members = [Fixed(model, one) for one in rows]
    (found,) = EnsembleTagger(members, [1.0, 3.0]).tag_scores(cut("Ann of Boise"))
    np.testing.assert_allclose(found.proba, rows[0] / 4 + rows[1] * 3 / 4, atol=1e-6)


@given(st.integers(0, 10_000), st.sampled_from(["BIO", "BIOES", "BILOU", "IO"]))
@settings(max_examples=40, deadline=None)
def test_the_best_well_formed_tagging_is_taken(seed: int, style: str) -> None:
    model = agreed(style, ("CITY",))
    rows = random_rows(seed, 4, len(model.tags))
    notes = cut("Ann Lee of Boise")
    (found,) = EnsembleTagger([Fixed(model, rows)]).detect(notes)
    ways = [
        (float(np.log(rows[range(4), way]).sum()), [model.tags[tag] for tag in way])
        for way in product(range(len(model.tags)), repeat=4)
    ]
    _, best = max(way for way in ways if scheme(style).is_well_formed(way[1]))
    starts = notes[0].tokens.starts.tolist()
    chunks = [starts[first] for first, _, _ in scheme(style).chunks(best)]
    assert [m.span.start for m in found] == chunks


@given(st.integers(0, 10_000), st.sampled_from(["BIO", "BIOES"]), st.sampled_from([None, 0.4]))
@settings(max_examples=40, deadline=None)
def test_sequences_are_decoded_each_for_itself(
    seed: int, style: str, threshold: float | None
) -> None:
    one = EnsembleTagger([ByText(agreed(style), seed)], threshold=threshold)
    notes = cut("Ann Lee of Boise", "Bo", "Cy of Ely, near Ur", "Di Roy")
    alone = [mentions for note in notes for mentions in one.detect([note])]
    assert one.detect(notes) == alone


def test_schemes_are_read_as_one() -> None:
    rows = random_rows(3, 3, 9)
    own = agreed("BIOES")
    one = EnsembleTagger([Fixed(own, rows), Fixed(agreed("BIO"), random_rows(4, 3, 5))])
    assert one.model.scheme == "BIO"
    which = read_as(own, scheme("BIO"), one.model.tags)
    told = {
        tag: one.model.tags[int(row.argmax())] for tag, row in zip(own.tags, which, strict=True)
    }
    assert told["S-CITY"] == told["B-CITY"] == "B-CITY"
    assert told["E-DATE"] == told["I-DATE"] == "I-DATE"
    assert told["O"] == "O"
    assert (which.sum(axis=1) == 1).all()
    (found,) = one.tag_scores(cut("Ann of Boise"))
    np.testing.assert_allclose(found.proba.sum(axis=1), 1.0, atol=1e-6)


def test_eagerness_and_empty_notes() -> None:
    model = agreed("BIO", ("CITY",))
    member = Fixed(model, np.tile([0.7, 0.2, 0.1], (9, 1)))
    notes = cut("Ann of Boise", "")
    assert EnsembleTagger([member]).detect(notes) == [(), ()]
    eager, none = EnsembleTagger([member], threshold=0.8).detect(notes)
    assert len(eager) == 3
    assert none == ()
    assert EnsembleTagger([member], bias={"CITY": 9.0}).detect(notes)[0] != ()
    assert EnsembleTagger([member]).detect([]) == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (agreed("BIO", tokenizer="i2b2"), "differ in tokenizer"),
        (agreed("BIO", label_set="hipaa"), "differ in label set"),
        (agreed("BIO", ("CITY",)), "differ in labels"),
        (agreed("IO"), "tells no beginnings"),
    ],
)
def test_members_that_do_not_go_together(other: Agreed, told: str) -> None:
    members = [Fixed(model, np.zeros((0, len(model.tags)))) for model in (agreed("BIO"), other)]
    with pytest.raises(SettingsError, match=told):
        EnsembleTagger(members)


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, float("nan")]])
def test_weights_that_are_none(weights: list[float]) -> None:
    member = Fixed(agreed("BIO"), np.zeros((0, 5)))
    with pytest.raises(SettingsError, match="'weights' are not one above 0"):
        EnsembleTagger([member, member], weights)
    with pytest.raises(SettingsError, match="of no model"):
        EnsembleTagger([])


def test_an_ensemble_is_a_part(tmp_path: Path) -> None:
    for model in CRFS:
        save(model, tmp_path / model.name)
    (tmp_path / "own.toml").write_text(
        'language = "en"\n[[detector]]\nuse = "ensemble"\nmodels = ["./crf1", "./crf2"]\n'
        "weights = [2, 1]\n",
        "utf-8",
    )
    members = [CrfTagger(model, traits_of(model.templates)) for model in CRFS]
    expected = EnsembleTagger(members, [2.0, 1.0]).detect(NOTES)
    found = load_pipeline(str(tmp_path / "own.toml")).annotate([n.document for n in NOTES])
    assert [[m.span for m in own.mentions] for own in found] == [
        sorted(m.span for m in own) for own in expected
    ]
    assert {m.source for own in found for m in own.mentions} == {"ensemble:crf1+crf2"}
    built = build(Settings((str(tmp_path / "crf1"),)), TOOLS)
    assert built.labels == members[0].labels


def peak(crf: CrfTagger, notes: Sequence[Note]) -> int:
    tracemalloc.start()
    try:
        for _ in crf.tag_rows(notes):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_long_note_is_worked_on_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    notes, _ = charts(1, seed=6, lines=600)
    models = [CRFS[0], replace(CRFS[1], sequence="line")]  # whose rounds end elsewhere
    members = [CrfTagger(model, traits_of(model.templates)) for model in models]
    one = EnsembleTagger(members, roles=["PATIENT", "CITY"], threshold=0.9)
    found, crf = one.detect(notes), members[0].detect(notes)
    at_once, thought = peak(members[0], notes), members[0].weigh(notes)
    assert len(found[0]) > 100
    monkeypatch.setattr(frame, "ROUND", 50)
    assert one.detect(notes) == found
    assert one.settle(one.weigh(notes), 0.9) == found
    assert members[0].detect(notes) == crf
    np.testing.assert_allclose(members[0].weigh(notes).proba, thought.proba, atol=1e-12)
    assert peak(members[0], notes) < at_once / 2
