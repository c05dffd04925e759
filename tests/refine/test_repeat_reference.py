"""Name repetition against a slow one that reads the text once for each part."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.refine.plain import is_plain
from phiscrub.refine.repeat import LESS, Repeat
from phiscrub.tokenize.clinical import Clinical

REPEAT = Repeat(frozenset({"PATIENT", "DOCTOR"}), 0.75, frozenset({"rose", "long"}))


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
        whole = text[span.start : span.end].casefold()
        assert bare(added.casefold()) in bare(whole)
        assert mention.span.start not in range(span.start, span.end)


def bare(word: str) -> str:
    """Leave out apostrophes and hyphens."""
    return re.sub("['’-]", "", word)


def runs(text: str, start: int, end: int) -> list[Span]:
    """Find each place where letters with their accents stand, one apostrophe within at most."""
    letters = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")
    both = re.compile(rf"(?={letters.pattern}['’])({letters.pattern})(['’])({letters.pattern})")
    found = []
    for match in letters.finditer(text, start, end):
        pair = both.match(text, match.start(), end)
        if pair and len(pair[3]) > 1:
            found.append(Span(*pair.span()))
        found.append(Span(*match.span()))
    return found


def alike(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().replace("’", "'")


def slowly(repeat: Repeat, note: Note, mentions: Sequence[Mention]) -> list[Mention]:
    """Add repetitions by reading the whole text once for each part."""
    text, parts, firm = note.text, dict[str, Mention](), set[str]()
    for mention in sorted(mentions, key=lambda m: m.key):
        if mention.label in repeat.labels and mention.score >= repeat.least_score:
            name = text[mention.span.start : mention.span.end]
            written = [name[s.start : s.end] for s in runs(name, 0, len(name))]
            letters = r"(?:[^\W\d_][\u0300-\u036f]*)++"
            written += map(bare, (*written, *re.findall(f"{letters}-{letters}", name)))
            long = [p for p in written if len(unicodedata.normalize("NFC", p)) > 2]
            own = {alike(p) for p in long if p.lower() != p}
            for part in own:
                parts.setdefault(part, mention)
            firm.update(own if len(own) > 1 else ())
    covered = {at for m in mentions for at in range(m.span.start, m.span.end)}
    found: dict[int, Mention] = {}
    for part, first in parts.items():
        for span in runs(text, 0, len(text)):
            word = text[span.start : span.end]
            around = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
            said = alike(word) if alike(word) in parts else bare(alike(word))
            stands = said == part and not any(map(str.isalnum, around))
            sure = part in firm
            is_word = part in repeat.words and is_plain(text, span.start, word, firm=sure)
            if stands and span.start not in covered and not is_word:
                made = Mention(span, first.label, first.score * LESS, "repeat:test")
                found[span.start] = max(found.get(span.start, made), made, key=lambda m: m.span.end)
    whole: list[Mention] = []
    for mention in sorted(found.values(), key=lambda m: m.key):
        if not whole or whole[-1].span.end <= mention.span.start:
            whole.append(mention)
    return [*mentions, *whole]


WORDS = (
    *(
        "Ana",
        "ana",
        "ANA",
        "Rose",
        "rose",
        "ROSE",
        "Long",
        "O\u2019Neil",
        "Ana'ana",
        "ana'ana",
        "Anaan",
    ),
    *("D'Ana", "Kovac-Lindh", "Lindh", "Stra\xdfe", "STRASSE", "Strasse", "\u0130nan", "\u0130NAN"),
    *(
        "i\u0307nan",
        "Jo\u01f0",
        "jo\u01f0",
        "JOJ\u030c",
        "\u017fimon",
        "SIMON",
        "\u0149ana",
        "Ana2",
        "_Ana_",
        "told",
    ),
)


GAPS = (" ", " ", " ", ". ", ", ", "'", "'s ", "-", "_", "\n", "", " told ", '"', "\u0307", "2")


@st.composite
def notes_of_names(draw: st.DrawFn) -> tuple[str, list[Mention]]:
    """Names that begin alike, grow in capitals or hold an apostrophe, and some of them marked."""
    text, mentions = "", []
    for _ in range(draw(st.integers(1, 14))):
        word = draw(st.sampled_from(WORDS) | st.text("Abna' \u0130\xdf.", min_size=1, max_size=6))
        if draw(st.booleans()):
            label = draw(st.sampled_from(("PATIENT", "DOCTOR", "CITY")))
            score = draw(st.sampled_from((0.7, 0.8, 0.9)))
            more = draw(st.sampled_from((0, 0, 1, -1))) if len(word) > 1 else 0
            span = Span(len(text), len(text) + len(word) + more)
            mentions.append((span, label, score))
        text += word + draw(st.sampled_from(GAPS))
    text += draw(st.sampled_from(WORDS))
    return text, [Mention(span, label, score, "test") for span, label, score in mentions]


@settings(max_examples=120, deadline=None)
@given(notes_of_names())
def test_one_pass_finds_what_a_pass_for_each_form_finds(marked: tuple[str, list[Mention]]) -> None:
    text, mentions = marked
    (note,) = Clinical().tokenize([Document("a", text)])
    assert list(REPEAT.refine(note, mentions)) == slowly(REPEAT, note, mentions)
