"""A mention of a person in pieces, and what is written in their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from phiscrub.replace.casing import like
from phiscrub.replace.namelists import SURNAME
from phiscrub.replace.people import SPELLED, fold
from phiscrub.replace.titles import PARTICLES

GIVEN, INITIALS = "given", "initials"


@dataclass(frozen=True, slots=True)
class Person:
    """One mention of a person; `role` is given where the label says which part of a name it is."""

    words: str
    before: str
    patient: bool
    role: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a mention at its place, and which part of the name it is."""

    start: int
    end: int
    role: str


def is_short(words: str, piece: Piece) -> bool:
    """Tell whether a piece is initials, or has a letter that stands alone."""
    return piece.role == INITIALS or any(
        len(part) == 1 for part in words[piece.start : piece.end].split("-")
    )


def written(words: str, pieces: Sequence[Piece], word: Callable[[str, str], str]) -> str:
    """Write other words at the places of the pieces; particles within the name go."""
    put, done = [], 0
    for piece in pieces:
        between = words[done : piece.start]
        if done or piece.role == SURNAME:
            kept = [w for w in re.split(r"(\s+)", between) if fold(w) not in PARTICLES]
            between = (
                re.sub(r"(\s)\s+", r"\1", "".join(kept))
                if PARTICLES & set(fold(between).split())
                else between
            )
        put.append(between if done or between.strip() else "")
        was = words[piece.start : piece.end]
        if SPELLED.fullmatch(was):
            spelled = word(was.replace("-", ""), piece.role)
            put.append("-".join(like(was, spelled)))
        else:
            ending = next((e for e in ("'s", "’s", "'S", "’S") if was.endswith(e)), "")
            parts = was.removesuffix(ending).split("-") if ending else was.split("-")
            put.append("-".join(word(p, piece.role) if p else p for p in parts) + ending)
        done = piece.end
    put.append(words[done:])
    return "".join(put)
