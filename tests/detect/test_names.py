from __future__ import annotations

import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.detect.name_cues import Cues
from phiscrub.detect.names import Names, Settings, build
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

D, P, U = "DOCTOR", "PATIENT", "USERNAME"


@cache
def names() -> Names:
    return build(Settings(), Shelf("en", None))


def found(text: str) -> list[tuple[str, str]]:
    (mentions,) = names().detect(Clinical().tokenize([Document("a", text)]))
    return [(m.label, text[m.span.start : m.span.end]) for m in mentions]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Seen by Dr. Halloran today.", [(D, "Halloran")]),
        ("Dr. J. R. Smith was paged.", [(D, "J. R. Smith")]),
        ("Dr. O'Brien-Katz agreed.", [(D, "O'Brien-Katz")]),
        ("Dr. Brown will see her.", [(D, "Brown")]),
        ("Mr. Long is a 60-year-old man.", [(P, "Long")]),
        ("Mrs. W. declined.", [(P, "W.")]),
        ("Mr. Parkinson has a tremor.", [(P, "Parkinson")]),
        ("dr mehrotra aware, no new orders", [(D, "mehrotra")]),
        ("dr price aware", [(D, "price")]),
        ("Ingrid Solheim, RN, at bedside", [(D, "Ingrid Solheim")]),
        ("Ignatius Abara, M.D., F.A.C.C.", [(D, "Ignatius Abara")]),
        ("Ana Lucía Ortega Ruiz, MD", [(D, "Ana Lucía Ortega Ruiz")]),
        ("T. Achterberg, PA-C", [(D, "T. Achterberg")]),
        ("Hope Lindqvist, LCSW", [(D, "Hope Lindqvist")]),
        ("Zhang, Wei, MD", [(D, "Zhang, Wei")]),
        ("her son Mark drove her", [(P, "Mark")]),
        ("wife lorraine at bedside", [(P, "lorraine")]),
        ("her daughter (Anna) called", [(P, "Anna")]),
        ("Rosalind Kaczmarek (mother) was told", [(P, "Rosalind Kaczmarek")]),
        ("spoke with Tiffany about it", [(P, "Tiffany")]),
        ("her brother Nils and Kirsten came", [(P, "Nils"), (P, "Kirsten")]),
        ("plan per Yvette in admissions", [(D, "Yvette")]),
        ("via Marla (interp)", [(D, "Marla")]),
        ("Rhonda, the night nurse, came", [(D, "Rhonda")]),
        ("Hans van der Meer, 64, was seen", [(P, "Hans van der Meer")]),
        ("Michelle King is a 39-year-old female", [(P, "Michelle King")]),
        ("Susan Day came alone", [(P, "Susan Day")]),
        ("Name      LIM BOON HOCK", [(P, "LIM BOON HOCK")]),
        ("Employee   MOLEFE Tebogo", [(P, "MOLEFE Tebogo")]),
        ("Dear Will,", [(D, "Will")]),
        ("3041023MARY", [(P, "MARY")]),
        ("Kofi slept well.", [(P, "Kofi")]),
        ("v. osei rn", [(D, "v. osei")]),
        ("notes of GI (Okonkwa) are in", [(D, "Okonkwa")]),
        ("list of Okonkwa/Zelmer today", [(P, "Okonkwa"), (P, "Zelmer")]),
        ("Okonkwa, PGY2", [(D, "Okonkwa")]),
        ("copied to dr pat may at the clinic", [(D, "pat may")]),
        ("Case manager Edda I. Lunn came; I. Lunn, RN", [(D, "Edda I. Lunn"), (D, "I. Lunn")]),
        ("registrar Chua WZ aware", [(D, "Chua WZ")]),
        ("McALLAN Edith  H&C 318", [(P, "McALLAN Edith")]),
        ("LONG, Edith came", [(P, "LONG, Edith")]),
        ("DE WOLDE, Anna came", [(P, "DE WOLDE, Anna")]),
        ("letter from Nils and Faith", [(D, "Nils"), (D, "Faith")]),
        ("Nils's mum rang", [(P, "Nils")]),
        ("Anna Baker, 40, and Ma. Elena Baker", [(P, "Anna Baker"), (P, "Ma. Elena Baker")]),
    ],
)
def test_names_that_are_told(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Foley in place, draining well.",
        "Graves disease, treated in 1988.",
        "Wears a brown coat; will grant consent.",
        "Rose to standing. Mark the site.",
        "She may come in May with hope and faith.",
        "Started Lipitor and Metoprolol.",
        "HISTORY OF PRESENT ILLNESS",
        "E. coli grew in the urine; S. aureus did not.",
        "F.A.C.C.",
        "No edema. Lungs clear. Heart regular.",
        "Anna Jaques Hospital",
        "MRI of the LEFT knee with S20 coil, 20G needle",
        "Dr. on call was paged.",
        "The patient noncompliant with diet.",
        "registered nurse. Her husband is well.",
        "A sister had heart block.",
    ],
)
def test_decoys_that_stay(text: str) -> None:
    assert found(text) == []


def test_a_login_made_of_a_name_in_the_note() -> None:
    assert found("Dr. Thottathil signed  athott02") == [(D, "Thottathil"), (U, "athott02")]
    assert found("Dr. Thottathil signed  THOTT02") == [(D, "Thottathil"), (U, "THOTT02")]
    assert found("signed  athott") == []
    assert found("Edith Holloway came. Seen: eholloway") == [
        (P, "Edith Holloway"),
        (U, "eholloway"),
    ]
    assert found("Edith Pillay came. Seen: pillaring") == [(P, "Edith Pillay")]


def test_an_unknown_word_with_digits_is_a_login() -> None:
    assert found("saved  vbraithe07") == [(U, "vbraithe07")]
    assert found("covid19, q4h, 20mmol, mid2023, dobutamine5") == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Seen with Dr. Ines Varga. IV placed; left by IV", [(D, "Ines Varga")]),
        ("Dr. Ines K. Varga here. Agreed with IKV on this.", [(D, "Ines K. Varga"), (D, "IKV")]),
        ("drawn by KQ, sent", [(D, "KQ")]),
        ("left by CT, then by EMS", []),
        ("No travel. -RQP", [(D, "RQP")]),
        ("slept well. qj", [(D, "qj")]),
        ("slept well. prn", []),
        ("given at noon   qk lpn", [(D, "qk")]),
        ("seen by the rn", []),
        ("(qw)", [(D, "qw")]),
        ("obs done 03/04 0911 19:20 QV", [(D, "QV")]),
        ("turned by QV RN", [(D, "QV")]),
        ("Tab 1-0-1 QV", []),
        ("Mr. Tobias Oduya called. Then T.O., his son, came", [(P, "Tobias Oduya"), (P, "T.O.")]),
    ],
)
def test_initials_that_sign_or_that_the_note_explains(
    text: str, wanted: list[tuple[str, str]]
) -> None:
    assert found(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('Mrs. Edda Lunn ("Didi") came', [(P, "Edda Lunn"), (P, "Didi")]),
        ("her husband Will drove", [(P, "Will")]),
        ("told child life specialist Summer", [(D, "Summer")]),
        ("wife joy says no", [(P, "joy")]),
        ("wife will come", []),
        ("MHx: Ménière’s", []),
        ("Ward: 6C   Ref: 1   Bill: none", []),
    ],
)
def test_words_that_are_names_by_what_stands_around_them(
    text: str, wanted: list[tuple[str, str]]
) -> None:
    assert found(text) == wanted


def test_a_name_never_crosses_a_line() -> None:
    assert found("Dr. Halloran\nKatz") == [(D, "Halloran")]


def test_score_rises_with_evidence() -> None:
    def score(text: str) -> float:
        (mentions,) = names().detect(Clinical().tokenize([Document("a", text)]))
        return mentions[0].score

    assert score("Nils slept.") < score("saw Nils sleep") < score("Dr. Nils Halloran slept.")


PIECES = (
    "Dr. ",
    "Ann",
    "Nils ",
    "J. ",
    "van ",
    "LIM",
    ", ",
    "(",
    "'s ",
    "-",
    "\n",
    "son ",
    "RN",
    "7",
)


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), max_size=4))
def test_a_batch_changes_nothing_and_mentions_are_words(texts: list[str]) -> None:
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    together = names().detect(Clinical().tokenize(documents))
    assert [list(m) for m in together] == [
        list(names().detect(Clinical().tokenize([d]))[0]) for d in documents
    ]
    for document, mentions in zip(documents, together, strict=True):
        for mention in mentions:
            words = document.text[mention.span.start : mention.span.end]
            assert "\n" not in words
            assert words == words.strip()
            assert mention.label in names().labels


@pytest.mark.parametrize(
    "piece", ["A.", "Nils ", "van ", "Dr. ", "A-", "Nils, ", "(", "d'", "abcd "]
)
def test_work_grows_with_the_text(piece: str) -> None:
    """A hundred kB of anything takes well under the time that quadratic work would."""
    text = piece * (100_000 // len(piece))
    notes = Clinical().tokenize([Document("a", text)])
    start = time.perf_counter()
    names().detect(notes)
    assert time.perf_counter() - start < 5


def test_weights_that_do_not_fit_are_named() -> None:
    with pytest.raises(SettingsError, match=r"names\.toml: 'weights\.age' is missing or unknown"):
        Cues.read("[weights]\n", "names.toml")
    with pytest.raises(SettingsError, match=r"names\.toml: is not TOML"):
        Cues.read("[", "names.toml")
