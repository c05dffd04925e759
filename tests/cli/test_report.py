"""The HTML report, comparisons and agreement, as the command gives them."""

from __future__ import annotations

import json
import re
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command import phiscrub
from phiscrub.cli.request import Request
from phiscrub.cli.scoring import score

TEXT = "Seen <b>by</b> Ann Lee & Co.\nHistory of Parkinson, at Falls City"
GOLD = ((15, 22, "PATIENT"), (54, 64, "CITY"))


def notes(path: Path, found: tuple, *, count: int = 1, source: str = "lists", **more) -> Path:
    path.mkdir(exist_ok=True)
    row = [
        {"start": a, "end": b, "label": label, "source": source, "score": 1 - at / 10}
        for at, (a, b, label) in enumerate(found)
    ]
    lines = [
        json.dumps({"id": f"n<{at}>", "text": TEXT, "mentions": row} | more) for at in range(count)
    ]
    (path / "notes.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def sides(tmp_path):
    gold = notes(tmp_path / "gold", GOLD)
    system = notes(tmp_path / "system", ((15, 18, "PATIENT"), (40, 49, "DOCTOR")), source="<lists>")
    return ("--gold", gold, "--system", system)


class Page(HTMLParser):
    """The tags that are open at the end, and all that the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href") and value]
        if tag not in ("meta", "input", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] == "option":
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)


def page(file: Path) -> Page:
    read = Page()
    read.feed(file.read_text("utf-8"))
    read.close()
    return read


def test_the_report_shows_every_leak_and_says_that_it_holds_text(sides, tmp_path):
    file = tmp_path / "r.html"
    ended = phiscrub("evaluate", *sides, "--html", file)
    assert ended.code == 0, ended.err
    told = page(file)
    assert told.open == []
    assert told.loads == []
    words = " ".join("".join(told.words).split())
    assert "This report holds text of the notes, on purpose." in words
    assert "2 of 2 entities leak, in 1 of 1 notes with identifiers; 1 false alarms." in words
    assert "Seen <b>by</b> Ann Lee & Co. ⏎ History of Parkinson" in words
    assert "in part as PATIENT by <lists>" in words
    assert "n<0>" in words
    html = file.read_text("utf-8")
    assert '<mark>Ann </mark><mark class="fault">Lee</mark>' in html
    assert '<mark class="fault">Falls</mark>' in html.replace(" City", "")
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_a_redacted_report_holds_no_word_of_a_note(sides, tmp_path):
    file = tmp_path / "r.html"
    assert phiscrub("evaluate", *sides, "--html", file, "--redacted").code == 0
    html = file.read_text("utf-8")
    for word in ("Ann", "Lee", "Parkinson", "Falls", "Seen"):
        assert not re.search(rf"\b{word}\b", html)
    assert "shown by its shape only" in html
    assert "Xxxxx" in html


def test_the_report_is_its_owners_even_where_a_file_was_there(sides, tmp_path):
    file = tmp_path / "r.html"
    file.write_text("old")
    file.chmod(0o644)
    assert phiscrub("evaluate", *sides, "--html", file).code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ended = phiscrub("evaluate", *sides, "--html", tmp_path / "nowhere" / "r.html")
    assert ended.code == 4
    assert len(ended.err.strip().splitlines()) == 1


def test_the_report_of_notes_without_anything(tmp_path):
    empty = notes(tmp_path / "empty", ())
    assert phiscrub(
        "evaluate", "--gold", empty, "--system", empty, "--html", tmp_path / "r.html"
    ).code == (0)
    assert page(tmp_path / "r.html").open == []


def test_columns_have_no_report(tmp_path):
    (tmp_path / "c").write_text("a B-X O\n")
    ended = phiscrub(
        *("evaluate", "--gold", tmp_path / "c", "--system", tmp_path / "c"),
        *("--html", tmp_path / "r.html"),
    )
    assert ended.code == 2
    assert "no HTML report" in ended.err
    assert not (tmp_path / "r.html").exists()


def test_systems_side_by_side(tmp_path):
    gold = notes(tmp_path / "gold", GOLD, count=12)
    good = notes(tmp_path / "good", GOLD, count=12)
    bad = notes(tmp_path / "bad", GOLD[:1], count=12)
    ended = phiscrub(
        *("compare", "--gold", gold, "--system", bad, "--system", good, "--system", bad),
        *("--json", tmp_path / "c.json"),
    )
    assert ended.code == 0, ended.err
    lines = {line["name"]: line for line in json.loads((tmp_path / "c.json").read_text("utf-8"))}
    first, second, third = lines["Entities of which nothing is left"]["systems"]
    assert first["interval"]["value"] == 0.5
    assert first["difference"] is None
    assert second["difference"]["value"] == 0.5
    assert max(second["difference"]["p"], second["randomised"]) < 0.05
    assert third["difference"]["value"] == 0
    assert third["randomised"] == 1
    assert "*" in ended.out.decode()
    within = phiscrub("evaluate", "--gold", gold, "--system", bad, "--compare", good)
    assert "Differences are from system 1" in within.out.decode()


def test_what_to_mind_is_said_of_each_system_that_is_compared(tmp_path):
    gold = notes(tmp_path / "gold", GOLD, count=3)
    good = notes(tmp_path / "good", GOLD, count=3)
    few = notes(tmp_path / "few", ((15, 22, "PERSON"),), count=2)
    sides = ("--gold", gold, "--system", good)
    told = f"{few}: 1 gold documents are not among the system's: n<2>"
    ended = phiscrub("compare", *sides, "--system", few, "--missing", "zero")
    assert told in ended.err
    assert f"{few}: gold and system have no label in common" in ended.err
    assert str(good) not in ended.err
    within = phiscrub("evaluate", *sides, "--compare", few, "--missing", "zero")
    assert told in within.err


def test_notes_that_shipped_models_learned_from_are_noticed(tmp_path):
    corpus = Path(__file__).parents[2] / "corpus" / "en" / "n-odd"
    gold = tmp_path / "gold"
    gold.mkdir()
    for text in sorted(corpus.glob("*.txt"))[:2]:
        for path in (text, text.with_suffix(".ann")):
            (gold / path.name).write_bytes(path.read_bytes())
    (gold / "own.txt").write_text(TEXT * 9, "utf-8")
    (gold / "own.ann").write_text("T1\tPATIENT 15 22\tAnn Lee\n", "utf-8")
    told = "the models that ship learned from 2 of 3 gold notes"
    assert told in phiscrub("evaluate", "--gold", gold, "--system", gold).err
    assert told in phiscrub("compare", "--gold", gold, *("--system", gold) * 2).err
    for path in (*gold.glob("*.txt"), *gold.glob("*.ann")):
        if path.stem != "own":
            path.unlink()
    assert "learned" not in phiscrub("evaluate", "--gold", gold, "--system", gold).err


@pytest.mark.parametrize("command", ["evaluate", "compare", "agreement"])
def test_help_has_an_example(command):
    assert f"phiscrub {command} " in phiscrub(command, "--help").out.decode().split("Example")[1]


def test_what_cannot_be_compared_is_said(sides, tmp_path):
    (tmp_path / "c").write_text("a B-X O\n")
    for arguments, message in (
        (("--gold", tmp_path / "c", *("--system", tmp_path / "c") * 2), "cannot be compared"),
        (sides, "there is nothing to compare"),
    ):
        ended = phiscrub("compare", *arguments)
        assert ended.code == 2
        assert message in ended.err


def test_annotators_agree_or_not(tmp_path):
    one = notes(tmp_path / "one", GOLD)
    other = notes(tmp_path / "other", GOLD[:1])
    ended = phiscrub("agreement", one, other, one, "--json", tmp_path / "a.json")
    assert ended.code == 0, ended.err
    data = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert [pair["entity_f1"] for pair in data["pairs"]] == [pytest.approx(2 / 3), 1, 2 / 3]
    assert data["pairs"][1]["token_kappa"] == 1
    assert 0 < data["token_alpha"] < 1
    assert "0.6667" in ended.out.decode()


def test_annotators_of_different_texts_or_notes(tmp_path):
    one = notes(tmp_path / "one", GOLD)
    other = notes(tmp_path / "other", (), text="Another text")
    third = notes(tmp_path / "third", (), id="n2")
    for arguments, message in (
        ((one, other), "record n<0>: the annotators had different texts"),
        ((one, third), "no note has two annotators"),
        ((one,), "one annotator cannot agree"),
        ((one, tmp_path / "none"), "no such folder or file"),
    ):
        ended = phiscrub("agreement", *arguments)
        assert ended.code == 2
        assert message in ended.err
        assert "Ann" not in ended.err


def test_a_second_note_of_one_id_is_refused(tmp_path):
    twice = notes(tmp_path / "twice", (), count=2, id="n")
    ended = phiscrub("evaluate", "--gold", twice, "--system", twice)
    assert ended.code == 2
    assert "a second note has the id n" in ended.err


def test_notes_of_one_patient_are_drawn_together(tmp_path):
    for name, patients in (("many", "1234"), ("one", "1111")):
        for side in ("gold", "system"):
            folder = tmp_path / f"{name}-{side}"
            folder.mkdir()
            for record, patient in enumerate(patients):
                tag = '<DATE start="0" end="4" TYPE="DATE"/>' if side == "gold" or record else ""
                (folder / f"{patient}-{record}.xml").write_text(
                    f"<deIdi2b2><TEXT>2083 and on</TEXT><TAGS>{tag}</TAGS></deIdi2b2>"
                )
        gold, system = tmp_path / f"{name}-gold", tmp_path / f"{name}-system"
        file = tmp_path / f"{name}.html"
        assert phiscrub("evaluate", "--gold", gold, "--system", system, "--html", file).code == 0
        told = {"many": "over 4 patients drawn again", "one": "over 1 patient drawn again"}[name]
        assert told in " ".join("".join(page(file).words).split())
        (result,) = score(Request(gold, system, "i2b2"))
        assert [one.subject for one in result.samples] == list(patients)


def test_what_survives_of_the_useful_is_counted(tmp_path):
    text = "Ann Lee took aspirin 81 mg daily for Parkinson's disease"
    gold = notes(tmp_path / "gold", ((0, 7, "PATIENT"),), text=text)
    system = notes(tmp_path / "system", ((0, 7, "PATIENT"), (37, 46, "DOCTOR")), text=text)
    sides = ("--gold", gold, "--system", system)
    ended = phiscrub("evaluate", *sides, "--useful", "en", "--json", tmp_path / "o.json")
    assert ended.code == 0, ended.err
    assert "1 notes lost some: n<0> (1)" in ended.out.decode()
    found = json.loads((tmp_path / "o.json").read_text("utf-8"))["usefulness"][""]
    assert found["kinds"]["drug"] == {"kept": 1, "lost": 0}
    assert [(one["start"], one["kind"]) for one in found["lost"]] == [(37, "diagnosis")]
    assert phiscrub("evaluate", *sides, "--useful", "en", "--html", tmp_path / "r.html").code == 0
    words = "".join(page(tmp_path / "r.html").words)
    assert "Useful items that survive" in words
    assert phiscrub("evaluate", *sides, "--useful", "xx").code == 2


def test_patients_are_drawn_together_in_whatever_format_a_system_wrote(tmp_path):
    names = [f"{patient}-{record:02}" for patient in (101, 102) for record in (1, 2, 3)]
    rows = [{"id": name, "text": "Ann Lee", "mentions": []} for name in names]
    for name in ("gold", "same", "lines", "brat"):
        (tmp_path / name).mkdir()
    for name in names:
        tag = '<NAME id="P0" start="0" end="7" text="Ann Lee" TYPE="PATIENT" comment=""/>'
        for folder, tags in (("gold", tag), ("same", "")):
            frame = f"<deIdi2b2><TEXT>Ann Lee</TEXT><TAGS>{tags}</TAGS></deIdi2b2>"
            (tmp_path / folder / f"{name}.xml").write_text(frame, "utf-8")
        (tmp_path / "brat" / f"{name}.txt").write_text("Ann Lee", "utf-8")
        (tmp_path / "brat" / f"{name}.ann").write_text("", "utf-8")
    (tmp_path / "lines" / "notes.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    told = []
    for one, other in (("same", "lines"), ("lines", "brat"), ("brat", "same")):
        systems = ("--system", tmp_path / one, "--system", tmp_path / other)
        ended = phiscrub("compare", "--gold", tmp_path / "gold", *systems)
        assert ended.code == 0, ended.err
        told.append(ended.out.decode().split("\n", 2)[2])
    assert told[0].startswith("Intervals and p-values are over 2 patients, drawn again.")
    assert told[1:] == [told[0]] * 2
    alone = score(Request(tmp_path / "brat", tmp_path / "brat", "brat"))[0]
    assert [sample.subject for sample in alone.samples] == ["101"] * 3 + ["102"] * 3


def test_agreement_reads_the_columns_that_are_named(tmp_path: Path) -> None:
    marks = json.dumps([{"start": 3, "end": 7, "label": "DOCTOR"}]).replace('"', '""')
    row = f'7,p1,Dr Hale,"{marks}"\n'
    sides = [tmp_path / "ann.csv", tmp_path / "bo.csv"]
    for side in sides:
        side.write_text(f"row,visit,body,mentions\n{row}")
    for options in ((), ("--column", "text")):
        assert phiscrub("agreement", *sides, *options).code == 2
    named = "--column", "body", "--id-column", "visit", "--json", tmp_path / "a.json"
    ended = phiscrub("agreement", *sides, *named)
    assert ended.code == 0, ended.err
    assert json.loads((tmp_path / "a.json").read_text())["pairs"][0]["entity_f1"] == 1
