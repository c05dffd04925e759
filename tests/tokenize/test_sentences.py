"""Laws and rules of sentences. Every note here is invented."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscrub.tokenize.sentences import split_all, split_sentences

LAYOUT = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from(["\n", "\r\n", "\n\n", ".\n", "\t", "   ", " | ", "\u2028", "\ufeff"]),
        st.sampled_from([". ", "? ", "… ", ")", '"', "Dr. ", "b.i.d. ", "J. ", "1. ", "mg. "]),
        st.sampled_from(["- ", "PLAN:", "Ann", "word " * 12]),
    ),
    max_size=40,
).map("".join)


def sentences(text: str) -> list[str]:
    return split_sentences(text).words()


@settings(max_examples=150, deadline=None)
@given(text=LAYOUT)
def test_every_visible_character_is_in_one_trimmed_sentence(text: str) -> None:
    found = split_sentences(text)
    done = 0
    for span in found:
        assert not text[done : span.start].strip()
        piece = text[span.start : span.end]
        assert piece == piece.strip() != ""
        done = span.end
    assert not text[done:].strip()


@settings(max_examples=100, deadline=None)
@given(texts=st.lists(LAYOUT, max_size=4))
def test_a_batch_is_its_texts_one_by_one(texts: list[str]) -> None:
    assert [s.words() for s in split_all(texts)] == [sentences(text) for text in texts]


@settings(max_examples=100, deadline=None)
@given(left=LAYOUT, right=LAYOUT)
@example(left="0", right=". 0")
def test_a_blank_line_parts_what_is_around_it(left: str, right: str) -> None:
    both = sentences(left + "\n \n" + right)
    assert both == sentences(left) + sentences(right)


# One blank-line-free text a case; `|` marks where a new sentence must begin and nowhere else.
RUNNING = [
    "Seen today. |Feels well. |No fever.",
    "Any pain? |None! |Good.",
    "Seen by Dr. Lee and Mrs. Okafor. |Both agree.",
    "Cared for at St. Brendan's. |Home now.",
    "Signed by J. R. Lindqvist. |Copied to A. Moreau.",
    "Ms. A. B. Quist came. |She left.",
    "Takes vitamin C. |He sleeps well.",
    "Hepatitis B. |Immune.",
    "Metoprolol 25 mg b.i.d. and aspirin.",
    "Metoprolol 25 mg b.i.d. |She tolerates it.",
    "Metoprolol 25 mg b.i.d. Lisinopril 5 mg",
    "Lasix 20 mg. |Weigh daily.",
    "Lasix 20 mg. 3 times a day",
    "Seen Jan. 5 and Sept. 12. |Well.",
    "Born in Jan. |Twin.",
    "See Fig. 3 and No. 7. |Both normal.",
    "Moved to the U.S. in May. |Works.",
    "Back in the U.S. |The family stayed.",
    "At 9 a.m. Tuesday she fell.",
    "Approx. 200 mL lost. |Stable.",
    "Left vs. Right compared. |Equal.",
    "The pt. Known to us. |Well.",
    "Pain in the left leg. |Swollen.",
    "K 3.6 and Mg 1.7. |INR 2.1.",
    'She said "I am fine." |He did not.',
    "Lungs clear (no wheeze.) |Heart regular.",
    "Waiting... |Then gone.",
    "Waiting... then gone.",
    "Is he well? yes.",
    "Culture grew E. coli. |Treated.",
    "Dose was 5. |Then 10.",
    "PLAN: 1. Rest. |2. Fluids. |3. Review.",
    "¿Dolor? |No. |¿Fiebre? |Sí.",
    "Valorado por la Dra. Ñíguez. |Alta.",
    "Bedömd av överläk. Öberg. |Åter vid behov.",
    "Hon tar t.ex. Alvedon. |Åker hem.",
    "Tar p.o. |Hon mår bra.",
    "Ends without a stop",
]


@pytest.mark.parametrize("case", RUNNING)
def test_full_stops(case: str) -> None:
    assert sentences(case.replace("|", "")) == [part.strip() for part in case.split("|")]


LONG = "The patient was brought in by her daughter after she was found confused"  # over `FULL`

LAYOUTS = {
    "a wrapped line goes on": [f"{LONG}\nin the kitchen this morning."],
    "so it does before a name": [f"{LONG} by\nMaria Holt that morning."],
    "so it does with CRLF": [f"{LONG}\r\nin the kitchen."],
    "and indented": [f"{LONG}\n    in the kitchen."],
    "and after an abbreviation": [f"{LONG} by Dr.\nHolt that morning."],
    "a sentence ends inside the second line": [f"{LONG}\nat home.", "Daughter present."],
    "a full stop ends the line": [f"{LONG}.", "she is well"],
    "a colon ends the line": [f"{LONG} and these were noted:", "weakness of the left arm"],
    "short lines stand alone": ["Ann Holt", "12 Mill Lane", "Leeds"],
    "telegraphic lines too": ["vss", "no pain overnight", "home today"],
    "a line of middling length before a capital": [
        "Seen in clinic, doing well on the tablets",
        "Wife",
    ],
    "a bullet": [LONG, "- aspirin 81 mg", "- lisinopril"],
    "a star": [LONG, "* aspirin", "* lisinopril"],
    "a typed bullet": [LONG, "• aspirin", "• lisinopril"],
    "a number with a stop": ["1. Aspirin 81 mg", "2. Lisinopril"],
    "a number with a bracket": [LONG, "1) aspirin", "2) lisinopril"],
    "a letter with a bracket": [LONG, "a) aspirin", "b) lisinopril"],
    "a wrapped item": [f"- {LONG}\n  in the kitchen.", "- next item"],
    "an item of two sentences": ["1. Chest pain. ", "Resolved."],
    "a heading": [LONG, "Past Medical History:", "asthma"],
    "a heading of capitals": [LONG, "FAMILY HISTORY", "Mother had asthma"],
    "fields": [f"Informant: {LONG}", "DOB: 02/03/1950", "MRN: 0041776"],
    "small fields": [LONG, "home meds: none", "phone: 555-0142"],
    "no field but an address": [f"{LONG} says\nhttp://portal.example is down"],
    "a row of columns": [LONG, "WBC   8.1   RBC   4.2", "plt   210   hgb   13"],
    "a row of bars": [f"{LONG} | 8.1", "wbc | 4.2"],
    "tabs": [LONG, "wbc\t8.1"],
    "an underline": [LONG, "-----", "plan as above"],
    "a log": [LONG, "2155 hookup ok", "22:40 snoring"],
}


@pytest.mark.parametrize("case", LAYOUTS)
def test_line_breaks(case: str) -> None:
    lines = [line.strip() for line in LAYOUTS[case]]
    assert sentences("\n".join(LAYOUTS[case])) == lines


@pytest.mark.parametrize("between", ["\n\n", "\n \n", "\r\n\r\n", "\n\t\n\n", "\r\r", "\u2028\n"])
def test_a_blank_line_always_ends(between: str) -> None:
    assert sentences(f"{LONG}{between}in the kitchen") == [LONG, "in the kitchen"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\r\n \t"])
def test_nothing_gives_nothing(text: str) -> None:
    assert sentences(text) == []


def test_a_realistic_note() -> None:
    note = (
        "MILLBROOK INFIRMARY\n"
        "NAME:  DRAKE, OTTO      MR#: 55-20-113\n"
        "\n"
        "HPI: Mr. Drake is a 71 y.o. man with COPD (FEV1 38%), seen by Dr. K. Amadi on\n"
        "03/04/2021 for dyspnea.  He denies fever.  Uses 2 L. O2 at night.\n"
        "MEDS:\n"
        "1. Tiotropium 18 mcg q.d.\n"
        "2. Prednisone 5 mg. Taper\n"
        "   over two weeks.\n"
        "Plan\n"
        "  Return in 2 wks. for spirometry\n"
    )
    assert sentences(note) == [
        "MILLBROOK INFIRMARY",
        "NAME:  DRAKE, OTTO      MR#: 55-20-113",
        "HPI: Mr. Drake is a 71 y.o. man with COPD (FEV1 38%), seen by Dr. K. Amadi on\n"
        "03/04/2021 for dyspnea.",
        "He denies fever.",
        "Uses 2 L. O2 at night.",
        "MEDS:",
        "1. Tiotropium 18 mcg q.d.",
        "2. Prednisone 5 mg.",
        "Taper",
        "over two weeks.",
        "Plan",
        "Return in 2 wks. for spirometry",
    ]


def test_long_texts_are_no_trouble() -> None:
    for piece in ("Dr. ", "a.\n", ". ", ".)", "1. ", "J. ", "x", " ", "A: ", "\n"):
        assert len(split_sentences(piece * (100_000 // len(piece)))) >= 0
