from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import SettingsError
from phiscrub.lexicons.words import load_words

WORD = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8)


def test_a_word_has_the_rank_of_its_line(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("3 ann bo\n1 cyd\n", "utf-8")
    assert load_words(tmp_path, "w") == {"ann": 3, "bo": 3, "cyd": 1}


@given(st.dictionaries(WORD, st.integers(1, 9)))
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, words: dict[str, int]
) -> None:
    folder = tmp_path_factory.mktemp("lists")
    lines = [f"{rank} {word}\n" for word, rank in words.items()]
    (folder / "w.txt").write_text("".join(lines), "utf-8")
    assert load_words(folder, "w") == words


@pytest.mark.parametrize("line", ["ann bo", "0 ann", "-1 ann", "", "1.5 ann"])
def test_a_line_without_a_rank_is_placed(tmp_path: Path, line: str) -> None:
    (tmp_path / "w.txt").write_text(f"3 zed\n{line}\n", "utf-8")
    with pytest.raises(SettingsError, match=r"w\.txt, line 2: has no rank") as caught:
        load_words(tmp_path, "w")
    assert "ann" not in str(caught.value)


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"w\.txt: no such word list"):
        load_words(tmp_path, "w")
