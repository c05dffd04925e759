"""Mentions that are never what their label says."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.refine.excluded import FILE, Excluded, Rule, read
from phiscrub.tokenize.clinical import Clinical

LABELS = {"en": "i2b2-2014", "es": "meddocan", "sv": "stockholm-epr"}
RULES = {
    language: read(resources.files("phiscrub") / "data" / "excluded" / language, language)
    for language in LABELS
}
ALL = [(language, rule) for language, (rules, _) in RULES.items() for rule in rules]
STANDING = [(language, rule) for language, (_, stands) in RULES.items() for rule in stands]


def stands(excluded: Excluded, rule: Rule, marked: str) -> list[bool]:
    """Tell of each word in braces, under each of the rule's labels, whether it stands."""
    text = marked.replace("{", "").replace("}", "")
    braces = [at for at, letter in enumerate(marked) if letter in "{}"]
    places = [brace - index for index, brace in enumerate(braces)]
    (note,) = Clinical().tokenize([Document("note", text)])
    return [
        bool(excluded.refine(note, [Mention(Span(*pair), label, 0.9, "test")]))
        for pair in zip(places[::2], places[1::2], strict=True)
        for label in rule.labels
    ]


@pytest.mark.parametrize(
    ("language", "rule", "marked"),
    [(language, rule, marked) for language, rule in ALL for marked in rule.drops],
)
def test_what_a_rule_drops(language: str, rule: Rule, marked: str) -> None:
    assert not any(stands(Excluded([rule], RULES[language][1]), rule, marked))


@pytest.mark.parametrize("language", LABELS)
def test_all_rules_together_drop_what_each_does_alone(language: str) -> None:
    rules, others = RULES[language]
    together = Excluded(rules, others)
    for rule in rules:
        for marked in rule.drops:
            assert not any(stands(together, rule, marked)), marked


@pytest.mark.parametrize(
    ("rule", "marked"), [(rule, marked) for _, rule in ALL for marked in rule.keeps]
)
def test_what_a_rule_keeps(rule: Rule, marked: str) -> None:
    assert all(stands(Excluded([rule]), rule, marked))


@pytest.mark.parametrize(("language", "rule"), STANDING)
def test_what_stands_whatever_a_rule_says(language: str, rule: Rule) -> None:
    rules, others = RULES[language]
    without = Excluded(rules, [other for other in others if other is not rule])
    for marked in rule.keeps:
        assert all(stands(Excluded(rules, others), rule, marked)), marked
        assert not all(stands(without, rule, marked)), marked
    for marked in rule.drops:
        assert not all(stands(Excluded(rules, others), rule, marked)), marked


@pytest.mark.parametrize(("language", "rule"), ALL + STANDING)
def test_every_rule_has_cases_and_labels_that_there_are(language: str, rule: Rule) -> None:
    assert rule.drops
    assert rule.keeps
    assert set(rule.labels) <= set(label_set(LABELS[language]).labels)


def test_other_labels_stand() -> None:
    (note,) = Clinical().tokenize([Document("note", "by sat phone")])
    place = Mention(Span(3, 6), "CITY", 0.9, "test")
    assert Excluded(*RULES["en"]).refine(note, [place]) == (place,)


@pytest.mark.parametrize(
    "text",
    [
        "rule = 3",
        "[[rule]]\nlabels = ['AGE']",
        "[[rule]]\nlabels = ['AGE']\ninside = '('\ndrops = []\nkeeps = []",
        "[[rule]]\nlabels = ['AGE']\ninside = '1'\ndrops = []\nkeeps = []\nwhy = 'x'",
    ],
)
def test_what_are_no_rules(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(SettingsError, match="cannot be read as rules"):
        read(tmp_path, "here")
