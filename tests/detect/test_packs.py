"""Every case of every pack that ships."""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from phiscrub.combine.ranked import Ranked
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.detect.pack import Case, Pack
from phiscrub.detect.patterns import Patterns, Settings, build
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

PACKS = resources.files("phiscrub") / "data" / "packs"


def folders() -> list[tuple[str, Traversable]]:
    found = [
        (f"{language.name}/{pack.name}", pack)
        for language in PACKS.iterdir()
        for pack in language.iterdir()
        if (pack / "pack.toml").is_file()
    ]
    return sorted(found, key=lambda item: item[0])


def cases() -> list[tuple[Pack, Case]]:
    packs = [Pack.load(folder, name) for name, folder in folders()]
    return [(pack, case) for pack in packs for case in pack.cases]


def found_by(pack: Pack, text: str) -> list[tuple[str, str]]:
    (note,) = Clinical().tokenize([Document("case", text)])
    (claims,) = Patterns([pack]).detect([note])
    return [
        (mention.label, text[mention.span.start : mention.span.end])
        for mention in Ranked().combine(note, claims)
    ]


@pytest.mark.parametrize(
    ("pack", "case"),
    [pytest.param(pack, case, id=f"{pack.name}-{n}") for n, (pack, case) in enumerate(cases())],
)
def test_case(pack: Pack, case: Case) -> None:
    assert found_by(pack, case.text) == list(case.found)


@pytest.mark.parametrize("pack", [Pack.load(f, n) for n, f in folders()], ids=lambda p: p.name)
def test_every_rule_speaks_the_packs_label_set(pack: Pack) -> None:
    known = set(label_set(pack.label_set).labels)
    assert {label for rule in pack.rules for label in rule.labels} <= known


@pytest.mark.parametrize("pack", [Pack.load(f, n) for n, f in folders()], ids=lambda p: p.name)
def test_every_rule_has_a_case_that_it_answers(pack: Pack) -> None:
    """A rule that no case exercises is a rule that nobody holds."""
    used = set()
    for case in pack.cases:
        (note,) = Clinical().tokenize([Document("case", case.text)])
        used |= {mention.source for mention in Patterns([pack]).detect([note])[0]}
    assert {rule.source for rule in pack.rules} <= used


@pytest.mark.parametrize("pack", [Pack.load(f, n) for n, f in folders()], ids=lambda p: p.name)
def test_every_rule_is_a_pattern(pack: Pack) -> None:
    for rule in pack.rules:
        assert {label for _, label in rule.compiled().groups} == rule.labels


def test_a_term_is_tried_only_where_it_may_go_on(tmp_path: Path) -> None:
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "cues.txt").write_text("a1c\nbed no\nlot\n")
    (tmp_path / "pack.toml").write_text(
        'about = ""\n[[rule]]\nname = "cue"\nlabel = "IDNUM"\nat_terms = "cues"\n'
        "ignore_case = true\npattern = '''{cues}[ ](?P<phi>\\d+)'''\n"
    )
    pack = Pack.load(tmp_path, "own")
    assert pack.rules[0].at_terms == {("a", "1c"), ("bed", " n"), ("lot", "")}
    text = "A1C 1, a 2, BED NO 3, bed \nno 4, bed 5, Lot 6, a1 7"
    assert [words for _, words in found_by(pack, text)] == ["1", "3", "4", "6"]


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def rule(name: str, pattern: str) -> str:
    return f"[[rule]]\nname = '{name}'\nlabel = 'IDNUM'\nat = 'no'\npattern = '{pattern}'\n"


def test_a_pack_has_further_files_of_rules(tmp_path: Path) -> None:
    """They see the pack's macros and lists, and their own alone; the last by name comes last."""
    files = {
        "pack.toml": "[macros]\nno = 'no[ ]'\nkind = 'a'\n" + rule("first", "{no}(?P<phi>{kind})"),
        "rules/z.toml": "about = 'z'\n" + rule("last", "{no}(?P<phi>{kind}{letters})"),
        "rules/b.toml": "[macros]\nkind = '{kind}b'\n" + rule("second", "{no}(?P<phi>{kind})"),
        "rules/notes.txt": "no rules",
        "terms/letters.txt": "x\nyy\n",
    }
    pack = Pack.load(written(tmp_path, files), "own")
    assert [r.source for r in pack.rules] == [
        f"patterns:own:{n}" for n in ("first", "second", "last")
    ]
    assert [words for _, words in found_by(pack, "no ab, no ac, no ayy")] == ["ab", "a", "ayy"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("label_set = 'hub'\n", "rules/b.toml: unknown key 'label_set'"),
        (
            rule("x", "1") + rule("y", "2") + "colour = 1\n",
            "rules/b.toml: unknown key 'rule[1].colour'",
        ),
        (rule("x", "{no}") + rule("y", "{own}"), "rules/b.toml: 'rule[1].pattern' uses {own}"),
        ("[macros]\nown = '{none}'\n", "rules/b.toml: 'macros.own' uses {none}"),
        ("[[rule]]\nname = 'x'\n", "rules/b.toml: 'rule[0].label' is missing"),
        ("about = \n", "rules/b.toml: is not TOML"),
    ],
)
def test_an_error_names_the_file_of_rules(tmp_path: Path, text: str, told: str) -> None:
    files = {
        "pack.toml": "[macros]\nno = 'no[ ]'\n",
        "rules/a.toml": "[macros]\nown = 'seen in this file only'\n",
        "rules/b.toml": text,
    }
    with pytest.raises(SettingsError, match=f"^{re.escape(f'en/own/{told}')}"):
        Pack.load(written(tmp_path, files), "en/own")


def test_a_packs_name_among_the_rules_means_all_of_its() -> None:
    chosen = Settings(("en/sure", "en/names"), ("title-doctor", "en/sure"))
    detector = build(chosen, Shelf("en", None))
    (note,) = Clinical().tokenize([Document("n", "Dr. Lund, medic: Medic 41. Nurse: Ann Bray")])
    (claims,) = detector.detect([note])
    assert {m.source for m in claims} == {
        "patterns:en/names:title-doctor",
        "patterns:en/sure:crew-by-its-number",
    }
