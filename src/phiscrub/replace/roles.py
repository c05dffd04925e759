"""Which part of a name each word of a mention is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from phiscrub.replace.initials import Initials
from phiscrub.replace.namelists import SURNAME, NameLists
from phiscrub.replace.people import Name, bare, filial, naming, surname_first
from phiscrub.replace.pieces import GIVEN, INITIALS, Person, Piece
from phiscrub.replace.titles import LEADING, PARTICLES

MOST_INITIALS = 3
VOWEL = re.compile(r"[aeiouyæøœ]")
SIGNATURES = re.compile(r"[^\W\d_]{2,3}(?:/[^\W\d_]{2,3})+")  # `JS/tk`: who spoke, who wrote
FIELD = re.compile(
    r"(?:(?P<surname>surname|family name|last name|apellidos?|efternamn)"
    r"|(?:first|given|fore)[ ]?names?|nombre|förnamn)\W*$",
    re.I,
)
TITLED = re.compile(r"(?<!\w)(?:dr|doctor|prof|mr|mrs|ms|sra?|dra)\.?\s*$", re.I)
DON = re.compile(r"(?<!\w)(?:don|doña|dña)\.?\s*$", re.I)  # before given names
SPANISH_PAIRS = frozenset(  # given names that a second one follows: `María José`, `Juan Pablo`
    {"maria", "mª", "jose", "juan", "ana", "luis", "rosa", "miguel", "francisco", "carlos"}
)


@dataclass(frozen=True, slots=True)
class Roles:
    """Reads mentions by what is known of names and of the note's people.

    `called` are words that stand alone behind kinship, as given names do.
    """

    lists: NameLists
    language: str
    initials: Initials
    called: frozenset[str] = frozenset()

    def pieces(self, mention: Person, fullest: Name) -> list[Piece]:
        """Return the words of a mention that are to be replaced; `fullest` is the person's name."""
        words = mention.words
        spans = naming(words, self.language)
        if not spans:
            whole = (0, len(words))
            return [Piece(*whole, INITIALS)] if self._fits(words, mention) else []
        parts = [bare(words[start:end]) for start, end in spans]
        kept = [
            span
            for at, span in enumerate(spans)
            if not self._is_particle(mention, spans, parts, at)
        ]
        comma = words.find(",")
        field = FIELD.search(mention.before)
        if field and comma < 0:
            return [Piece(*span, SURNAME if field["surname"] else GIVEN) for span in kept]
        if mention.role:
            return [Piece(*span, mention.role) for span in kept]
        if SIGNATURES.fullmatch(words):
            return [Piece(*span, INITIALS) for span in kept]
        if len(kept) == 1:
            role = self._lone(words[slice(*kept[0])], mention, fullest)
            return [Piece(*kept[0], role)]
        at = filial(parts)
        if at and comma < 0:
            roles = [SURNAME if span > spans[at] else GIVEN for span in kept]
        else:
            roles = self._roles(words, kept)
        if self.language != "es" and LEADING.match(words):
            roles[0] = INITIALS
        return [Piece(*span, role) for span, role in zip(kept, roles, strict=True)]

    def _is_particle(
        self, mention: Person, spans: Sequence[tuple[int, int]], parts: Sequence[str], at: int
    ) -> bool:
        """Tell whether a word is `de` or `van` before another, and not Ben or Al Smith."""
        if parts[at] not in PARTICLES or at + 1 == len(parts):
            return False
        start, end = spans[at]
        before_comma = "," in mention.words[end : spans[at + 1][0]]
        first = not at and mention.words[start].isupper() and parts[at] in self.lists.sexes
        given = first and parts[at + 1] not in PARTICLES and not TITLED.search(mention.before)
        return not before_comma and not given

    def _roles(self, words: str, kept: Sequence[tuple[int, int]]) -> list[str]:
        comma = words.find(",")
        if comma >= 0 and kept[0][1] <= comma < kept[-1][0]:
            return [SURNAME if end <= comma else GIVEN for _, end in kept]
        if first := surname_first(words, kept):
            return [SURNAME] * first + [GIVEN] * (len(kept) - first)
        parts = [bare(words[start:end]) for start, end in kept]
        lengths = [len(part) for part in parts]
        last = words[slice(*kept[-1])]
        first_word = parts[0].split("-")[0]
        if lengths == [lengths[0], 1] and lengths[0] > 1 and self._is_given(first_word):
            return [GIVEN, INITIALS]
        if lengths[0] > 1 and (lengths[-1] == 1 or (lengths[-1] == 2 and last.isupper())):  # noqa: PLR2004
            rest = [GIVEN if length == 1 else INITIALS for length in lengths[1:]]
            upper = [words[slice(*span)].isupper() for span in kept[1:]]
            return [SURNAME, *(r if u else GIVEN for r, u in zip(rest, upper, strict=True))]
        if self.language != "es":
            upper = [words[slice(*span)].isupper() and not words.isupper() for span in kept[:-1]]
            short = [
                u and length <= MOST_INITIALS for u, length in zip(upper, lengths, strict=False)
            ]
            given = self._given_words(parts)
            roles = [GIVEN] * given + [SURNAME] * (len(short) - given)
            return [*(INITIALS if s else r for s, r in zip(short, roles, strict=True)), SURNAME]
        given = self._given_words(parts)
        return [GIVEN] * given + [SURNAME] * (len(parts) - given)

    def _is_given(self, part: str) -> bool:
        """Tell whether a word is a given name and no surname."""
        return part in self.lists.sexes and part not in self.lists.families

    def _is_surname(self, part: str) -> bool:
        """Tell whether a word is a surname and no given name."""
        return part in self.lists.known and part not in self.lists.given

    def _given_words(self, parts: Sequence[str]) -> int:
        """Return how many words of a name, given names first, are given names.

        Spanish has two surnames, and a form's line may have these alone. Behind `bin` and `binti`
        stands the father's name.
        """
        if at := filial(parts):
            return at
        if self.language != "es":
            before = takewhile(self._is_surname, reversed(parts[1:-1]))
            return len(parts) - 1 - len(list(before))
        known = [part in self.lists.sexes or part in self.lists.abbreviations for part in parts]
        pair = known[0] and known[1]
        own = parts[0] in SPANISH_PAIRS or parts[1] in self.lists.home
        if pair and own and parts[1] not in self.lists.families:
            return 2
        if len(parts) == 2 and self._is_surname(parts[0]):  # noqa: PLR2004
            return 0
        given = 1
        while given < len(parts) - 1 and known[given] and len(parts) - given > 2:  # noqa: PLR2004
            given += 1
        return given

    def _lone(self, raw: str, mention: Person, fullest: Name) -> str:
        part = bare(raw)
        titled = bool(Name.read("x", mention.before).sex or TITLED.search(mention.before))
        full = [w for w in fullest.words if w not in PARTICLES or filial(fullest.words)]
        if len(fullest.words) > 1 and full == [part]:
            return SURNAME
        if len(full) > 1 and part in full:
            return SURNAME if full.index(part) >= self._given_words(full) else GIVEN
        if self._is_initials(raw, mention, titled=titled):
            return INITIALS
        if part in self.called and not titled:
            return GIVEN
        don = DON.search(mention.before) and part not in self.lists.families
        spanish = self.language == "es" and titled and self._is_given(part)  # `la sra. Rosa`
        if don or spanish or (part in self.lists.formal and mention.patient):
            return GIVEN
        known = part in (self.lists.given if mention.patient else self.lists.sexes)
        return SURNAME if titled or not known else GIVEN

    def _is_initials(self, raw: str, mention: Person, *, titled: bool) -> bool:
        part = bare(raw)
        said = VOWEL.search(part) is not None
        short = len(part) <= MOST_INITIALS and (raw.isupper() or raw.islower())
        surname = titled and part in self.lists.known and (said or part not in self.lists.given)
        if not short or surname:
            return False
        if (len(part) > 1 and not said) or self._fits(raw, mention):
            return True
        if raw.isupper():
            return part not in self.lists.sexes
        return len(part) == 2 and part not in self.lists.known  # noqa: PLR2004

    def _fits(self, raw: str, mention: Person) -> bool:
        """Tell whether letters are the initials of somebody in the note."""
        return bool(self.initials.words(bare(raw), patient=mention.patient))
