from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, LabelError, MissingError, SettingsError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus, _disjoint, check_training, keep_apart, read_corpus
from phiscrub.train.reading import misfits, read
from training_notes import corpus, write_jsonl


def test_a_corpus_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = corpus(5)
    found, notices = read_corpus(write_jsonl(made, tmp_path / "gold.jsonl"))
    assert notices == ()
    assert found.sha256 == made.sha256
    assert found.label_set == "i2b2-2014"
    assert found.name == f"{tmp_path.name}/gold.jsonl"


def test_the_hash_is_of_ids_texts_and_mentions() -> None:
    made = corpus(3)
    fewer = replace(made, notes=(Annotated(made.notes[0].document), *made.notes[1:]))
    renamed = replace(made, name="other", licence="other")
    assert fewer.sha256 != made.sha256 == renamed.sha256


def test_of_mentions_that_overlap_the_longest_is_kept_and_the_notes_are_named(
    tmp_path: Path,
) -> None:
    made = corpus(2)
    first = made.notes[0]
    inner = Mention(Span(first.mentions[1].span.start, first.mentions[1].span.start + 2), "AGE")
    doubled = replace(
        made, notes=(Annotated(first.document, (*first.mentions, inner)), made.notes[1])
    )
    found, notices = read_corpus(write_jsonl(doubled, tmp_path / "gold.jsonl"))
    assert found.sha256 == made.sha256
    assert len(notices) == 1
    assert "1 annotation overlaps another" in notices[0]
    assert first.document.id in notices[0]
    assert made.notes[1].document.id not in notices[0]


def test_bad_corpora_say_what_they_lack(tmp_path: Path) -> None:
    bare = Corpus("bare", tuple(Annotated(n.document) for n in corpus(2).notes), "i2b2-2014")
    with pytest.raises(InputError, match="2 notes, and not one annotation"):
        read_corpus(write_jsonl(bare, tmp_path / "bare.jsonl"))
    with pytest.raises(MissingError, match="no such folder"):
        read_corpus(tmp_path / "nowhere")
    strange = Annotated(corpus(1).notes[0].document, (Mention(Span(0, 4), "WIZARD"),))
    file = write_jsonl(Corpus("s", (strange,), "i2b2-2014"), tmp_path / "strange.jsonl")
    with pytest.raises(LabelError, match="no label set has all of: label WIZARD"):
        read_corpus(file)
    with pytest.raises(LabelError, match="hipaa lacks label WIZARD"):
        read_corpus(file, labels="hipaa")


def test_what_nobody_annotated_is_told(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    write_jsonl(corpus(3), file)
    first, *rest = file.read_text("utf-8").splitlines()
    declined = json.dumps(json.loads(first) | {"answer": "reject"})
    file.write_text("\n".join((declined, *rest)), "utf-8")
    found, notices = read_corpus(file)
    assert len(found) == 2
    assert [line.endswith("(answer): 1 record") for line in notices] == [True]


def test_words_that_a_mistaken_column_makes_labels_are_in_no_message(tmp_path: Path) -> None:
    file = tmp_path / "gold.conll"
    file.write_text("".join(f"B-PER\t{word}\n" for word in ("Ortiz", "LUND", "0701", ".")))
    for labels in (None, "i2b2-2014"):
        with pytest.raises(LabelError) as caught:
            read_corpus(file, labels=labels, read_as="conll")
        told = str(caught.value)
        assert "4 labels (not shown" in told
        assert not any(word in told for word in ("Ortiz", "LUND", "0701"))


def test_training_is_warned_of_rare_labels_and_of_those_only_in_dev() -> None:
    train, dev = corpus(4), corpus(4, seed=2, first=100)
    extra = replace(dev.notes[0], mentions=(*dev.notes[0].mentions, Mention(Span(0, 4), "AGE")))
    notices = check_training(train, replace(dev, notes=(extra, *dev.notes[1:])))
    assert any("fewer than 5" in line and "DATE (4)" in line for line in notices)
    assert any("not learned here: AGE (1)" in line for line in notices)
    assert check_training(corpus(5), corpus(5, seed=2, first=100)) == ()


def test_notes_and_label_sets_of_both_sides_must_fit() -> None:
    with pytest.raises(SettingsError, match="4 notes of seed-1 are in seed-1 too"):
        check_training(corpus(9), corpus(4))
    with pytest.raises(SettingsError, match="has label set meddocan"):
        check_training(corpus(5), replace(corpus(5, seed=2), label_set="meddocan"))


def test_development_notes_are_in_none_of_the_corpora_that_are_learned_from() -> None:
    dev = corpus(4, seed=2, first=100)
    with pytest.raises(SettingsError, match="4 notes of seed-2 are in other too"):
        check_training(corpus(5), dev, [replace(dev, name="other")])
    with pytest.raises(SettingsError, match="has label set meddocan"):
        check_training(corpus(5), None, [replace(dev, label_set="meddocan")])
    wider = replace(dev, notes=(Annotated(dev.notes[0].document, (Mention(Span(0, 4), "AGE"),)),))
    assert not any("AGE (1)" in line for line in check_training(corpus(5), wider, [wide(9)]))


def test_patients_on_both_sides_are_told_and_not_named() -> None:
    train, dev = corpus(6, patients=3), corpus(6, seed=2, first=100, patients=2)
    extra = replace(corpus(6, seed=3, first=200, patients=1), name="other")
    told = check_training(train, dev, [extra])
    assert told[0].startswith("2 patients of seed-2 have notes in seed-1 too: ")
    assert told[1].startswith("1 patient of seed-2 has notes in other too: ")
    assert not any("p0" in line for line in told)
    named = (replace(dev, notes=(Annotated(Document(f"7-{n}", "seen")),)) for n in (1, 2))
    one, other = (corpus.cut(1) for corpus in named)
    assert "1 patient" in check_training(one, other)[-1]


def wide(number: int) -> Corpus:
    """A corpus with ages too."""
    made = corpus(number, seed=3, first=200)
    aged = [replace(n, mentions=(*n.mentions, Mention(Span(0, 4), "AGE"))) for n in made.notes]
    return replace(made, notes=tuple(aged))


def test_a_long_note_is_the_same_under_another_id() -> None:
    made = corpus(2)
    text = " ".join(["Seen again, no change."] * 20)
    short, long = (
        replace(made, notes=(Annotated(Document(name, words)),))
        for name, words in (("a", "Did not attend."), ("b", text))
    )
    renamed = [
        replace(made, notes=(Annotated(Document("z", one.notes[0].document.text)),))
        for one in (short, long)
    ]
    keep_apart(short, renamed[0])
    spaced = replace(made, notes=(Annotated(Document("z", text.replace(". ", ".\n"))),))
    for copy in (renamed[1], spaced, spaced.cut(1)):
        for learned in (long, long.cut(1)):
            with pytest.raises(SettingsError, match="1 note of seed-1 is in seed-1 too: z"):
                keep_apart(learned, copy)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12))
def test_of_any_mentions_those_kept_are_disjoint_and_none_could_be_added(
    places: list[tuple[int, int]],
) -> None:
    mentions = tuple(Mention(Span(start, start + length), "AGE") for start, length in places)
    kept = _disjoint("ab,c de. " * 5, mentions)
    assert list(kept) == sorted(kept, key=lambda m: m.key)
    assert all(a.span.end <= b.span.start for a, b in pairwise(kept))
    for mention in mentions:
        over = [other for other in kept if other.span.overlaps(mention.span)]
        assert over
        longer = [
            o
            for o in mentions
            if o.span.overlaps(mention.span) and len(o.span) >= len(mention.span)
        ]
        assert mention in kept or len(longer) > 1


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12))
def test_no_letter_of_an_identifier_is_left_unmarked(places: list[tuple[int, int]]) -> None:
    text = "ab,c de. " * 5
    mentions = tuple(Mention(Span(start, start + length), "AGE") for start, length in places)
    held = {at for m in _disjoint(text, mentions) for at in range(m.span.start, m.span.end)}
    for mention in mentions:
        for at in range(mention.span.start, mention.span.end):
            assert at in held or not text[at].isalnum()


def test_of_a_mention_that_overlaps_a_longer_one_what_sticks_out_stays(tmp_path: Path) -> None:
    text = "Call Miles Beckwith Surgery now."
    marks = (Mention(Span(5, 19), "DOCTOR"), Mention(Span(11, 27), "HOSPITAL"))
    note = Annotated(Document("n", text), marks)
    file = write_jsonl(Corpus("c", (note,), "i2b2-2014"), tmp_path / "gold.jsonl")
    found, notices = read_corpus(file)
    assert [(m.span, m.label) for m in found.notes[0].mentions] == [
        (Span(5, 10), "DOCTOR"),
        (Span(11, 27), "HOSPITAL"),
    ]
    assert "1 annotation overlaps another" in notices[0]


@given(st.integers(1, 30), st.integers(1, 5))
def test_cutting_loses_no_character_and_no_mention(number: int, lines: int) -> None:
    made = corpus(number)
    text = "".join(n.document.text for n in made.notes)
    shifted, at = [], 0
    for one in made.notes:
        shifted += [replace(m, span=m.span.shift(at)) for m in one.mentions]
        at += len(one.document.text)
    whole = replace(made, notes=(Annotated(Document("all", text), tuple(shifted)),))
    cut = whole.cut(lines)
    assert "".join(n.document.text for n in cut.notes) == text
    words = [[n.document.text[m.span.start : m.span.end] for m in n.mentions] for n in cut.notes]
    assert sum(words, []) == [text[m.span.start : m.span.end] for m in shifted]  # noqa: RUF017
    assert len({n.document.id for n in cut.notes}) == len(cut)
    assert {cut.origin(n.document.id) for n in cut.notes} == {"all"}
    assert {cut.cut(1).origin(n.document.id) for n in cut.cut(1).notes} == {"all"}


def test_mentions_that_no_tagger_can_find_are_counted() -> None:
    text = "Record 3041023MARY\u200bANN was seen"
    inside = Mention(Span(7, 10), "MEDICALRECORD")
    whole = Mention(Span(22, 25), "PATIENT")
    readings = read([Annotated(Document("a", text), (inside, whole))], get_tokenizer())
    assert misfits(readings) >= 1
    assert misfits(read(corpus(3).notes, get_tokenizer())) == 0


def test_gold_follows_the_text_as_it_reads() -> None:
    text = "Seen by Dr. Or\u200btiz today"
    gold = Annotated(Document("a", text), (Mention(Span(12, 18), "DOCTOR"),))
    (one,) = read([gold], get_tokenizer())
    span = one.gold[0].span
    assert one.note.text[span.start : span.end] == "Ortiz"
    assert one.original(one.gold) == gold.mentions


def test_labels_that_a_format_has_no_set_for_can_be_mapped(tmp_path: Path) -> None:
    (tmp_path / "110-01.xml").write_text(
        "<deIdi2b2><TEXT><![CDATA[Ann Lee]]></TEXT><TAGS>"
        '<NAME id="P0" start="0" end="7" text="Ann Lee" TYPE="NAME" comment="" />'
        "</TAGS></deIdi2b2>",
        "utf-8",
    )
    with pytest.raises(LabelError) as caught:
        read_corpus(tmp_path)
    assert "--map OWN=LABEL" in str(caught.value)
    assert "--labels" not in str(caught.value)  # the format says which set it is
