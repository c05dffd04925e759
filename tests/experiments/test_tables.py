"""The papers' figures stand beside the same measure of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from phiscrub.experiments import (
    berg_dalianis2019,
    inverse_tables,
    kassaie2016,
    kassaie_tables,
    phi_scrubber,
    scrubber_tables,
    shweta2017,
)
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import open_sides
from phiscrub.experiments.paper import Page
from phiscrub.experiments.statistics import Correlation, pearson
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Table, side_by_side
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.medical import Settings, build
from training_notes import corpus, write_jsonl

# Hit, missed and spurious words; the micro sum is ruled by the categories that the paper lacks.
TOKENS = {
    "DATE": [9, 1, 1],
    "DOCTOR": [5, 5, 0],
    "PATIENT": [0, 4, 0],
    "PHONE": [0, 0, 3],  # not there, but found
    "ID": [900, 100, 0],
    "all": [914, 110, 4],
}
P, R, F1 = fmean((0.9, 1, 0)), fmean((0.9, 0.5, 0)), fmean((0.9, 2 / 3, 0))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    sides = open_sides(write_jsonl(corpus(12), tmp_path / "notes.jsonl"))
    return Bench("any", sides, tmp_path, (sides,))


def rows(page: Page, title: str, *key: str) -> list[Sequence[Any]]:
    table = next(own for own in page.tables if own.title.startswith(title))
    return [row for row in table.rows if row[: len(key)] == key]


def test_the_papers_all_is_the_mean_over_its_categories() -> None:
    told = [kassaie_tables.CRF_CLINIC[name] for name in kassaie_tables.NAMED]
    means = [fmean(row[at] or 0 for row in told) for at in range(3)]
    assert means == pytest.approx(kassaie_tables.CRF_CLINIC["all"], abs=6e-4)


def test_kassaies_all_row_is_the_papers_mean_and_micro_stands_alone(bench: Bench) -> None:
    own = {"tokens": TOKENS, "trained_seconds": 1.0}
    done: Results = {
        **dict.fromkeys(("CRF", "LSTM", "transfer, LSTM", "LSTM, second corpus"), own),
        "folds, CRF": {"folds": [own, own]},
    }
    page = kassaie_tables.page_of(bench, done, (), ())
    micro = [914 / 918, 914 / 1024]
    for title, paper in (("CRF, one split", (0.702, 0.330, 0.363)), ("LSTM, one", (None, None))):
        ((_, *cells),) = rows(page, title, "all")
        assert cells[: len(paper)] == list(paper)
        assert cells[3:] == pytest.approx([P, R, F1])
        ((_, *cells),) = rows(page, title, "micro")
        assert cells[:3] == [None] * 3
        assert cells[3:5] == pytest.approx(micro)
    ((_, *cells),) = rows(page, "Cross-validation", "all")
    assert cells == [pytest.approx(P), pytest.approx(R), pytest.approx(F1), None, None, None]
    mean, sums = rows(page, "Transfer", "LSTM, first to second")
    assert [*mean[1:5], mean[7]] == ["all", 0.321, 0.321, 0.275, pytest.approx(F1)]
    assert [*sums[1:6], sums[6]] == ["micro", None, None, None, *map(pytest.approx, micro)]
    ((_, *cells),) = rows(page, "Next steps", "LSTM")
    assert [*cells[:3], *cells[3:5]] == pytest.approx([P, R, F1, *micro])
    for title in ("CRF", "LSTM, one", "LSTM, second", "Cross", "Transfer", "Next steps"):
        table = next(own for own in page.tables if own.title.startswith(title))
        assert "mean over its six categories" in table.about


def test_figures_of_the_thesis_narratives_stand_beside_the_second_corpus(bench: Bench) -> None:
    masking = {"all": [8, 2, 2], "corrected": [8, 2, 2], "hipaa.corrected": [8, 2, 0]}
    told = {"masking": masking, "useful": [1, 1], "leaks": 2}
    names = ("rules alone", "regular expressions")
    done: Results = {
        "rules": dict.fromkeys(names, told),
        "rules, second corpus": dict.fromkeys(names, told),
        "SVM": told,
        "masking by CRF, not fine-tuned": told,
        "SVM, learned from the second corpus": told,
        "masking by ANN+CRF, fine-tuned 2": told,
    }
    page = inverse_tables.page_of(bench, done, ())
    for name in ("regular expressions", "CRF", "SVM"):
        ((_, *cells),) = rows(page, "Systems", name)
        assert cells[:2] == [None, None]
    assert rows(page, "Systems", "SVM")[0][3] == 0.8
    second = {
        name: row
        for name, *row in next(
            own for own in page.tables if own.title.startswith("A second corpus")
        ).rows
    }
    assert second["regular expressions"][:4] == [0.881, 0.930, 0.8, 0.8]
    assert second["CRF, not fine-tuned"] == [0.783, 0.859, 0.8, 0.8, 0.8, 0.8, 0.5]
    assert second["CRF, learned from the second corpus"] == [0.783, 0.859, *[None] * 5]
    category = "Recall by category, second corpus"
    assert rows(page, category, "CRF, not fine-tuned") == [("CRF, not fine-tuned", *[None] * 7)]
    assert not rows(page, category, "CRF, learned from the second corpus")
    assert rows(page, "What leaked, second corpus", "regular expressions")[0][1:3] == (2, 2)
    machine = "SVM, learned from the second corpus"
    assert second[machine] == [0.889, 0.905, 0.8, 0.8, 0.8, 0.8, 0.5]
    assert second["ANN+CRF (Dernoncourt), fine-tuned 2"] == [None, None, 0.8, 0.8, 0.8, 0.8, 0.5]


def test_the_terms_that_ship_are_counted(bench: Bench) -> None:
    number = phi_scrubber.terms()
    assert 5_000 < number < 100_000
    notes = " ".join(phi_scrubber.page(bench, {}).notes)
    assert f"phiscrub's own open lists, which stand in, have {number:,}." in notes
    assert "The 100,000 terms" not in notes


def test_rows_that_found_nothing_are_marked_where_that_is_said() -> None:
    measured = {
        ("LSTM",): ((0.5, 0.5, 0.5), (None, 0.0, 0.0)),
        ("CRF",): ((0.0,) * 3, (1, 0.2, 0.3)),
    }
    own = side_by_side("Systems", "About.", ("system",), ("P", "R", "F1"), measured)
    plain = own.markdown()
    assert "†" not in plain
    marked = own.markdown("A smoke run, 1 epoch: nothing yet.")
    assert "| LSTM † |" in marked
    assert "| CRF |" in marked
    assert marked.endswith("|\n\n† A smoke run, 1 epoch: nothing yet.\n")
    networks = Table("F1", "About.", ("kind", "ours, Elman"), (("random", 0.0), ("new", None)))
    assert "†" not in networks.markdown("Nothing yet.")
    named = replace(networks, found=("ours, Elman",)).markdown("Nothing yet.")
    assert "| random † |" in named
    assert "| new |" in named
    told = replace(networks, rows=(("new", None),), found=("ours, Elman",))
    assert told.markdown("Nothing yet.") == told.markdown()


def test_networks_stand_with_what_they_were_chosen_by_and_with_every_type(bench: Bench) -> None:
    own = {"judged": 0.9853, "epochs": 4, "trained_seconds": 12.5}
    page = inverse_tables.page_of(bench, {"network b": own}, ())
    assert rows(page, "Networks on the notes held out", "b") == [("b", 0.9853, 4, 12.5)]
    assert rows(page, "Networks on the notes held out", "a") == [("a", None, None, None)]
    found = {"mentions": {"PERSON": [8, 2, 2], "all": [8, 2, 2]}, "trained_seconds": 1, "epochs": 1}
    page = scrubber_tables.page_of(bench, {"ID-CNN": found}, ())
    ((_, *cells),) = rows(page, "Networks by type", "PERSON")
    assert cells == [None, None, None, 0.8, 0.8, pytest.approx(0.8)]


def test_medical_terms_lose_their_label_for_the_papers_reasons_alone() -> None:
    medical = build(Settings(("PATIENT",)), Shelf("en", None))
    told = {row[0]: phi_scrubber.reasoned(medical, *row)[2] for row in phi_scrubber.REASONS}
    assert [why for why, freed in told.items() if freed] == [
        "a misspelt term, one letter off",
        "an abbreviation, exact",
        "a drug-name stem",
    ]
    assert len(told) == 5


def test_the_ablations_and_next_steps_that_papers_name_are_steps(bench: Bench) -> None:
    steps = {step.name: step for step in berg_dalianis2019.protocol(bench)}
    assert "crf" in steps["LSTM with a CRF layer, target"].told["network"]
    adapted = steps["LSTM, adapted, target + general text"]
    assert adapted.needs == ("LSTM before target + general text",)
    assert "network" not in steps["LSTM, target"].told  # what was kept stays what it was
    page = berg_dalianis2019.page(bench, {})
    assert len(rows(page, "Settings", "LSTM, adapted")) == 2
    names = {step.name: step.told for step in kassaie2016.protocol(bench)}
    assert "0.003" in names["LSTM, rate .003"]["schedule"]
    assert "dropout=0.5" in names["LSTM, dropout .5"]["network"]
    assert "schedule" not in names["LSTM, both ways"]
    assert "LSTM, pretrained vectors trained on" not in names  # without --vectors


def test_every_subcategory_has_its_template_and_our_f1(bench: Bench) -> None:
    own = {"mentions": {"DOCTOR": [8, 2, 2], "all": [8, 2, 2]}, "categories": {}}
    page = shweta2017.page(bench, {"CRF": own})
    table = next(own for own in page.tables if own.title.startswith("Subcategories"))
    told = {row[1]: row for row in table.rows}
    assert len(told) == 30
    there = sum(m.label == "DOCTOR" for n in bench.data.test.notes for m in n.mentions)
    assert told["DOCTOR"] == ("NAME", "DOCTOR", "XYZ_Doctor", "yes", there, 0.8, None, None)
    assert told["PHONE"][2:4] == ("NUM_PHONE", "yes")
    assert told["DATE"][2] == "00.00.Date"
    assert told["URL"][3] == ""
    ((before, after),) = rows(page, "An invented note")
    assert "Dr. Brown at Larkfield Hospital on March 14, 2019" in before
    assert "Dr. XYZ_Doctor at XYZ_Hospital on 00.00.Date" in after
    assert "MRN NUM_ID, telephone NUM_PHONE." in after


def test_nothing_correlates_with_what_is_always_the_same() -> None:
    for value in (0.1, 0.7, 1.0):  # most of which are no binary fractions
        assert pearson([1, 2, 3, 4, 5, 6], [value] * 6) == Correlation(6, None, None)


def test_the_pipeline_needs_no_dates_where_a_corpus_calls_them_otherwise(tmp_path: Path) -> None:
    made = write_jsonl(corpus(12), tmp_path / "notes.jsonl")
    sides = open_sides(made).recast("meddocan")
    bench = Bench("phi-scrubber", sides, tmp_path, (open_sides(made),))
    assert "FECHAS" in sides.whole.labels
    assert not any("with dates" in step.name for step in phi_scrubber.protocol(bench))
