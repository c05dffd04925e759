from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.batches import by_size


@given(st.lists(st.text(max_size=9)), st.integers(1, 20), st.none() | st.integers(1, 4))
def test_batches_hold_all_in_order_and_end_as_soon_as_they_are_full(items, enough, most):
    found = list(by_size(items, len, enough, most))

    def is_full(batch: list[str]) -> bool:
        return sum(map(len, batch)) >= enough or len(batch) == most

    assert [item for batch in found for item in batch] == items
    assert all(found)
    for batch, after in pairwise(found):
        assert is_full(batch) or len(after[0]) >= enough
    assert not any(is_full(batch[:-1]) for batch in found)


def test_what_is_enough_by_itself_goes_alone():
    assert list(by_size(["a", "b", "c" * 9, "d", "e"], len, 5)) == [
        ["a", "b"],
        ["c" * 9],
        ["d", "e"],
    ]


def test_batches_stream():
    first = next(by_size(iter(["ab", "cd", "ef"]), len, 3))
    assert first == ["ab", "cd"]
