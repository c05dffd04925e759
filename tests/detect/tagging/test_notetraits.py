from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.tagging.found import settle
from phiscrub.detect.tagging.frame import SEQUENCES, Frame
from phiscrub.detect.tagging.layout import Layout
from phiscrub.detect.tagging.notetraits import NOTE_TRAITS
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import TOKENIZERS, get_tokenizer
from strategies import texts
from tagging_notes import cut, shown, values

PATTERNS: dict[str, Any] = {"use": "patterns", "packs": ["es/people", "es/when"]}
ALL = (
    *("gap", "line_place", "note_place", "line_case", "nth", "elsewhere", "section", "field"),
    *("in:packs/es/places/countries", "found", "found:patterns", "echo"),
    *("found_before", "found_after", "found_score", "found_rule"),
)
NOTE = "Nombre: Ana López.\nFecha: 12/03/2014. El paciente come.\n\nDra. Ana Ruiz, Costa Rica"


def test_gaps() -> None:
    assert shown("gap", "Ann Lee,  MD\n40\n\n7") == [
        ("Ann", "start"),
        ("Lee", "blank"),
        (",", "glued"),
        ("MD", "wide"),
        ("40", "line"),
        ("7", "lines"),
    ]
    assert [value for _, value in shown("gap", "a", "", "b")] == ["start", "start"]


def test_places_in_the_line() -> None:
    assert [value for _, value in shown("line_place", "a b c d e f\ng")] == [
        *("0", "1", "2", "3", "3", "5$", "0$"),
    ]


def test_places_in_the_note() -> None:
    lines = "\n".join("a b c" for _ in range(10))
    told = [value for _, value in shown("note_place", lines)]
    assert told[:9] == ["top"] * 9
    assert told[-9:] == ["bottom"] * 9
    assert told[9:21] == ["3", "3", "3", "4", "4", "4", "5", "5", "5", "6", "6", "6"]


def test_case_of_the_line() -> None:
    text = "the ward\nTHE WARD 7\nThe Ward\nThe ward\n12 / 4"
    told = [value for _, value in shown("line_case", text)]
    assert told == ["lower"] * 2 + ["upper"] * 3 + ["title"] * 2 + ["mixed"] * 2


def test_which_mention_it_is() -> None:
    text = "Ann met ann . ANN left ann"
    assert shown("nth", text, "Ann") == [
        ("Ann", "first"),
        ("met", "only"),
        ("ann", "second"),
        (".", "only"),
        ("ANN", "later"),
        ("left", "only"),
        ("ann", "later"),
        ("Ann", "only"),
    ]


def test_how_the_word_stands_elsewhere() -> None:
    text = "Rose fell. We saw Mr. Rose and a rose. Stone"
    assert shown("elsewhere", text, "Stone the stone") == [
        ("Rose", "small+capital+titled"),
        ("Rose", "small"),
        ("rose", "capital+titled"),
        ("Stone", "small"),
    ]


def test_sections() -> None:
    told = shown("section", "Hello\nFamily History: none\nPlan:\nrest")
    assert told == [
        *(("Family", "family history"), ("History", "family history"), (":", "family history")),
        *(("none", "family history"), ("Plan", "plan"), (":", "plan"), ("rest", "plan")),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Name: Ann Lee", {"Ann": "name", "Lee": "name"}),
        ("Teléfono 2 : 555", {"555": "telefono 0"}),
        ("Edad: 70 años Sexo: H", {"70": "edad", "años": "edad", "H": "sexo"}),
        ("tel:555", {"555": "tel"}),
        ("Name:\n\nAnn\nLee", {"Ann": "name"}),
        ("Name:\nAge: 7", {"7": "age"}),
        ("seen at 12:30 by Ann", {}),
        ("see http://ann.lee", {}),
        (": Ann", {}),
        ("as he then said to us all: Ann", {}),
        ("it is known that he said very often to Nurse: Ann", {"Ann": "nurse"}),
        ("1. Name: Ann", {"Ann": "name"}),
    ],
)
def test_fields(text: str, told: dict[str, str]) -> None:
    assert dict(shown("field", text)) == told


def test_listed_terms_stay_on_their_line() -> None:
    trait = "in:packs/es/places/countries"
    assert shown(trait, "En COSTA RICA y en España", "costa\nrica") == [
        ("COSTA", "B"),
        ("RICA", "I"),
        ("España", "B"),
    ]


@pytest.mark.parametrize("tokenizer", sorted(TOKENIZERS))
def test_listed_terms_by_any_tokenizer(tokenizer: str) -> None:
    notes = get_tokenizer(tokenizer).tokenize([Document("1", "vive en Costa Rica desde 1990")])
    traits = Traits.of(["in:packs/es/places/countries"], Shelf("es", None))
    (column,) = traits.of_notes(Frame.of(notes, "line"))
    assert values(column) == ["", "", "B", "I", "", ""]


def test_found_and_echo() -> None:
    detectors = [{"use": "patterns", "packs": ["es/people", "es/when"]}]
    text = "El 12/03/2014 vino. Otro 12."
    assert shown("found", text, language="es", detectors=detectors) == [
        *(("12", "B-FECHAS"), ("/", "I-FECHAS"), ("03", "I-FECHAS"), ("/", "I-FECHAS")),
        ("2014", "I-FECHAS"),
    ]
    assert shown("echo", text, language="es", detectors=detectors) == [("12", "FECHAS")]
    both = [*detectors, {"use": "patterns", "packs": ["es/form"]}]
    assert len(shown("found:patterns", text, language="es", detectors=both)) == 5


def test_how_sure_and_by_which_rule() -> None:
    detectors = [{"use": "patterns", "packs": ["es/when"]}]
    text = "El 12/03/2014 vino."
    assert set(shown("found_score", text, language="es", detectors=detectors)) == {
        *(("12", "9"), ("/", "9"), ("03", "9"), ("2014", "9")),
    }
    (rule,) = {v for _, v in shown("found_rule", text, language="es", detectors=detectors)}
    assert rule.startswith("patterns:es/when:")


def test_what_is_found_beside() -> None:
    detectors = [{"use": "patterns", "packs": ["es/when"]}]
    text = "a 12/03/2014 b c d e f 13/04/2015 g\n14/05/2016"
    before = dict(shown("found_before", text, language="es", detectors=detectors))
    after = dict(shown("found_after", text, language="es", detectors=detectors))
    assert [before.get(w, "") for w in "abefg"] == [
        *("", "FECHAS", "FECHAS", "FECHAS", "FECHAS"),
    ]
    assert (before["13"], before.get("14"), before.get("12")) == ("FECHAS far", None, None)
    assert [after.get(w, "") for w in "abcg"] == ["FECHAS", "FECHAS", "FECHAS", ""]
    assert (after["12"], after.get("13"), after.get("14")) == ("FECHAS far", None, None)


def test_an_echo_is_not_its_own() -> None:
    detectors = [{"use": "patterns", "packs": ["es/when"]}]
    told = shown("echo", "El 12/03/2014 y el 13/04/2015", language="es", detectors=detectors)
    assert told == []


def test_claims_are_settled_by_score_then_length() -> None:
    (note,) = cut("a b c d e f")
    claims = [
        Mention(Span(0, 5), "WEAK", 0.5),
        Mention(Span(4, 7), "STRONG", 0.9),
        Mention(Span(8, 9), "SHORT", 0.7),
        Mention(Span(8, 11), "LONG", 0.7),
        Mention(Span(0, 1), "FREE", 0.1),
    ]
    kept = settle(note.tokens, claims)
    places = [(first, last, mention.label) for first, last, mention in kept]
    assert sorted(places) == [(0, 1, "FREE"), (2, 4, "STRONG"), (4, 6, "LONG")]
    assert settle(note.tokens, reversed(claims)) == kept


def test_found_needs_detectors() -> None:
    with pytest.raises(SettingsError, match="'echo' has no detectors to ask"):
        Traits.of(["echo"], Shelf("es", None))
    with pytest.raises(SettingsError, match="names no detector; known: patterns"):
        Traits.of(["found:names"], Shelf("es", None), [PATTERNS])


@pytest.mark.parametrize("name", ["", "nothing", "gap:2", "in", "pos:1", "echo:x"])
def test_unknown_traits(name: str) -> None:
    with pytest.raises(SettingsError, match="no trait"):
        Traits.of([name], Shelf("en", None), [PATTERNS])


def test_models_that_share_their_tools_share_what_they_show() -> None:
    tools = Shelf("es", None)
    names = ("field", "echo", "elsewhere")
    by_line, by_note = (Traits.of(names, tools, [PATTERNS]) for _ in range(2))
    notes = cut("Nombre: Ana Ruiz\nAna Ruiz come", "Sala: 3\nAna")
    lines = by_line.columns(Frame.of(notes, "line"))
    whole = by_note.columns(Frame.of(notes, "note"))
    assert lines["field"] is whole["field"]
    assert lines["echo"] is whole["echo"]
    assert lines["elsewhere"] is not whole["elsewhere"]  # capitals that open a line tell nothing
    again = by_line.columns(Frame.of(notes[:1], "line"))
    assert len(again["field"].ids) == len(notes[0].tokens)


def test_other_detectors_share_nothing() -> None:
    tools = Shelf("es", None)
    frame = Frame.of(cut("Dra. Ana Ruiz, 3/4/2020"), "line")
    first = Traits.of(("found",), tools, [PATTERNS]).columns(frame)
    other = Traits.of(("found",), tools, [{"use": "patterns", "packs": ["es/form"]}])
    assert first["found"] is not other.columns(frame)["found"]


def test_every_trait_is_tested_here() -> None:
    heads = {name.partition(":")[0] for name in ALL} | {"pos", "chunk"}
    assert heads == {name.partition(":")[0] for name in NOTE_TRAITS}


def test_no_text_in_a_repr() -> None:
    frame = Frame.of(cut(NOTE), "line")
    traits = Traits.of(["field", "word"], Shelf("es", None))
    told = repr((frame, Layout.of(frame), traits, traits.columns(frame)))
    assert "Ana" not in told
    assert "nombre" not in told


TRAITS = Traits.of(ALL, Shelf("es", None), [PATTERNS])


@settings(max_examples=60, deadline=None)  # patterns are compiled when they are first tried
@given(st.lists(texts() | st.just(NOTE), max_size=4), st.sampled_from(SEQUENCES))
def test_batching_changes_only_speed(batch: Sequence[str], sequence: str) -> None:
    notes = cut(*batch)
    together = [values(column) for column in TRAITS.of_notes(Frame.of(notes, sequence))]
    alone: list[list[str]] = [[] for _ in ALL]
    for note in notes:
        for told, column in zip(alone, TRAITS.of_notes(Frame.of([note], sequence)), strict=True):
            told.extend(values(column))
    assert dict(zip(TRAITS.note_names, together, strict=True)) == dict(
        zip(TRAITS.note_names, alone, strict=True)
    )
