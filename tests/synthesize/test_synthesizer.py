from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synth_notes
from phiscrub.core.document import Subject
from phiscrub.core.errors import InputError
from phiscrub.core.mention import Annotated
from phiscrub.replace.originals import Originals
from phiscrub.synthesize.noise import Rates
from phiscrub.synthesize.resample import Check
from phiscrub.synthesize.synthesizer import Origin, Settings, Synthesizer, doubtful

NOISE = Rates(0.02, 0.02, 0.02, 0.02, 0.02)
MADE = {
    language: Synthesizer.of(Settings(3, language, labels, NOISE))
    for language, labels in synth_notes.SETS.items()
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(MADE)), st.integers(0, 10**6), st.data())
def test_a_copy_holds_no_word_of_an_original_and_marks_whole_words(
    language: str, number: int, data: st.DataObject
) -> None:
    note = data.draw(st.sampled_from(synth_notes.notes(language)))
    made = MADE[language].copy(Origin(note), number, 0, f"synth-{number}")
    check = MADE[language].check
    originals = Originals.of(note.document.text, note.mentions, check.hubs, check.plain)
    assert originals.words
    assert not originals.left(made.document.text)
    assert len(made.mentions) >= len(note.mentions)
    assert {m.source for m in made.mentions} == {"gold"}
    assert made.document.id == f"synth-{number}"
    assert not made.document.meta


def test_the_number_and_the_seed_decide_a_copy() -> None:
    note = synth_notes.notes()[0]
    first = [MADE["en"].copy(Origin(note), n, 0, f"c{n}") for n in range(4)]
    again = Synthesizer.of(Settings(3, "en", "i2b2-2014", NOISE))
    assert [again.copy(Origin(note), n, 0, f"c{n}") for n in (3, 2, 1, 0)][::-1] == first
    assert len({one.document.text for one in first}) == len(first)
    other = Synthesizer.of(Settings(4, "en", "i2b2-2014", NOISE))
    assert other.copy(Origin(note), 0, 0, "c0") != first[0]


def test_notes_of_one_patient_have_the_same_names_in_one_turn() -> None:
    texts = ("Pt {PATIENT: Orla Quillfeather} seen.", "Call {PATIENT: Orla Quillfeather} back.")
    quiet = Synthesizer.of(Settings(3, layout=0, blocks=0))
    pair = [synth_notes.written(t, patient="mrn-4481723") for t in texts]

    def names(turn: int) -> list[tuple[str, str]]:
        made = [quiet.copy(Origin(n), i, turn, f"c{i}") for i, n in enumerate(pair)]
        subjects = {one.document.subject.key for one in made if one.document.subject}
        assert len(subjects) == 1
        assert "4481723" not in subjects.pop()
        return [synth_notes.marked(one)[0] for one in made]

    assert names(0)[0] == names(0)[1] != names(1)[0]


def test_a_seed_alone_tells_nothing_of_a_copy() -> None:
    """The same seed over other originals gives other names, dates and patients' keys."""
    note = synth_notes.notes()[0]
    patient = replace(note, document=replace(note.document, subject=Subject("4481723")))
    made = [
        Synthesizer.of(Settings(3, secret=secret)).copy(Origin(patient), 0, 0, "c")
        for secret in ("one", "one", "another")
    ]
    keys = [one.document.subject.key for one in made if one.document.subject]
    assert keys[0] == keys[1] != keys[2]
    assert made[0] == made[1]
    assert synth_notes.marked(made[0]) != synth_notes.marked(made[2])


def test_carriers_are_filled() -> None:
    text = "The patient is a 62-year-old male. The patient denies fever. He is well. He naps."
    made = [
        MADE["en"].copy(Origin(synth_notes.written(text), is_carrier=True), n, 0, f"c{n}")
        for n in range(20)
    ]
    assert sum(bool(one.mentions) for one in made) >= 18
    assert any("PATIENT" in {m.label for m in one.mentions} for one in made)


def doubt() -> Annotated:
    return synth_notes.written("Seen by Dr {DOCTOR: Longbottom}. Longbottom syndrome excluded.")


def test_a_note_that_cannot_be_cleared_is_told_and_refused() -> None:
    sound = Origin(synth_notes.notes()[0])
    assert doubtful([sound, Origin(doubt())], "i2b2-2014", "en") == [Origin(doubt())]
    with pytest.raises(InputError, match="stand elsewhere"):
        MADE["en"].copy(Origin(doubt()), 0, 0, "c")
    lax = Synthesizer.of(Settings(3, verify=False))
    assert "Longbottom syndrome" in lax.copy(Origin(doubt()), 0, 0, "c").document.text


def test_the_check_tells_words_left_from_words_gone() -> None:
    note = synth_notes.written("Dr {DOCTOR: Longbottom} came.")
    check = Check.of("i2b2-2014", "en")
    assert check.left(note, note)
    assert not check.left(note, synth_notes.written("Dr {DOCTOR: Reyes} came."))


def test_a_moved_date_that_stands_unmarked_too_is_told() -> None:
    note = synth_notes.written("DOB {DATE: 03/14/1961}, born 3/14/61, seen {DATE: 4/5/2019}.")
    check = Check.of("i2b2-2014", "en")
    assert check.stand_elsewhere(note)
    assert check.left(note, synth_notes.written("DOB {DATE: 1/2/60}, born 3/14/61."))
    assert not check.left(note, synth_notes.written("DOB {DATE: 4/5/2019}, seen {DATE: 3/14/61}."))


def test_a_kind_of_street_or_unit_in_a_surrogate_is_nobodys() -> None:
    check = Check.of("i2b2-2014", "en")
    for was, made in (
        ("{HOSPITAL: Kirkstone Lane Surgery}, {STREET: 8 Kirkstone Lane}", "{STREET: 4 Mill Lane}"),
        ("insured by {ORGANIZATION: Mutual}", "by {ORGANIZATION: Hartwell Mutual}"),
    ):
        note = synth_notes.written(was)
        assert not check.left(note, synth_notes.written(made))
        assert check.left(note, synth_notes.written(made + " or the Kirkstone Lane or Mutual"))
