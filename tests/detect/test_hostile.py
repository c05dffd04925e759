"""No text makes a pack slow: time grows with the text's length and with nothing else."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Iterable, Iterator
from heapq import nlargest
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from phiscrub.core.document import Document
from phiscrub.detect.pack import Case, Pack, Rule
from phiscrub.detect.patterns import Patterns
from phiscrub.tokenize.clinical import Clinical

PACKS = resources.files("phiscrub") / "data" / "packs"
FULL = 100_000  # characters
SCREENED, DRAWN_OUT = 2_500, 20_000  # of every string, to find those worth the full length
SLOWEST = 3  # strings of each kind and pack that are
LIMIT = 2.0  # seconds for the full length; the worst was 0.4 when this was written
SCREEN_LIMIT = 0.2  # seconds for the screened length; what is cubic need not be waited for
LINEAR = 6  # times the quarter's time; quadratic is 16
MEASURABLE = 0.2  # seconds; below, the machine's noise decides
TRIES = 3  # a machine that others use is slow at times; a slow pattern always is

UNITS = (
    *"1aA .-/,:()@_\n#+&'’\"|*[]x=<>é",
    *("a1", "A1", "1A", "1-", "1/", "1.", "1 ", "1,", "1:", "(1", "1)", "12/", "1 - ", "1st "),
    *("123-", "123 ", "1234 ", "Aa ", "AA ", "aa ", "A. ", "Aa, ", " ,", "A'", "A-", "a-", "a."),
    *("a@", "a_", "::", "f:", "of ", "to ", "the ", "Aa Aa\n", "http://", "www."),
)


def folders() -> list[tuple[str, Traversable]]:
    return sorted(
        (f"{language.name}/{pack.name}", pack)
        for language in PACKS.iterdir()
        for pack in language.iterdir()
        if (pack / "pack.toml").is_file()
    )


Text = tuple[str, str, str]  # its name, what it begins with, what fills the rest


def repeated(pack: Pack, folder: Traversable) -> Iterator[Text]:
    """Yield texts that say one thing again and again, so that rules are tried everywhere."""
    literals = " ".join(literal for rule in pack.rules for literal in rule.need)
    for unit in UNITS:
        yield repr(unit), literals, unit
    for file in (folder / "terms").iterdir() if (folder / "terms").is_dir() else ():
        terms = file.read_text("utf-8").splitlines()
        for glue in (" ", ": 1/", "\n"):
            yield f"{file.name} {glue!r}", "", glue.join((*terms, ""))
    for rule in pack.rules:
        fragments = dict.fromkeys(re.findall(r"(?<![\\\[{(?<!-])\b[A-Za-z]{2,}\b", rule.pattern))
        if fragments:
            yield f"words of {rule.source}", "", " ".join((*fragments, ""))
    for name, case in named(pack):
        yield name, "", case.text + " "
        if case.found:
            before, words, behind = parted(case)
            yield f"{name}, a character missing", "", before + words[:-1] + behind + "\n"
            yield f"{name}, cut short", "", before + words[:-1] or words


def drawn_out(pack: Pack) -> Iterator[Text]:
    """Yield texts that begin as a case does and then go on with one character."""
    for name, case in named(pack):
        if case.found:
            before, words, _ = parted(case)
            yield f"{name}, drawn out", before + words, words[-1]
            yield f"{name}, far away", before, " "
            yield f"{name}, other words", before, "a"
            yield f"{name}, other numbers", before, "1"


def named(pack: Pack) -> Iterator[tuple[str, Case]]:
    return ((f"case {number}", case) for number, case in enumerate(pack.cases))


def parted(case: Case) -> tuple[str, str, str]:
    """Part a case's text at its last mention."""
    words = case.found[-1][1]
    before, _, behind = case.text.rpartition(words)
    return before, words, behind


def seconds(patterns: Patterns, begin: str, fill: str, length: int) -> float:
    text = (begin + fill * (length // len(fill) + 1))[:length]
    notes = Clinical().tokenize([Document("hostile", text)])
    started = time.process_time()
    patterns.detect(notes)
    return time.process_time() - started


def screen(
    patterns: Patterns, texts: Iterable[Text], *lengths: int
) -> Iterator[tuple[float, Text]]:
    for text in texts:
        what, begin, fill = text
        for length in lengths:
            taken = seconds(patterns, begin, fill, length)
            if taken >= SCREEN_LIMIT:  # a busy machine counts against us too
                taken = min(seconds(patterns, begin, fill, length) for _ in range(TRIES))
            assert taken < SCREEN_LIMIT, what
        yield taken, text


def is_linear(patterns: Patterns, begin: str, fill: str, full: int = FULL) -> bool:
    quarter = seconds(patterns, begin, fill, full // 4)
    if quarter > LIMIT:
        return False
    whole = seconds(patterns, begin, fill, full)
    return whole < MEASURABLE or (whole < LIMIT and whole <= LINEAR * quarter)


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    """Keep the collector away from what other tests left: its rounds are long, and not ours."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("name", "folder"), folders(), ids=[name for name, _ in folders()])
def test_no_text_makes_a_pack_slow(name: str, folder: Traversable) -> None:
    pack = Pack.load(folder, name)
    patterns = Patterns([pack])
    for case in pack.cases:  # every rule is compiled before the clock runs
        patterns.detect(Clinical().tokenize([Document("case", case.text)]))
    for screened in (
        screen(patterns, repeated(pack, folder), SCREENED),
        screen(patterns, drawn_out(pack), SCREENED, DRAWN_OUT),
    ):
        for _, (what, begin, fill) in nlargest(SLOWEST, screened):
            assert any(is_linear(patterns, begin, fill) for _ in range(TRIES)), what


def test_a_slow_rule_would_be_noticed() -> None:
    """The measure tells a quadratic pattern from a linear one."""
    at = re.compile(r"\d")
    slow = Patterns([Pack("slow", "hub", (Rule("slow", "ID", r"[\d ]*x", at=(at,)),), Path())])
    fast = Patterns([Pack("fast", "hub", (Rule("fast", "ID", r"[\d ]{0,9}x", at=(at,)),), Path())])
    assert not is_linear(slow, "", "1 ", 24_000)
    assert is_linear(fast, "", "1 ", 24_000)
