"""Which word of a note is a short form, a plural or a misspelling of which other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from phiscrub.replace.namelists import SURNAME, NameLists
from phiscrub.replace.people import Name, bare
from phiscrub.replace.pieces import GIVEN, Person, Piece
from phiscrub.replace.slips import Slips, one_slip

LEAST_MISSPELLED = 4
LEAST_CALLED = 3  # letters of a name before an ending of endearment
# The end of `Deano`, and of `Robby` with the letter that it doubles.
ENDEARING = re.compile(r"(?:(?P<last>[^aeiou])(?P=last)|(?<=[^aeiou]))(?:o|y|ie|ey|z|za)$")
THE = re.compile(r"(?<!\w)the\s+$", re.I)
Word = tuple[str, str]  # what part of a name it is, and the word as `bare` has it


class Kind(Enum):
    """How a word follows another."""

    NICKNAME = "nickname"
    ABBREVIATION = "abbreviation"
    PLURAL = "plural"
    SLIP = "slip"


@dataclass(frozen=True, slots=True)
class Relation:
    """Of which word another is a form."""

    whole: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Bearer:
    """Whose name a word is, as one mention tells."""

    name: Name
    patient: bool

    def is_other(self, other: _Bearer, word: str, near: str) -> bool:
        """Tell whether two who bear words that are nearly one cannot be one person."""
        if self.patient != other.patient or len({self.name.sex, other.name.sex} - {""}) > 1:
            return True
        mine = [part for part in self.name.words if part != word]
        theirs = [part for part in other.name.words if part != near]
        return bool(mine and theirs) and not _alike(mine[0], theirs[0])


def _alike(left: str, right: str) -> bool:
    short = 1 in (len(left), len(right))
    return left == right or (short and left[0] == right[0]) or one_slip(left, right)


class Relations:
    """The names of one note by the parts that they play, and how they follow each other."""

    def __init__(
        self,
        mentions: Sequence[Person],
        forms: Sequence[Name],
        read: Sequence[list[Piece]],
        lists: NameLists,
    ) -> None:
        self._lists = lists
        self._counts: Counter[Word] = Counter()
        self._bearers: dict[Word, dict[_Bearer, None]] = defaultdict(dict)
        self._plural: set[str] = set()  # what stands behind an article
        for mention, form, pieces in zip(mentions, forms, read, strict=True):
            for piece in pieces:
                word = bare(mention.words[piece.start : piece.end])
                if THE.search(mention.before):
                    self._plural.add(word)
                for part in word.split("-"):
                    self._counts[piece.role, part] += 1
                    self._bearers[piece.role, part][_Bearer(form, mention.patient)] = None
        roles = {role for role, _ in self._counts}
        self._slips = {
            role: Slips(part for of, part in self._counts if of == role) for role in roles
        }
        seen = {word: at for at, word in enumerate(self._counts)}
        self._rank = {  # of two spellings: a name that is known, the commoner, the earlier
            word: (word[1] in lists.known, count, -seen[word])
            for word, count in self._counts.items()
        }

    def given_slip(self, mention: Person, pieces: list[Piece]) -> list[Piece]:
        """Return the pieces, a lone word that is nearly a given name of the note as one."""
        if len(pieces) != 1 or pieces[0].role != SURNAME:
            return pieces
        word = bare(mention.words[pieces[0].start : pieces[0].end])
        if self._near((SURNAME, word), SURNAME) or not self._near((SURNAME, word), GIVEN):
            return pieces
        return [replace(pieces[0], role=GIVEN)]

    def found(self) -> Mapping[Word, Relation]:
        """Return what each word that follows another does."""
        found: dict[Word, Relation] = {}
        for word in sorted(self._counts):
            if relation := self._relation(word):
                found[word] = relation
        return found

    def _relation(self, word: Word) -> Relation | None:
        role, part = word
        if role == GIVEN and (whole := self._lists.abbreviations.get(part)):
            return Relation(whole, Kind.ABBREVIATION)
        wholes = [f for f in sorted(self._lists.formal.get(part, ())) if (role, f) in self._counts]
        if role == GIVEN and wholes:
            return Relation(wholes[0], Kind.NICKNAME)
        if role == GIVEN and (stem := self._endeared(part)):
            return Relation(stem, Kind.NICKNAME)
        if role == SURNAME and (stem := self._singular(part)):
            return Relation(stem, Kind.PLURAL)
        near = self._near(word, role)
        return Relation(min(near), Kind.SLIP) if near else None

    def _endeared(self, part: str) -> str:
        """Return the given name that a word is with an ending, `Dean` of `Deano`, else ``."""
        ending = ENDEARING.search(part)
        if part in self._lists.known or ending is None:
            return ""
        stem = part[: ending.start()] + (ending["last"] or "")
        return stem if len(stem) >= LEAST_CALLED and (GIVEN, stem) in self._counts else ""

    def _singular(self, part: str) -> str:
        """Return the surname of a family, `Smith` of `the Smiths`, else ``."""
        if part in self._lists.known:
            return ""
        stems = (part[: -len(end)] for end in ("s", "es") if part.endswith(end))
        known = self._lists.known if part in self._plural else ()
        return next((s for s in stems if s in known or (SURNAME, s) in self._counts), "")

    def _near(self, word: Word, role: str) -> list[str]:
        """Return the words of a role that a word is a misspelling of.

        No word is that is a name itself, or somebody else's.
        """
        part = word[1]
        if len(part) < LEAST_MISSPELLED or part in self._lists.known or role not in self._slips:
            return []
        return [
            other
            for other in self._slips[role].of(part)
            if self._rank[role, other] > self._rank.get(word, (False, 0, 0))
            and other[:1] == part[:1]
            and any(
                not mine.is_other(theirs, part, other)
                for mine in self._bearers[word]
                for theirs in self._bearers[role, other]
            )
        ]
