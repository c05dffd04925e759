"""Corpora that are added under other labels."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from columns import SUC
from command import phiscrub
from phiscrub.core.errors import SettingsError
from phiscrub.experiments.added import notice, suited
from phiscrub.train.corpus import Corpus, read_corpus

EPR = """Anna\tB-First_Name
Berg\tB-Last_Name
ringde\tO
3\tB-Date_Part
maj\tI-Date_Part
från\tO
Lund\tB-Location
.\tO

"""


def columns(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.conll"
    file.write_text(text, "utf-8")
    return file


@pytest.fixture
def news(tmp_path: Path) -> Corpus:
    rows = "Eva B-PER\nKarin I-PER\nEk I-PER\nmötte O\nEva B-PER\n, O\nLundkvist B-PER\ni O\n"
    rows += "Umeå B-LOC\n, O\nSKF B-ORG\noch O\nNobelpriset B-MISC\n. O\n\n"
    return read_corpus(columns(tmp_path, "news", rows))[0]


def said(own: Corpus) -> list[tuple[str, str]]:
    (note,) = own.notes
    text = note.document.text
    return [(text[m.span.start : m.span.end], m.label) for m in note.mentions]


def test_names_are_parted_and_organisations_dropped(news: Corpus) -> None:
    own = suited(news, "stockholm-epr")
    assert own.label_set == "stockholm-epr"
    assert said(own) == [
        ("Eva Karin", "First_Name"),
        ("Ek", "Last_Name"),
        ("Eva", "First_Name"),
        ("Lundkvist", "Last_Name"),
        ("Umeå", "Location"),
    ]
    told = notice(news, "stockholm-epr")
    assert "LOC as Location, PER as First_Name or Last_Name; " in told
    assert told.endswith("dropped: MISC, ORG.")


def test_notes_of_the_same_set_are_the_same_notes(news: Corpus) -> None:
    assert suited(news, "conll-2003") is news
    assert notice(news, "conll-2003") == ""


def test_suc_is_renamed_to_what_news_marks(tmp_path: Path) -> None:
    suc, _ = read_corpus(columns(tmp_path, "suc", SUC))
    assert said(suited(suc, "conll-2003")) == [("Eva Ek", "PER"), ("KTH", "ORG")]


def varied(text: str) -> str:
    """Return a text again and again, each with a word of its own: copies count as one."""
    verbs = r"\b(ringde|kom|log)\b"
    return "".join(re.sub(verbs, rf"\g<1>{number}", text, count=1) for number in range(60))


def test_notes_that_mark_nothing_of_the_set_are_refused(tmp_path: Path) -> None:
    works, _ = read_corpus(columns(tmp_path, "works", "Röda B-work\nrummet I-work\nhär O\n"))
    with pytest.raises(SettingsError, match="marks nothing that stockholm-epr marks"):
        suited(works, "stockholm-epr")


def test_records_with_news_and_suc_beside_them_run_whole(tmp_path: Path) -> None:
    for package in ("torch", "sklearn", "pycrfsuite"):
        pytest.importorskip(package)
    rows = "Eva B-PER\nEk I-PER\nkom O\ntill O\nUmeå B-LOC\noch O\nSKF B-ORG\n. O\n\n"
    files = {"epr": EPR, "news": rows, "suc": f"{SUC}\n"}
    data, news, suc = (columns(tmp_path, name, varied(text)) for name, text in files.items())
    words = ("--data", data, "--extra", news, "--extra", suc, "--cut", "2", "--quick", "-q")
    ended = phiscrub("experiment", "berg-dalianis2019", *words, "-o", tmp_path / "out")
    assert (ended.code, ended.err) == (0, "")
    told = json.loads((tmp_path / "out" / "berg-dalianis2019.json").read_text("utf-8"))
    assert all(step["seconds"] is not None for step in told["steps"].values())
    notes = [note for note in told["notes"] if "learned from under" in note]
    assert [note.split(" ")[0] for note in notes] == ["news.conll", "suc.conll"]
    assert "labels suc-3" in told["corpora"][2]
