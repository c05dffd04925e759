"""Tags of an earlier scrub: which they are, what is left of mentions beside them, numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.replace.standing import emptied, spared, standing
from phiscrub.replace.tags import Tags
from strategies import disjoint_mentions

LABELS = frozenset({"PATIENT", "DOCTOR", "LOCATION-OTHER", "First_Name"})


@pytest.mark.parametrize(
    "tag", ["[PATIENT-1]", "[PATIENT]", "[PATIENT-11]", "[LOCATION-OTHER-11]", "[First_Name-3]"]
)
def test_the_shape_of_a_tag(tag):
    (found,) = standing(f"Pt:{tag}s", LABELS)
    assert found.span == Span(3, 3 + len(tag))
    assert emptied(Document("n", f"Pt:{tag}s"), [found]).text == f"Pt:[{' ' * (len(tag) - 2)}]s"


@pytest.mark.parametrize(
    "words",
    [
        *("[Ann Lee]", "[PERSON-1]", "[patient-1]", "[PATIENT-01]", "[PATIENT-0]", "PATIENT-1"),
        *(
            "[PATIENT 1]",
            "[PATIENT-12]",
            "[PATIENT-4065550182]",
            "[PATIENT-" + "9" * 5000 + "]",
            "[PATIENT-2014]",
        ),
    ],
)
def test_other_words_in_brackets_are_none(words):
    assert standing(f"Pt: {words}.", LABELS) == ()


def test_a_note_of_many_tags_may_have_high_numbers():
    text = " ".join(f"[PATIENT-{n}]" for n in range(1, 1201))
    assert len(standing(text, LABELS)) == 1200


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("{Dr [DOCTOR-1] Smith}", ["Dr", "Smith"]),
        ("{Lee, [PATIENT-1]}", ["Lee"]),
        ("[{PATIENT}-1] {Lee}", ["Lee"]),
        ("[PATIENT-{1] (Lee}) {Ann}", ["Lee", "Ann"]),
        ("{[PATIENT-1]}[DOCTOR-{1]-}", []),
        ("{Ann}[PATIENT-1]{Lee}", ["Ann", "Lee"]),
        ("{A [PATIENT-1], [DOCTOR] B. [PATIENT-2]}", ["A", "B"]),
    ],
)
def test_of_a_mention_stays_what_lies_outside_tags(text, left):
    plain, mentions, start = "", [], 0
    for sign in text:
        if sign == "{":
            start = len(plain)
        elif sign == "}":
            mentions.append(Mention(Span(start, len(plain)), "DOCTOR"))
        else:
            plain += sign
    cover = spared(plain, Cover.of(mentions), standing(plain, LABELS))
    assert [plain[m.span.start : m.span.end] for m in cover] == left


@given(data=st.data())
def test_nothing_of_a_tag_is_covered_and_all_else_is(data):
    parts = st.sampled_from(("[PATIENT-1]", "[DOCTOR]", "Ann", " ", "Lee-", "[", "3]"))
    text = "".join(data.draw(st.lists(parts, min_size=1, max_size=12)))
    cover = Cover(data.draw(disjoint_mentions(len(text))))
    tags = standing(text, LABELS)
    inside = {i for tag in tags for i in range(tag.span.start, tag.span.end)}
    before, after = (
        {i for m in one for i in range(m.span.start, m.span.end)}
        for one in (cover, spared(text, cover, tags))
    )
    assert not after & inside
    assert after <= before
    assert {i for i in before - inside if text[i].isalnum()} <= after


def test_new_tags_are_numbered_on_from_those_that_stand():
    text = "[PATIENT-2] and [PATIENT-7], [DOCTOR], [CITY-4]: Ann, Lee, Ann, Ortiz, [PATIENT-31415]"
    at = {words: text.index(words) for words in ("Ann", "Lee", "Ortiz")}
    mentions = [Mention(Span(at["Ann"], at["Ann"] + 3), "PATIENT")]
    mentions.append(Mention(Span(at["Lee"], at["Lee"] + 3), "PATIENT"))
    mentions.append(Mention(Span(at["Ortiz"], at["Ortiz"] + 5), "DOCTOR"))
    made = Tags().replace(Document("n", text), Cover.of(mentions))
    assert made.replacements == ("[PATIENT-8]", "[PATIENT-9]", "[DOCTOR-1]")
