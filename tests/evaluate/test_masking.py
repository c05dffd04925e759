"""Masking and leaks against a slow second implementation, character by character."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts
from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.evaluate import units
from phiscrub.evaluate.fields import of_masking, official_masking
from phiscrub.evaluate.masking import (
    ALL,
    CHARACTERS,
    CORRECTED,
    DOCUMENTS,
    ENTITIES,
    HARMLESS,
    FalseAlarm,
    Leak,
    hipaa_groups,
    measure,
)
from phiscrub.evaluate.sample import Sample
from strategies import texts

TOKENS = {"i2b2": "[a-zA-Z0-9]+", "word": r"\w+", "space": r"\S+"}
LABELS = ("NAME/PATIENT", "NAME/DOCTOR", "ID/IDNUM", "AGE/AGE")
marks = st.lists(
    st.tuples(st.integers(0, 24), st.integers(0, 8), st.sampled_from(LABELS)).map(
        lambda m: (m[0], m[0] + m[1], m[2])
    ),
    max_size=5,
).map(tuple)
HARD = st.text("aZ9_ -\nº²é漢😀\u0301\xa0", max_size=24)
samples = st.lists(
    st.builds(Sample, st.just("d"), HARD | texts(max_size=24), marks, marks), max_size=4
)


def groups(label: str) -> tuple[str, ...]:
    return hipaa_groups(*label.split("/"))


def covered(text: str, side: tuple, group: str) -> set[int]:
    return {
        at
        for start, end, label in side
        if group == ALL or group in groups(label)
        for at in range(start, min(end, len(text)))
    }


def slow_units(sample: Sample, pieces: list[range], group: str, *, full: bool) -> Counts:
    everything, masked = (
        covered(sample.text, sample.gold, ALL),
        covered(sample.text, sample.found, ALL),
    )
    gold, claimed = (
        covered(sample.text, sample.gold, group),
        covered(sample.text, sample.found, group),
    )
    hit = missed = spurious = 0
    for piece in pieces:
        places = set(piece)
        if places & gold:
            good = places & gold <= masked if full else bool(places & masked)
            hit, missed = hit + good, missed + (not good)
        elif places & claimed and not places & everything:
            spurious += 1
    return Counts(hit, missed, spurious)


def pieces(pattern: str, text: str) -> list[range]:
    return [range(*match.span()) for match in re.finditer(pattern, text)]


def leaking(sample: Sample, group: str) -> tuple[set, set]:
    masked = covered(sample.text, sample.found, ALL)
    places = {(s, e) for s, e, label in sample.gold if group == ALL or group in groups(label)}
    return places, {
        (s, e)
        for s, e in places
        if any(
            sample.text[at].isalnum() and at not in masked
            for at in range(s, min(e, len(sample.text)))
        )
    }


@given(samples)
def test_all_measures_and_groups_are_those_of_the_slow_implementation(data):
    result = measure(data, groups)
    names = {ALL} | {
        g for sample in data for m in (*sample.gold, *sample.found) for g in groups(m[2])
    }
    assert {group for _, group in result.tallies} == names
    for (name, group), tally in result.tallies.items():
        for sample, row in zip(data, tally.table.tolist(), strict=True):
            text = sample.text
            if name == ENTITIES:
                places, leaks = leaking(sample, group)
                expected = Counts(len(places) - len(leaks), len(leaks))
            elif name == DOCUMENTS:
                places, leaks = leaking(sample, group)
                expected = Counts(bool(places) and not leaks, bool(leaks))
            elif name == CHARACTERS:
                letters = [range(n, n + 1) for n, c in enumerate(text) if c.isalnum()]
                expected = slow_units(sample, letters, group, full=False)
            elif name == CORRECTED:
                gold = covered(text, sample.gold, ALL)
                kept = [
                    piece
                    for piece in pieces(TOKENS["i2b2"], text)
                    if not (
                        gold & set(piece) and text[piece.start : piece.stop].lower() in HARMLESS
                    )
                ]
                expected = slow_units(sample, kept, group, full=False)
            else:
                _, _, tokenizer, how = name.split(".")
                cut = pieces(TOKENS[tokenizer], text)
                expected = slow_units(sample, cut, group, full=how == "full")
            assert Counts(*row) == expected, (name, group)


@given(samples)
def test_every_leak_and_false_alarm_is_listed_in_its_place(data):
    numbered = [Sample(str(n), s.text, s.gold, s.found) for n, s in enumerate(data)]
    result = measure(numbered)
    for sample in numbered:
        _, leaks = leaking(sample, ALL)
        size = len(sample.text)
        cut = {(min(s, size), min(e, size)) for s, e in leaks}
        mine = [leak for leak in result.leaks if leak.document == sample.id]
        assert {(leak.start, leak.end) for leak in mine} == cut
        masked = covered(sample.text, sample.found, ALL)
        for leak in mine:
            bare = {at for low, high in leak.uncovered for at in range(low, high)}
            letters = {at for at in range(leak.start, leak.end) if sample.text[at].isalnum()}
            assert bare == letters - masked
        golden = {at for at in covered(sample.text, sample.gold, ALL) if sample.text[at].isalnum()}
        alone = [
            (s, min(e, size))
            for s, e, _ in sample.found
            if s < min(e, size) and not golden & set(range(s, min(e, size)))
        ]
        alarms = [(a.start, a.end) for a in result.alarms if a.document == sample.id]
        assert sorted(alarms) == sorted(alone)


def test_batches_change_only_speed(monkeypatch):
    data = [
        Sample(str(n), "Ann Lee 12", ((0, 7, "NAME/PATIENT"),), ((n % 5, 9, "ID/IDNUM"),))
        for n in range(40)
    ]
    whole = measure(data, groups)
    monkeypatch.setattr(units, "BATCH", 25)
    parts = measure(data, groups)
    assert (whole.leaks, whole.alarms) == (parts.leaks, parts.alarms)
    for key, tally in whole.tallies.items():
        assert tally.table.tolist() == parts.tallies[key].table.tolist()


def test_any_is_kinder_than_full_and_a_leak_names_its_characters():
    sample = Sample("d", "Ann O'Neil, 5 years", ((4, 10, "NAME"), (12, 19, "AGE")), ((6, 9, "X"),))
    result = measure([sample])
    assert result.total("masking.token.space.any") == Counts(1, 2, 0)
    assert result.total("masking.token.space.full") == Counts(0, 3, 0)
    assert result.total("masking.token.i2b2.any") == Counts(1, 3, 0)
    assert result.total(CORRECTED) == Counts(1, 1, 0)  # neither the O of O'Neil nor "years"
    assert result.leaks == (
        Leak("d", 4, 10, ("NAME",), ((4, 5), (9, 10))),
        Leak("d", 12, 19, ("AGE",), ((12, 13), (14, 19))),
    )
    assert result.alarms == ()
    assert measure([Sample("d", "ab cd", (), ((3, 5, "X"),))]).alarms == (
        FalseAlarm("d", 3, 5, "X"),
    )


def test_hipaa_has_two_versions():
    sample = Sample("d", "12345 Lee", ((0, 5, "ID/IDNUM"), (6, 9, "NAME/PATIENT")), ())
    result = measure([sample], groups)
    assert result.total(ENTITIES, "hipaa.script") == Counts(0, 1)
    assert result.total(ENTITIES, "hipaa.corrected") == Counts(0, 2)
    assert result.total(ENTITIES, "category.ID") == Counts(0, 1)
    assert result.total(ENTITIES, "type.PATIENT") == Counts(0, 1)


def test_fields_have_the_names_of_the_kit():
    measures = of_masking(result := measure([Sample("d", "a", ((0, 1, "NAME"),), ())]))
    assert measures[ENTITIES] == {"entities": 1, "leaked": 1, "recall": 0.0}
    assert measures[DOCUMENTS] == {
        "all_or_nothing_recall": 0.0,
        "documents_leaking": 1,
        "documents_with_phi": 1,
    }
    assert f"{ENTITIES}.type.NAME" in measures
    assert set(official_masking(measures, result)) < set(measures)


def test_samples_of_documents_keep_the_patient_and_refuse_another_text():
    document = Document("1", "Ann Lee", Subject("p"))
    gold = Annotated(document, (Mention(Span(0, 3), "PATIENT"),))
    sample = Sample.of(gold, Annotated(document))
    assert (sample.gold, sample.found, sample.subject) == (((0, 3, "PATIENT"),), (), "p")
    assert "Ann" not in repr(sample)
    with pytest.raises(AnnotationError, match="record 1: the text differs"):
        Sample.of(gold, Annotated(Document("1", "Ann")))


def test_no_documents_give_no_counts():
    assert measure([]).total(ENTITIES) == Counts()
