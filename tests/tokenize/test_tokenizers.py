"""Laws and rules of every tokenizer."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.tokens import Tokens
from phiscrub.tokenize import classes
from phiscrub.tokenize.registry import TOKENIZERS, get_tokenizer
from phiscrub.tokenize.sentences import split_sentences

# Arbitrary Unicode, lone surrogates included, with what the rules look at made frequent.
TEXTS = st.lists(
    st.one_of(
        st.characters(),
        st.characters(codec="ascii"),
        st.sampled_from("aZ09 .,:-'’&/\n\r\t\u00ad\u200b\u200d\ufeff\u0301é²٣字\ud800\u2028\x1f\0"),
        st.sampled_from(
            ["can't ", "cannot", "gimme", "n't", "'s", "Dr. ", "1,000", "J. R. ", "\r\n", ".5"]
        ),
    ),
    max_size=40,
).map("".join)

HIDDEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def slow_i2b2(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer(r"[a-zA-Z0-9]+", text)]


def slow_clinical(text: str) -> list[tuple[int, int]]:
    def kind(c: str) -> str:
        if c.isspace():
            return " "
        category = unicodedata.category(c)
        return {"Nd": "1", "Cf": "~"}.get(category, "a" if category[0] in "LM" else "?")

    kinds = [kind(c) for c in text]
    resolved = []
    for index, found in enumerate(kinds):
        before = next((k for k in reversed(kinds[:index]) if k != "~"), " ")
        after = next((k for k in kinds[index:] if k != "~"), " ")
        inside = before if before == after and before in "a1" else " "
        resolved.append(inside if found == "~" else found)
    spans: list[tuple[int, int]] = []
    for index, found in enumerate(resolved):
        if found in "a1" and index and resolved[index - 1] == found:
            spans[-1] = (spans[-1][0], index + 1)
        elif found != " ":
            spans.append((index, index + 1))
    return spans


def slow_treebank(text: str) -> list[tuple[int, int]]:  # noqa: PLR0912 - one plain walk
    def at(i: int) -> str:
        return text[i] if 0 <= i < len(text) else ""

    def word(i: int) -> bool:
        return at(i).isalnum() or at(i) == "_"

    def rest(i: int) -> int:
        while word(i) or (at(i) and (at(i) in HIDDEN or "\u0300" <= at(i) <= "\u036f")):
            i += 1
        return i

    def fold(i: int, length: int) -> str:
        return text[i : i + length].lower().replace("ſ", "s").replace("’", "'")

    def clitic(i: int) -> int:
        if at(i) not in ("'", "’"):
            return 0
        tails = ("s", "m", "d", "ll", "re", "ve")
        return next((1 + len(t) for t in tails if fold(i + 1, len(t)) == t), 0)

    spans, i = [], 0
    while i < len(text):
        start = i
        dotted = at(i) == "." and at(i + 1).isdecimal() and not word(i - 1) and at(i - 1) != "."
        if word(i) or dotted:
            i = rest(i + 1)
            while (at(i) and at(i) in "-./&'’" and word(i + 1)) or (
                at(i) and at(i) in ",:" and at(i - 1).isdecimal() and at(i + 1).isdecimal()
            ):
                i = rest(i + 1)
            if at(i) == "." and at(i + 1) != ".":
                i += 1
        elif (long := clitic(i)) and not word(i + long):
            i += long
        elif text[i : i + 2] in ("..", "--"):
            while at(i) == text[start]:
                i += 1
        elif text[i : i + 2] in ("``", "''"):
            i += 2
        else:
            i += 1
            if text[start].isspace() or text[start] in HIDDEN:
                continue
        spans.append((start, i))

    cuts = set()
    for i in range(len(text)):
        free = [not (word(j) or at(j) == "-") for j in range(i, i + 5)]
        if word(i - 1) and fold(i, 3) == "n't" and free[3]:
            cuts.add(i)
        if word(i - 1) and (long := clitic(i)) and free[long]:
            cuts.add(i)
        if not word(i - 1) and not (at(i - 1) and at(i - 1) in "'’./&-"):
            for pair in ("can not", "gon na", "got ta", "wan na", "gim me", "lem me"):
                head, tail = pair.split()
                whole = head + tail
                if fold(i, len(whole)) == whole and not word(i + len(whole)):
                    cuts.add(i + len(head))
    for sentence in split_sentences(text):
        last = sentence.end - 1
        while last > sentence.start and text[last] in "\"'”’»)]}>":
            last -= 1
        if text[last] == "." and last > sentence.start and text[last - 1] != ".":
            cuts.add(last)
    return [
        piece
        for start, end in spans
        for piece in _split(start, end, sorted(c for c in cuts if start < c < end))
    ]


def _split(start: int, end: int, cuts: list[int]) -> list[tuple[int, int]]:
    edges = [start, *cuts, end]
    return list(pairwise(edges))


SLOW: dict[str, Callable[[str], list[tuple[int, int]]]] = {
    "i2b2": slow_i2b2,
    "clinical": slow_clinical,
    "treebank": slow_treebank,
}


def pairs(tokens: Tokens) -> list[tuple[int, int]]:
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


def cut(name: str, text: str) -> list[str]:
    note = get_tokenizer(name).tokenize([Document("d", text)])[0]
    return note.tokens.words()


def test_the_registry_is_as_agreed() -> None:
    assert sorted(TOKENIZERS) == ["clinical", "i2b2", "treebank"]
    assert set(SLOW) == set(TOKENIZERS)


def test_an_unknown_tokenizer_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="no tokenizer 'nltk'; known: clinical, i2b2, treebank"):
        get_tokenizer("nltk")


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
def test_a_tokenizer_is_a_frozen_slotted_value(name: str) -> None:
    tokenizer = get_tokenizer(name)
    assert tokenizer == get_tokenizer(name)
    assert dataclasses.is_dataclass(tokenizer)
    assert not hasattr(tokenizer, "__dict__")


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_the_slow_reference_agrees(name: str, text: str) -> None:
    assert pairs(TOKENIZERS[name]().cut(text)) == SLOW[name](text)


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
@settings(max_examples=40, deadline=None)
@given(texts=st.lists(TEXTS, max_size=6))
def test_a_batch_is_its_notes_one_by_one(name: str, texts: list[str]) -> None:
    tokenizer = get_tokenizer(name)
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    notes = tokenizer.tokenize(documents)
    assert [note.document for note in notes] == documents
    for document, note in zip(documents, notes, strict=True):
        (alone,) = tokenizer.tokenize([document])
        assert pairs(note.tokens) == pairs(alone.tokens) == pairs(tokenizer.cut(document.text))
        assert pairs(note.sentences) == pairs(alone.sentences)
        assert note.tokens.starts.dtype == note.tokens.ends.dtype == np.int32


@pytest.mark.parametrize("name", ["clinical", "treebank"])
@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_only_white_space_and_the_invisible_is_in_no_token(name: str, text: str) -> None:
    done, pieces = 0, []
    for start, end in pairs(TOKENIZERS[name]().cut(text)):
        assert done <= start < end <= len(text)
        gap = text[done:start]
        assert all(c.isspace() or unicodedata.category(c) == "Cf" for c in gap)
        pieces += [gap, text[start:end]]
        assert not any(c.isspace() for c in text[start:end])
        done = end
    assert all(c.isspace() or unicodedata.category(c) == "Cf" for c in text[done:])
    assert "".join([*pieces, text[done:]]) == text


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_no_token_crosses_a_sentence(name: str, text: str) -> None:
    (note,) = get_tokenizer(name).tokenize([Document("d", text)])
    for token in note.tokens:
        (index,) = note.sentences.within(token)
        assert note.sentences[index].contains(token)


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
def test_batches_larger_than_one_array_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Ann Lee, 82y", "", "x" * 50, "seen 3/4.", " "] * 4
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    whole = [pairs(n.tokens) for n in get_tokenizer(name).tokenize(documents)]
    monkeypatch.setattr(classes, "BATCH", 20)
    monkeypatch.setattr(classes, "SLICE", 7)
    assert [pairs(n.tokens) for n in get_tokenizer(name).tokenize(documents)] == whole


def test_documents_do_not_touch() -> None:
    notes = get_tokenizer("clinical").tokenize([Document("a", "Sm\u00ad"), Document("b", "ith")])
    assert [note.tokens.words() for note in notes] == [["Sm"], ["ith"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3041023MARY", ["3041023", "MARY"]),
        ("04/12by", ["04", "/", "12", "by"]),
        ("O'Neil", ["O", "'", "Neil"]),
        ("A&B  --", ["A", "&", "B", "-", "-"]),
        ("Müller-Ågren", ["Müller", "-", "Ågren"]),
        ("Mu\u0308ller", ["Mu\u0308ller"]),
        ("Sm\u00adith", ["Sm\u00adith"]),
        ("Sm\u200b\u200dith", ["Sm\u200b\u200dith"]),
        ("12\u200b34", ["12\u200b34"]),
        ("\ufeffAnn\u00ad 12\u200bmg", ["Ann", "12", "mg"]),
        ("١٢٣ab", ["١٢٣", "ab"]),
        ("5x10²", ["5", "x", "10", "²"]),
        ("a\ud800b", ["a", "\ud800", "b"]),
        ("山田 😀😀", ["山田", "😀", "😀"]),
        ("\0x\x85", ["\0", "x"]),
        ("", []),
    ],
)
def test_clinical(text: str, words: list[str]) -> None:
    assert cut("clinical", text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3041023MARY", ["3041023MARY"]),
        ("04/12by", ["04", "12by"]),
        ("O'Neil", ["O", "Neil"]),
        ("Müller", ["M", "ller"]),
        ("a_b", ["a", "b"]),
        ("١٢ \ud800", []),
    ],
)
def test_i2b2(text: str, words: list[str]) -> None:
    assert cut("i2b2", text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", "I do n't know ."),
        ("He's fine, they'll cope", "He 's fine , they 'll cope"),
        ("She cannot. He CAN’T.", "She can not . He CA N’T ."),
        ("I'm gonna go", "I 'm gon na go"),
        ("Gotta wanna gimme lemme", "Got ta wan na gim me lem me"),
        ("scannot cannots un-cannot", "scannot cannots un-cannot"),
        ("do n't", "do n't"),
        ("the patients' wishes", "the patients ' wishes"),
        ("Dr. Lee saw her.", "Dr. Lee saw her ."),
        ("20 mg p.o. b.i.d. for pain.", "20 mg p.o. b.i.d. for pain ."),
        ("Given b.i.d.", "Given b.i.d ."),
        ("She moved to the U.S. in May.", "She moved to the U.S. in May ."),
        ("On 03/14/2012 at 10:30, 1,000 mL, 3.5 mg", "On 03/14/2012 at 10:30 , 1,000 mL , 3.5 mg"),
        ("dose .5 mg", "dose .5 mg"),
        ("an 82-year-old follow-up", "an 82-year-old follow-up"),
        ("O'Neil and/or AT&T", "O'Neil and/or AT&T"),
        ("cost $5 (98%)", "cost $ 5 ( 98 % )"),
        ('He said "no pain."', 'He said " no pain . "'),
        ("pain... none -- ok", "pain ... none -- ok"),
        ("NAME:Lee", "NAME : Lee"),
        ("``quoted''", "`` quoted ''"),
        ("Jos\u00e9's Mu\u0308ller", "Jos\u00e9 's Mu\u0308ller"),
        ("(Dr. Lee called.)", "( Dr. Lee called . )"),
    ],
)
def test_treebank(text: str, words: str) -> None:
    assert cut("treebank", text) == words.split()


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
def test_one_long_line_and_one_long_word_are_no_trouble(name: str) -> None:
    text = "a" * 200_000 + " b." * 50_000 + "'" * 50_000 + ".)" * 50_000
    assert len(TOKENIZERS[name]().cut(text))
