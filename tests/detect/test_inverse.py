from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings

from phiscrub.core.errors import PhiscrubError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.scores import TokenScores
from phiscrub.detect.inverse import Inverse, Settings, build, by_word
from phiscrub.detect.inverse_features import (
    ALWAYS,
    FEATURES,
    PHI,
    SAFE,
    WordLists,
    Words,
    features,
)
from phiscrub.pipeline.load import Declaration
from phiscrub.pipeline.load import build as build_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.i2b2 import I2b2
from strategies import texts
from tagging_notes import cut

TOOLS = Shelf("en", None)
LISTS = WordLists.load(TOOLS.folder("inverse", "en"), "en", TOOLS)


class Sure:
    """Thinks of every token that it is nothing, as sure as it is told by the word."""

    labels = frozenset({"PATIENT", "DATE"})

    def __init__(self, **safe: float) -> None:
        self._safe = safe

    def scores(self, notes: Sequence[Note]) -> list[TokenScores]:
        made = []
        for note in notes:
            safe = np.array([self._safe.get(w, 1.0) for w in note.tokens.words()])
            rest = (1 - safe)[:, None] * [0.25, 0.75]
            proba = np.concatenate([safe[:, None], rest], axis=1).reshape(-1, 3)
            made.append(TokenScores(("O", "DATE", "PATIENT"), proba.astype(np.float32)))
        return made

    def detect(self, notes: Sequence[Note]) -> list[tuple[Mention, ...]]:
        return [() for _ in notes]


def masked(text: str, tagger: Sure | None = None, **more: object) -> list[str]:
    found = Inverse(LISTS, tagger, **more).detect(cut(text))[0]  # type: ignore[arg-type]
    return [text[m.span.start : m.span.end] for m in found]


def told(text: str) -> dict[str, set[str]]:
    (note,) = cut(text)
    words = Words.of(note)
    table = features(note, words, LISTS)
    names = LISTS.features
    return {
        word: {names[at] for at in np.flatnonzero(row)}
        for word, row in zip(words.texts(), table, strict=True)
    }


def test_words_are_runs_of_letters_and_digits() -> None:
    (note,) = cut("3041023MARY o'Neil é12, -- x_y")
    assert Words.of(note).texts() == ["3041023MARY", "o", "Neil", "é12", "x", "y"]


def test_the_fifteen_features() -> None:
    assert len(FEATURES) == 15
    seen = told("He came. Boston on Monday, March 3b from x.com and Elm Drive; two A com Xmas")
    assert seen["He"] >= {"has-capital-beginning", "is-sentence-beginning", "is-common-word"}
    assert "is-sentence-beginning" in seen["Boston"]
    assert "is-possibly-city" in seen["Boston"]
    assert "is-weekday" in seen["Monday"]
    assert "is-month" in seen["March"]
    assert seen["3b"] == {"contains-digit"}
    assert "is-street" in seen["Drive"]
    assert "is-written-out-number" in seen["two"]
    assert "is-single-letter" in seen["A"]
    assert "is-holiday" in seen["Xmas"]
    assert "is-possibly-name" in told("Ortiz")["Ortiz"]
    assert "is-medical-term" in told("take metformin")["metformin"]
    assert "is-digit" in told("12")["12"]


def test_a_domain_stands_behind_a_dot() -> None:
    assert "is-top-level-domain" in told("see x.com")["com"]
    assert "is-top-level-domain" not in told("x. com")["com"]
    assert "is-top-level-domain" not in told("com")["com"]


def test_a_city_of_several_words_is_read_in_order() -> None:
    assert "is-possibly-city" in told("from Las Vegas")["Vegas"]
    assert "is-possibly-city" not in told("from Vegas Las")["Vegas"]


def test_verdicts() -> None:
    (note,) = cut("the xyzzyq Monday 12 Ortiz")
    table = features(note, Words.of(note), LISTS)
    assert LISTS.verdicts(table).tolist() == [SAFE, PHI, ALWAYS, PHI, PHI]


def test_the_rules_alone_mask_what_is_not_shown_safe() -> None:
    assert masked("the xyzzyq was Monday") == ["xyzzyq", "Monday"]


def test_thresholds() -> None:
    text = "the xyzzyq was Monday"
    assert masked(text, Sure()) == ["Monday"]  # however sure
    assert masked(text, Sure(the=0.85, xyzzyq=0.85)) == ["xyzzyq", "Monday"]
    assert masked(text, Sure(the=0.75), low=0.75) == ["the", "Monday"]  # not above
    assert masked(text, Sure(the=0.85), low=0.9, high=0.95) == ["the", "Monday"]


def test_a_word_is_as_safe_as_its_least_safe_token() -> None:
    (note,) = cut("3041023MARY the")
    (scores,) = Sure(MARY=0.25).scores([note])
    risks = by_word(note, Words.of(note), scores)
    assert risks[:, 0].tolist() == [0.25, 1.0]
    assert masked("3041023MARY the", Sure(MARY=0.25)) == ["3041023MARY"]


def test_a_word_that_no_token_covers_is_not_safe() -> None:
    (note,) = I2b2().tokenize([cut("éé the")[0].document])
    assert by_word(note, Words.of(note), Sure().scores([note])[0])[:, 0].tolist() == [0.0, 1.0]


def test_labels_and_merging() -> None:
    text = "Ann Lee,\nxyz the uvw"
    (note,) = cut(text)
    sure = Sure(Ann=0.1, Lee=0.4, xyz=0.2, uvw=0.2)
    alone = Inverse(LISTS, sure, label="").detect([note])[0]
    assert [(m.label, m.score) for m in alone[:2]] == [("PATIENT", 0.9), ("PATIENT", 0.6)]
    merged = Inverse(LISTS, sure, label="PHI", merge=True).detect([note])[0]
    words = [(text[m.span.start : m.span.end], m.label, m.score) for m in merged]
    assert words == [("Ann Lee", "PHI", 0.9), ("xyz", "PHI", 0.8), ("uvw", "PHI", 0.8)]


def test_in_a_pipeline() -> None:
    made = build_pipeline(Declaration("en", ({"use": "inverse", "merge": True},)))
    assert made.scrub("the xyzzyq was Monday").text == "the [PHI-1] was [PHI-2]"
    spanish = build_pipeline(Declaration("es", ({"use": "inverse"},), "meddocan"))
    assert {m.label for m in spanish.scrub("la señora Zzyx").cover} == {"OTROS_SUJETO_ASISTENCIA"}


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"labels": "all"}, "'labels' is 'all'"),
        ({"low": 0.9, "high": 0.8}, "no rising probabilities"),
        ({"labels": "tagger"}, "asks a tagger"),
        ({"lists": "xx"}, "no folder 'xx'"),
        ({"tagger": {"use": "names"}}, "gives no probabilities"),
        ({"tagger": {"model": "x"}}, "'tagger.use' is missing"),
    ],
)
def test_wrong_settings(table: dict[str, object], what: str) -> None:
    with pytest.raises(PhiscrubError, match=what):
        build(Settings(**table), TOOLS)  # type: ignore[arg-type]


def test_lists_that_do_not_fit(tmp_path) -> None:
    rules = '[rules]\nsafe = ["is-odd"]\nphi = []\nalways = []\n'
    for text, what in (
        ("x = 1", "not made of lists and rules"),
        (f"[lists]\n{rules}", "names no list 'is-odd'"),
        (f'[lists]\nis-odd = ["./none"]\n{rules}', "cannot be read"),
        ("x =", "cannot be read as lists"),
    ):
        (tmp_path / "lists.toml").write_text(text)
        with pytest.raises(SettingsError, match=what):
            WordLists.load(tmp_path, "x", TOOLS)


@settings(max_examples=60, deadline=None)
@given(text=texts())
def test_every_letter_and_digit_is_masked_or_in_a_safe_word(text: str) -> None:
    (note,) = cut(text)
    words = Words.of(note)
    inside = {i for a, b in zip(words.starts, words.ends, strict=True) for i in range(a, b)}
    assert {i for i, letter in enumerate(text) if letter.isalnum()} <= inside
    (found,) = Inverse(LISTS, Sure(), low=1.0, high=1.0).detect([note])
    assert [(m.span.start, m.span.end) for m in found] == list(
        zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    )
