from __future__ import annotations

import json
from pathlib import Path

import synth_notes
from command import phiscrub
from phiscrub.formats.annotated import read_annotated
from phiscrub.formats.record import Options
from phiscrub.formats.registry import get_format
from phiscrub.jobs.copies import Copies
from phiscrub.synthesize.synthesizer import Origin

NOISE = "typos=.02,case=.02,glued=.01,spaces=.02,ocr=.01"


def gold(folder: Path) -> Path:
    """Write the invented English notes as brat."""
    home = folder / "gold"
    home.mkdir()
    kind = get_format("brat")
    for note in synth_notes.notes():
        for suffix, data in kind.dump(note, None, Options()).items():  # type: ignore[union-attr]
            (home / f"{note.document.id}{suffix}").write_bytes(data)
    return home


def test_one_worker_or_two_give_the_same_bytes(tmp_path: Path) -> None:
    notes = gold(tmp_path)
    for name, workers in (("one", 1), ("two", 2)):
        ended = phiscrub(
            "synth", "--from", notes, "-n", 24, "--seed", 7, "--noise", NOISE,
            "-o", tmp_path / f"{name}.jsonl", "-w", workers, "--quiet",
        )  # fmt: skip
        assert ended.code == 0, ended.err
    one, two = ((tmp_path / f"{name}.jsonl").read_bytes() for name in ("one", "two"))
    assert one == two
    rows = [json.loads(line) for line in one.splitlines()]
    assert [row["id"] for row in rows] == [f"synth-{n:07}" for n in range(24)]
    assert all(row["mentions"] for row in rows)
    assert b"Quillfeather" not in one


def test_copies_are_written_in_any_format(tmp_path: Path) -> None:
    notes = gold(tmp_path)
    for kind in ("brat", "i2b2"):
        ended = phiscrub("synth", "--from", notes, "-o", tmp_path / kind, "--to", kind, "-q")
        assert ended.code == 0, ended.err
        assert len(read_annotated(tmp_path / kind)) == len(synth_notes.ENGLISH)
    ended = phiscrub("synth", "--from", notes, "-o", "-", "--to", "conll", "-q")
    assert b"-DOCSTART-" in ended.out


def test_carriers_are_read_and_filled(tmp_path: Path) -> None:
    notes = gold(tmp_path)
    text = "The patient is a 62-year-old male. The patient denies fever. He is well. He naps."
    (tmp_path / "visits.csv").write_text(f'id,visit\n1,"{text}"\n')
    ended = phiscrub(
        "synth", "--from", notes, "--carriers", tmp_path / "visits.csv",
        "--carrier-column", "visit", "--carrier-pipeline", "none",
        "-n", 8, "-o", tmp_path / "o.jsonl", "-q",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert any("fever" in row["text"] and row["mentions"] for row in rows[3::4])


def test_what_does_not_go_is_one_line(tmp_path: Path) -> None:
    notes = gold(tmp_path)
    for options, said in (
        (("-o", tmp_path / "o", "--to", "text"), "holds no annotations"),
        (("-o", tmp_path / "o", "--noise", "smudge=1"), "no noise"),
        (("-o", tmp_path / "o", "--language", "xx"), "no templates"),
        (("-o", notes / "o.jsonl"), "inside the input"),
    ):
        ended = phiscrub("synth", "--from", notes, *options)
        assert ended.code == 2
        assert said in ended.err


def test_notes_with_unmarked_identifiers_are_left_out(tmp_path: Path) -> None:
    home = gold(tmp_path)
    kind = get_format("brat")
    note = synth_notes.written("Dr {DOCTOR: Longbottom}. Longbottom sign.", name="doubt")
    for suffix, data in kind.dump(note, None, Options()).items():  # type: ignore[union-attr]
        (home / f"doubt{suffix}").write_bytes(data)
    ended = phiscrub("synth", "--from", home, "-o", tmp_path / "a.jsonl", "-q")
    assert ended.code == 0
    assert "1 note of 4 left out" in ended.err
    ended = phiscrub("synth", "--from", home, "-o", tmp_path / "b.jsonl", "-q", "--no-verify")
    assert "Longbottom sign" in (tmp_path / "b.jsonl").read_text()


def test_copies_are_taken_in_turn_and_from_any_number_on() -> None:
    copies = Copies.of([Origin(note) for note in synth_notes.notes()], 8)
    reader = copies.open(None, Options())  # type: ignore[arg-type]
    records = list(reader.records())
    assert list(reader.records(records[4].after)) == records[5:]
    texts = [record.notes[0].document.text for record in records]
    assert texts[:3] == texts[3:6]
    assert records[-1].after.offset == copies.characters == sum(map(len, texts))
