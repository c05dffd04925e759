"""What looks like an identifier and is none must survive all English rules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import phiscrub
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span

DECOYS = Path(__file__).with_name("decoys.txt")
MARKED = re.compile(r"\{([^}]*)\}")
LEAST_DECOYS = 500
LEAST_KEPT = {"rules": 0.985, "balanced": 0.99}


def unmark(line: str) -> tuple[str, list[Span]]:
    """Return the sentence without its braces, and where the decoys stand."""
    spans = [
        Span(match.start(1) - 2 * index - 1, match.end(1) - 2 * index - 1)
        for index, match in enumerate(MARKED.finditer(line))
    ]
    return line.replace("{", "").replace("}", ""), spans


@cache
def judged(mode: str) -> list[tuple[str, tuple[Mention, ...]]]:
    """Return each decoy with the mentions that take some of it away."""
    lines = [line for line in DECOYS.read_text("utf-8").splitlines() if line[0] != "#"]
    sentences = [unmark(line) for line in lines]
    documents = [Document(str(number), text) for number, (text, _) in enumerate(sentences)]
    covers = phiscrub.load("en", mode=mode).covers(documents)
    return [
        (text[span.start : span.end], tuple(m for m in cover if m.span.overlaps(span)))
        for (text, spans), cover in zip(sentences, covers, strict=True)
        for span in spans
    ]


def test_braces_are_read_where_they_stand() -> None:
    text, spans = unmark("On {Lasix} and {Zocor}.")
    assert [text[span.start : span.end] for span in spans] == ["Lasix", "Zocor"]


def test_there_are_enough_decoys() -> None:
    assert len({words.lower() for words, _ in judged("rules")}) >= LEAST_DECOYS


@pytest.mark.parametrize("mode", LEAST_KEPT)
def test_decoys_survive(mode: str) -> None:
    lost = [(words, {m.source for m in taken}) for words, taken in judged(mode) if taken]
    kept = 1 - len(lost) / len(judged(mode))
    report = "\n".join(f"{words!r} by {sorted(sources)}" for words, sources in lost)
    assert kept >= LEAST_KEPT[mode], f"{kept:.4f} kept of {len(judged(mode))}:\n{report}"


@pytest.mark.parametrize("mode", LEAST_KEPT)
def test_a_town_that_an_illness_is_called_after_is_one_before_its_state(mode: str) -> None:
    towns = (
        ("She moved from Lyme, CT last year.", "Lyme"),
        ("Lives in Lyme, Connecticut with her son.", "Lyme"),
        ("Patient from Lyme, NH.", "Lyme"),
        ("He is from Old Lyme, CT.", "Old Lyme"),
        ("She works in Coxsackie, NY as a clerk.", "Coxsackie"),
        ("Born in Marburg, Germany.", "Marburg"),
    )
    illnesses = (
        "Workup: Lyme, CT abdomen, MRI brain.",
        "Lyme, babesia and Coxsackie titers negative in CT.",
        "Zika, Ebola and Marburg virus were discussed.",
    )
    texts = [text for text, _ in towns] + list(illnesses)
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    covers = phiscrub.load("en", mode=mode).covers(documents)
    found = [
        [text[m.span.start : m.span.end] for m in cover if m.label == "CITY"]
        for text, cover in zip(texts, covers, strict=True)
    ]
    assert found == [*([town] for _, town in towns), *([] for _ in illnesses)]
