"""The official measures against a slow second implementation, written from the definitions."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts
from phiscrub.evaluate.fields import of_meddocan
from phiscrub.evaluate.meddocan import MERGED, NER, STRICT, MarkedText, leak, merge, score
from phiscrub.evaluate.tally import tally

texts = st.text("ab1_º ,.\n", min_size=1, max_size=20)
marks = st.frozensets(
    st.tuples(st.sampled_from(("A", "B")), st.integers(0, 20), st.integers(0, 6)).map(
        lambda m: (m[0], m[1], m[1] + m[2])
    ),
    max_size=6,
)
pairs = st.lists(st.tuples(texts, marks, marks), max_size=3)


def of(name: str, text: str, keys: frozenset) -> MarkedText:
    return MarkedText(name, text, keys, frozenset((start, end) for _, start, end in keys))


def joined(text: str, places: set) -> list:
    order = sorted(places)
    out: list = []
    while order:
        y = order.pop(0)
        if out:
            x = out[-1]
            between = text[x[1] : y[0]]
            if all(not character.isalnum() for character in between):
                out[-1] = (x[0], y[1])
                continue
        out.append(y)
    return out


def slow_merged(text: str, gold: set, system: set) -> tuple[int, int, int]:
    hits = [p for p in gold if p in system]
    hits += [p for p in joined(text, gold) if p in joined(text, system) and p not in hits]

    def outside(p: tuple, mine: set, theirs: set) -> bool:
        del mine
        return p not in theirs and not any(h[0] <= p[0] and p[1] <= h[1] for h in hits)

    return (
        len(set(hits)),
        sum(outside(p, gold, system) for p in gold),
        sum(outside(p, system, gold) for p in system),
    )


@given(pairs)
@example([("a, b", frozenset({("A", 0, 1), ("A", 3, 4)}), frozenset({("A", 0, 1), ("A", 3, 4)}))])
def test_all_three_are_those_of_the_slow_implementation(data):
    documents = [(of(str(n), t, g), of(str(n), t, s)) for n, (t, g, s) in enumerate(data)]
    result = score(documents)
    for row, (text, gold, system) in enumerate(data):
        hit = sum(key in system for key in gold)
        assert result[NER].table[row].tolist() == [hit, len(gold) - hit, len(system) - hit]
        g, s = {k[1:] for k in gold}, {k[1:] for k in system}
        hit = sum(key in s for key in g)
        assert result[STRICT].table[row].tolist() == [hit, len(g) - hit, len(s) - hit]
        assert tuple(result[MERGED].table[row].tolist()) == slow_merged(text, g, s)


def test_an_adjacent_pair_matched_both_ways_counts_three():
    sides = of("1", "ab, cd", frozenset({("A", 0, 2), ("A", 4, 6)}))
    assert score([(sides, sides)])[MERGED].total == Counts(3, 0, 0)


def test_a_nested_place_shrinks_the_join():
    assert merge("abcdef", {(0, 6), (2, 3)}) == {(0, 3)}


def test_letters_and_ordinals_keep_places_apart_and_underscores_do_not():
    assert merge("a_b", {(0, 1), (2, 3)}) == {(0, 3)}
    assert merge("aºb", {(0, 1), (2, 3)}) == {(0, 1), (2, 3)}


def test_the_leak_score_needs_every_document():
    ner = tally(["a", "b"], [(1, 3, 0), (0, 1, 0)])
    assert leak(ner, {"a": 5, "b": 3}).score == 0.5
    assert leak(ner, {"a": 0, "b": 0}).score == 0.0
    assert leak(ner, {"a": 5}).score is None
    measures = of_meddocan({NER: ner}, {"a": 5})
    assert measures[NER]["leak"] == "NA"
    assert measures[NER]["sentences"] is None
    assert measures[NER]["per_document"] == {"a": [1, 0, 3], "b": [0, 0, 1]}
