from __future__ import annotations

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
    assert all(map(is_full, found[:-1]))
    assert not any(is_full(batch[:-1]) for batch in found)


def test_batches_stream():
    first = next(by_size(iter(["ab", "cd", "ef"]), len, 3))
    assert first == ["ab", "cd"]
