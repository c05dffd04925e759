"""An outline matches wherever its pattern does."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from phiscrub.detect import outlines
from phiscrub.detect.macros import Macros
from phiscrub.detect.outlines import outline
from phiscrub.detect.pack import Pack

LISTS = Macros({"names": ("ab", "b c", "abc"), "signs": ("-", "a-", "]")})
PACKS = resources.files("phiscrub") / "data" / "packs"
WORD = re.compile(r"\w+|[^\w\s]")

atoms = st.sampled_from(["a", "b", "c", "-", "[ab]", "[^]a]", r"\w", r"\(", "[ ]", "{names}"])
behind = st.sampled_from(["", "", "", "?", "*", "{0,2}", "+", "??", "?+", "{1,2}+"])
opening = st.sampled_from(["(", "(?:", "(?:", "(?i:", "(?=", "(?!", "(?>", "(?<=", "(?<!"])


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.builds(lambda o, i, b: f"{o}{i}){b}", opening, inner, behind)
    choice = st.lists(inner, min_size=1, max_size=3).map("|".join)
    more = st.sampled_from([r"\1", "{signs}", "{names}?+", " # ( told\n", "(?(1)a|b)"])
    return st.lists(group | choice | atoms | more, min_size=1, max_size=4).map("".join)


@given(st.recursive(atoms, joined, max_leaves=12), st.text("abc -](", max_size=8))
def test_no_match_is_lost(pattern: str, text: str) -> None:
    try:
        whole = re.compile(LISTS.filled(pattern), re.VERBOSE)
    except re.error:
        assume(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlines, "LONG", 4)
        found = outline(pattern)
    assume(found is not None)
    least = re.compile(LISTS.loosened(found or ""), re.VERBOSE)
    for start in range(len(text) + 1):
        assert not whole.match(text, start) or least.match(text, start)


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("a(?!{names})b", "ab"),  # what is forbidden is left out
        (r"a(?<!{names}[ ])b", "ab"),
        ("(?={names}c)a", "(?={names}c)a"),
        ("(?P<phi>{names}(?:{signs}|b)?)c", "(?P<phi>{names}(?:{signs}|b)?)c"),
        ("a(?:b(?>{names})|c)d", "a(?:b|c)"),  # no way back: all that stands behind is left out
        ("a(?:b(?>{names})|c)?d", "a"),
        ("a(?:{names}b)?+c", "a"),
        ("a{names}?+c", None),
        (r"({names})\1", None),
        (r"(?!({names})\1)a|b", "a|b"),
        (r"a\((?:b|[)|](?!{names}))", r"a\((?:b|[)|])"),
    ],
)
def test_what_is_kept(pattern: str, wanted: str | None) -> None:
    assert outline(pattern) == wanted


def test_a_loosened_list_matches_its_terms() -> None:
    terms = ("St. John's", "a  b", "ß^-]", "x")
    macros = Macros({"terms": terms})
    loose = re.compile(macros.loosened("{terms}"), re.VERBOSE)
    assert all(map(loose.fullmatch, terms))
    assert not loose.fullmatch("a, b")
    assert re.fullmatch(Macros({"terms": ()}).loosened("{terms}"), "")


@pytest.mark.parametrize("language", ["en", "es", "sv"])
def test_outlines_of_shipped_rules_lose_nothing(language: str) -> None:
    tried = 0
    for folder in (PACKS / language).iterdir():
        pack = Pack.load(folder, folder.name)
        places = [(c.text, at.start()) for c in pack.cases[::3] for at in WORD.finditer(c.text)]
        for rule in pack.rules:
            least = rule.outlined()
            if least is not None:
                whole = rule.compiled().pattern
                matched = [place for place in places if whole.match(*place)]
                assert all(least.match(*place) for place in matched), rule.source
                tried += len(matched)
    assert tried > 20
