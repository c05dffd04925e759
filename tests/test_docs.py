"""The documents say what the code says."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest

from command import phiscrub

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_reference_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "generate.py"))["reference"]()
    assert (ROOT / "docs" / "reference.md").read_text("utf-8") == page, "run docs/generate.py"


def test_the_readme_shows_what_is_printed() -> None:
    shown = runpy.run_path(str(ROOT / "docs" / "shown.py"))
    text = shown["README"].read_text("utf-8")
    assert len(shown["SHOWN"].findall(text)) == 2
    assert shown["page"]() == text, "run docs/shown.py"


def test_the_model_cards_are_up_to_date() -> None:
    cards = dict(runpy.run_path(str(ROOT / "docs" / "cards.py"))["cards"]())
    assert set(cards) == set((ROOT / "docs" / "models").glob("*.md"))
    for file, text in cards.items():
        assert file.read_text("utf-8") == text, "run docs/cards.py"


def test_the_page_of_before_and_after_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "before_after.py"))
    assert made["PAGE"].read_text("utf-8") == made["page"](), "run docs/before_after.py"


def test_the_counts_of_the_corpus_are_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "corpus.py"))
    assert made["PAGE"].read_text("utf-8") == made["page"](), "run docs/corpus.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_in_examples_exist(page: Path) -> None:
    """Every option of every `phiscrub` line in a shell block is one that the command has."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    for line in "\n".join(blocks).replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["phiscrub"] and len(words) > 1 and not words[1].startswith("-"):
            told = phiscrub(words[1], "--help").out.decode()
            for word in words[2:]:
                if word.startswith("-") and word != "-":
                    assert word in told, (line, word)


def test_the_tutorial_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    commands = [
        line.replace("examples/", f"{ROOT}/examples/")
        for line in page.splitlines()
        if line.startswith(("phiscrub scrub", "phiscrub detect", "phiscrub explain"))
    ]
    assert len(commands) == 5
    for command in commands:
        words = shlex.split(command)[1:]
        outputs = ("-o", "--audit")
        for i, word in enumerate(words[:-1]):
            if word in outputs:
                words[i + 1] = str(tmp_path / words[i + 1])
        assert phiscrub(*words).code == 0, command
