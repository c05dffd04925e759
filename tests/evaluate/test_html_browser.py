"""Sorting and filtering in the HTML report, in a real browser where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from phiscrub.cli.htmlreport import report
from phiscrub.cli.scoring import Result
from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.evaluate import entities
from phiscrub.evaluate.masking import measure
from phiscrub.evaluate.sample import Sample

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="there is no Chromium here")

QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
TEXT = "Ann Lee came to Falls City with <i>Bo</i>; Parkinson"
GOLD = ((0, 7, "NAME"), (16, 26, "CITY"), (35, 37, "NAME"))


def sample(name: str, *found: tuple[int, int, str]) -> Sample:
    document = Document(name, TEXT)
    sides = [
        tuple(Mention(Span(a, b), label, source="rules") for a, b, label in side)
        for side in (GOLD, found)
    ]
    return Sample.of(*(Annotated(document, side) for side in sides))


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[object]:
    folder = tmp_path_factory.mktemp("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*QUIET, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=DRIVER)
    driver = webdriver.Chrome(options=options, service=service)
    samples = (
        sample("note-10", (16, 26, "CITY"), (43, 52, "NAME")),
        sample("note-9", (0, 7, "NAME"), (35, 37, "CITY")),
        sample("note-1"),
    )
    result = Result(
        *("", {}, len(samples)),
        labels=entities.exact(samples),
        masking=measure(samples),
        samples=samples,
    )
    file: Path = folder / "report.html"
    file.write_text(report([result]), "utf-8")
    driver.get(file.as_uri())
    yield driver
    driver.quit()


@pytest.fixture
def fresh(browser):
    browser.refresh()
    return browser


def column(browser, table: str, number: int) -> list[str]:
    """Return what the rows that are shown say in a column."""
    rows = browser.find_elements("css selector", f"{table} tbody tr")
    cells = [row.find_elements("css selector", "td") for row in rows if row.is_displayed()]
    return [row[number].text for row in cells]


def test_no_column_of_the_labels_is_cut_off(fresh):
    fresh.set_window_size(1000, 800)
    hidden = (
        "return [...document.querySelectorAll('.labels')].map(e => e.scrollWidth - e.clientWidth)"
    )
    widths = fresh.execute_script(hidden)
    assert widths
    assert not any(widths)


def click(browser, table: str, number: int) -> str:
    head = browser.find_elements("css selector", f"{table} thead th")[number]
    head.find_element("css selector", "button").click()
    return head.get_attribute("aria-sort")


def fill(browser, field: str, words: str) -> None:
    browser.find_element("css selector", f".cases [data-field={field}]").send_keys(words)


def told(browser) -> str:
    return browser.find_element("css selector", ".cases .shown").text


def test_numbers_sort_as_numbers_and_back(fresh):
    offsets = [int(cell) for cell in column(fresh, ".cases", 3)]
    assert len(offsets) == 7
    assert click(fresh, ".cases", 3) == "ascending"
    assert [int(cell) for cell in column(fresh, ".cases", 3)] == sorted(offsets)
    assert click(fresh, ".cases", 3) == "descending"
    assert [int(cell) for cell in column(fresh, ".cases", 3)] == sorted(offsets, reverse=True)


def test_names_sort_by_the_numbers_in_them_and_keep_the_order_of_equals(fresh):
    click(fresh, ".cases", 3)
    click(fresh, ".cases", 2)
    names = column(fresh, ".cases", 2)
    assert names == sorted(names, key=lambda name: int(name.rpartition("-")[2]))
    assert [int(cell) for cell in column(fresh, ".cases", 3)] == [0, 16, 35, 16, 0, 35, 43]


def test_the_table_by_label_sorts_too(fresh):
    assert column(fresh, ".labels", 0) == ["CITY", "NAME"]
    click(fresh, ".labels", 1)
    click(fresh, ".labels", 1)
    assert column(fresh, ".labels", 0)[0] == "NAME"


def test_filters_work_together_and_say_how_many_are_left(fresh):
    assert told(fresh) == "7 of 7 shown"
    fill(fresh, "note", "NOTE-1")
    assert set(column(fresh, ".cases", 2)) == {"note-1", "note-10"}
    fill(fresh, "label", "NAME")
    assert set(column(fresh, ".cases", 1)) == {"NAME"}
    fill(fresh, "kind", "false alarm")
    assert column(fresh, ".cases", 5) == ["rules"]
    assert told(fresh) == "1 of 7 shown"
    fill(fresh, "text", "nowhere")
    assert told(fresh) == "0 of 7 shown"


def test_text_of_notes_stays_text(fresh):
    fill(fresh, "text", "<i>bo")
    assert column(fresh, ".cases", 4)
    assert fresh.find_elements("css selector", ".cases i") == []
    assert fresh.get_log("browser") == []
