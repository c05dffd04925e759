"""Words of two surnames, `José García López`, as surnames in every form of the name in a note."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise

from phiscrub.replace.namelists import SURNAME
from phiscrub.replace.people import Name, bare
from phiscrub.replace.pieces import GIVEN, Person, Piece


def as_surnames(
    mentions: Sequence[Person],
    numbers: Sequence[int],
    read: Sequence[list[Piece]],
    given: Container[str],
) -> list[list[Piece]]:
    """Return the pieces, a given name as a surname where another form of the name says so.

    Of the same person `JONES ROE Ann` says so; of anybody, a word that stands alone or is joined
    to another by a hyphen. `given` are known given names: of them only `Mr. Santiago` says so, and
    of staff `Dr. Bell` of `Bell`, unless somebody has it as the first of several words.
    """
    words = [
        [bare(mention.words[piece.start : piece.end]) for piece in pieces]
        for mention, pieces in zip(mentions, read, strict=True)
    ]
    own = {
        (number, word)
        for number, pieces, parts in zip(numbers, read, words, strict=True)
        for piece, word in zip(pieces, parts, strict=True)
        if len(pieces) > 2 and pieces[1].role == piece.role == SURNAME  # noqa: PLR2004
    }
    joined = {
        pair
        for pieces, parts in zip(read, words, strict=True)
        for piece, word in zip(pieces, parts, strict=True)
        if piece.role == SURNAME
        for pair in pairwise(word.split("-"))
    }
    doubled = joined | {(parts[-2], parts[-1]) for parts in words if len(parts) > 2}  # noqa: PLR2004
    alone = {
        parts[0]
        for mention, pieces, parts in zip(mentions, read, words, strict=True)
        if [piece.role for piece in pieces] == [SURNAME]
        and (parts[0] not in given or Name.read("x", mention.before).sex)
    }
    told = alone | {first for first, _ in joined if first not in given}
    doubly = told | {word for _, word in own}
    staff = {
        number
        for mention, number, pieces in zip(mentions, numbers, read, strict=True)
        if not mention.patient and [piece.role for piece in pieces] == [SURNAME]
    }
    first = {parts[0] for parts in words if len(parts) > 1}

    def role(mention: Person, piece: Piece, number: int, parts: Sequence[str], at: int) -> str:
        word = parts[at]
        if piece.role != GIVEN or len(word) == 1:
            return piece.role
        if at:
            surname = (number, word) in own or word in told
        elif len(parts) == 1:
            titled = not mention.patient and number in staff and word not in first
            surname = titled or (word in told and word not in given)
        else:
            surname = word in doubly and (word, parts[1]) in doubled
        return SURNAME if surname else GIVEN

    return [
        [
            replace(piece, role=role(mention, piece, number, parts, at))
            for at, piece in enumerate(pieces)
        ]
        for mention, number, pieces, parts in zip(mentions, numbers, read, words, strict=True)
    ]
