from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.boundary import Boundary, Settings, build
from phiscrub.tokenize.clinical import Clinical
from strategies import mentions, texts


def made(language: str) -> Boundary:
    chosen = Settings(join=("DATE", "HOSPITAL"), names=("PATIENT", "DOCTOR"))
    return build(chosen, Shelf(language, None))


def mended(language: str, text: str, label: str, *parts: str) -> list[str]:
    (note,) = Clinical().tokenize([Document("x", text)])
    spans = [Span(text.index(p), text.index(p) + len(p)) for p in parts]
    refined = made(language).refine(note, [Mention(s, label, 0.9, "crf:x") for s in spans])
    return [text[m.span.start : m.span.end] for m in refined]


@pytest.mark.parametrize(
    ("language", "text", "label", "parts", "wanted"),
    [
        ("en", "on the 3rd of March he", "DATE", ("3rd", "March"), ["3rd of March"]),
        ("en", "on the 3rd of  the\tMarch", "DATE", ("3rd", "March"), ["3rd of  the\tMarch"]),
        ("en", "3rd of\nMarch", "DATE", ("3rd", "March"), ["3rd of\nMarch"]),
        ("en", "3rd\nof March", "DATE", ("3rd", "March"), ["3rd\nof March"]),
        ("en", "3rd of\n\nMarch", "DATE", ("3rd", "March"), ["3rd", "March"]),
        ("en", "the 3rd day of March", "DATE", ("3rd", "March"), ["3rd day of March"]),
        ("en", "ANN LEE M.D.", "DOCTOR", ("ANN LEE M.D.",), ["ANN LEE"]),
        ("en", "Ann Lee R.N.,B.S.N.", "DOCTOR", ("Ann Lee R.N.,B.S.N.",), ["Ann Lee"]),
        ("en", "Ann Lee, FNP-BC, DNP", "DOCTOR", ("Ann Lee, FNP-BC, DNP",), ["Ann Lee"]),
        ("en", "Ann Lee, M. D.", "DOCTOR", ("Ann Lee, M. D.",), ["Ann Lee"]),
        ("en", "Mr. and Mrs. Smith", "PATIENT", ("Mr. and Mrs. Smith",), ["Smith"]),
        ("en", "and Mrs. Smith", "PATIENT", ("and Mrs. Smith",), ["and Mrs. Smith"]),
        (
            "en",
            "Prof. Dr. med. Hans Meier",
            "DOCTOR",
            ("Prof. Dr. med. Hans Meier",),
            ["Hans Meier"],
        ),
        ("en", "LEE P.A.", "PATIENT", ("LEE P.A.",), ["LEE P.A."]),
        ("en", "Lee, M. D.", "PATIENT", ("Lee, M. D.",), ["Lee, M. D."]),
        ("en", "Dr. Medina", "DOCTOR", ("Dr. Medina",), ["Medina"]),
        ("es", "Sr. y Sra. Perez", "PATIENT", ("Sr. y Sra. Perez",), ["Perez"]),
        ("en", "3rd or March", "DATE", ("3rd", "March"), ["3rd", "March"]),
        ("en", "Ann of Lee", "PATIENT", ("Ann", "Lee"), ["Ann", "Lee"]),
        ("es", "3 de marzo de 2014", "DATE", ("3", "marzo", "2014"), ["3 de marzo de 2014"]),
        ("es", "Hospital de Cruces", "HOSPITAL", ("Hospital", "Cruces"), ["Hospital de Cruces"]),
        ("en", "Dr. Ann Lee, MD, PhD.", "DOCTOR", ("Dr. Ann Lee, MD, PhD.",), ["Ann Lee"]),
        ("en", "Ann Lee RN came", "DOCTOR", ("Ann Lee RN",), ["Ann Lee"]),
        ("en", "ANN LEE MD", "DOCTOR", ("ANN LEE MD",), ["ANN LEE MD"]),
        ("en", "YO-YO MA, MD", "PATIENT", ("YO-YO MA, MD",), ["YO-YO MA"]),
        ("en", "Mr Drake", "PATIENT", ("Mr Drake",), ["Drake"]),
        ("en", "Drake", "PATIENT", ("Drake",), ["Drake"]),
        ("en", "Dr. Mr. Drake", "PATIENT", ("Dr. Mr. Drake",), ["Drake"]),
        ("en", "MD", "DOCTOR", ("MD",), ["MD"]),
        ("en", "Dr.", "DOCTOR", ("Dr.",), ["Dr."]),
        ("en", "Dr. Lee, MD", "DATE", ("Dr. Lee, MD",), ["Dr. Lee, MD"]),
        ("en", "PARK, MA", "PATIENT", ("PARK, MA",), ["PARK, MA"]),
        ("en", "NGUYEN, DO", "PATIENT", ("NGUYEN, DO",), ["NGUYEN, DO"]),
        ("en", "Mr. Jack MA", "PATIENT", ("Mr. Jack MA",), ["Jack MA"]),
        ("en", "J. PARK, MA", "PATIENT", ("J. PARK, MA",), ["J. PARK, MA"]),
        ("en", "O'HARA-PARK, MA", "PATIENT", ("O'HARA-PARK, MA",), ["O'HARA-PARK, MA"]),
        (
            "en",
            "Nu\u0301n\u0303ez, MA",
            "PATIENT",
            ("Nu\u0301n\u0303ez, MA",),
            ["Nu\u0301n\u0303ez, MA"],
        ),
        ("en", "PARK, MD", "PATIENT", ("PARK, MD",), ["PARK"]),
        ("en", "ANN PARK, MA", "PATIENT", ("ANN PARK, MA",), ["ANN PARK"]),
        ("en", "Jack Park MA", "PATIENT", ("Jack Park MA",), ["Jack Park"]),
        ("en", "PARK, MA", "DOCTOR", ("PARK, MA",), ["PARK"]),
        ("en", "PARK, MA, MD", "PATIENT", ("PARK, MA, MD",), ["PARK, MA"]),
        ("es", "D. Perez", "PATIENT", ("D. Perez",), ["D. Perez"]),
        ("es", "D. Juan Perez", "PATIENT", ("D. Juan Perez",), ["Juan Perez"]),
        ("es", "Dr. Perez", "PATIENT", ("Dr. Perez",), ["Perez"]),
        ("sv", "Öl Lund, leg läk", "DOCTOR", ("Öl Lund, leg läk",), ["Lund"]),
    ],
)
def test_edges(language: str, text: str, label: str, parts: tuple[str, ...], wanted: list[str]):
    assert mended(language, text, label, *parts) == wanted


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_left_out_of_names_is_all_that_is_lost(data: st.DataObject) -> None:
    text = data.draw(texts(min_size=1))
    marked = [m for m in data.draw(mentions(len(text))) if m.label == "DATE"]
    (note,) = Clinical().tokenize([Document("x", text)])
    refined = made("en").refine(note, marked)
    before = {i for m in marked for i in range(m.span.start, m.span.end)}
    assert before <= {i for m in refined for i in range(m.span.start, m.span.end)}
    assert refined == made("en").refine(note, marked[::-1])


def test_words_that_are_no_lists(tmp_path) -> None:
    (tmp_path / "words.toml").write_text('joining = ["of"]\ntitles = []\ncredentials = ["MD"]\n')
    with pytest.raises(SettingsError, match="not made of lists"):
        build(Settings(words=str(tmp_path)), Shelf("en", None))
