from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synth_notes
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.keyed import Key
from phiscrub.synthesize.dateforms import DateForms
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.idshapes import IdShapes
from phiscrub.synthesize.insert import Blocks, Phrases
from phiscrub.synthesize.layout import Blanks, Bullets, Fields, LineEnds, Lines
from phiscrub.synthesize.noise import Noise, Rates, runs_on
from phiscrub.synthesize.step import Step
from phiscrub.synthesize.templates import load_templates

HUBS = label_set("i2b2-2014").to_hub
LAYOUT: tuple[Step, ...] = (Lines(), Fields(), Bullets(), Blanks(), LineEnds())
FORMS: tuple[Step, ...] = (
    DateForms.of("en", HUBS),
    IdShapes.of("en", HUBS),
    Noise(Rates(0.3, 0.3, 0.5, 0.5, 0.3)),
    Phrases(load_templates("en")),
    Blocks(load_templates("en"), header=1, greeting=1, signature=1, footer=1),
)


def draws() -> st.SearchStrategy[Draw]:
    return st.integers(0, 10_000).map(lambda seed: Draw(Key(b"test").narrow(str(seed))))


def cut_words(note: Annotated) -> int:
    text = note.document.text
    edges = [at for m in note.mentions for at in (m.span.start, m.span.end)]
    return sum(0 < at < len(text) and runs_on(text[at - 1], text[at]) for at in edges)


@given(synth_notes.any_note(), draws(), st.sampled_from(LAYOUT))
def test_a_layout_keeps_every_word_and_every_mark(note: Annotated, draw: Draw, step: Step) -> None:
    made = step.change(note, draw)
    before = Counter((label, *words.split()) for label, words in synth_notes.marked(note))
    assert Counter((label, *words.split()) for label, words in synth_notes.marked(made)) == before
    letters = sorted(c for c in note.document.text.lower() if c.isalpha())
    assert sorted(c for c in made.document.text.lower() if c.isalpha()) == letters


@settings(max_examples=200)
@given(synth_notes.any_note(), draws(), st.sampled_from((*LAYOUT, *FORMS)))
def test_no_step_marks_half_a_word_or_loses_a_mark(note: Annotated, draw: Draw, step: Step) -> None:
    made = step.change(note, draw)
    assert cut_words(made) == 0
    before = Counter(m.label for m in note.mentions)
    after = Counter(m.label for m in made.mentions)
    assert not before - after
    if not isinstance(step, Phrases | Blocks):
        assert after == before


def test_phrases_run_into_no_word_beside_them() -> None:
    text = "HPI:\n- 63 yo woman with cough and a fall. The patient is here today.\n\nSigned T. O."
    note, step = Annotated(Document("1", text), ()), Phrases(load_templates("en"))
    made = [step.change(note, Draw(Key(b"test").narrow(str(seed)))) for seed in range(200)]
    assert any(one.mentions for one in made)
    assert not any(map(cut_words, made))


def test_a_page_header_keeps_its_line() -> None:
    text = "CHIEF COMPLAINT\nCough.\n\nHISTORY OF PRESENT ILLNESS\nThe patient is well."
    note, step = Annotated(Document("1", text), ()), Phrases(load_templates("en"))
    made = [step.change(note, Draw(Key(b"test").narrow(str(seed)))) for seed in range(200)]
    put = [one.document.text for one in made if "Provider" in one.document.text]
    assert put
    assert all(re.search(r"Provider .*\n(?:CHIEF|HISTORY)", words) for words in put)


@pytest.mark.parametrize(
    "text",
    [
        "Cough. She is well. She rests. She eats. She left. She sleeps. She walks.",
        "Cough. She is well. She works as a {PROFESSION: baker}. She left. She sleeps.",
    ],
)
def test_a_patient_has_one_job(text: str) -> None:
    step = Phrases(load_templates("en"))
    made = [
        step.change(synth_notes.written(text), Draw(Key(b"test").narrow(str(seed))))
        for seed in range(400)
    ]
    jobs = [sum(m.label == "PROFESSION" for m in one.mentions) for one in made]
    assert max(jobs) == 1


@given(synth_notes.any_note(), draws())
def test_dates_in_other_forms_are_the_same_days(note: Annotated, draw: Draw) -> None:
    made = DateForms.of("en", HUBS)
    changed = DateForms(made.calendar, made.hubs, made.forms, made.months, rate=1).change(
        note, draw
    )
    days = []
    for one in (note, changed):
        words = [said for label, said in synth_notes.marked(one) if label == "DATE"]
        dates = Dates.of(Calendar.load("en"), words)
        read = [written for _, written in dates.written]
        days.append([(w and w.value("month"), w and w.value("day")) for w in read])
    same = [
        a == b or sorted(map(str, a)) == sorted(map(str, b)) for a, b in zip(*days, strict=True)
    ]
    assert all(same)  # 3/4 may be read the other way round once no other date tells


def test_codes_take_other_shapes_and_telephones_keep_their_digits() -> None:
    note = synth_notes.notes()[0]
    own = IdShapes.of("en", HUBS)
    shapes = set()
    for seed in range(30):
        step = IdShapes(own.hubs, own.codes, own.phones, rate=1)
        said = dict(synth_notes.marked(step.change(note, Draw(Key(b"k").narrow(str(seed))))))
        shapes.add(re.sub(r"[A-Z]", "@", re.sub(r"\d", "#", said["MEDICALRECORD"])))
        assert re.sub(r"\D", "", said["PHONE"]).endswith("9186247031")
    assert len(shapes) > 5


@pytest.mark.parametrize("words", ["1-617-422-9182", "(02) 9374 4000", "0113 496 0148"])
def test_no_telephone_takes_a_shape_in_which_its_area_is_impossible(words: str) -> None:
    own, note = IdShapes.of("en", HUBS), synth_notes.written(f"Call {{PHONE: {words}}}.")
    step = IdShapes(own.hubs, own.codes, own.phones, rate=1)
    made = {
        synth_notes.marked(step.change(note, Draw(Key(b"k").narrow(str(seed)))))[0][1]
        for seed in range(200)
    }
    zero = words.startswith("01")
    assert {re.sub(r"\D", "", one)[0] for one in made} == {re.sub(r"\D", "", words)[0]}
    assert (len(made) > 3) == zero  # a number in nobody's plan stays as it is written


def test_noise_spoils_about_as_much_as_is_asked() -> None:
    text = " ".join(["unremarkable"] * 20_000)
    note = synth_notes.written(text)
    made = Noise(Rates(typos=0.01)).change(note, Draw(Key(b"k")))
    spoilt = sum(word != "unremarkable" for word in made.document.text.split())
    assert 140 < spoilt < 260


def spoilt(text: str, rates: Rates) -> float:
    """Return the share of words that noise changes."""
    words = re.findall(r"[^\W_]+", text)
    made = Noise(rates).change(synth_notes.written(text), Draw(Key(b"k"))).document.text
    others = re.findall(r"[^\W_]+", made)
    return sum(a != b for a, b in zip(words, others, strict=True)) / len(words)


@pytest.mark.parametrize("noise", ["typos", "case", "ocr"])
def test_rates_are_shares_of_all_words_though_some_cannot_be_spoilt(noise: str) -> None:
    text = "Mrs A Smith, 63, was seen on 12/4 for a fall; K 4.1 and BP 132/77, plan as before.\n"
    assert spoilt(text * 1000, Rates(**{noise: 0.05})) == pytest.approx(0.05, abs=0.006)


def test_noises_together_do_not_take_each_others_words() -> None:
    text = "Mrs A Smith, 63, was seen on 12/4 for a fall; K 4.1 and BP 132/77, plan as before.\n"
    rates = Rates(typos=0.1, case=0.1, ocr=0.1)
    assert spoilt(text * 1000, rates) == pytest.approx(0.3, abs=0.02)


def test_a_rate_above_what_can_be_spoilt_spoils_all_of_it() -> None:
    assert spoilt("Pt seen 12 3 2024, plan stands. " * 100, Rates(typos=0.9)) == 3 / 7


def test_gaps_that_may_not_go_count_too() -> None:
    text = "Seen by {DOCTOR: Reyes} now. " * 3000
    made = Noise(Rates(glued=0.1)).change(synth_notes.written(text), Draw(Key(b"k")))
    lost = len(synth_notes.written(text).document.text) - len(made.document.text)
    assert lost / 9000 == pytest.approx(0.1, abs=0.01)


def test_without_noise_a_text_stays() -> None:
    note = synth_notes.notes()[0]
    assert Noise(Rates()).change(note, Draw(Key(b"k"))) is note


@pytest.mark.parametrize("words", ["typo=.1", "typos=x", "typos=2", "typos", "case=nan"])
def test_wrong_rates_are_refused(words: str) -> None:
    with pytest.raises(SettingsError):
        Rates.parse(words)


def test_hits_are_as_many_as_the_rate_says_and_in_order() -> None:
    found = list(Draw(Key(b"k")).hits(0.1, 10_000))
    assert 850 < len(found) < 1150
    assert found == sorted(set(found))
    assert list(Draw(Key(b"k")).hits(1.0, 3)) == [0, 1, 2]
    assert list(Draw(Key(b"k")).hits(0.0, 3)) == []


def test_templates_are_about_the_patient_of_the_note() -> None:
    note = synth_notes.written("{PATIENT: Quillfeather, Orla} came. She left.")
    block = Blocks(load_templates("en"), header=1, greeting=0, signature=0, footer=0)
    names = set()
    for seed in range(20):
        made = block.change(note, Draw(Key(b"k").narrow(str(seed))))
        names |= {words for label, words in synth_notes.marked(made) if label == "PATIENT"}
    assert not any("Walker" in name or "WALKER" in name for name in names)
    assert any("Orla Quillfeather" in name for name in names)


@pytest.mark.parametrize("label", ["HOSPITAL", "STREET"])
def test_no_line_is_broken_within_a_mention(label: str) -> None:
    name = "Saint Ethelburga of the Long Northern Shore Cottage Infirmary and Rest Home"
    text = f"She was seen again in the early morning at {{{label}: {name}}} and went home later on."
    for seed in range(40):
        made = Lines().change(synth_notes.written(text), Draw(Key(b"test").narrow(str(seed))))
        assert synth_notes.marked(made) == [(label, name)]


def test_what_stands_behind_an_apostrophe_keeps_its_case() -> None:
    note = synth_notes.written("She's well, he doesn't smoke, the O'Brien boy's too.")
    made = Noise(Rates(case=1)).change(note, Draw(Key(b"case"))).document.text
    assert made != note.document.text
    assert [found[0] for found in re.finditer(r"['’]([a-zA-Z]{1,2})\b", made)] == ["'s", "'t", "'s"]
