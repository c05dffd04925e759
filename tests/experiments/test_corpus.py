"""Sides of a corpus: what is learned from and what is tested."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from columns import SUC
from command import phiscrub
from phiscrub.cli.experiment import EXAMPLES
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.experiments import berg_dalianis2019, inverse_hybrid, kassaie2016
from phiscrub.experiments.bench import Bench, How
from phiscrub.experiments.corpus import Own, Reading, open_sides, played, recast
from phiscrub.train.corpus import Corpus
from training_notes import corpus, write_jsonl


def ids_of(own: Corpus) -> list[str]:
    return [note.document.id for note in own.notes]


def test_a_file_is_split_by_the_record_always_alike(tmp_path: Path) -> None:
    file = write_jsonl(corpus(20), tmp_path / "notes.jsonl")
    one, other = open_sides(file), open_sides(file)
    assert one.sha256 == other.sha256
    ids = [{n.document.id for n in side.notes} for side in (one.train, one.test)]
    assert ids[0] | ids[1] == {n.document.id for n in one.whole.notes}
    assert not ids[0] & ids[1]
    assert len(ids[1]) == 5
    assert one.language == "en"


def test_folders_named_train_and_dev_are_the_sides(tmp_path: Path) -> None:
    for side, seed, first in (("train", 1, 0), ("dev", 2, 20)):
        (tmp_path / side).mkdir()
        write_jsonl(corpus(4, seed, first), tmp_path / side / "notes.jsonl")
    sides = open_sides(tmp_path, Reading(language="sv"))
    assert (len(sides.train), len(sides.test), len(sides.whole)) == (4, 4, 8)
    assert sides.language == "sv"
    train, held = sides.held_out(0.25)
    assert {n.document.id for n in (*train.notes, *held.notes)} == {
        n.document.id for n in sides.train.notes
    }
    assert sum(len(fold) for fold in sides.folds(3)) == 8


SIDES = {
    "2006 i2b2": (
        ("deid_surrogate_train_all_version2.xml",),
        ("deid_surrogate_test_all_groundtruth_version2.xml",),
    ),
    "2014 i2b2": (
        ("training-PHI-Gold-Set1/110-01.xml", "training-PHI-Gold-Set2/220-01.xml"),
        ("testing-PHI-Gold-fixed/330-01.xml",),
    ),
    "CoNLL-2012": (
        ("train/data/english/a.v4_gold_conll", "development/data/english/b.v4_gold_conll"),
        ("test/data/english/c.v4_gold_conll",),
    ),
    "CoNLL-2003": (("eng.train", "eng.testa"), ("eng.testb",)),
}


def as_distributed(corpus: str, number: int) -> str:
    """Return a note as the corpus has it: an XML of records, of one, or columns."""
    if corpus == "2006 i2b2":
        return (
            f'<ROOT>\n<RECORD ID="{number}">\n<TEXT>\nSeen by Dr. <PHI TYPE="DOCTOR">Lund</PHI> .\n'
            "</TEXT>\n</RECORD>\n</ROOT>\n"
        )
    if corpus == "2014 i2b2":
        return (
            '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
            f"<TEXT><![CDATA[Seen by Dr. Lund {number}.]]></TEXT>\n<TAGS>\n"
            '<NAME id="P0" start="12" end="16" text="Lund" TYPE="DOCTOR" comment="" />\n'
            "</TAGS>\n</deIdi2b2>\n"
        )
    if corpus == "CoNLL-2003":
        return f"-DOCSTART- -X- O O\n\nLund NNP I-NP I-PER\ncame VBD I-VP O\n{number} CD I-NP O\n"
    rows = [("Lund", "(PERSON)"), ("came", "*"), ("today", "(DATE)")]
    told = [f"bc/x 0 {n} {w} NN * - - - A {tag} -\n" for n, (w, tag) in enumerate(rows)]
    return f"#begin document (bc/x_{number}); part 000\n{''.join(told)}\n#end document\n"


@pytest.mark.parametrize("corpus", SIDES)
def test_the_sides_of_the_papers_corpora_are_known(tmp_path: Path, corpus: str) -> None:
    number = 0
    for side in SIDES[corpus]:
        for name in side:
            number += 1
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(as_distributed(corpus, number), "utf-8")
    sides = open_sides(tmp_path)
    assert [len(sides.train), len(sides.test)] == [len(side) for side in SIDES[corpus]]
    assert not sides.drawn
    assert all(name.split("/")[0] in sides.by for side in SIDES[corpus] for name in side)
    assert len(sides.whole) == number


def test_sides_drawn_by_chance_are_said_to_be(tmp_path: Path) -> None:
    write_jsonl(corpus(12), tmp_path / "notes.jsonl")
    data = ("--data", tmp_path / "notes.jsonl", "-o", tmp_path / "out", "--steps")
    told = phiscrub("experiment", "shweta2017", *data)
    assert told.code == 0
    assert "drawn by chance: put the official ones into train/ and dev/" in " ".join(
        told.err.split()
    )
    assert phiscrub("experiment", "berg-dalianis2019", *data).err == ""  # tests all in folds
    for side, first in (("train", 0), ("dev", 20)):
        (tmp_path / "parted" / side).mkdir(parents=True)
        write_jsonl(corpus(4, first, first), tmp_path / "parted" / side / "notes.jsonl")
    data = ("--data", tmp_path / "parted", "-o", tmp_path / "out", "--steps")
    assert phiscrub("experiment", "shweta2017", *data).err == ""


def test_the_steps_that_the_help_names_are_there(tmp_path: Path) -> None:
    data = ("--data", write_jsonl(corpus(12), tmp_path / "notes.jsonl"), "-o", tmp_path / "out")
    for example in EXAMPLES:
        _, _, name, *words = shlex.split(example)
        if "--only" in words:
            told = phiscrub("experiment", name, *data, "--steps", "--json")
            start = words[words.index("--only") + 1]
            assert any(row["step"].startswith(start) for row in json.loads(told.out)), example


@pytest.mark.parametrize(
    ("option", "given", "told"),
    [
        ("--text", "empty", "holds no notes"),
        ("--vectors", "vectors.txt", "has no numbers"),
        ("--device", "gpu", "no device 'gpu'"),
    ],
)
def test_what_cannot_be_used_is_refused_before_the_first_step(
    tmp_path: Path, option: str, given: str, told: str
) -> None:
    if option == "--device":
        pytest.importorskip("torch")
    (tmp_path / "empty").mkdir()
    (tmp_path / "vectors.txt").write_text("word\n", "utf-8")
    data = ("--data", write_jsonl(corpus(12), tmp_path / "notes.jsonl"), "-o", tmp_path / "out")
    own = given if option == "--device" else tmp_path / given
    ended = phiscrub("experiment", "shweta2017", *data, option, own, "--only", "CRF", "-q")
    assert ended.code == 2
    assert told in " ".join(ended.err.split())
    assert not (tmp_path / "out").exists()


def test_corpora_that_a_paper_has_no_use_for_are_said_to_be_left_out(tmp_path: Path) -> None:
    files = [write_jsonl(corpus(12, 1, 20 * n), tmp_path / f"{n}.jsonl") for n in range(4)]
    extra = [word for file in files[1:] for word in ("--extra", file)]
    data = ("--data", files[0], "-o", tmp_path / "out", "--steps")
    used = {"shweta2017": 0, "kassaie2016": 1, "berg-dalianis2019": 2}
    for name, count in used.items():
        lines = phiscrub("experiment", name, *data, *extra).err.splitlines()
        told = [line.split(":")[0] for line in lines if "left out" in line]
        assert [Path(file).name for file in told] == [file.name for file in files[1 + count :]]
    ended = phiscrub("experiment", "shweta2017", *data, *extra, "--own", "extra")
    assert ended.code == 2
    assert "no --extra" in " ".join(ended.err.split())


def test_the_same_notes_on_both_sides_are_refused(tmp_path: Path) -> None:
    for side in ("train", "dev"):
        (tmp_path / side).mkdir()
        write_jsonl(corpus(4), tmp_path / side / "notes.jsonl")
    with pytest.raises(SettingsError, match="keep them apart"):
        open_sides(tmp_path)


def test_a_patient_is_on_one_side_and_in_one_fold(tmp_path: Path) -> None:
    made = corpus(24)
    notes = tuple(
        replace(n, document=replace(n.document, id=f"{100 + i % 8}-{i:02}"))
        for i, n in enumerate(made.notes)
    )
    sides = open_sides(write_jsonl(replace(made, notes=notes), tmp_path / "notes.jsonl"))
    assert sides.by == "the patient, a quarter of the text tested"

    def patients(parts: Sequence[Iterable[str]]) -> list[str]:
        return sorted(p for ids in parts for p in {name.partition("-")[0] for name in ids})

    held = sides.held_out(0.3)
    bench = Bench("any", sides, tmp_path, how=How(folds=3))
    berg = berg_dalianis2019.held_out(bench)
    for parts in (
        [ids_of(sides.train), ids_of(sides.test)],
        [ids_of(held[0]), ids_of(held[1]), ids_of(sides.test)],
        [ids_of(part) for part in inverse_hybrid.halves(bench)],
        sides.folds(3),
        [ids_of(berg), *berg_dalianis2019.folds_of(bench, berg)],
    ):
        assert len(patients(parts)) == len(set(patients(parts)))


def test_notes_of_unknown_patients_are_parted_as_they_were(tmp_path: Path) -> None:
    sides = open_sides(write_jsonl(corpus(20), tmp_path / "notes.jsonl"))
    assert sides.by == "the record, a quarter of the text tested"
    assert ids_of(sides.test) == ["n005", "n009", "n011", "n017", "n019"]
    train, held = sides.held_out(0.3)
    halves = inverse_hybrid.halves(Bench("any", sides, tmp_path))
    _, aside = sides.held_out(inverse_hybrid.HELD_OUT)
    assert [ids_of(half) for half in halves[1:]] == [ids_of(aside)[::2], ids_of(aside)[1::2]]
    assert len(train) + len(held) == 15


def test_one_note_cannot_be_split(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be parted"):
        open_sides(write_jsonl(corpus(1), tmp_path / "notes.jsonl"))


def test_only_columns_are_cut(tmp_path: Path) -> None:
    rows = "".join(f"Anna B-PER\nsaw O\nLund{n} B-LOC\n\n" for n in range(12))
    columns = tmp_path / "news.conll"
    columns.write_text(rows, "utf-8")
    assert len(open_sides(columns, Reading(cut=2)).whole) > 4
    notes = write_jsonl(corpus(8), tmp_path / "notes.jsonl")
    assert len(open_sides(notes, Reading(cut=1)).whole) == 8


def test_suc_is_read_with_its_own_labels(tmp_path: Path) -> None:
    file = tmp_path / "suc.conll"
    file.write_text("\n".join([SUC] * 12), "utf-8")
    sides = open_sides(file, Reading(cut=2))
    assert (sides.whole.label_set, sides.language) == ("suc-3", "sv")
    assert set(sides.whole.labels) == {"person", "inst"}
    bare = "Eva\tB-person\nEk\tI-person\npå\tO\nKTH\tB-inst\nVisa\tB-work\n\n"
    file.write_text(bare * 12, "utf-8")
    assert open_sides(file, Reading(cut=2)).whole.label_set == "suc-3"


def test_labels_are_recast_and_what_a_set_lacks_is_dropped() -> None:
    own = corpus(3)
    assert recast(own, "i2b2-2014") is own
    assert set(recast(own, "ontonotes-5").labels) == {"PERSON", "ORG", "DATE"}
    assert set(recast(own, "i2b2-2006").labels) == {"DOCTOR", "HOSPITAL", "DATE"}


def test_only_the_user_says_that_notes_are_the_papers_own() -> None:
    told = played("the clinic's notes", corpus(2), Own.DATA)
    assert "stands in for the clinic's notes" in told
    told = played("the clinic's notes", corpus(2), Own.DATA, [Own.DATA])
    assert "is the clinic's notes, as --own data says" in told


def test_the_user_says_which_notes_are_the_papers_own(tmp_path: Path) -> None:
    sides = open_sides(write_jsonl(corpus(12), tmp_path / "notes.jsonl"))
    for own, starts in (
        ((), ("stands in for", "stands in for")),
        ((Own.DATA,), ("is", "stands in for")),
        ((Own.EXTRA,), ("stands in for", "is")),
        ((Own.DATA, Own.EXTRA), ("is", "is")),
    ):
        bench = Bench("any", sides, tmp_path, (sides,), own=own)
        for module, names in (
            (kassaie2016, (kassaie2016.CLINIC, kassaie2016.AMIA)),
            (berg_dalianis2019, (berg_dalianis2019.TARGET, berg_dalianis2019.GENERAL)),
        ):
            told = zip(module.roles(bench), starts, names, strict=True)
            assert all(f" {start} {name}" in line for line, start, name in told)


def test_a_device_without_torch_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "phiscrub.train.optimising", raising=False)
    data = ("--data", write_jsonl(corpus(12), tmp_path / "notes.jsonl"), "-o", tmp_path / "out")
    ended = phiscrub("experiment", "shweta2017", *data, "--device", "cuda", "-q")
    assert ended.code == 2
    assert "a device for networks needs the package torch" in " ".join(ended.err.split())
    assert not (tmp_path / "out").exists()
