from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from phiscrub.cli import evaluate as room
from phiscrub.cli.pairing import Missing
from phiscrub.cli.request import Request
from phiscrub.cli.scoring import score
from phiscrub.core.errors import InputError, MissingError, OutputError, PhiscrubError, SettingsError

KIT = Path(__file__).parents[3] / "shared" / "evaluation-kit"
TEXT = "Ann Lee, seen 04/12 at Falls City"
GOLD = (("NAME", 0, 7, "PATIENT"), ("DATE", 14, 19, "DATE"), ("LOCATION", 23, 33, "CITY"))

app = typer.Typer()
app.callback()(lambda: None)
room.register(app)


def run(*arguments: object) -> tuple[str, str]:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=True)
    if isinstance(result.exception, PhiscrubError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def xml(folder: Path, name: str, tags: tuple = GOLD, text: str = TEXT, frame: str = "TAGS") -> None:
    folder.mkdir(exist_ok=True)
    lines = "".join(f'<{e} start="{s}" end="{n}" TYPE="{t}"/>' for e, s, n, t in tags)
    (folder / name).write_text(
        f"<deIdi2b2><TEXT>{text}</TEXT><{frame}>{lines}</{frame}></deIdi2b2>", "utf-8"
    )


def brat(folder: Path, name: str, lines: str, text: str | None = TEXT) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.ann").write_text(lines, "utf-8")
    if text is not None:
        (folder / f"{name}.txt").write_text(text, "utf-8")


@pytest.fixture
def sides(tmp_path):
    xml(tmp_path / "gold", "1-1.xml")
    xml(tmp_path / "system", "1-1.xml", GOLD[:2])
    return ("--gold", tmp_path / "gold", "--system", tmp_path / "system")


def test_tables_and_json(sides, tmp_path):
    out, _ = run(*sides, "--json", tmp_path / "out.json")
    assert "i2b2 strict (primary)" in out
    assert "1 of 3 entities leak, in 1 of 1 documents with PHI" in out
    assert "MEDDOCAN" not in out
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    measures = data["systems"][""]
    assert measures["i2b2.strict"]["per_document"] == {"1-1": [2, 0, 1]}
    assert measures["entity.exact.LOCATION/CITY"]["fn"] == 1
    assert measures["entity.partial.NAME/PATIENT"]["tp"] == 1
    assert measures["leak.entity.category.LOCATION"]["leaked"] == 1
    assert data["reference_not_official"]["leak.entity"] == measures["leak.entity"]
    assert data["leaks"][""] == [
        {
            "document": "1-1",
            "start": 23,
            "end": 33,
            "labels": ["LOCATION/CITY"],
            "uncovered": [[23, 28], [29, 33]],
        }
    ]
    assert "Falls" not in out + json.dumps(data)
    assert stat.S_IMODE((tmp_path / "out.json").stat().st_mode) == 0o600


def test_a_recall_of_one_on_few_cases_is_shown_with_its_lower_bound(sides):
    out, _ = run(*sides)
    row = next(line for line in out.splitlines() if line.split()[:1] == ["PATIENT"])
    assert row.split()[-2:] == ["1.000", "0.025"]


def test_a_system_in_json_lines_has_the_official_figures_of_its_xml(tmp_path):
    wrong = (("NAME", 0, 3, "PATIENT"), ("NAME", 14, 19, "DOCTOR"), *GOLD[1:])
    for name in ("1-1", "1-2", "other"):
        xml(tmp_path / "gold", f"{name}.xml")
        xml(tmp_path / "xml", f"{name}.xml", GOLD if name == "1-1" else wrong)
    found = [
        {
            "id": name,
            "text": TEXT,
            "mentions": [{"start": s, "end": e, "label": t} for _, s, e, t in tags],
        }
        for name, tags in (("1-1", GOLD), ("1-2", wrong), ("other", wrong))
    ]
    (tmp_path / "found.jsonl").write_text("\n".join(map(json.dumps, found)), "utf-8")
    told = []
    for system in ("xml", "found.jsonl"):
        sides = ("--gold", tmp_path / "gold", "--system", tmp_path / system)
        out, _ = run(*sides, "--json", tmp_path / "out.json")
        assert "i2b2 strict (primary)" in out
        assert "HIPAA with IDNUM" in out
        assert "MEDDOCAN" not in out
        rows = json.loads((tmp_path / "out.json").read_text("utf-8"))["systems"][""]
        told.append(
            {
                key: {part: value for part, value in row.items() if part != "per_document"}
                for key, row in rows.items()
                if key.startswith(("i2b2.", "masking.", "leak."))
            }
        )
    assert told[0] == told[1]
    assert told[0]["i2b2.strict"]["tp"] == 7


def test_categories_and_bounds_are_shown_in_every_format(tmp_path):
    lines = "T1\tPATIENT 0 3\tAnn\nT2\tDOCTOR 4 7\tLee\nT3\tCITY 23 33\tFalls City\n"
    for at in range(60):
        brat(tmp_path / "gold", f"{at // 6}-{at}", lines)
        some = lines if at % 6 else lines.replace("DOCTOR", "PATIENT").split("T3")[0]
        brat(tmp_path / "system", f"{at // 6}-{at}", some)
    sides = ("--gold", tmp_path / "gold", "--system", tmp_path / "system")
    out, _ = run(*sides, "--json", tmp_path / "out.json", "--html", tmp_path / "out.html")
    exact = json.loads((tmp_path / "out.json").read_text("utf-8"))["exact"][""]
    assert exact["drawn"] == "10 patients"
    name = exact["categories"]["NAME"]
    assert name["counts"] == {"hit": 110, "missed": 10, "spurious": 10}
    assert name["f1"]["low"] == name["f1"]["high"] == pytest.approx(110 / 120)  # patients are alike
    assert exact["labels"]["CITY"]["f1"]["low"] < 100 / 110 < exact["labels"]["CITY"]["f1"]["high"]
    by_category, by_label = out.split("By category (exact)")[1].split("By label (exact)")
    cells = next(line for line in by_category.splitlines() if line.split()[:1] == ["NAME"]).split()
    assert cells[3:5] == ["0.917", ".917–.917"]
    assert cells[-1] == f"{name['masked']['low']:.3f}"
    assert "over 10 patients drawn again" in " ".join(by_label.split())
    page = (tmp_path / "out.html").read_text("utf-8")
    for row in exact["labels"].values():  # one bound under one name
        assert f'data-value="{row["masked"]["low"]:.6f}"' in page
    assert "By category" in page
    brat(tmp_path / "odd", "1-1", "T1\tNOBODY 0 3\tAnn\n")
    out, _ = run("--gold", tmp_path / "odd", "--system", tmp_path / "odd")
    assert "By category" not in out


def test_labels_that_are_not_shared_are_told(tmp_path):
    for side, label in (("gold", "PERSON"), ("system", "PATIENT")):
        row = {"id": "a", "text": "Ann", "mentions": [{"start": 0, "end": 3, "label": label}]}
        (tmp_path / f"{side}.jsonl").write_text(json.dumps(row) + "\n")
    sides = ("--gold", tmp_path / "gold.jsonl", "--system", tmp_path / "system.jsonl")
    told = "no label in common, so that only what was masked can be compared: label PERSON and"
    assert told in " ".join(run(*sides)[1].split())
    assert "in common" not in run("--gold", sides[1], "--system", sides[1])[1]


def test_names_are_folded_and_figures_never_cut(sides):
    out, _ = run(*sides)
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_missing_documents_are_an_error_a_zero_or_left_out_and_always_told(sides, tmp_path):
    xml(tmp_path / "gold", "1-2.xml")
    xml(tmp_path / "system", "9-9.xml")
    with pytest.raises(InputError, match="1 of 2 gold documents are not among the system's: 1-2"):
        run(*sides)
    for policy, (documents, missed) in {"zero": (2, 4), "ignore": (1, 1)}.items():
        _, err = run(*sides, "--missing", policy, "--json", tmp_path / "out.json")
        assert "1 gold documents are not among the system's: 1-2" in err
        assert "1 of the system's documents have no gold, and are not scored: 9-9" in err
        data = json.loads((tmp_path / "out.json").read_text("utf-8"))
        strict = data["systems"][""]["i2b2.strict"]
        assert (strict["documents"], strict["fn"]) == (documents, missed)
        assert data["documents"][""] == {"scored": documents, "missing": ["1-2"], "extra": ["9-9"]}


def test_a_folder_may_hold_several_systems(sides, tmp_path):
    xml(tmp_path / "system", "1-1b.xml", GOLD)
    out, _ = run(*sides, "--json", tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {name: m["i2b2.strict"]["tp"] for name, m in data["systems"].items()} == {"": 2, "b": 3}
    assert "System b" in out
    assert "reference_not_official" not in data


def test_two_gold_files_of_one_document_are_refused(sides, tmp_path):
    xml(tmp_path / "gold", "1-1x.xml")
    with pytest.raises(InputError, match="same document"):
        run(*sides)


def test_meddocan_xml_is_told_by_its_types_and_its_texts_may_differ(tmp_path):
    tags = (("NAME", 0, 7, "NOMBRE_SUJETO_ASISTENCIA"),)
    xml(tmp_path / "gold", "a.xml", tags)
    xml(tmp_path / "system", "a.xml", tags, TEXT + " ")
    out, err = run("--gold", tmp_path / "gold", "--system", tmp_path / "system")
    assert "MEDDOCAN 1, entities" in out
    assert "i2b2 strict" not in out
    assert "texts differ" in err


def test_brat_with_sentences(tmp_path):
    brat(tmp_path / "gold", "a", "T1\tNAME 0 7\tAnn Lee\nT2\tDATE 14 19\t04/12\nR1\tx\n")
    brat(tmp_path / "system", "a", "T1\tNAME 0 7\tAnn Lee\nT2\tDATE 14\n  T3\tDATE 14 18\tx\n")
    (tmp_path / "sentences").mkdir()
    (tmp_path / "sentences" / "a.ann").write_text("1\n2\n3\n4", "utf-8")
    arguments = ("--gold", tmp_path / "gold", "--system", tmp_path / "system")
    _, err = run(*arguments, "--sentences", tmp_path / "sentences", "--json", tmp_path / "o")
    assert "mentions that the script does not read are left out: " in err
    assert "system/a.ann, line 2" in err
    measures = json.loads((tmp_path / "o").read_text("utf-8"))["systems"][""]
    assert measures["meddocan.subtrack1.ner"]["leak"] == 0.25
    assert measures["meddocan.subtrack2.strict"]["per_document"] == {"a": [1, 1, 1]}


def test_columns_in_one_file_or_two(tmp_path):
    (tmp_path / "both").write_text("a B-X B-X\nb O I-X\n\nc B-Y O\n", "utf-8")
    (tmp_path / "gold").write_text("a\tB-X\r\nb\tO\r\n-X-\tO\r\nc\tB-Y\r\n", "utf-8")
    (tmp_path / "system").write_text("a B-X\nb I-X\n\nc O\n", "utf-8")
    results = [
        score(Request(tmp_path / gold, tmp_path / system, "conll", scheme))[0].measures
        for gold, system, scheme in (("both", "both", None), ("gold", "system", "bio"))
    ]
    assert {"seqeval.strict.IOB1", "seqeval.strict.IOB2"} < results[0].keys()
    assert "seqeval.strict.IOB1" not in results[1]
    assert results[1].items() <= results[0].items()
    assert results[0]["token"]["fp"] == 1
    out, _ = run("--gold", tmp_path / "both", "--system", tmp_path / "both")
    assert "seqeval, strict IOB2" in out


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ("a O O\nb O\n", None, "line 2: the row has 2 columns, not 3"),
        ("a O\n", None, "line 1: the row has no gold and guessed tag"),
        ("a O\n", "b O\n", "line 1: the token is not that of line 1"),
        ("a O\n", "a O\n\nb O\n", "its sentences are not those"),
        ("a  O\n", None, "line 1: empty column"),
        ("a X-B X-B\n", None, None),
    ],
)
def test_columns_that_do_not_fit(tmp_path, gold, system, message):
    (tmp_path / "gold").write_text(gold, "utf-8")
    (tmp_path / "system").write_text(system or "", "utf-8")
    other = tmp_path / ("gold" if system is None else "system")
    request = Request(tmp_path / "gold", other, "conll", "IOB2")
    with pytest.raises(InputError, match=message or "is not of the scheme"):
        score(request)


def test_every_bad_input_is_one_line_with_a_place(sides, tmp_path):
    for name, tags, text, frame, message in (
        ("text", GOLD, TEXT + " ", "TAGS", "text/1-1.xml: the text differs"),
        ("start", (("NAME", "", 3, "PATIENT"),), TEXT, "TAGS", "line 1: NAME tag whose start"),
        ("tags", GOLD, TEXT, "TAGZ", "tags/1-1.xml: has no TAGS element"),
    ):
        xml(tmp_path / name, "1-1.xml", tags, text, frame)
        with pytest.raises(InputError, match=message) as caught:
            run(*sides[:3], tmp_path / name)
        assert caught.value.exit_code == 2
        assert "\n" not in str(caught.value)
        assert "Ann" not in str(caught.value)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: the folder has no \.xml files"):
        run(*sides[:3], tmp_path / "empty")
    with pytest.raises(InputError, match="no such folder"):
        run(*sides[:3], tmp_path / "nowhere")
    with pytest.raises(MissingError, match="empty: holds no notes"):
        run("--gold", tmp_path / "empty", *sides[2:])
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "note.odd").write_text("")
    with pytest.raises(SettingsError, match="cannot tell the format"):
        run("--gold", tmp_path / "odd", *sides[2:])
    xml(tmp_path / "other", "2-1.xml")
    with pytest.raises(InputError, match="no document is on both sides"):
        run(*sides[:3], tmp_path / "other", "--missing", "zero")
    with pytest.raises(OutputError):
        run(*sides, "--json", tmp_path / "nowhere" / "out.json")


@pytest.mark.parametrize("counted", [0, 1])
def test_a_byte_order_mark_moves_no_place(tmp_path, counted):
    for name, at, mark in (
        ("gold", counted, "\ufeff"),
        ("same", counted, "\ufeff"),
        ("ours", 0, ""),
    ):
        lines = f"T1\tPATIENT {at} {at + 7}\tAnn Lee\nT2\tDATE {at + 14} {at + 19}\t04/12\n"
        brat(tmp_path / name, "a", lines, mark + TEXT)
    brat(tmp_path / "none", "a", "", TEXT)
    for name in ("same", "ours"):
        (result,) = score(Request(tmp_path / "gold", tmp_path / name, "brat"))
        assert result.samples[0].text == TEXT
        assert result.samples[0].gold == ((0, 7, "PATIENT"), (14, 19, "DATE"))
        assert result.measures["entity.exact.PATIENT"]["f1"] == 1
        assert result.measures["masking.char.alnum"]["f1"] == 1
        assert not result.notices
    (result,) = score(Request(tmp_path / "gold", tmp_path / "none", "brat"))
    assert [(leak.start, leak.end) for leak in result.masking.leaks] == [(0, 7), (14, 19)]
    assert result.masking.leaks[0].uncovered == ((0, 3), (4, 7))


def test_bad_brat_is_placed(tmp_path):
    brat(tmp_path / "gold", "a", "T1\tNAME 0 7\tAnn Lee\n")
    for name, lines, text, message in (
        ("parts", "\nT1\tNAME 0 3;5 8\tAnn\n", TEXT, "a.ann, line 2: the start or the end"),
        ("bare", "", None, "a.txt: no such file"),
    ):
        brat(tmp_path / name, "a", lines, text)
        with pytest.raises(InputError, match=message):
            run("--gold", tmp_path / "gold", "--system", tmp_path / name)


def differences(expected: object, found: object, path: str) -> list[str]:
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return [path]
        known = {key: v for key, v in expected.items() if key not in ("official_label", "printed")}
        known.pop("as_printed_by_1_1_0", None)
        return [
            d
            for key, v in known.items()
            for d in differences(v, found.get(key, "-"), f"{path}/{key}")
        ]
    if isinstance(expected, list):
        pairs = enumerate(zip(expected, found, strict=True))
        return [d for at, pair in pairs for d in differences(*pair, f"{path}[{at}]")]
    if isinstance(expected, float) and isinstance(found, float):
        return [] if abs(expected - found) <= 1e-9 else [path]
    return [] if expected == found else [path]


@pytest.mark.skipif(not KIT.is_dir(), reason="the evaluation kit is not here")
def test_the_evaluation_kit_agrees_to_the_last_digit():
    checked = 0
    for folder in sorted((KIT / "cases").iterdir()):
        case = json.loads((folder / "case.json").read_text("utf-8"))
        expected = json.loads((folder / "expected.json").read_text("utf-8"))
        columns = case["format"] == "conll"
        gold, system = (
            (folder / "tags.conll",) * 2 if columns else (folder / "gold", folder / "system")
        )
        sentences = folder / "sentences"
        found = room.as_json(
            score(
                Request(
                    gold,
                    system,
                    case["format"],
                    case.get("scheme"),
                    sentences if sentences.is_dir() else None,
                    Missing.IGNORE,
                )
            )
        )
        expected["systems"][""].pop("nervaluate", None)  # what nervaluate refuses to read
        for part in ("systems", "reference_not_official"):
            if part in expected:
                assert differences(expected[part], found[part], f"{folder.name}/{part}") == []
                checked += 1
    assert checked > 20


@pytest.mark.skipif(not KIT.is_dir(), reason="the evaluation kit is not here")
@pytest.mark.parametrize("missing", list(Missing))
def test_what_crashes_an_official_scorer_is_one_clear_line(missing):
    folders = sorted((KIT / "crash").iterdir())
    for folder in folders:
        case = json.loads((folder / "case.json").read_text("utf-8"))
        request = Request(folder / "gold", folder / "system", case["format"], missing=missing)
        with pytest.raises(InputError) as caught:
            score(request)
        assert caught.value.exit_code == 2
        assert caught.value.hint
