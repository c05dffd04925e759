"""A corpus without dates teaches none of its own to be nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from phiscrub.experiments import phi_scrubber
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Reading, joined, open_sides
from phiscrub.experiments.days import with_days
from training_notes import corpus, write_jsonl

LINES = {
    "She was born on March 15 , 1984 .": ["March 15 , 1984"],
    "He left in 1994 , 1995 and on 6 May 1943 .": ["1994", "1995", "6 May 1943"],
    "Sung on April 10 , by Anna Holm .": ["April 10"],
    "The Class of 1924 passed .": [],  # marked within a name
    "Nobody came .": [],
}


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    named = {"Anna": "B-PER", "Holm": "I-PER", "Class": "B-ORG", "of": "I-ORG", "1924": "I-ORG"}
    text = "\n\n".join(
        "\n".join(f"{word} {named.get(word, 'O')}" for word in line.split()) for line in LINES
    )
    (tmp_path / "wiki.conll").write_text(f"{text}\n", "utf-8")
    return tmp_path / "wiki.conll"


def test_what_a_corpus_leaves_unmarked_is_a_date(columns: Path) -> None:
    sides = open_sides(columns, Reading(read_as="conll", cut=1))
    before = sides.recast(phi_scrubber.ONTONOTES).whole
    after = with_days(before)
    assert "DATE" not in before.labels
    for own in after.notes:
        text = own.document.text
        days = [text[m.span.start : m.span.end] for m in own.mentions if m.label == "DATE"]
        assert days == LINES[text.strip()]
    assert after.labels["PERSON"] == before.labels["PERSON"] == 1
    assert after.sha256 != before.sha256  # a model learned without them is no longer this step's


def test_the_networks_of_the_pipeline_learn_of_those_dates(columns: Path, tmp_path: Path) -> None:
    notes = open_sides(write_jsonl(corpus(12), tmp_path / "notes.jsonl"))
    data = open_sides(columns, Reading(read_as="conll", cut=1))
    steps = {s.name: s for s in phi_scrubber.protocol(Bench("any", data, tmp_path, (notes,)))}
    learned, *_ = steps["ID-CNN, with dates"].told["notes"]
    own, _ = data.recast(phi_scrubber.ONTONOTES).held_out(phi_scrubber.HELD_OUT)
    few, _ = notes.recast(phi_scrubber.ONTONOTES).held_out(phi_scrubber.HELD_OUT)
    assert learned == joined(with_days(own), few, "both").sha256 != joined(own, few, "").sha256
