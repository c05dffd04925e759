from __future__ import annotations

from importlib import resources
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.combine.ranked import Ranked
from phiscrub.combine.vote import Settings, Vote, build, voter
from phiscrub.core.document import Document
from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.pipeline.load import Declaration
from phiscrub.pipeline.load import build as build_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical
from strategies import mentions, texts

TEXT = "Ann Lee Hospital, 3/14"


def note_of(text: str) -> Note:
    (note,) = Clinical().tokenize([Document("x", text)])
    return note


def claim(words: str, label: str, source: str, score: float = 0.9) -> Mention:
    start = TEXT.index(words)
    return Mention(Span(start, start + len(words)), label, score, source)


def covered(vote: Vote | Ranked, *claims: Mention) -> list[tuple[str, str]]:
    cover = vote.combine(note_of(TEXT), claims)
    return [(TEXT[m.span.start : m.span.end], m.label) for m in cover]


def test_what_one_detector_claims_alone_stays() -> None:
    one, two = (
        claim("Ann Lee", "PATIENT", "crf:a"),
        claim("Lee Hospital", "HOSPITAL", "names:x", 0.8),
    )
    assert covered(Vote(2), one, two) == [("Lee", "PATIENT")]
    assert covered(Vote(1), one, two) == [("Ann Lee", "PATIENT"), ("Hospital", "HOSPITAL")]


def test_rules_of_one_part_are_one_voter_and_models_are_several() -> None:
    rules = [claim("3/14", "DATE", f"patterns:en/dates:{name}") for name in ("a", "b")]
    models = [claim("3/14", "DATE", f"crf:{name}") for name in ("a", "b")]
    assert covered(Vote(2), *rules) == []
    assert covered(Vote(2), *models) == [("3/14", "DATE")]
    assert voter("patterns:en/dates:a") == "patterns"
    assert voter("neural:net:x") == "neural:net"


def test_a_label_may_need_another_number_of_votes_and_a_least_score() -> None:
    date, name = claim("3/14", "DATE", "crf:a", 0.4), claim("Ann", "PATIENT", "crf:a", 0.4)
    assert covered(Vote(2, {"DATE": 1}), date, name) == [("3/14", "DATE")]
    assert covered(Vote(1, {}, {"DATE": 0.5}), date, name) == [("Ann", "PATIENT")]


def test_votes_of_other_labels_count() -> None:
    both = claim("Ann", "PATIENT", "crf:a", 0.6), claim("Ann", "DOCTOR", "names:x", 0.9)
    assert covered(Vote(2), *both) == [("Ann", "DOCTOR")]


def test_no_vote_at_all_is_an_error() -> None:
    for wrong in (Settings(votes=0), Settings(by_label={"DATE": 0})):
        with pytest.raises(SettingsError, match="no vote"):
            build(wrong, Shelf("en", None))


DATES = {"use": "patterns", "packs": ["en/dates"]}
IDS = {"use": "patterns", "packs": ["en/ids"]}
COLUMNS = {"use": "columns"}
CRF = {"use": "crf", "model": "en-crf"}


def declared(*detectors: dict[str, object], **combiner: object) -> Declaration:
    return Declaration("en", detectors, combiner={"use": "vote", **combiner})


@pytest.mark.parametrize("detectors", [(DATES,), (DATES, IDS), (CRF, {**CRF, "threshold": 0.5})])
def test_a_vote_that_nobody_can_win_is_an_error(detectors: tuple[dict[str, object], ...]) -> None:
    with pytest.raises(SettingsError, match="2 votes are asked for, and the detectors have 1"):
        build_pipeline(declared(*detectors))


def test_a_vote_of_one_label_that_nobody_can_win_is_an_error() -> None:
    with pytest.raises(SettingsError, match="3 votes"):
        build_pipeline(declared(DATES, COLUMNS, by_label={"DATE": 3}))


def test_a_vote_that_can_be_won_builds() -> None:
    build_pipeline(declared(DATES, COLUMNS))
    build_pipeline(declared(DATES, IDS, votes=1))
    build_pipeline(declared(DATES, CRF, {"use": "neural", "model": "en-tagger"}, votes=3))


@pytest.mark.parametrize(
    "wrong",
    [
        {"by_label": {"DATUM": 1}},
        {"least_scores": {"DATUM": 0.5}},
        {"first": ["DATUM"]},
        {"prefer": {"DATUM": ["crf"]}},
    ],
)
def test_a_label_that_the_set_lacks_is_an_error(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=f"'{next(iter(wrong))}' names no label.*'DATUM'"):
        build_pipeline(declared(DATES, COLUMNS, **wrong))
    with pytest.raises(LabelError):
        build(Settings(label_set="i2b2-2014", by_label={"DATUM": 1}), Shelf("en", None))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), votes=st.integers(1, 3))
def test_a_place_is_covered_just_where_enough_agree(data: st.DataObject, votes: int) -> None:
    text = data.draw(texts(min_size=1))
    claims = data.draw(mentions(len(text)))
    note, vote = note_of(text), Vote(votes)
    cover = vote.combine(note, claims)
    assert cover == vote.combine(note, data.draw(st.permutations(claims)))
    found = {i for m in cover for i in range(m.span.start, m.span.end)}
    wanted = {
        i
        for i in range(len(text))
        if len({voter(m.source) for m in claims if m.span.start <= i < m.span.end}) >= votes
    }
    assert found <= wanted
    assert {i for i in wanted if text[i].isalnum()} <= found


def test_two_models_of_one_name_are_refused_and_under_two_names_are_two_voters(
    tmp_path: Path,
) -> None:
    ours = resources.files("phiscrub") / "data" / "models" / "en-crf"
    copy = tmp_path / "copy"
    copytree(str(ours), copy)
    tables = tuple({"use": "crf", "model": name} for name in ("en-crf", str(copy)))
    with pytest.raises(SettingsError, match="2 models are called 'crf:en-crf'"):
        build_pipeline(declared(*tables, votes=2))
    manifest = copy / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"name": "en-crf"', '"name": "b"', 1))
    prefer = {"PATIENT": ["crf:b"]}
    text = "Seen by Dr. Lena Ortiz today."
    redaction = build_pipeline(declared(*tables, votes=2, prefer=prefer)).scrub(text)
    assert "Ortiz" not in redaction.text
    with pytest.raises(SettingsError, match="2 votes are asked for, and the detectors have 1"):
        build_pipeline(declared(tables[1], {**tables[1], "only": ["DATE"]}, votes=2))


def test_a_label_prefers_detectors() -> None:
    net = claim("Ann Lee", "PATIENT", "neural:net", 0.5)
    crf = claim("Ann Lee Hospital", "PATIENT", "crf:words", 0.9)
    hospital = claim("Lee Hospital", "HOSPITAL", "names:x", 0.6)
    assert covered(Ranked(), net, crf) == [("Ann Lee Hospital", "PATIENT")]
    chosen = Ranked(prefer={"PATIENT": ("neural", "crf")})
    assert covered(chosen, net, crf) == [("Ann Lee", "PATIENT"), ("Hospital", "PATIENT")]
    assert covered(chosen, crf, hospital) == [("Ann", "PATIENT"), ("Lee Hospital", "HOSPITAL")]
    assert covered(Ranked(prefer={"PATIENT": ("neural:ne",)}), net, crf) == [
        ("Ann Lee Hospital", "PATIENT")
    ]
