from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.errors import AnnotationError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.schemes import OUTSIDE, SCHEMES, Scheme, scheme
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from strategies import labels, mentions, pieces, tokens

LABELS = ("X", "Y-Z")  # a label may hold the dash that joins prefixes
LONGEST = 4
EVERY = pytest.mark.parametrize("one", SCHEMES.values(), ids=list(SCHEMES))
Chunks = list[tuple[int, int, str]]


def sequences(one: Scheme) -> Iterator[tuple[str, ...]]:
    """Every sequence of the scheme's tags, up to the longest."""
    for length in range(LONGEST + 1):
        yield from product(one.tags(LABELS), repeat=length)


def chunkings(length: int) -> Iterator[Chunks]:
    """Every way to lay labelled chunks over so many tokens."""
    for cuts in product((False, True), repeat=max(length - 1, 0)):
        edges = [0, *(i for i, cut in enumerate(cuts, 1) if cut), length]
        if not length:
            edges = []
        for names in product((None, *LABELS), repeat=max(len(edges) - 1, 0)):
            pairs = zip(pairwise(edges), names, strict=True)
            yield [(first, end, name) for (first, end), name in pairs if name is not None]


def merged(chunks: Chunks) -> Chunks:
    """The chunks as IO keeps them: those that touch and have one label become one."""
    kept: Chunks = []
    for first, end, label in chunks:
        if kept and kept[-1][1:] == (first, label):
            kept[-1] = (kept[-1][0], end, label)
        else:
            kept.append((first, end, label))
    return kept


@st.composite
def chunk_lists(draw: st.DrawFn) -> tuple[int, Chunks]:
    length = draw(st.integers(0, 20))
    return length, [(first, end, draw(labels())) for first, end in draw(pieces(length))]


@EVERY
@settings(max_examples=40)  # times five schemes
@given(case=chunk_lists())
def test_chunks_that_were_written_are_read_back(one, case):
    length, chunks = case
    tags = one.write(length, chunks)
    assert len(tags) == length
    assert one.chunks(tags) == (merged(chunks) if one.name == "IO" else chunks)
    assert one.is_well_formed(tags)


@EVERY
def test_every_short_chunking_is_read_back_and_no_other_sequence_is_well_formed(one):
    """Well-formed is what the scheme writes: nothing more, nothing less."""
    written = set()
    for length in range(LONGEST + 1):
        for chunks in chunkings(length):
            tags = tuple(one.write(length, chunks))
            assert one.chunks(tags) == (merged(chunks) if one.name == "IO" else chunks)
            written.add(tags)
    assert {tags for tags in sequences(one) if one.is_well_formed(tags)} == written


@EVERY
def test_a_sequence_is_well_formed_where_follows_allows_every_step(one):
    seen = set()
    for tags in sequences(one):
        allowed = all(one.follows(left, right) for left, right in pairwise((None, *tags, None)))
        assert one.is_well_formed(tags) == allowed, tags
        seen.add(allowed)
    assert seen == ({True} if one.name == "IO" else {True, False})


@EVERY
def test_reading_any_sequence_loses_no_tagged_token_and_invents_none(one):
    for tags in sequences(one):
        chunks = one.chunks(tags)
        assert all(first < end for first, end, _ in chunks)
        assert all(left[1] <= right[0] for left, right in pairwise(chunks))
        read = {i: label for first, end, label in chunks for i in range(first, end)}
        tagged = {i: one.split(tag, i)[1] for i, tag in enumerate(tags) if tag != OUTSIDE}
        assert read == tagged, tags


@EVERY
def test_repair_is_well_formed_idempotent_and_reads_the_same(one):
    for tags in sequences(one):
        repaired = one.repair(tags)
        assert one.repair(repaired) == repaired
        assert one.is_well_formed(repaired)
        assert one.chunks(repaired) == one.chunks(tags)


@pytest.mark.parametrize(
    ("name", "tags", "repaired"),
    [
        ("BIO", "O I-X I-X", "O B-X I-X"),
        ("BIO", "B-X I-Y I-X", "B-X B-Y B-X"),
        ("IOB1", "B-X I-X O", "I-X I-X O"),
        ("IOB1", "I-X B-X B-Y", "I-X B-X I-Y"),
        ("BIOES", "B-X O", "S-X O"),
        ("BIOES", "I-X I-X E-X", "B-X I-X E-X"),
        ("BIOES", "B-X E-Y S-Y I-Y", "S-X S-Y S-Y S-Y"),
        ("BIOES", "S-X E-X", "S-X S-X"),
        ("BIOES", "B-X B-X I-X", "S-X B-X E-X"),
        ("BILOU", "I-X L-X L-X U-X B-X", "B-X L-X U-X U-X U-X"),
        ("IO", "X X O Y", "X X O Y"),
    ],
)
def test_repairs(name, tags, repaired):
    assert scheme(name).repair(tags.split()) == repaired.split()


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("BIO", "B-X B-X I-X I-X O B-Y"),
        ("IOB1", "I-X B-X I-X I-X O I-Y"),
        ("BIOES", "S-X B-X I-X E-X O S-Y"),
        ("BILOU", "U-X B-X I-X L-X O U-Y"),
        ("IO", "X X X X O Y"),
    ],
)
def test_how_each_scheme_writes_the_same_chunks(name, tags):
    assert SCHEMES[name].write(6, [(0, 1, "X"), (1, 4, "X"), (5, 6, "Y")]) == tags.split()


def test_the_table_of_schemes():
    assert list(SCHEMES) == ["BIO", "IOB1", "BIOES", "BILOU", "IO"]
    prefixes = {name: "".join(sorted(one.prefixes)) for name, one in SCHEMES.items()}
    assert prefixes == {"BIO": "BI", "IOB1": "BI", "BIOES": "BEIS", "BILOU": "BILU", "IO": ""}


@EVERY
def test_the_tags_are_what_is_written_for_the_labels(one):
    tags = one.tags(reversed(LABELS))
    assert tags[0] == OUTSIDE
    assert list(tags[1:]) == sorted(tags[1:])
    assert tags == one.tags(LABELS)
    writable = {
        tag for n in range(LONGEST) for chunks in chunkings(n) for tag in one.write(n, chunks)
    }
    assert set(tags) == writable


@EVERY
@settings(max_examples=40)  # times five schemes
@given(data=st.data())
def test_a_token_is_tagged_with_the_first_mention_that_shares_a_character(one, data):
    text = "x" * 30
    cut, found = data.draw(tokens(text)), data.draw(mentions(len(text)))
    tags = one.encode(cut, found)
    assert tags == one.encode(cut, found[::-1])
    assert one.is_well_formed(tags)
    for index, (token, tag) in enumerate(zip(cut, tags, strict=True)):
        ranked = sorted((m for m in found if m.span.overlaps(token)), key=lambda m: m.key)
        assert (ranked[0].label if ranked else None) == (
            None if tag == OUTSIDE else one.split(tag, index)[1]
        )


@EVERY
@settings(max_examples=40)  # times five schemes
@given(data=st.data())
def test_mentions_of_whole_tokens_are_read_back(one, data):
    cut = data.draw(tokens("x" * 30))
    chunks = [(a, b, data.draw(labels())) for a, b in data.draw(pieces(len(cut)))]
    marked = [Mention(Span(cut[a].start, cut[b - 1].end), label) for a, b, label in chunks]
    expected = merged(chunks) if one.name == "IO" else chunks
    assert one.chunks(one.encode(cut, marked)) == expected


def test_a_mention_between_tokens_tags_nothing():
    cut = Tokens.of("ab  cd", [(0, 2), (4, 6)])
    assert SCHEMES["BIO"].encode(cut, [Mention(Span(2, 4), "X")]) == ["O", "O"]


@EVERY
def test_tags_of_another_scheme_are_refused_without_being_shown(one):
    wrong = ["Q-SECRET", "SECRET", "B-", "-SECRET", "", "b-SECRET"] if one.name != "IO" else [""]
    for tag in wrong:
        for read in (one.chunks, one.repair, one.is_well_formed):
            with pytest.raises(AnnotationError, match="token 1 ") as caught:
                read(["O", tag])
            assert "SECRET" not in str(caught.value)
        for left, right in ((None, tag), (tag, None), (tag, tag), ("O", tag), (tag, "O")):
            with pytest.raises(AnnotationError):
                one.follows(left, right)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("IOB2", "BIO"), ("IOB", "BIO"), ("IOBES", "BIOES"), ("bilou", "BILOU"), ("Iob1", "IOB1")],
)
def test_schemes_go_by_other_names_in_any_case(alias, name):
    assert scheme(alias) is SCHEMES[name]


def test_an_unknown_scheme_is_refused_with_what_is_known():
    with pytest.raises(SettingsError, match=r"BIO, IOB1, BIOES, BILOU, IO$"):
        scheme("BMEWO")


def test_prefixes_differ_between_any_two_schemes():
    """But for BIO and IOB1, a reader can tell the scheme from the prefixes alone."""
    same = [
        pair for pair in combinations(SCHEMES.values(), 2) if pair[0].prefixes == pair[1].prefixes
    ]
    assert [(a.name, b.name) for a, b in same] == [("BIO", "IOB1")]
