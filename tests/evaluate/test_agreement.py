from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts
from phiscrub.evaluate.agreement import Joint, alpha, entity_counts, kappa, ratings
from phiscrub.tokenize.registry import get_tokenizer

WORDS = get_tokenizer("i2b2")


def joint(*sides: str | None) -> Joint:
    """One letter a token and annotator; a dot is no label, None no annotation."""
    return Joint(
        "1",
        " ".join("x" * max(len(side) for side in sides if side is not None)),
        tuple(
            None
            if side is None
            else tuple((2 * n, 2 * n + 1, label) for n, label in enumerate(side) if label != ".")
            for side in sides
        ),
    )


letters = st.text("AB.", min_size=5, max_size=5)


@given(st.lists(st.tuples(letters, letters), min_size=1, max_size=3))
def test_kappa_is_the_textbook_one(rows):
    pairs = [pair for row in rows for pair in zip(*row, strict=True)]
    size = len(pairs)
    agreed = sum(a == b for a, b in pairs) / size
    chance = (
        sum(
            sum(a == label for a, _ in pairs) * sum(b == label for _, b in pairs) for label in "AB."
        )
        / size**2
    )
    found = kappa([joint(*row) for row in rows], 0, 1, WORDS)
    if chance == 1:
        assert found is None
    else:
        assert found == pytest.approx((agreed - chance) / (1 - chance))


@given(
    st.lists(st.tuples(letters, letters | st.none(), letters | st.none()), min_size=1, max_size=3)
)
def test_alpha_is_that_of_the_coincidence_matrix(rows):
    matrix: Counter = Counter()
    for row in rows:
        for unit in zip(*(side or "?????" for side in row), strict=True):
            values = [value for value in unit if value != "?"]
            for a, b in permutations(range(len(values)), 2):
                matrix[values[a], values[b]] += 1 / (len(values) - 1)
    totals = {c: sum(n for (a, _), n in matrix.items() if a == c) for c in "AB."}
    size = sum(totals.values())
    observed = sum(n for (a, b), n in matrix.items() if a != b)
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b)
    found = alpha([joint(*row) for row in rows], WORDS)
    if expected < 1e-9:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed * (size - 1) / expected)


def test_krippendorffs_own_example():
    # Computing Krippendorff's Alpha-Reliability (2011), C: nominal data, four observers.
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    documents = [
        Joint(
            str(unit),
            "x",
            tuple(None if side[unit] is None else ((0, 1, str(side[unit])),) for side in observers),
        )
        for unit in range(12)
    ]
    assert alpha(documents, WORDS) == pytest.approx(0.743, abs=5e-4)


def test_entities_and_documents_that_one_did_not_annotate():
    documents = [joint("A.B", "AA."), joint("A", None)]
    assert entity_counts(documents, 0, 1) == Counts(1, 1, 1)
    assert entity_counts(documents, 1, 0) == Counts(1, 1, 1)
    assert kappa([joint("AA", "AA")], 0, 1, WORDS) is None
    assert kappa([joint("AB", "AB")], 0, 1, WORDS) == 1.0


def test_the_first_of_two_marks_names_a_token():
    document = Joint("1", "abc d", (((0, 2, "A"), (1, 5, "B"), (3, 3, "C")),))
    assert list(ratings([document], WORDS)) == [("A",), ("B",)]
