"""Keyed choices: the same for the same parts, others for others, nothing without the secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.replace.keyed import Key

KEY = Key(b"a secret of many bytes")


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_other_parts_other_keys(left, right):
    assert (KEY.narrow(*left) == KEY.narrow(*right)) == (left == right)


def test_the_secret_decides_and_is_never_shown():
    assert KEY.below(10**9) == Key(KEY.secret).below(10**9)
    assert KEY.below(10**9) != Key(b"another secret of many").below(10**9)
    assert "secret of" not in repr(KEY)
    assert Key.random() != Key.random()


def test_a_walk_is_every_option_once():
    assert sorted(KEY.walk("abcde")) == list("abcde")
    assert sorted(KEY.shuffled("abcde")) == list("abcde")
    assert list(KEY.walk("")) == []


def test_secret_files(tmp_path):
    good, short = tmp_path / "good", tmp_path / "short"
    good.write_text("0123456789abcdef\n")
    short.write_text("0123456789abcde\n")
    assert Key.read(good) == Key(b"0123456789abcdef")
    with pytest.raises(SettingsError, match="shorter than 16"):
        Key.read(short)
    with pytest.raises(MissingError):
        Key.read(tmp_path / "none")
