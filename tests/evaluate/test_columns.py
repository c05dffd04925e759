"""conlleval, seqeval and the SemEval modes against slow second implementations."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts
from phiscrub.core.errors import AnnotationError, SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.evaluate import conlleval, semeval, seqeval, tokenlevel
from phiscrub.evaluate.fields import of_conlleval, of_types

TYPES = ("A", "B-C")


def sides(prefixes: str) -> st.SearchStrategy[tuple[list[list[str]], list[list[str]]]]:
    every = ["O", *(f"{prefix}-{kind}" for prefix in prefixes for kind in TYPES)]
    pair = st.tuples(st.sampled_from(every), st.sampled_from(every))
    same = st.sampled_from(every).map(lambda tag: (tag, tag))
    sentence = st.lists(same | pair, min_size=1, max_size=8)
    return st.lists(sentence, max_size=3).map(
        lambda rows: tuple([[pair[at] for pair in row] for row in rows] for at in (0, 1))
    )


def lenient(sentences: list[list[str]]) -> set:
    """Chunks of IOB tags: a B, or a tag that does not go on with its left neighbour, begins."""
    found = set()
    for number, tags in enumerate(sentences):
        at = 0
        while at < len(tags):
            if tags[at] == "O":
                at += 1
                continue
            kind, end = tags[at][2:], at + 1
            while end < len(tags) and tags[end] == f"I-{kind}":
                end += 1
            found.add((number, at, end, kind))
            at = end
    return found


# A strict chunk as a word over tags of one letter, with what may stand before and behind it.
STRICT = {
    "IOB2": "BI*",
    "IOBES": "BI*E|S",
    "BILOU": "BI*L|U",
    "IOE2": "I*E",
}


def strictly(sentences: list[list[str]], name: str) -> set:
    found = set()
    for number, tags in enumerate(sentences):
        for kind in TYPES:
            word = "".join(tag[0] if tag[2:] == kind else "." for tag in tags)
            for match in re.finditer(STRICT[name], word):
                found.add((number, *match.span(), kind))
    return found


def counted(gold: set, found: set) -> Counts:
    return Counts(len(gold & found), len(gold - found), len(found - gold))


@given(sides("BI"))
def test_lenient_readings_of_iob_agree_with_the_slow_one(data):
    gold, found = data
    expected = counted(lenient(gold), lenient(found))
    result = conlleval.score(gold, found)
    assert result.chunks.total == expected
    assert seqeval.score(gold, found).total == expected
    pairs = [(a, b) for x, y in zip(gold, found, strict=True) for a, b in zip(x, y, strict=True)]
    assert (result.tokens, result.right) == (len(pairs), sum(a == b for a, b in pairs))
    for number, tags in enumerate(gold):
        chunks = {(number, a, b + 1, kind) for a, b, kind in semeval.entities(tags)}
        assert chunks == {chunk for chunk in lenient(gold) if chunk[0] == number}


@pytest.mark.parametrize(
    ("name", "prefixes"), [("IOB2", "BI"), ("IOBES", "BIES"), ("BILOU", "BILU")]
)
@given(data=st.data())
def test_strict_readings_agree_with_a_regular_expression(name, prefixes, data):
    gold, found = data.draw(sides(prefixes))
    result = seqeval.score_strict(gold, found, name)
    assert result.total == counted(strictly(gold, name), strictly(found, name))
    precision, recall, f1 = result.macro
    if result.counts:
        rows = result.counts.values()
        assert precision == pytest.approx(sum(c.precision or 0 for c in rows) / len(rows))
        assert recall == pytest.approx(sum(c.recall or 0 for c in rows) / len(rows))
    else:
        assert (precision, recall, f1) == (None, None, None)
    assert result.weighted[1] == pytest.approx(result.total.recall or 0.0)


@pytest.mark.parametrize("name", ["IOB1", "BIO", "BIOES", "BILOU"])
@given(data=st.data())
def test_strict_and_our_own_schemes_read_what_they_wrote_alike(name, data):
    cuts = data.draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), max_size=5))
    chunks, at = [], 0
    for gap, size in cuts:
        chunks.append((at + gap, at + gap + size, data.draw(st.sampled_from(TYPES))))
        at += gap + size
    tags = scheme(name).write(at, chunks)
    result = seqeval.score_strict([tags], [tags], name)
    assert result.total == Counts(hit=len(chunks))


def test_what_conlleval_does_not_know():
    tags = [["B-A", "E-A", "B-A", "E-A"]]
    assert conlleval.score(tags, tags).chunks.total.hit == 1
    assert seqeval.score(tags, tags).total.hit == 2
    singles = [["S-A", "S-A"]]
    assert conlleval.score(singles, singles).chunks.total.hit == 1
    assert seqeval.score(singles, singles).total.hit == 2
    units = [["U-A", "U-A"]]
    assert seqeval.score(units, units).total.hit == 1


def test_percentages_are_printed_as_conlleval_does():
    gold, found = [["B-A", "B-A", "B-A"]], [["B-A", "O", "O"]]
    measures = of_conlleval(conlleval.score(gold, found))
    assert measures["conlleval.type.A"] == {
        "found": 1,
        "precision_pct": 100.0,
        "recall_pct": 33.33,
        "f1_pct": 50.0,
    }
    assert of_types(seqeval.score([["O"]], [["O"]]))["macro"] == [None, None, None]
    assert of_types(seqeval.score([["O"]], [["B-A"]]))["weighted"] == [0.0, 0.0, 0.0]


def test_a_prefix_outside_the_scheme_is_refused_and_schemes_are_known_by_their_names():
    with pytest.raises(AnnotationError, match="tag of token 1"):
        seqeval.score_strict([["O", "S-A"]], [["O", "O"]], "bio")
    with pytest.raises(SettingsError, match="IOBES"):
        seqeval.grammar("BIOX")
    assert seqeval.admitted([["B-A", "I-A"]], [["O"]]) == ("IOB1", "IOB2")
    assert seqeval.admitted([["B-A", "S-A"]]) == ("IOBES",)
    assert seqeval.admitted([["B-A", "U-A"]]) == ("BILOU",)
    assert seqeval.admitted([["X-A"]]) == ()


def slow_modes(gold: list, found: list) -> dict[str, list[int]]:
    """Return correct, incorrect, partial, missed, spurious of each mode, as nervaluate loops."""
    out = {}
    for mode in semeval.MODES:
        correct = incorrect = partial = spurious = 0
        taken: set[int] = set()
        for p in found:
            for index, g in enumerate(gold):
                if index in taken:
                    continue
                common = len(set(range(p[0], p[1] + 1)) & set(range(g[0], g[1] + 1)))
                if common / (g[1] - g[0] + 1) * 100 >= 1:
                    taken.add(index)
                    place, kind = p[:2] == g[:2], p[2] == g[2]
                    good = {
                        "strict": place and kind,
                        "exact": place,
                        "partial": place,
                        "ent_type": kind,
                    }[mode]
                    correct += good
                    partial += not good and mode == "partial"
                    incorrect += not good and mode != "partial"
                    break
            else:
                spurious += 1
        out[mode] = [correct, incorrect, partial, len(gold) - len(taken), spurious]
    return out


entities = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 4), st.sampled_from(TYPES)).map(
        lambda e: (e[0], e[0] + e[1], e[2])
    ),
    max_size=6,
)


@given(st.lists(st.tuples(entities, entities), max_size=3))
def test_modes_agree_with_the_slow_loops(documents):
    result = semeval.score([g for g, _ in documents], [f for _, f in documents])
    slow = [slow_modes(*document) for document in documents]
    for mode, o in result.items():
        expected = [sum(row[mode][at] for row in slow) for at in range(5)]
        assert [o.correct, o.incorrect, o.partial, o.missed, o.spurious] == expected
        assert o.actual == sum(len(f) for _, f in documents)
        assert o.possible == sum(len(g) for g, _ in documents)


def test_partial_matches_have_half_the_credit_over_several_documents():
    gold, found = [[(0, 1, "A")], [(0, 0, "A")]], [[(0, 2, "A")], [(0, 0, "A")]]
    partial = semeval.score(gold, found)["partial"]
    assert (partial.precision, partial.recall, partial.f1) == (0.75, 0.75, 0.75)


def test_one_token_in_a_hundred_is_enough_and_in_more_is_not():
    token = [(0, 0, "A")]
    assert semeval.compare([(0, 99, "A")], token)["partial"].partial == 1
    assert semeval.compare([(0, 100, "A")], token)["partial"].spurious == 1


def test_tokens_by_label_whatever_the_prefix():
    result = tokenlevel.score([["B-A", "I-A", "O", "X"]], [["I-A", "B-B-C", "B-A", "X"]])
    assert result.counts["A"] == Counts(1, 1, 1)
    assert result.counts["B-C"] == Counts(0, 0, 1)
    assert result.counts["X"] == Counts(1, 0, 0)
