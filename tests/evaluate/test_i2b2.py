"""The official measures against a slow second implementation, written from the definitions."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean, pstdev

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phiscrub.core.errors import AnnotationError
from phiscrub.evaluate.fields import of_i2b2
from phiscrub.evaluate.hipaa import CORRECTED, is_hipaa
from phiscrub.evaluate.i2b2 import CATEGORIES, MEASURES, TaggedText, score


@dataclass(frozen=True)
class Tag:
    element: str
    start: str
    end: str
    type: str
    line: int = 1


ALPHABET = "aZ9 _-é😀\n"
TYPES = ("PATIENT", "patient", "PATIENTS", "DOCTOR", "IDNUM", "IDNUM 2", "CITY", "STATE", "SSN", "")
texts = st.text(ALPHABET, max_size=14)
offsets = st.sampled_from((-2, 0, 1, 2, 3, 4, 5, 6, 9, 16))
written = st.builds(
    lambda number, shape: shape.format(number), offsets, st.sampled_from(("{}",) * 4 + (" {}",))
)
tags = st.builds(
    Tag,
    st.sampled_from(("PHI", "NAME", "AGE", "LOCATION", "ID", "PROFESSION")),
    written,
    written,
    st.sampled_from(TYPES),
)
sides = st.lists(tags, max_size=7).map(tuple)


def altered(gold: tuple[Tag, ...]) -> st.SearchStrategy[tuple[Tag, ...]]:
    """Another side, most of whose tags are those of this one or nearly so."""
    if not gold:
        return sides
    one = st.sampled_from(gold)
    near = st.builds(
        lambda tag, other, name: replace(tag, **{name: getattr(other, name)}),
        one,
        tags,
        st.sampled_from(("element", "start", "end", "type")),
    )
    return st.lists(one | near | tags, max_size=7).map(tuple)


documents = st.lists(
    st.tuples(texts, sides).flatmap(
        lambda note: st.tuples(st.just(note[0]), st.just(note[1]), altered(note[1]))
    ),
    max_size=3,
)


def cut(tag: Tag, text: str) -> list[tuple]:
    start, end = int(tag.start), int(tag.end)
    part = text[start:end]
    found, word = [], None
    for at, character in enumerate(part + "!"):
        if character in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
            word = at if word is None else word
        elif word is not None:
            found.append((tag.element, tag.type, start + word, start + at))
            word = None
    return found or [(tag.element, tag.type, start + len(part), start + len(part))]


def unique(items: list) -> list:
    kept: list = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def exactly(gold: list, system: list) -> tuple[int, int, int]:
    gold, system = unique(gold), unique(system)
    hits = [item for item in system if item in gold]
    return len(hits), len(gold) - len(hits), len(system) - len(hits)


def near(one: Tag, other: Tag) -> bool:
    same = all(
        getattr(one, name).upper() == getattr(other, name).upper()
        for name in ("element", "start", "type")
    )
    return same and abs(int(one.end) - int(other.end)) <= 2


def loosely(gold: list[Tag], system: list[Tag]) -> tuple[int, int, int]:
    def reduced(side: list[Tag]) -> list[Tag]:
        kept: list[Tag] = []
        for tag in side:
            if not any(near(tag, other) for other in kept):
                kept.append(tag)
        return kept

    gold, system = reduced(gold), reduced(system)
    smaller, larger = (gold, system) if len(gold) < len(system) else (system, gold)
    return (
        sum(any(near(a, b) for b in larger) for a in smaller),
        sum(not any(near(a, b) for b in system) for a in gold),
        sum(not any(near(a, b) for b in gold) for a in system),
    )


HIPAA = re.compile(
    "NAME/PATIENT|AGE/|DATE/|LOCATION/(CITY|STREET|ZIP|ORGANIZATION)|CONTACT/(PHONE|FAX|EMAIL)"
    "|ID/(SSN|MEDICALRECORD|HEALTHPLAN|ACCOUNT|LICENSE|VEHICLE|DEVICE|BIOID|IDNUM )"
)


def slow(name: str, text: str, gold: tuple[Tag, ...], system: tuple[Tag, ...]) -> tuple:
    parts = name.split(".")[1:]

    def kept(side: tuple[Tag, ...]) -> list[Tag]:
        chosen = list(side)
        if "hipaa" in parts:
            chosen = [tag for tag in chosen if HIPAA.match(f"{tag.element}/{tag.type}")]
        if "category" in parts:
            chosen = [tag for tag in chosen if tag.element == parts[1]]
        return chosen

    one, other = kept(gold), kept(system)
    if parts[-1] == "relaxed":
        return loosely(one, other)
    if parts[-1] == "token":
        keys = [[key for tag in side for key in cut(tag, text)] for side in (one, other)]
        if "binary" in parts:
            keys = [[key[2:] for key in side] for side in keys]
        return exactly(*keys)

    def key(tag: Tag) -> tuple:
        if "binary" in parts and tag.element != "PHI":
            return tag.start.upper(), tag.end.upper()
        return tag.element, tag.start.upper(), tag.end.upper(), tag.type.upper()

    return exactly([key(tag) for tag in one], [key(tag) for tag in other])


def pairs(data: list) -> list[tuple[TaggedText, TaggedText]]:
    return [
        (TaggedText(f"{n}-1", text, gold), TaggedText(f"{n}-1", text, system))
        for n, (text, gold, system) in enumerate(data)
    ]


@given(documents)
@example([("abc", (Tag("NAME", "0", "1", "A"), Tag("NAME", "0", "3", "A")), ())])
@example([("x" * 9, tuple(Tag("NAME", "0", e, "A") for e in "147"), (Tag("NAME", "0", "3", "A"),))])
@example(
    [
        (
            "x" * 20,
            tuple(Tag("NAME", "0", e, "A") for e in ("2", "6")),
            tuple(Tag("NAME", "0", e, "A") for e in ("4", "16")),
        )
    ]
)
def test_all_measures_are_those_of_the_slow_implementation(data):
    tallies = score(pairs(data))
    assert tuple(tallies) == MEASURES
    assert len(MEASURES) == 42
    for name, tally in tallies.items():
        expected = [slow(name, *document) for document in data]
        assert [tuple(row) for row in tally.table.tolist()] == expected, name


@given(documents)
def test_ratios_follow_the_definition(data):
    measures = of_i2b2(score(pairs(data)))
    for name in ("i2b2.relaxed", "i2b2.hipaa.strict", "i2b2.category.ID.token"):
        rows = [slow(name, *document) for document in data]
        fields = measures[name]
        hit, missed, spurious = (sum(row[at] for row in rows) for at in range(3))
        precision = hit / (hit + spurious) if hit + spurious else 0.0
        recall = hit / (hit + missed) if hit + missed else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        assert (fields["tp"], fields["fn"], fields["fp"]) == (hit, missed, spurious)
        assert fields["f1"] == pytest.approx(f1)
        if not rows:
            assert fields["macro_recall"] is None
            assert fields["macro_precision_sd"] is None
            continue
        precisions = [row[0] / (row[0] + row[2]) if row[0] + row[2] else 0.0 for row in rows]
        recalls = [row[0] / (row[0] + row[1]) if row[0] + row[1] else 0.0 for row in rows]
        p, r = fmean(precisions), fmean(recalls)
        assert fields["macro_precision"] == pytest.approx(p)
        assert fields["macro_recall_sd"] == pytest.approx(pstdev(recalls))
        if p + r:
            assert fields["macro_f1"] == pytest.approx(2 * p * r / (p + r))
        else:
            assert fields["macro_f1"] is None


@given(documents, documents)
def test_counts_add(one, other):
    whole, parts = score(pairs(one + other)), (score(pairs(one)), score(pairs(other)))
    for name in MEASURES:
        assert whole[name].total == parts[0][name].total + parts[1][name].total


def test_a_perfect_system_is_perfect_and_idnum_is_no_hipaa():
    gold = tuple(
        Tag(element, str(n), str(n + 1), kind)
        for n, (element, kind) in enumerate(product(("NAME", "ID"), ("PATIENT", "IDNUM", "SSN")))
    )
    tallies = score(pairs([("abcdefgh", gold, gold)]))
    assert tallies["i2b2.strict"].total.f1 == 1.0
    assert tallies["i2b2.hipaa.strict"].total.hit == 2
    assert not is_hipaa("ID", "IDNUM")
    assert is_hipaa("ID", "IDNUM", CORRECTED)
    assert not is_hipaa("NAME", "patient")
    assert not math.isnan(tallies["i2b2.category.DATE.strict"].macro.precision or 0.0)
    assert set(CATEGORIES) == {name.split(".")[2] for name in MEASURES if ".category." in name}


def test_texts_must_be_the_same():
    gold, system = TaggedText("1", "a", (), "g.xml"), TaggedText("1", "a ", (), "s.xml")
    with pytest.raises(AnnotationError, match=r"s\.xml: the text differs"):
        score([(gold, system)])


@pytest.mark.parametrize("start", ["", "x", "1.5", "3;5"])
def test_an_offset_that_is_no_number_is_placed(start):
    bad = TaggedText("1", "abc", (Tag("NAME", start, "2", "PATIENT", line=7),), "s.xml")
    with pytest.raises(AnnotationError, match=r"s\.xml, line 7: NAME tag whose start or end"):
        score([(TaggedText("1", "abc", ()), bad)])


def test_no_text_in_a_repr():
    assert "secret" not in repr(TaggedText("1", "secret", (Tag("NAME", "0", "1", "secret"),)))
