"""The law of columns: what is not changed is written byte by byte, and tags change alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from columns import Regex, facts, read, write
from phiscrub.core.mention import Annotated
from phiscrub.formats import tags
from phiscrub.formats.conll import Conll
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source

STYLES = ("BIO", "IOB1", "BIOES", "BILOU", "IO", tags.BRACKETS)
WORDS = st.text("abcåß.,)", min_size=1, max_size=5)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a file of columns as other programs write them."""
    style = tags.writing_style(draw(st.sampled_from(STYLES)))
    others = draw(st.integers(0, 9))
    between = draw(st.sampled_from(("\t", " ", "   ")))
    is_marked = draw(st.booleans())
    mark = ["-DOCSTART- -X- O O", ""] if is_marked else []
    lines = [""] * draw(st.integers(0, 2)) + mark * draw(st.integers(0, 1))
    for number in range(draw(st.integers(1, 3)) if is_marked else 1):
        lines += mark
        for _ in range(draw(st.integers(0 if number else 1, 3))):
            length = draw(st.integers(1, 4))
            chunks = draw(_chunks(length))
            for tag in style.write(length, chunks):
                cells = [draw(WORDS) for _ in range(1 + others)]
                lines.append(between.join([*cells, tag]))
            lines += [""] * draw(st.integers(1, 2))
    end = draw(st.sampled_from(("\n", "\r\n")))
    text = end.join(lines) + draw(st.sampled_from((end, "")))
    return (draw(st.sampled_from(("", "\ufeff"))) + text).encode()


@st.composite
def _chunks(draw: st.DrawFn, length: int) -> list[tags.Chunk]:
    chunks: list[tags.Chunk] = []
    at = 0
    while at < length:
        end = draw(st.integers(at + 1, length))
        label = draw(st.sampled_from((None, "PER", "LOC-X")))
        if label is not None and (not chunks or chunks[-1][1:] != (at, label)):
            chunks.append((at, end, label))
        at = end
    return chunks


def rewritten(folder: Path, data: bytes, suffix: str) -> tuple[list[Annotated], bytes]:
    """Return the notes with a suffix to every label, and the file as they were written in."""
    (folder / "in.conll").write_bytes(data)
    records = [_labelled(record, suffix) for record in read(folder / "in.conll")]
    layout = Conll().open(Source(folder / "in.conll"), Options()).layout
    out = write(folder / "out.conll", records, layout, Options(tokenizer=Regex()))
    return [note for record in records for note in record.notes], out


def _labelled(record: Record, suffix: str) -> Record:
    notes = tuple(
        Annotated(n.document, tuple(replace(m, label=m.label + suffix) for m in n.mentions))
        for n in record.notes
    )
    return replace(record, notes=notes)


@given(files())
def test_what_is_unchanged_is_written_byte_by_byte(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    assert rewritten(tmp_path_factory.mktemp("conll"), data, "")[1] == data


@given(files())
def test_with_other_labels_the_last_column_alone_changes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("conll")
    notes, out = rewritten(folder, data, "-Z")
    for old, new in zip(data.split(b"\n"), out.split(b"\n"), strict=True):
        if old != new:
            assert new.endswith(b"\r") == old.endswith(b"\r")
            kept, was, tag = (
                old.rpartition(old.split()[-1])[0],
                *(x.split()[-1] for x in (old, new)),
            )
            assert new.startswith(kept + tag)
            assert tag == was.replace(b"PER", b"PER-Z").replace(b"LOC-X", b"LOC-X-Z")
    (folder / "in.conll").write_bytes(out)
    back = [note for record in read(folder / "in.conll") for note in record.notes]
    assert [n[1:] for n in facts(back)] == [n[1:] for n in facts(notes)]


@pytest.mark.parametrize("style", STYLES)
def test_a_scheme_that_is_asked_for_is_written(tmp_path: Path, style: str) -> None:
    signs = tags.writing_style(style).write(4, [(0, 2, "PER"), (3, 4, "LOC")])
    rows = [f"w{n} X {sign}\n" for n, sign in enumerate(signs)]
    (tmp_path / "in.conll").write_text("".join(rows))
    records = read(tmp_path / "in.conll")
    layout = Conll().open(Source(tmp_path / "in.conll"), Options()).layout
    out = write(tmp_path / "out.conll", records, layout, Options(scheme="BILOU")).decode()
    wanted = signs if style == tags.BRACKETS else ["B-PER", "L-PER", "O", "U-LOC"]
    assert out == "".join(f"w{n} X {sign}\n" for n, sign in enumerate(wanted))


def test_own_columns_keep_their_scheme_when_labels_change(tmp_path: Path) -> None:
    path = tmp_path / "in.conll"
    rows = "-DOCSTART-\tDoc=n|Scheme=BIOES\tO\n\nAnn\t_\tB-X\nLee\tSpaceAfter=No\tE-X\n\n"
    path.write_text(rows)
    (record,) = read(path)
    changed = _labelled(record, "Y")
    out = write(tmp_path / "out.conll", [changed], None, Options(tokenizer=Regex())).decode()
    assert out == rows.replace("-X", "-XY")


def test_mixed_columns_do_not_grow_with_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "in.conll"
    path.write_text("".join(f"Ann{n}\tB-X\n\n" for n in range(1001)))
    records = read(path)
    layout = Conll().open(Source(path), Options()).layout
    note = records[0].notes[0]
    other = replace(note, document=replace(note.document, text="no"), mentions=())
    mixed = [replace(records[0], notes=(other,)), *records[1:]]
    once = write(path, mixed, layout, Options(tokenizer=Regex()))
    again = write(tmp_path / "b.conll", read(path), Conll().open(Source(path), Options()).layout)
    assert again == once
