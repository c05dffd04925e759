"""Disguised identifiers are read as a human reads them, and every offset leads back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given

import phiscrub
from phiscrub.core.span import Span
from phiscrub.tokenize.disguise import undisguise, with_line_ends
from strategies import texts


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Sm\u200bi\u00adth", "Smith"),
        ("\ufeffAnn", "Ann"),
        ("\u202eAnn\u202c", "Ann"),
        ("４０６-５５５", "406-555"),
        ("٤٠٦", "406"),
        ("𝐀𝐧𝐧 𝟙𝟚", "Ann 12"),
        ("Ｄｒ．　Ａｎｎ", "Dr. Ann"),
        ("Оrtіz", "Ortiz"),
        ("Αnn", "Ann"),
        ("Rene\u0301e", "Renée"),
        ("A\u0332n\u0332n\u0332", "Ann"),
        ("555\u20110182", "555-0182"),
        ("555-\n   0182", "555-0182"),
        ("hospi-\r\ntal", "hospital"),
        ("hospi\u00ad\ntal", "hospital"),
        (r"Dear Dr Smith\nRe: Ann Lee", "Dear Dr Smith\nRe: Ann Lee"),
        (r"Ann Lee\r\n\r\nseen\ttoday", "Ann Lee\n\nseen\ttoday"),
        (r"Ann Lee seen.\nher son too", "Ann Lee seen.\nher son too"),
        (r"ann lee\n2 tablets\nno pain", "ann lee\n2 tablets\nno pain"),
        (r"tel 555-\n0182.\nhospi-\r\n tal", "tel 555-0182.\nhospital"),
        (r"Ann Lee\\nSeen" + "\n", "Ann Lee\nSeen\n"),
    ],
)
def test_what_is_read(text: str, reads: str) -> None:
    view = undisguise(text)
    assert view is not None
    assert view.text == reads
    assert len(view.starts) == len(view.ends) == len(reads)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dr. Ann Lee, 3/14",
        "Renée Muñoz Åkesson",
        "10 µg, 5 °C, ½, 2²",
        "Анна Петрова",
        "-\n- x",
        r"see C:\notes\reports\thompson.doc of today",
        r"log-in CORP\nthompson, CORP\r.smith, CORP\smith",
        "Ann Lee\n" + r"a\nB",
    ],
)
def test_what_is_no_disguise(text: str) -> None:
    assert undisguise(text) is None


@given(text=texts())
def test_every_character_leads_back_in_order(text: str) -> None:
    view = undisguise(text)
    if view is None:
        return
    starts, ends = view.starts.tolist(), view.ends.tolist()
    assert all(s < e for s, e in zip(starts, ends, strict=True))
    assert all(e <= s for e, s in zip(ends, starts[1:], strict=False))
    for i, (s, e) in enumerate(zip(starts, ends, strict=True)):
        kept = text[s:e] == view.text[i]
        assert kept or e - s > 1 or not text[s].isascii()
    gone = set(range(len(text))) - {
        i for s, e in zip(starts, ends, strict=True) for i in range(s, e)
    }
    ended = with_line_ends(text)
    for i in gone:
        assert unicodedata.category(text[i]) in ("Cf", "Mn", "Me") or ended[i] in "-\r\n \t"


@pytest.mark.parametrize(
    "secret",
    [
        "406-５５５-0182",
        "4\u200b06-555-0182",
        "406-555-\n0182",
        "ann.lee@ex\u00adample.org",
        "ann.lee@exаmple.org",
    ],
)
def test_a_disguised_identifier_is_found_whole(secret: str) -> None:
    text = f"Please call or write to {secret} soon."
    redaction = phiscrub.load("en").scrub(text)
    spans = [m.span for m in redaction.cover]
    assert Span(24, 24 + len(secret)) in spans


def test_line_ends_written_as_escapes_hide_no_name() -> None:
    text = r"Dear Dr Smith\nRe: John Brown\r\nSeen by Dr Lee\n\nBrown is well"
    redaction = phiscrub.load("en").scrub(text)
    names = [text[m.span.start : m.span.end] for m in redaction.cover]
    assert names == ["Smith", "John Brown", "Lee", "Brown"]
    assert r"]\nRe: [" in redaction.text
