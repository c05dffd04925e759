"""Mentions cut as the guideline says: the cases of the rules, and what no rule may do."""

from __future__ import annotations

import re
import time
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.recut import Recut, Rule, Settings, build
from phiscrub.tokenize.clinical import Clinical

LABELS = {"en": "i2b2-2014", "es": "meddocan", "sv": "stockholm-epr"}
TABLES = {
    language: tomllib.loads(
        (files("phiscrub") / f"data/recut/{language}/rules.toml").read_text("utf-8")
    )
    for language in LABELS
}
RECUTS = {
    lang: build(Settings(label_set=labels), Shelf(lang, None)) for lang, labels in LABELS.items()
}
RECUT = RECUTS["en"]
CASES = [
    (language, rule["labels"][0], case)
    for language, table in TABLES.items()
    for rule in table["rule"]
    for case in rule["cases"]
]
BRACES, BRACKETS = re.compile(r"\{([^{}]*)\}"), re.compile(r"\[([^\[\]]*)\]")


def noted(text: str) -> Note:
    (note,) = Clinical().tokenize([Document("note", text)])
    return note


@pytest.mark.parametrize(("language", "label", "case"), CASES)
def test_each_case_is_cut_as_it_says(language: str, label: str, case: str) -> None:
    marked, wanted = case.split(" -> ")
    found = BRACES.search(marked)
    assert found is not None
    text = BRACES.sub(r"\1", marked)
    mention = Mention(Span(found.start(), found.end() - 2), label, 0.7, "test")
    cut = RECUTS[language].refine(noted(text), [mention])
    assert [text[m.span.start : m.span.end] for m in cut] == BRACKETS.findall(wanted)
    new = wanted.split("] ")[-1] if re.search(r"\] (?:SSN|FAX|[A-Z-]{5,})$", wanted) else label
    assert {(m.label, m.score, m.source) for m in cut} == {(new, 0.7, "test")}


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_every_rule_has_a_case_that_it_changes(table: dict[str, Any]) -> None:
    for given_ in table["rule"]:
        rule = Rule.read(given_, table.get("words", {}), "here")
        alone = Recut((rule,))
        changed = 0
        for case in given_["cases"]:
            marked = case.split(" -> ")[0]
            found = BRACES.search(marked)
            assert found is not None
            span = Span(found.start(), found.end() - 2)
            mention = Mention(span, given_["labels"][0], 0.7, "test")
            changed += alone.refine(noted(BRACES.sub(r"\1", marked)), [mention]) != (mention,)
        assert changed, rule.name


@given(st.text("Mon/Thu. x419()-A,\n", max_size=24), st.integers(0, 24), st.integers(1, 24))
def test_no_letter_or_digit_of_an_identifier_is_let_go(text: str, start: int, length: int) -> None:
    found = set(range(start, min(len(text), start + length)))
    if not found:
        return
    for label in ("DATE", "SSN", "PHONE", "IDNUM"):  # an age loses its twelfths
        span = Span(start, max(found) + 1)
        cut = RECUT.refine(noted(text), [Mention(span, label, 0.5, "test")])
        left = {at for m in cut for at in range(m.span.start, m.span.end)}
        assert cut
        assert not any(text[at].isdigit() for at in found - left)
        assert label == "PHONE" or not any(text[at].isalpha() for at in found - left)


@pytest.mark.parametrize("text", ["rule = 3", 'words = "x"', "rule = [1]"])
def test_a_file_of_anything_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "rules.toml").write_text(text)
    with pytest.raises(SettingsError, match="is not made of"):
        build(Settings(rules=str(tmp_path)), Shelf("en", None))


def test_a_long_list_of_weekdays_takes_no_time() -> None:
    text = "Tues/" * 400 + "!"
    begun = time.perf_counter()
    RECUT.refine(noted(text), [Mention(Span(0, len(text)), "DATE", 0.5, "test")])
    assert time.perf_counter() - begun < 1


def test_a_wrong_rule_is_refused() -> None:
    with pytest.raises(SettingsError, match="'pattern' is wrong or missing"):
        Rule.read({"name": "a", "labels": ["DATE"], "pattern": "x"}, {}, "here")
    with pytest.raises(SettingsError, match="'grow' is wrong or missing"):
        Rule.read({"name": "a", "labels": ["DATE"], "grow": "x", "split": "y"}, {}, "here")
    with pytest.raises(SettingsError, match="'when' is no pattern"):
        Rule.read({"name": "a", "labels": ["DATE"], "when": "("}, {}, "here")
    with pytest.raises(LabelError):
        build(Settings(label_set="meddocan"), Shelf("en", None))
