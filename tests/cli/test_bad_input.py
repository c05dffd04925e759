"""Bad input gets one line: what, where, what to do. Never the note's text, never half a file."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline

SECRET = "Ortizsecret"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "Ortizsecret"><!ENTITY b "&a;&a;&a;">]>'
    "<r><TEXT>&b;</TEXT><TAGS/></r>"
)
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<r><TEXT>&x;</TEXT><TAGS/></r>"
)
BEHIND = (
    '<deIdi2b2><TEXT>Ortizsecret</TEXT><TAGS><NAME id="P0" start="5" end="99" text="" '
    'TYPE="DOCTOR"/></TAGS></deIdi2b2>'
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("name", "data", "options", "code", "said"),
    [
        ("none.txt", None, (), 2, "no such file"),
        ("wide.txt", "Ortizsecret é\n".encode("utf-16-le"), (), 3, "give --encoding utf-16-le"),
        ("wide2.txt", "Ortizsecret é\n".encode("utf-16-be"), (), 3, "give --encoding utf-16-be"),
        ("w.conll", "Ortizsecret\tO\n".encode("utf-16"), (), 3, "iconv -f utf-16 -t utf-8"),
        ("v.jsonl", '{"note": "Ortizsecret"}'.encode("utf-32"), (), 3, "-f utf-32 -t utf-8"),
        ("u.csv", "id,note\n1,Ortizsecret\n".encode("utf-16-le"), (), 3, "looks like UTF-16"),
        ("binary.txt", bytes(range(256)) * 9, (), 3, "binary"),
        ("utf8.txt", b"\xc3\xa9 Ortizsecret\n \xff", (), 3, "line 2, offset 16"),
        ("ascii.txt", b"Ortizsecret \xe9", ("--encoding", "utf-8"), 3, "offset 12"),
        ("odd.txt", b"Ortizsecret", ("--encoding", "klingon"), 2, "no encoding"),
        ("broken.xml", b"<?xml version='1.0'?>\n<r><TEXT>Ortizsecret</r>", (), 3, "line 2"),
        ("bomb.xml", BOMB.encode(), (), 3, "bomb.xml"),
        ("outside.xml", OUTSIDE.encode(), (), 3, "outside.xml"),
        ("behind.xml", BEHIND.encode(), (), 3, "behind.xml"),
        ("nul.txt", b"Ortizsecret\nx\0y", (), 3, "line 2, offset 13"),
        ("big.txt", b"Ortizsecret " * 200, ("--max-note", "0.001"), 3, "--max-note"),
        ("column.csv", b"a,b\n1,Ortizsecret\n", ("--column", "note"), 2, "note"),
        ("json.jsonl", b'{"text": "a"}\n{"text": Ortizsecret}\n', (), 3, "line 2"),
        ("a.txt", b"%PDF-1.4\nOrtizsecret", (), 3, "is PDF, no plain text; save or export"),
        ("b.txt", b"\xef\xbb\xbf{\\rtf1 Ortizsecret}", (), 3, "is RTF, no plain text"),
        ("c.txt", b"%!PS-Adobe Ortizsecret", (), 3, "is PostScript"),
        ("d.docx", b"PK\x03\x04Ortizsecret", (), 3, "such as .docx"),
        ("e.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1Ortizsecret", (), 3, "such as .doc"),
        ("f.txt", b"\x1f\x8bOrtizsecret", (), 3, "is gzip"),
        ("g.txt", b"\xff\xd8\xffOrtizsecret", (), 3, "is a JPEG image"),
        ("i.html", b"Dr. Jos&eacute; Ortizsecret<br>", (), 3, "is HTML, no plain text; export"),
        ("j.txt", b" <!-- x -->\n<p>Dr. Ortizsecret</p>", (), 3, "is HTML, no plain text"),
        ("k.txt", b"<!DOCTYPE html>Ortizsecret", (), 3, "is HTML, no plain text"),
        ("l.xml", b"<note>Ortizsecret</note>", (), 3, "is XML of no known kind"),
        ("m.txt", b"<!DOCTYPE note><note>Ortizsecret", (), 3, "is XML of no known kind"),
        ("n.txt", "<note>Ortizsecret</note>".encode("utf-16"), (), 3, "XML of no known kind"),
        ("o.txt", b"Dr. Ortiz&nbsp;Ortizsecret &amp; co", (), 3, "is text with HTML's escapes, no"),
        ("h.xml", b"<ROOT><RECORD>", ("--from", "i2b2-2006"), 3, "kept back: 1 whole file, listed"),
        ("lone.jsonl", b'{"text": "Ortizsecret \\ud800"}\n', (), 3, "line 1"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_input(
    name: str,
    data: bytes | None,
    options: tuple[str, ...],
    code: int,
    said: str,
    small: Path,
    tmp_path: Path,
) -> None:
    file, out = tmp_path / name, tmp_path / "out" / name
    if data is not None:
        file.write_bytes(data)
    ended = phiscrub("scrub", file, "-o", out, "-p", small, "-q", *options)
    assert ended.code == code
    assert said in ended.err
    assert SECRET not in ended.err
    assert len(ended.err.splitlines()) == (1 if code == 2 else 2)
    written = [p for p in tmp_path.rglob("*") if p.is_file() and "pipe" not in p.parts]
    left = {file, out.with_name(f"{name}.quarantine.jsonl")}
    if name.endswith(".jsonl"):
        left.add(out)  # its good lines
    assert set(written) <= left
    for path in written:
        if path != file:
            assert SECRET not in path.read_text()


MARKED = {
    "RTF": "{\\rtf1\\ansi Dr. Ort\\'edzsecret}",
    "HTML": "<html><p>Dr. Ortizsecret</p></html>",
    "text with HTML's escapes": "Dr. Ortizsecret, the patient&#39;s uncle",
}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".parquet"])
@pytest.mark.parametrize("command", ["scrub", "detect"])
def test_cells_that_are_no_plain_text(
    suffix: str, command: str, small: Path, tmp_path: Path
) -> None:
    texts = ["Dr. Ortiz &amp; Dr. Lee, <b> at &lt;3", *MARKED.values(), "BP &; 5 &x1; is <2"]
    file, out = tmp_path / f"t{suffix}", tmp_path / f"o{suffix}"
    rows = [{"id": str(n), "note": text} for n, text in enumerate(texts)]
    if suffix == ".csv":
        file.write_text("id,note\n" + "".join(f'{n},"{text}"\n' for n, text in enumerate(texts)))
    elif suffix == ".parquet":
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(rows), file)
    elif suffix == ".json":
        file.write_text(json.dumps(rows, indent=1))
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    to = ("-o", out, "-p", small, "--to", suffix[1:])
    ended = phiscrub(command, file, *to, "-q")
    assert ended.code == 3
    told = (tmp_path / f"o{suffix}.quarantine.jsonl").read_text()
    kept = [json.loads(line) for line in told.splitlines()]
    assert [(row["record"], row["error"]) for row in kept] == [
        (str(n), f"is {kind}, no plain text") for n, kind in enumerate(MARKED, 2)
    ]
    assert "secret" not in told + ended.err
    assert "secret" not in out.read_bytes().decode("utf-8", "replace")
    assert phiscrub(command, file, *to, "-q", "--markup").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('language = "en"\nspeed = 3\n', "unknown key 'speed'"),
        ('language = "en"\n', "names no detector"),
        ('language = "en"\n[[detector]]\nuse = "patterns"\npakcs = []\n', "'detector[0].pakcs'"),
        ('language = "en"\n[[detector]]\nuse = "patterns"\n', "'detector[0].packs' is missing"),
        ('language = "en"\n[[detector]]\nuse = "patterns"\npacks = "x"\n', "is not a list"),
        ('language = "en"\n[[detector]]\nuse = "magic"\n', "'detector[0].use' names no detector"),
        ('language = "en"\n[[detector]]\nuse = "patterns"\npacks = ["en/none"]\n', "en/none"),
        (
            'labels = "klingon"\nlanguage = "en"\n[[detector]]\nuse = "patterns"\npacks = []\n',
            "klingon",
        ),
        (
            'labels = "conll"\nlanguage = "en"\n[[detector]]\nuse = "patterns"\n'
            'packs = ["./pack"]\n',
            "gives label",
        ),
        ("language = \n", "is not TOML"),
    ],
)
def test_pipeline_file(text: str, said: str, small: Path) -> None:
    file = small.parent / "own.toml"
    file.write_text(text)
    ended = phiscrub("scrub", "-p", file, stdin=b"x")
    assert ended.code == 2
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{notes}", "-o", "{notes}/clean"), "inside the input"),
        (("{notes}", "-o", "{notes}"), "inside the input"),
        (("{notes}/a.txt", "-o", "{notes}/a.txt"), "inside the input"),
        (("{notes}",), "say where to write with -o"),
        (("{notes}", "{notes}", "-o", "{out}"), "same file"),
        (("{notes}", "-o", "{out}", "--from", "word"), "no format 'word'"),
        (("{notes}", "-o", "{out}", "--to", "word"), "no format 'word'"),
        (("{notes}", "-o", "{out}", "--labels", "x"), "no label set 'x'"),
        (("{notes}", "-o", "{out}", "-p", "xx"), "no pipeline 'xx'"),
        (("{notes}/a.txt", "--json"), "standard output"),
        (("{notes}/a.txt", "--resume"), "say where to write with -o"),
    ],
)
def test_arguments(arguments: tuple[str, ...], said: str, small: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("a.txt", "b.txt"):
        (notes / name).write_text(SECRET)
    given = [a.format(notes=notes, out=tmp_path / "out") for a in arguments]
    ended = phiscrub("scrub", *given, *(() if "-p" in given else ("-p", small)))
    assert ended.code == 2
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1
    assert {p.name for p in tmp_path.iterdir()} == {"notes", "pipe"}


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder of a note, a link to nowhere, a pipe, a socket's place and a link to a device."""
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "a.txt").write_text("Dr. Ortiz")
    (folder / "link.txt").symlink_to("nowhere")
    (folder / "link.csv").symlink_to("nowhere")
    (folder / "device.txt").symlink_to("/dev/null")
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "both.ann")
    (folder / "both.txt").write_text("Dr. Ortiz")
    return folder


def test_what_is_no_file_is_kept_back_and_never_waited_for(
    odd: Path, small: Path, tmp_path: Path
) -> None:
    ended = phiscrub("scrub", odd, "-o", tmp_path / "out", "-p", small, "-q")
    assert ended.code == 3
    assert "kept back: 5 of 6 notes" in ended.err
    assert ended.err.count("is a link to nowhere") == 2
    assert ended.err.count("is no regular file") == 3
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("name", ["pipe.txt", "link.txt", "device.txt"])
@pytest.mark.parametrize("options", [(), ("--from", "text"), ("--from", "csv")])
def test_what_is_no_file_is_refused_by_name(
    name: str, options: tuple[str, ...], odd: Path, small: Path
) -> None:
    ended = phiscrub("scrub", odd / name, "-p", small, *options)
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert "is a link to nowhere" in ended.err or "is no regular file" in ended.err


def test_markup_is_read_where_it_is_asked_for(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "a.html"
    note.write_text("<p>Dr. Ortiz</p>")
    asked = ("-p", small, "-q", "--from", "text")
    assert phiscrub("scrub", note, *asked).out == b"<p>Dr. [DOCTOR-1]</p>"


@pytest.mark.parametrize("text", ["<NAME> saw Dr. Ortiz", "<5 mg, by Dr. Ortiz", "< Dr. Ortiz >"])
def test_placeholders_are_no_markup(text: str, small: Path, tmp_path: Path) -> None:
    note = tmp_path / "a.txt"
    note.write_text(text)
    ended = phiscrub("scrub", note, "-p", small, "-q")
    assert ended.out.decode() == text.replace("Ortiz", "[DOCTOR-1]")


def test_utf_32_with_a_mark_is_read(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "a.txt"
    note.write_bytes("Dr. José".encode("utf-32"))
    ended = phiscrub("scrub", note, "-p", small, "-q")
    assert (ended.code, ended.out) == (0, "Dr. [DOCTOR-1]".encode("utf-32"))


def test_json_over_several_lines_is_scrubbed_as_json(small: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "notes", tmp_path / "out"
    folder.mkdir()
    rows = [{"id": 1, "note": "Dr. José, 555-0182"}, {"id": 2, "note": "ok"}]
    (folder / "array.json").write_text(json.dumps(rows))
    (folder / "pretty.txt").write_text(json.dumps(rows[0], indent=2))
    (folder / "words.json").write_text(json.dumps(["Dr. José"]))
    ended = phiscrub("scrub", folder, "-o", out, "-p", small, "-q")
    assert ended.code == 3
    assert "the record is no JSON object" in ended.err
    clean = {"id": 1, "note": "Dr. [DOCTOR-1], [PHONE-1]"}
    assert json.loads((out / "array.json").read_text()) == [clean, rows[1]]
    assert (out / "pretty.txt").read_text() == json.dumps(clean, indent=2)
    assert json.loads((out / "words.json").read_text()) == []


@pytest.mark.parametrize("named", ["--column", "--id-column", "--subject-column"])
def test_a_key_that_no_record_has_is_refused(named: str, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"note": "Dr. Ortiz"}\n' * 3)
    (folder / "b.json").write_text('[{"note": "x", "x": {"\\u00e4n\\u00F6": 1}, "\\u00e4" : "y"}]')
    keys = ("--column", "note", named)
    fits = phiscrub("scrub", folder, "-o", tmp_path / "fit", "-p", small, "-q", *keys, "ä")
    assert fits.code == 0
    for typo in ("Note", "än", "xö"):
        ended = phiscrub("scrub", folder, "-o", tmp_path / "out", "-p", small, "-q", *keys, typo)
        assert ended.code == 2
        assert f"no record has the key '{typo}'" in ended.err
        assert not (tmp_path / "out").exists()
    ended = phiscrub("scrub", "-", "-p", small, *keys, "ä", stdin=b'{"note": "Dr. Ortiz"}\n')
    assert ended.code == 2


def test_what_is_empty_passes_through_and_is_counted(small: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "notes", tmp_path / "out"
    folder.mkdir()
    files = {
        "a.txt": b"",
        "b.txt": b" \n",
        "brat.txt": b"",
        "brat.ann": b"",
        "a.csv": b"",
        "b.csv": b"id,note\n",
        "c.csv": b"id,note\n1,\n",
        "d.csv": b"\xef\xbb\xbf",
        "a.jsonl": b"",
        "b.jsonl": b'{"note": ""}\n',
        "a.json": b"",
        "b.json": b"[]",
        "c.json": b'[{"note": " "}]',
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    ended = phiscrub("scrub", folder, "-o", out, "-p", small)
    assert (ended.code, {p.name: p.read_bytes() for p in out.iterdir()}) == (0, files)
    assert "6 of 6 notes scrubbed" in ended.err
    assert "without a word: 6 notes" in ended.err
    ended = phiscrub("scrub", "-", "-p", small, "--column", "note")
    assert (ended.code, ended.out) == (0, b"")


def test_json_read_as_text_is_told(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "a.json"
    note.write_text(json.dumps([{"note": "José"}]))
    ended = phiscrub("scrub", note, "-o", tmp_path / "b", "-p", small, "-q", "--from", "text")
    assert "a.json: JSON, whose escapes (\\u00e9) hide letters" in ended.err


def test_a_folder_is_not_explained(odd: Path) -> None:
    ended = phiscrub("explain", odd)
    assert ended.code == 2
    assert "is a folder; name one file in it" in ended.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("cat {n} | {c} scrub /dev/stdin -q -p {p}", 0),
        ("{c} scrub /dev/stdin -q -p {p} < {n}", 0),
        ("{c} scrub <(cat {n}) --from text -q -p {p}", 0),
        ("{c} scrub <(cat {n}) -q -p {p}", 2),
        ("{c} scrub <(cat {n}) --from csv --column x -q -p {p}", 2),
    ],
)
def test_the_pipes_of_a_shell(words: str, code: int, small: Path, tmp_path: Path) -> None:
    note = tmp_path / "n.txt"
    note.write_text("Dr. Ortiz")
    command = words.format(c=f"{sys.executable} -m phiscrub", n=note, p=small)
    ended = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (code, "" if code else "Dr. [DOCTOR-1]")
    assert ("is a pipe, which can be read only once" in ended.stderr) == bool(code)


def test_full_disk(small: Path, tmp_path: Path) -> None:
    """A limit on file sizes stands in for a disk that is full."""
    table = tmp_path / "t.csv"
    table.write_bytes(b"id,note\n" + b"1,Dr. Ortizsecret was here\n" * 50_000)
    ended = subprocess.run(
        [sys.executable, "-m", "phiscrub", "scrub", table, "-o", tmp_path / "c.csv", "-p", small],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    assert ended.returncode == 4
    assert len(ended.stderr.splitlines()) == 1
    assert "space on the disk; the same command with --resume goes on" in ended.stderr
    assert not (tmp_path / "c.csv").exists()


def test_a_note_of_one_long_line(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "long.txt"
    note.write_text("Seen by Dr. Ortizsecret, 555-0182. " * 30_000)
    assert phiscrub("scrub", note, "-o", tmp_path / "c.txt", "-p", small).code == 0
    assert SECRET not in (tmp_path / "c.txt").read_text()


def test_an_exception_inside_a_part_tells_no_text(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[object]:
        raise ValueError(SECRET)

    monkeypatch.setattr("phiscrub.pipeline.pipeline.Pipeline.redact", fail)
    ended = phiscrub("scrub", "-p", small, stdin=SECRET.encode())
    assert ended.code == 3
    assert "ValueError" in ended.err
    assert SECRET not in ended.err
    assert ended.out == b""
