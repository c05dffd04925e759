"""What our readers marked is dropped by no rule of what is never what its label says."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from phiscrub.refine.excluded import Excluded, read
from phiscrub.tokenize.clinical import Clinical
from phiscrub.train.corpus import read_corpus

CORPUS = Path(__file__).parents[2] / "corpus"
KEPT = tomllib.loads((CORPUS / "splits.toml").read_text("utf-8"))["en"]["kept"]
WRITERS = sorted(folder for folder in (CORPUS / "en").iterdir() if folder.name not in KEPT)
RULES = Excluded(*read(resources.files("phiscrub") / "data" / "excluded" / "en", "en"))


@pytest.mark.parametrize("writer", WRITERS, ids=lambda folder: folder.name)
def test_what_is_marked_stands(writer: Path) -> None:
    corpus, *_ = read_corpus(writer, labels="i2b2-2014", licence="CC BY 4.0")
    notes = Clinical().tokenize([note.document for note in corpus.notes])
    assert corpus.notes
    for marked, note in zip(corpus.notes, notes, strict=True):
        lost = set(marked.mentions) - set(RULES.refine(note, marked.mentions))
        assert not lost, (marked.document.id, sorted(m.span.start for m in lost))
