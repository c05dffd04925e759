from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.evaluate.entities import NOTHING, confusion, exact, partial
from phiscrub.evaluate.sample import Sample

marks = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4), st.sampled_from("AB")).map(
        lambda m: (m[0], m[0] + m[1], m[2])
    ),
    max_size=6,
).map(tuple)
samples = st.lists(st.builds(Sample, st.just("d"), st.just("x" * 14), marks, marks), max_size=3)


def touches(one: tuple, other: tuple) -> bool:
    return bool(set(range(*one[:2])) & set(range(*other[:2])))


@given(samples)
def test_exact_and_partial_by_label_agree_with_slow_counts(data):
    for name, result in (("exact", exact(data)), ("partial", partial(data))):
        for label, tally in result.items():
            for sample, row in zip(data, tally.table.tolist(), strict=True):
                gold, found = (
                    {mark for mark in side if mark[2] == label}
                    for side in (sample.gold, sample.found)
                )
                fits = (lambda a, b: a == b) if name == "exact" else touches
                hit = sum(any(fits(a, b) for b in found) for a in gold)
                spurious = sum(not any(fits(a, b) for a in gold) for b in found)
                assert row == [hit, len(gold) - hit, spurious]


@given(samples)
def test_confusion_lists_every_touching_pair_and_everything_alone(data):
    slow: Counter = Counter()
    for sample in data:
        gold, found = set(sample.gold), set(sample.found)
        slow.update((a[2], b[2]) for a in gold for b in found if touches(a, b))
        slow.update((a[2], NOTHING) for a in gold if not any(touches(a, b) for b in found))
        slow.update((NOTHING, b[2]) for b in found if not any(touches(a, b) for a in gold))
    assert +confusion(data) == slow
