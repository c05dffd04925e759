from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import phiscrub
from phiscrub.evaluate.hiding import Row, Tell, form, hiding
from phiscrub.evaluate.masking import measure
from phiscrub.evaluate.sample import Mark, Sample

TEXT = "Ann Lee saw Dr. Ruiz and Dr. OKORO on 03/14/2020, 4/2/20 and 12 May; she lives in Leeds."
PEOPLE = ("Ann Lee", "PATIENT"), ("Ruiz", "DOCTOR"), ("OKORO", "DOCTOR")
DATES = ("03/14/2020", "DATE"), ("4/2/20", "DATE"), ("12 May", "DATE")
GOLD = (*PEOPLE, *DATES, ("Leeds", "CITY"))


def sample(name: str, *missed: str, subject: str | None = None, text: str = TEXT) -> Sample:
    marks: list[Mark] = []
    for words, label in GOLD:
        at = text.index(words)
        marks.append((at, at + len(words), label))
    found = tuple(mark for mark in marks if text[mark[0] : mark[1]] not in missed)
    return Sample(name, text, tuple(marks), found, subject)


def told(*samples: Sample) -> dict[str, tuple[Tell, ...]]:
    result = hiding(samples, measure(samples).leaks)
    texts = {one.id: one.text for one in samples}
    return {texts[t.leak.document][t.leak.start : t.leak.end]: t.tells for t in result.leaks}


def test_a_leak_among_surrogates_of_its_form_hides() -> None:
    result = hiding([sample("a", "4/2/20")], measure([sample("a", "4/2/20")]).leaks)
    (one,) = result.leaks
    assert (one.category, one.tells) == ("DATE", ())
    assert one.guess == pytest.approx(1 / 3)  # beside two surrogates
    assert result.rows == {"DATE": Row(1, 2, 0)}
    assert (result.tellable.value, result.residual) == (0.0, 0.0)
    assert result.guess == pytest.approx(1 / 3)


def test_another_form_alone_and_repeated_are_told() -> None:
    assert told(sample("a", "OKORO")) == {"OKORO": (Tell.FORM,)}
    assert told(sample("a", "12 May")) == {"12 May": (Tell.FORM,)}
    assert told(sample("a", "Leeds")) == {"Leeds": (Tell.ALONE,)}
    again = sample("a", "4/2/20", subject="p1"), sample("b", "4/2/20", subject="p2")
    assert told(*again) == {"4/2/20": (Tell.REPEATED,)}
    same = sample("a", "4/2/20", subject="p1"), sample("b", "4/2/20", subject="p1")
    assert told(*same) == {"4/2/20": ()}  # of one patient a surrogate is the same as well


def test_the_rest_of_a_name_is_told_by_its_form() -> None:
    whole = sample("a")
    cut = Sample("a", TEXT, whole.gold, ((0, 3, "PATIENT"), *whole.found[1:]))
    result = hiding([cut], measure([cut]).leaks)
    (one,) = result.leaks
    assert one.tells == ()  # `Lee` beside the surrogates of Ann and Ruiz
    assert one.guess == pytest.approx(1 / 4)


def test_figures_count_what_can_be_told() -> None:
    samples = [sample("a", "OKORO", "4/2/20"), sample("b", "Leeds")]
    result = hiding(samples, measure(samples).leaks)
    assert result.identifiers == 14
    assert result.tellable.value == pytest.approx(2 / 3)
    assert result.residual == pytest.approx(2 / 14)
    assert result.guess == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert result.reasons == {Tell.FORM: 1, Tell.ALONE: 1}


def test_nothing_leaks_nothing_is_told() -> None:
    result = hiding([sample("a")], ())
    assert (result.rows, result.guess, result.tellable.value) == ({}, None, None)
    assert result.residual == 0.0


@given(st.sets(st.sampled_from([words for words, _ in GOLD])))
def test_shares_are_shares_and_rows_add_up(missed: set[str]) -> None:
    samples = [sample("a", *missed)]
    result = hiding(samples, measure(samples).leaks)
    assert len(result.leaks) == len(missed) == sum(row.leaked for row in result.rows.values())
    assert all(0 < one.guess <= 1 for one in result.leaks)
    for row in result.rows.values():
        assert 0 <= row.tellable <= row.leaked
        assert row.guess is not None


def test_the_forms_of_words() -> None:
    assert [form(w) for w in ("ANN LEE", "Ann  Lee", "03/14/61", "3-Apr")] == [
        *("X X", "Xx Xx", "9/9/9", "9-Xx")
    ]


def test_the_report_tells_it(tmp_path: Path) -> None:
    for name, mentions in (("gold", sample("a").gold), ("found", sample("a", "OKORO").found)):
        (tmp_path / name).mkdir()
        row = {
            "id": "a",
            "text": TEXT,
            "mentions": [{"start": a, "end": b, "label": label} for a, b, label in mentions],
        }
        (tmp_path / name / "n.jsonl").write_text(json.dumps(row) + "\n")
    ended = phiscrub(
        "evaluate", "--gold", tmp_path / "gold", "--system", tmp_path / "found",
        "--json", tmp_path / "o.json", "--html", tmp_path / "o.html",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    found = json.loads((tmp_path / "o.json").read_text())["hiding"][""]
    assert found["categories"]["NAME"]["best_guess"] == pytest.approx(1 / 3)
    assert found["reasons"] == {"alone": 0, "form": 1, "repeated": 0}
    assert "Hidden in plain sight" in ended.out.decode()
    assert "Hidden in plain sight" in (tmp_path / "o.html").read_text()
    assert "OKORO" not in json.dumps(found)
