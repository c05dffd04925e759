"""Triggers open the rules that a walk over every rule opens."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.detect.pack import BEHIND, Pack
from phiscrub.detect.triggers import Triggers

PACKS = Path(__file__).parent.parent.parent / "src" / "phiscrub" / "data" / "packs"
WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
BESIDE = st.text("abcdinost A1.,:-/#'\n", min_size=BEHIND, max_size=BEHIND)


def entries(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the rules of a pack as they are written, in the order in which they are read."""
    for file in (folder / "pack.toml", *sorted((folder / "rules").glob("*.toml"))):
        yield from tomllib.loads(file.read_text("utf-8")).get("rule", ())


@cache
def told(language: str) -> tuple[Triggers, list[dict[str, str]], list[str]]:
    """Return the triggers of rules that name no terms, these as written, and words of the packs."""
    folders = sorted(one.parent for one in (PACKS / language).glob("*/pack.toml"))
    rules = [rule for one in folders for rule in Pack.load(one, one.name).rules]
    written = [entry for one in folders for entry in entries(one)]
    plain = [n for n, entry in enumerate(written) if entry.get("at") and "at_terms" not in entry]
    found = {word for entry in written for word in WORD.findall(entry.get("at", ""))}
    found |= {word for one in folders for case in Pack.load(one, "").cases
              for word in WORD.findall(case.text)}  # fmt: skip
    words = sorted(found | {w.upper() for w in found} | {w.title() for w in found})
    return Triggers([rules[n] for n in plain]), [written[n] for n in plain], words


def opened(entry: dict[str, str], word: str, behind: str) -> bool:
    """Try a rule's trigger as it is written."""
    if not re.fullmatch(entry["at"], word, re.IGNORECASE):
        return False
    return "next" not in entry or re.match(entry["next"], behind, re.IGNORECASE) is not None


@pytest.mark.parametrize("language", ["en", "es", "sv"])
@given(data=st.data())
def test_a_word_opens_what_each_rule_says(language: str, data: st.DataObject) -> None:
    triggers, written, words = told(language)
    word = data.draw(
        st.sampled_from(words) | st.from_regex(r"[A-Za-zÀ-ÿ]{1,6}|\d{1,12}", fullmatch=True)
    )
    behind = data.draw(BESIDE)
    wanted = tuple(n for n, entry in enumerate(written) if opened(entry, word, behind))
    assert triggers[word + behind] == wanted
