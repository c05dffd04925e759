"""People's names of one note: who keeps sex, initials, short forms and misspellings of whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from phiscrub.replace.casing import like
from phiscrub.replace.genitives import genitive, without_genitives
from phiscrub.replace.keyed import Key
from phiscrub.replace.namelists import FEMALE, MALE, SURNAME, NameLists
from phiscrub.replace.people import (
    CREDENTIALS,
    FILIAL,
    LEADING,
    PART,
    SPELLED,
    SUFFIXES,
    TITLES,
    Name,
    filial,
    fold,
    persons,
)
from phiscrub.replace.pieces import GIVEN, INITIALS, PARTICLES, Person, Piece, is_short, written
from phiscrub.replace.real import MOST_ATTEMPTS, Real, keys
from phiscrub.replace.slips import Slips, shortened, slipped

AFTER_NAMES = CREDENTIALS | {"np", "pa", "pa-c", "do", "od", "dc", "pt", "rph", "rd", "rm", "cnm"}
KIN_REACH, MOST_FAMILIES = 24, 5
LEAST_MISSPELLED = 4
MOST_INITIALS = 3
FIELD = re.compile(
    r"(?:(?P<surname>surname|family name|last name|apellidos?|efternamn)"
    r"|(?:first|given|fore)[ ]?names?|nombre|förnamn)\W*$",
    re.I,
)
KIN = re.compile(
    r"(?<!\w)(?:(?P<f>mother|mom|mum|wife|daughter|sister|aunt|niece|grandmother|grandma|girlfriend"
    r"|madre|hija|hermana|esposa|mujer|abuela|tía|mor|mamma|fru|hustru|dotter|syster|mormor|farmor"
    r"|dra|doña|sra)|(?P<m>father|dad|husband|son|brother|uncle|nephew|grandfather|grandpa|boyfriend"
    r"|padre|hijo|hermano|esposo|marido|abuelo|tío|don|far|pappa|make|son|bror|morfar|farfar|sr))"
    r"\.?,?\s+(?:is\s+)?[(\"]?$",
    re.I,
)


@dataclass(slots=True)
class Names:
    """Stands in for the names of one note.

    Built with the names of the whole note, so that forms of one person agree; a word's surrogate
    depends on the key and the word, and steps aside only for words in `avoid` (the note's own
    identifiers), for what already stands for another word of the note, and where a name would be
    a `real` patient's. Titles, kinship and pronouns tell a sex only `by_note`, for a note that
    stands alone: else a word goes by what it tells itself, or the key, so that it is the same in
    all notes.
    """

    lists: NameLists
    key: Key
    letters: Mapping[str, str]
    avoid: frozenset[str]
    language: str = "en"
    real: Real = field(default_factory=Real)
    by_note: bool = True
    _given: dict[tuple[str, str], str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _spent: set[tuple[str, str]] = field(default_factory=set)  # culture and kind with no name left
    _written: dict[str, tuple[str, str]] = field(default_factory=dict)  # what to: role and word
    _barred: set[tuple[str, str, str]] = field(default_factory=set)  # role, word, surrogate

    def replace(
        self, mentions: Sequence[Person], sex: str = "", known: Sequence[Person] = ()
    ) -> list[str]:
        """Return the words that stand for each mention; `sex` is the patient's, where told.

        `known` are names from elsewhere, of which the mentions may be parts or short forms.
        """
        return self._declined([*known, *mentions], sex, len(known))[len(known) :]

    def _declined(self, mentions: Sequence[Person], sex: str, known: int) -> list[str]:
        if self.language == "sv":
            mentions, endings = without_genitives(mentions, self.lists)
            return [
                genitive(put, ending)
                for put, ending in zip(self._replace(mentions, sex, known), endings, strict=True)
            ]
        return self._replace(mentions, sex, known)

    def _replace(self, mentions: Sequence[Person], sex: str, known: int) -> list[str]:
        forms = [Name.read(mention.words, mention.before) for mention in mentions]
        numbers = persons(forms)
        fullest: dict[int, Name] = {}
        for form, number in zip(forms, numbers, strict=True):
            fuller = fullest.get(number)
            if fuller is None or form.told > fuller.told:
                fullest[number] = form
        patients = {n for n, m in zip(numbers, mentions, strict=True) if m.patient}
        named = patients & set(numbers[known:])  # in the note itself
        families = {fullest[n].words[-1] for n in named if len(fullest[n].words) > 1}
        if len(families) > MOST_FAMILIES:  # a list of many patients, not one and the relatives
            patients -= named
        read = [
            self._pieces(mention, fullest[number])
            for mention, number in zip(mentions, numbers, strict=True)
        ]
        sexes = self._sexes(mentions, numbers, forms, read)
        if self.by_note:
            sexes = {n: told or (sex if n in patients else "") for n, told in sexes.items()}
        relations = self._relations(mentions, read)
        home = self.lists.culture(self.key)
        told = (f.words for f, n in zip(forms, numbers, strict=True) if n in patients)
        theirs = {part for words in told for word in words for part in word.split("-")}

        def put(mention: Person, number: int, pieces: Sequence[Piece]) -> str:
            def word(was: str, role: str) -> str:
                if role == INITIALS or len(was) == 1:
                    return "".join(self._letter(sign, fullest[number].words) for sign in was)
                culture = home if number in patients or fold(was) in theirs else ""
                return self._word(was, role, sexes[number], culture, relations)

            return written(mention.words, pieces, word)

        for _ in range(MOST_ATTEMPTS):
            if any(is_short(m.words, p) for m, ps in zip(mentions, read, strict=True) for p in ps):
                for own in zip(mentions, numbers, read, strict=True):
                    put(*own)  # what initials stand for may be named behind them
            found = [put(*own) for own in zip(mentions, numbers, read, strict=True)]
            apart = [  # given name and surname under labels of their own
                f"{one} {other}"
                for (one, before), (other, after) in pairwise(zip(found, mentions, strict=True))
                if before.role and after.role
            ]
            if not self._bars([*found, *apart]):
                break
        return found

    def _bars(self, found: Sequence[str]) -> bool:
        """Bar a part of each name that is a real patient's, and forget all that was chosen."""
        if not self.real:
            return False
        real = {key for words in found for key in keys("PATIENT", words) if self.real.has(key)}
        barred = set()
        for key in real:
            parts = [part for word in key.split() for part in word.split("-")]
            chosen_for = [self._written[part] for part in parts if part in self._written]
            if chosen_for:  # else nothing of it was chosen here
                role, was = min(chosen_for)
                barred.add((role, was, fold(self._given[role, was])))
        if not barred:
            return False
        self._barred |= barred
        for chosen in (self._given, self._taken, self._spent, self._written):
            chosen.clear()
        return True

    @property
    def stand_ins(self) -> dict[str, str]:
        """What stands for each word so far, folded: user names and mail addresses hold them too."""
        return {part: name for (_, part), name in self._given.items()}

    def _pieces(self, mention: Person, fullest: Name) -> list[Piece]:
        """Return the words of a mention that are to be replaced."""
        words = mention.words
        comma = words.find(",")
        spans = [(m.start(), m.end()) for m in SPELLED.finditer(words)]
        spans += [
            m.span()
            for m in PART.finditer(words)
            if not any(start <= m.start() < end for start, end in spans)
        ]
        spans.sort()
        led = self.language != "es" and LEADING.match(words) is not None  # there SR is señor
        kept: list[tuple[int, int]] = []
        for start, end in spans:
            part = fold(words[start:end]).removesuffix("'s")
            suffix = part in SUFFIXES and not (led and start == spans[0][0])
            if part in TITLES or suffix or (part in AFTER_NAMES and kept):
                continue
            if part in PARTICLES and len(spans) > 1:
                continue
            kept.append((start, end))
        parts = [fold(words[start:end]) for start, end in kept]
        field = FIELD.search(mention.before)
        if field and comma < 0:
            return [Piece(*span, SURNAME if field["surname"] else GIVEN) for span in kept]
        if mention.role:
            return [Piece(*span, mention.role) for span in kept]
        if len(kept) == 1:
            role = self._lone(words[slice(*kept[0])], parts[0], mention, fullest)
            return [Piece(*kept[0], role)]
        if not kept:
            return []
        at = filial([fold(words[start:end]) for start, end in spans])
        if at and comma < 0:
            roles = [SURNAME if span > spans[at] else GIVEN for span in kept]
        else:
            roles = self._roles(words, kept, parts, comma)
        if led:
            roles[0] = INITIALS
        return [Piece(*span, role) for span, role in zip(kept, roles, strict=True)]

    def _roles(
        self, words: str, kept: Sequence[tuple[int, int]], parts: Sequence[str], comma: int
    ) -> list[str]:
        if comma >= 0 and any(end <= comma for _, end in kept) and kept[-1][0] > comma:
            return [SURNAME if end <= comma else GIVEN for _, end in kept]
        lengths = [len(part) for part in parts]
        last = words[slice(*kept[-1])]
        if lengths[0] > 1 and (lengths[-1] == 1 or (lengths[-1] == 2 and last.isupper())):  # noqa: PLR2004
            rest = [GIVEN if length == 1 else INITIALS for length in lengths[1:]]
            upper = [words[slice(*span)].isupper() for span in kept[1:]]
            return [SURNAME, *(r if u else GIVEN for r, u in zip(rest, upper, strict=True))]
        if self.language != "es":
            upper = [words[slice(*span)].isupper() and not words.isupper() for span in kept[:-1]]
            short = [
                u and length <= MOST_INITIALS for u, length in zip(upper, lengths, strict=False)
            ]
            return [*(INITIALS if s else GIVEN for s in short), SURNAME]
        given = self._given_words(parts)
        return [GIVEN] * given + [SURNAME] * (len(parts) - given)

    def _given_words(self, parts: Sequence[str]) -> int:
        """Return how many words of a name, given names first, are given names.

        Spanish has two surnames, and a form's line may have these alone. Behind `bin` and `binti`
        stands the father's name.
        """
        if at := filial(parts):
            return at
        if self.language != "es":
            return len(parts) - 1
        known = [part in self.lists.sexes for part in parts]
        if len(parts) == 2 and not known[0]:  # noqa: PLR2004
            return 0
        given = 1
        while given < len(parts) - 1 and known[given] and len(parts) - given > 2:  # noqa: PLR2004
            given += 1
        return given

    def _lone(self, words: str, part: str, mention: Person, fullest: Name) -> str:
        part = part.removesuffix("'s")
        if words.isupper() and len(words) <= MOST_INITIALS and part not in self.lists.sexes:
            return INITIALS
        if len(fullest.words) > 1 and part in fullest.words:
            at = fullest.words.index(part)
            return SURNAME if at >= self._given_words(fullest.words) else GIVEN
        if part in self.lists.formal and mention.patient:
            return GIVEN
        titled = Name.read("x", mention.before).sex or re.search(
            r"(?:dr|doctor|prof|mr|mrs|ms)\.?\s*$", mention.before, re.I
        )
        known = part in (self.lists.given if mention.patient else self.lists.sexes)
        return SURNAME if titled or not known else GIVEN

    def _sexes(
        self,
        mentions: Sequence[Person],
        numbers: Sequence[int],
        forms: Sequence[Name],
        read: Sequence[list[Piece]],
    ) -> dict[int, str]:
        """Return the sex of each person, by a title, else by kinship, else by the given name.

        By `bin` or `binti` within the name always; by nothing else where other notes count.
        """
        born: dict[int, str] = {}
        titled: dict[int, str] = {}
        told: dict[int, str] = {}
        guessed: dict[int, str] = {}
        for mention, number, form, pieces in zip(mentions, numbers, forms, read, strict=True):
            if at := filial(form.words):
                born.setdefault(number, FEMALE if FILIAL[form.words[at]] == "f" else MALE)
            if not self.by_note:
                continue
            kin = KIN.search(mention.before[-KIN_REACH:])
            if form.sex:
                titled.setdefault(number, FEMALE if form.sex == "f" else MALE)
            elif kin:
                told.setdefault(number, FEMALE if kin["f"] else MALE)
            for piece in pieces:
                part = fold(mention.words[piece.start : piece.end])
                wholes = sorted(self.lists.formal.get(part, ()))
                sexes = {self.lists.sexes.get(w) for w in (part, *wholes)} - {None}
                if piece.role == GIVEN and len(sexes) == 1:
                    guessed.setdefault(number, str(sexes.pop()))
        found = (titled, born, told, guessed)
        return {n: next((by[n] for by in found if n in by), "") for n in numbers}

    def _relations(
        self, mentions: Sequence[Person], read: Sequence[list[Piece]]
    ) -> dict[tuple[str, str], str]:
        """Return of which other word of the note a word is a short form or a misspelling."""
        counts: Counter[tuple[str, str]] = Counter()
        for mention, pieces in zip(mentions, read, strict=True):
            for piece in pieces:
                for part in fold(mention.words[piece.start : piece.end]).split("-"):
                    counts[piece.role, part.removesuffix("'s")] += 1
        found: dict[tuple[str, str], str] = {}
        seen = {word: at for at, word in enumerate(counts)}
        rank = {  # of two spellings: a name that is known, the commoner, the earlier
            (role, part): (part in self.lists.known, counts[role, part], -seen[role, part])
            for role, part in counts
        }
        roles = {role for role, _ in counts}
        slips = {role: Slips(part for of, part in counts if of == role) for role in roles}
        for role, part in sorted(counts):
            whole = [f for f in sorted(self.lists.formal.get(part, ())) if (role, f) in counts]
            if role == GIVEN and whole:
                found[role, part] = whole[0]
                continue
            if len(part) < LEAST_MISSPELLED or part in self.lists.sexes:
                continue
            near = [
                other
                for other in slips[role].of(part)
                if rank[role, other] > rank[role, part] and other[:1] == part[:1]
            ]
            if near:
                found[role, part] = min(near)
        return found

    def _word(
        self, was: str, role: str, sex: str, culture: str, relations: Mapping[tuple[str, str], str]
    ) -> str:
        part = fold(was)
        whole = relations.get((role, part))
        put = self._surrogate(whole or part, role, sex, culture)
        if whole in self.lists.formal.get(part, ()):
            short = [s for s in self.lists.short.get(fold(put), ()) if fold(s) not in self.avoid]
            put = short[0] if short else shortened(put)
        elif whole is not None:
            put = slipped(put, self.key.narrow("slip", part))
        self._written[fold(put)] = (role, whole or part)
        return like(was, put)

    def _letter(self, letter: str, of: Sequence[str]) -> str:
        """Return the letter that a name's surrogate begins with, or the patient's for the letter.

        `of` are the words of the person's fullest name.
        """
        own = [word for word in of if len(word) > 1 and word[0] == fold(letter)]
        put = [
            self._given[role, w]
            for w in own
            for role in (GIVEN, SURNAME)
            if (role, w) in self._given
        ]
        plain = fold(letter).upper()[:1]
        changed = fold(put[0])[0].upper() if put else self.letters.get(plain, letter)
        return changed if letter.isupper() else changed.lower()

    def _surrogate(self, part: str, role: str, sex: str, culture: str) -> str:
        """Return what stands for a word of a name throughout the note."""
        known = self._given.get((role, part))
        if known is not None:
            return known
        culture = culture or self._culture(part, role)
        kind = role
        if role == GIVEN:
            kind = (
                sex
                or self.lists.sexes.get(part)
                or self.key.narrow("sex", part).choice((FEMALE, MALE))
            )
        options = self.lists.options(culture, kind, self.letters.get(part[:1].upper(), ""))
        key = self.key.narrow("name", kind, culture, part)
        everyone = chain(key.walk(options), key.walk(self.lists.lists[culture][kind]))
        barred = {name for of, was, name in self._barred if (of, was) == (role, part)}
        for forms in (self.lists.formal, self.lists.short):
            barred |= {fold(form) for name in list(barred) for form in forms.get(name, ())}
        barred |= {part}
        chosen = ""
        if (culture, kind) not in self._spent:
            names = (name for name in everyone if self._is_free(name))
            chosen = next((name for name in names if fold(name) not in barred), "")
            if not chosen and not any(map(self._is_free, self.lists.lists[culture][kind])):
                self._spent.add((culture, kind))
        chosen = chosen or f"{options[0]}{options[0][-1]}"  # every name of the list is in the note
        self._given[role, part] = chosen
        self._taken.add(fold(chosen))
        return chosen

    def _culture(self, part: str, role: str) -> str:
        """Return whose names stand for a word of somebody who is not the patient.

        The word alone tells: what stands beside it does so in one note and not in the next. Given
        names are those of most, which go with any surname.
        """
        return self.lists.usual if role == GIVEN else self.lists.culture(self.key.narrow(part))

    def _is_free(self, name: str) -> bool:
        plain = fold(name)
        return plain not in self.avoid and plain not in self._taken
