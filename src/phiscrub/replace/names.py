"""People's names of one note: who keeps sex, initials, short forms and misspellings of whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from phiscrub.replace.casing import like
from phiscrub.replace.genitives import SIBILANTS, genitive, without_genitives
from phiscrub.replace.initials import Initials
from phiscrub.replace.keyed import Key
from phiscrub.replace.namelists import FEMALE, MALE, SURNAME, NameLists
from phiscrub.replace.people import FILIAL, Name, bare, filial, fold, persons
from phiscrub.replace.pieces import GIVEN, INITIALS, Person, Piece, is_short, written
from phiscrub.replace.real import MOST_ATTEMPTS, Real, keys
from phiscrub.replace.relations import Kind, Relation, Relations, Word
from phiscrub.replace.roles import Roles
from phiscrub.replace.slips import shortened, slipped
from phiscrub.replace.surnames import as_surnames
from phiscrub.replace.titles import PARTICLES
from phiscrub.replace.typed import as_read, as_typed

KIN_REACH, MOST_FAMILIES = 24, 5
INITIALED = re.compile(r"([^\W\d_]{2,4})(\d*)")
LETTER = re.compile(r"[^a-z]")
_kin = {  # in English `sr` is a sister of a ward, `son` and `make` are words
    "en": (
        "mother mom mum mommy mummy mama wife daughter sister aunt auntie aunty niece girlfriend "
        "grandmother grandma granny gran nana granddaughter stepmother stepmom stepdaughter "
        "stepsister godmother widow sis girl woman lady",
        "father dad daddy papa husband husb hubby son brother uncle nephew boyfriend grandfather "
        "grandpa grandad granddad grandson stepfather stepdad stepson stepbrother godfather "
        "widower fob boy man gentleman",
    ),
    "es": (
        "madre mamá hija hijita hermana esposa mujer abuela abuelita tía prima nieta sobrina "
        "suegra nuera cuñada novia polola viuda señora señorita dra doña sra srta",
        "padre papá hijo hijito hermano esposo marido abuelo abuelito tío primo nieto sobrino "
        "suegro yerno cuñado novio pololo viudo señor don sr",
    ),
    "sv": (
        "mor modern mamma mamman fru frun maka makan hustru hustrun dotter dottern syster systern "
        "mormor farmor",
        "far fadern pappa pappan make maken son sonen bror brodern morfar farfar herr",
    ),
}
KIN = {
    language: re.compile(
        rf"(?<!\w)(?:(?P<f>{her.replace(' ', '|')})|(?P<m>{his.replace(' ', '|')}))"
        r"(?:-in-law)?[.:]?,?\s+(?:(?:is|named|called)\s+)?[(\"“]?$",
        re.I,
    )
    for language, (her, his) in _kin.items()
}


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
    _given: dict[Word, str] = field(default_factory=dict)
    _put: dict[Word, str] = field(default_factory=dict)  # the same, as forms of others too
    _taken: set[str] = field(default_factory=set)
    _spent: set[tuple[str, str]] = field(default_factory=set)  # culture and kind with no name left
    _written: dict[str, Word] = field(default_factory=dict)  # what to: role and word
    _initials: Initials = field(default_factory=Initials)
    _people: list[Name] = field(default_factory=list)
    _barred: set[tuple[str, str, str]] = field(default_factory=set)  # role, word, surrogate

    def replace(
        self, mentions: Sequence[Person], sex: str = "", known: Sequence[Person] = ()
    ) -> list[str]:
        """Return the words that stand for each mention; `sex` is the patient's, where told.

        `known` are names from elsewhere, of which the mentions may be parts or short forms.
        """
        read = [replace(one, words=as_read(one.words)) for one in (*known, *mentions)]
        put = self._declined(read, sex, len(known))[len(known) :]
        return [as_typed(one.words, words) for one, words in zip(mentions, put, strict=True)]

    def _declined(self, mentions: Sequence[Person], sex: str, known: int) -> list[str]:
        if self.language == "sv":
            mentions, endings = without_genitives(mentions, self.lists)
            return [
                genitive(put, ending)
                for put, ending in zip(self._replace(mentions, sex, known), endings, strict=True)
            ]
        return self._replace(mentions, sex, known)

    def _replace(self, mentions: Sequence[Person], sex: str, known: int) -> list[str]:
        forms = [Name.read(m.words, m.before, self.language) for m in mentions]
        numbers = persons(forms)
        fullest: dict[int, Name] = {}
        for form, number in zip(forms, numbers, strict=True):
            fuller = fullest.get(number)
            if fuller is None or form.told > fuller.told:
                fullest[number] = form
        patients = {n for n, m in zip(numbers, mentions, strict=True) if m.patient}
        self._people = list(fullest.values())
        self._initials = Initials.of((one.words, n in patients) for n, one in fullest.items())
        named = patients & set(numbers[known:])  # in the note itself
        families = {fullest[n].words[-1] for n in named if len(fullest[n].words) > 1}
        if len(families) > MOST_FAMILIES:  # a list of many patients, not one and the relatives
            patients -= named
        called = self._called(mentions, forms) if self.by_note else frozenset()
        roles = Roles(self.lists, self.language, self._initials, called)
        read = [
            roles.pieces(mention, fullest[number])
            for mention, number in zip(mentions, numbers, strict=True)
        ]
        read = as_surnames(mentions, numbers, read, self.lists.given)
        sexes = self._sexes(mentions, numbers, forms, read)
        if self.by_note:
            sexes = {n: told or (sex if n in patients else "") for n, told in sexes.items()}
        told = Relations(mentions, forms, read, self.lists)
        read = [told.given_slip(*one) for one in zip(mentions, read, strict=True)]
        relations = Relations(mentions, forms, read, self.lists).found()
        home = self.lists.culture(self.key) if self.by_note else ""
        names = (f.words for f, n in zip(forms, numbers, strict=True) if n in patients)
        theirs = {part for words in names for word in words for part in word.split("-")}

        def put(mention: Person, number: int, pieces: Sequence[Piece]) -> str:
            signs = self._signs(mention, pieces)

            def word(was: str, role: str) -> str:
                if role == INITIALS or len(was) == 1:
                    return "".join(
                        next(signs, "") or self._letter(sign, fullest[number].words) for sign in was
                    )
                culture = home if number in patients or bare(was) in theirs else ""
                sex = sexes[number] or self._sex_of(bare(was), fullest[number].words)
                return self._word(was, role, sex, culture, relations)

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
        for chosen in (self._given, self._put, self._taken, self._spent, self._written):
            chosen.clear()
        return True

    @property
    def stand_ins(self) -> dict[str, str]:
        """What stands for each word so far, and for each whole name as log-ins have it, folded."""
        found = {part: name for (_, part), name in (self._put | self._given).items()}
        for person in self._people:
            words = [word for word in person.words if len(word) > 1 and word not in PARTICLES]
            if len(words) == 1 and len(person.words[0]) == 1:  # all that is told is `K May`
                letter = self._letter(person.words[0], person.words)
                last = self._stem(words[0], SURNAME)
                own = (f"{person.words[0]}{words[0]}", f"{letter}{fold(last)}")
                found = ({own[0]: own[1]} if last else {}) | found
            for surname in words[1:]:
                first, last = self._stem(words[0], GIVEN), self._stem(surname, SURNAME)
                if first and last:
                    found = dict(_log_ins((words[0], surname), (first, last))) | found
        return found

    def log_in(self, words: str) -> str:
        """Return what stands for a log-in of initials and digits, digits as they are, else ``."""
        found = INITIALED.fullmatch(words)
        whole = found and self._initials.words(fold(found[1]), patient=False)
        if not found or not whole:
            return ""
        signs = self._signed(found[1], whole)
        return "".join(signs) + found[2]

    def _stem(self, word: str, role: str) -> str:
        """Return what stands for a word of a person's fullest name, as log-ins have it."""
        return self._put.get((role, word)) or self._put.get((_other(role), word), "")

    def _signs(self, mention: Person, pieces: Sequence[Piece]) -> Iterator[str]:
        """Yield the letters for a mention that is but initials of somebody in the note."""
        parts = [mention.words[piece.start : piece.end] for piece in pieces]
        single = all(len(part) == 1 for part in parts)
        for letters in ["".join(parts)] if single else parts:
            whole = self._initials.words(fold(letters), patient=mention.patient)
            if not single and any(piece.role != INITIALS for piece in pieces):
                return
            yield from self._signed(letters, whole) if whole else [""] * len(letters)

    def _signed(self, letters: str, whole: Sequence[str]) -> list[str]:
        """Return the letters of what stands for the words behind initials."""
        found = []
        for at, (sign, word) in enumerate(zip(letters, whole, strict=True)):
            role = SURNAME if at + 1 == len(whole) else GIVEN
            put = self._stem(word, role) if len(word) > 1 else ""
            changed = fold(put)[0] if put else fold(self._letter(sign, ()))
            found.append(changed.upper() if sign.isupper() else changed)
        return found

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
            kin = KIN.get(self.language, KIN["en"]).search(mention.before[-KIN_REACH:])
            if form.sex:
                titled.setdefault(number, FEMALE if form.sex == "f" else MALE)
            elif kin:
                told.setdefault(number, FEMALE if kin["f"] else MALE)
            for piece in pieces:
                own = bare(mention.words[piece.start : piece.end])
                for part in (own, *own.split("-")) if piece.role == GIVEN else ():
                    if sex := self.lists.sex(part):
                        guessed.setdefault(number, sex)
        found = (titled, born, told, guessed)
        return {n: next((by[n] for by in found if n in by), "") for n in numbers}

    def _called(self, mentions: Sequence[Person], forms: Sequence[Name]) -> frozenset[str]:
        """Return words that no list has and that stand alone behind kinship, nowhere a title."""
        kin = KIN.get(self.language, KIN["en"])
        lone = [(m, f) for m, f in zip(mentions, forms, strict=True) if len(f.words) == 1]
        titled = {form.words[0] for _, form in lone if form.sex}
        found = {f.words[0] for m, f in lone if m.patient and kin.search(m.before[-KIN_REACH:])}
        return frozenset(found - titled - self.lists.known)

    def _word(
        self, was: str, role: str, sex: str, culture: str, relations: Mapping[Word, Relation]
    ) -> str:
        part = bare(was)
        relation = relations.get((role, part))
        put = self._surrogate(relation.whole if relation else part, role, sex, culture)
        if relation:
            put = self._form(put, part, relation)
        self._put[role, part] = put
        self._written[fold(put)] = (role, relation.whole if relation else part)
        return like(was, put)

    def _form(self, put: str, part: str, relation: Relation) -> str:
        """Return the same form of a surrogate as a word is of a name."""
        if relation.kind is Kind.SLIP:
            return slipped(put, self.key.narrow("slip", part))
        if relation.kind is Kind.PLURAL:
            return put + ("es" if put.lower().endswith(SIBILANTS) else "s")
        short = self.lists.short.get(fold(put), ()) if relation.kind is Kind.NICKNAME else ()
        theirs = [fold(form) for form in self.lists.short.get(relation.whole, ())]
        at = theirs.index(part) % len(short) if short and part in theirs else 0
        free = (form for form in (*short[at:], *short[:at]) if fold(form) not in self.avoid)
        return next(free, shortened(put))

    def _letter(self, letter: str, of: Sequence[str]) -> str:
        """Return the letter that a name's surrogate begins with, or the patient's for the letter.

        `of` are the words of the person's fullest name.
        """
        own = [word for word in of if len(word) > 1 and word[0] == fold(letter)]
        put = [
            self._put[role, w] for w in own for role in (GIVEN, SURNAME) if (role, w) in self._put
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
            kind = sex
        options = self.lists.options(culture, kind, self.letters.get(part[:1].upper(), ""))
        key = self.key.narrow("name", kind, culture, part)
        has_short = part in self.lists.short or part in self.lists.formal
        called = [name for name in options if has_short and fold(name) in self.lists.short]
        rest = key.walk(options), key.walk(self.lists.lists[culture][kind])
        everyone = chain(key.walk(called), *rest)
        barred = {name for of, was, name in self._barred if (of, was) == (role, part)}
        for forms in (self.lists.formal, self.lists.short):
            barred |= {fold(form) for name in list(barred) for form in forms.get(name, ())}
        barred |= {part}
        chosen = ""
        if (culture, kind) not in self._spent:
            names = (name for name in everyone if self._is_free(name))
            for name in (name for name in names if bare(name) not in barred):
                chosen = chosen or name
                if fold(name)[0] != part[0]:  # nor do initials stay
                    chosen = name
                    break
            if not chosen and not any(map(self._is_free, self.lists.lists[culture][kind])):
                self._spent.add((culture, kind))
        chosen = chosen or f"{options[0]}{options[0][-1]}"  # every name of the list is in the note
        self._given[role, part] = chosen
        self._taken.add(fold(chosen))
        return chosen

    def _sex_of(self, part: str, full: Sequence[str]) -> str:
        """Return the sex of a given name, of an unknown one that of the first of the full name."""
        first = next((word for word in full[:-1] if len(word) > 1), part)
        told = self.lists.sex(part) or self.lists.sex(first)
        return told or self.key.narrow("sex", first).choice((FEMALE, MALE))

    def _culture(self, part: str, role: str) -> str:
        """Return whose names stand for a word of somebody who is not the patient.

        The word alone tells: what stands beside it does so in one note and not in the next. Given
        names are those of most, which go with any surname.
        """
        return self.lists.usual if role == GIVEN else self.lists.culture(self.key.narrow(part))

    def _is_free(self, name: str) -> bool:
        plain = fold(name)
        return not {plain, bare(name)} & self.avoid and plain not in self._taken


def _other(role: str) -> str:
    return SURNAME if role == GIVEN else GIVEN


def _log_ins(was: Sequence[str], put: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield how log-ins write a given name with a surname, and the same of the surrogates."""
    given, surname = (LETTER.sub("", fold(word)) for word in was)
    first, last = (LETTER.sub("", fold(word)) for word in put)
    if given and surname and first and last:
        yield f"{given[0]}{surname}", f"{first[0]}{last}"
        yield f"{surname}{given[0]}", f"{last}{first[0]}"
        yield f"{given}{surname}", f"{first}{last}"
        yield f"{surname}{given}", f"{last}{first}"
        yield f"{given}{surname[0]}", f"{first}{last[0]}"
