from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.refine.repeat import Repeat
from phiscrub.tokenize.clinical import Clinical

REPEAT = Repeat(frozenset({"PATIENT", "DOCTOR"}), 0.75, frozenset({"rose", "long"}))


def repeated(
    text: str, *names: str, label: str = "PATIENT", score: float = 0.9
) -> list[tuple[str, int]]:
    """Mark the first occurrence of each name, and return what the refiner adds."""
    (note,) = Clinical().tokenize([Document("a", text)])
    spans = [Span(text.index(name), text.index(name) + len(name)) for name in names]
    mentions = [Mention(span, label, score, "test") for span in spans]
    refined = REPEAT.refine(note, mentions)
    assert refined[: len(mentions)] == tuple(mentions)
    return [(text[m.span.start : m.span.end], m.span.start) for m in refined[len(mentions) :]]


def words(text: str, *names: str, **more: object) -> list[str]:
    return [word for word, _ in repeated(text, *names, **more)]  # type: ignore[arg-type]


def test_each_part_repeats() -> None:
    assert words("Mr. Abel Kovac. Later Abel slept; Kovac woke.", "Abel Kovac") == ["Abel", "Kovac"]


def test_forms_of_writing() -> None:
    text = "Kovac came. KOVAC left, kovac slept."
    assert words(text, "Kovac") == ["KOVAC", "kovac"]
    assert words("KOVAC came. Then Kovac left.", "KOVAC") == ["Kovac"]


def test_a_possessive_is_left_outside() -> None:
    assert words("Kovac came. Saw Kovac's son.", "Kovac") == ["Kovac"]


def test_both_halves_of_a_double_name_repeat() -> None:
    assert words("Dr. Kovac-Lindh. Asked Lindh.", "Kovac-Lindh") == ["Lindh"]


def test_a_part_of_a_word_is_no_repetition() -> None:
    assert words("Hart came. Harty, Leihart, Hart2", "Hart") == []


def test_a_common_word_needs_its_capital_within_a_sentence() -> None:
    text = "Mrs. Rose came. Rose in pressure. He rose. ROSE in tone. We saw Rose."
    assert repeated(text, "Rose") == [("Rose", text.rindex("Rose"))]


def test_a_common_word_repeats_beside_what_makes_it_a_name() -> None:
    text = "Mrs. Rose came. Rose is tired. Asked per rose. She rose. told rose so."
    wanted = [text.index("Rose is"), text.index("rose."), text.index("rose so")]
    assert sorted(start for _, start in repeated(text, "Rose")) == wanted


def test_a_common_word_in_a_line_of_capitals_stays() -> None:
    assert words("SEEN BY DR ROSE. NO ROSE RASH. PER ROSE OK", "ROSE") == ["ROSE"]


def test_short_parts_and_lower_case_parts_do_not_repeat() -> None:
    assert words("Dr. Bo de Lind. de Bo", "Bo de Lind") == []


def test_a_weak_mention_is_not_believed() -> None:
    assert words("Kovac came. Kovac left.", "Kovac", score=0.7) == []


def test_other_labels_do_not_repeat() -> None:
    assert words("Kovac came. Kovac left.", "Kovac", label="CITY") == []


def test_the_label_is_that_of_the_first_mention() -> None:
    text = "Dr. Kovac, Mr. Kovac, Kovac"
    (note,) = Clinical().tokenize([Document("a", text)])
    first = Mention(Span(4, 9), "DOCTOR", 0.9, "test")
    second = Mention(Span(15, 20), "PATIENT", 0.9, "test")
    for mentions in ([first, second], [second, first]):
        assert REPEAT.refine(note, mentions)[2:] == (
            Mention(Span(22, 27), "DOCTOR", 0.9 * 0.9, "repeat"),
        )


@given(st.text("Ab-' .\nK", max_size=60), st.data())
def test_additions_stand_outside_what_was_there_and_repeat_it(
    text: str, data: st.DataObject
) -> None:
    if len(text) < 2:
        return
    start = data.draw(st.integers(0, len(text) - 2))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    (note,) = Clinical().tokenize([Document("a", text)])
    refined = REPEAT.refine(note, [Mention(span, "PATIENT", 0.9, "test")])
    for mention in refined[1:]:
        added = text[mention.span.start : mention.span.end]
        assert added.lower() in text[span.start : span.end].lower()
        assert mention.span.start not in range(span.start, span.end)
