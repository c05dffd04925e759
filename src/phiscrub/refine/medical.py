"""Names, places and dates that are medical terms stay in the text (paper 2, phi-scrubber)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from phiscrub.core.labels import HUB, label_set
from phiscrub.core.memo import Memo
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.stated import check_labels, check_scores
from phiscrub.core.toolbox import Toolbox
from phiscrub.refine.medical_terms import CACHED_WORDS, MedicalTerms, cut

REACH = 80  # characters around a mention that are read
TOWN = "CITY"  # as the hub set calls it
PLACES = frozenset({TOWN, "STATE", "COUNTRY", "LOCATION-OTHER"})
FOLLOWING = 4  # words behind an eponym in which the noun that it qualifies may come

# Whoever stands behind one of these is a person, whatever the words are.
PERSON_BEFORE = re.compile(
    r"(?:(?<!\w)(?:mr|mrs|ms|miss|mx|drs?|doctor|prof|professor|nurse|sir|rev|hon|attn|cc)\.?"
    r"|(?<!\w)(?-i:[A-Z])\."
    r"|(?<!\w)(?:sign|dictat|review|perform|evaluat|refer|verif|order|supervis|assist|"
    r"interpret|prepar|transcrib|writt|approv)\w*[ ]by:?"
    r"|(?<!\w)(?:officer|constable|detective|deputy|trooper|sergeant|sgt|captain|capt|chaplain|"
    r"pastor|rabbi|imam|coach|judge|teacher|principal|supervisor|houseman|registrar|matron|midwife|"
    r"interpreter|paramedic|(?:social|key)[ ]?worker|case[ ]manager|madam|mdm|aunt(?:ie|y)),?"
    r"|(?<!\w)(?:seen|d/w|spoke[ ](?:to|with)|discussed[ ]with|name[ds]?|called)(?:[ ]by)?:?"
    r"|(?<!\w)(?:report|hand(?:ed|off|over)|endorsed|signed[ ]out)(?:[ ]given|[ ]over)?[ ]to"
    r"|(?<!\w)(?:relieved[ ]by|(?:attn|cc|c\.c|fao)[.:]|sitter|aide|intern)"
    r"|(?<!\w)(?-i:RN|LPN|CNA|CRNA|SW|CM)"
    r"|(?<!\w)(?:wishes|regards|sincerely|signed|thanks),?\s*"
    r"|(?<!\w)(?-i:D[Rr]\.?[ ][A-Z][\w'’-]+,?[ ](?:and|&))"
    r"|(?<!\w)(?-i:D[Rr]s\.?(?:[ ](?:[A-Z][\w'’-]+,?|and|&)){1,5})"
    r")[ \t]*$",
    re.IGNORECASE | re.VERBOSE,
)
# These may as well stand before a condition: `mother Parkinson's disease`.
PERSON_MAYBE = re.compile(
    r"(?:(?<!\w)(?:(?:step|grand|god)?(?:son|daughter|mother|father|mum|mom|dad|child)|wife|"
    r"husband|brother|sister|friend|neighbou?r|partner|spouse|girlfriend|boyfriend|fiancée?|dtr|dau|sis|bro|aunt|"
    r"uncle|niece|nephew|cousin|caregiver|carer)"
    r"|(?<!\w)(?:patient|pt|provider|physician|surgeon|attending|resident|pcp|gp|author):)[ \t,]*$",
    re.IGNORECASE | re.VERBOSE,
)
PERSON_AFTER = re.compile(
    r",?[ ]{0,2}(?:M\.?D|D\.?O|R\.?N|N\.?P|PA-C|PA|LPN|CRNA|Ph\.?D|PharmD|MBBS|FACS|FRC[PS]|"
    r"DPM|DDS|MSW|LCSW|APRN|DNP|Jr|Sr)\b"
    r"|(?:,[ ]|[ ]the[ ])(?:(?:flight|charge|staff|school|district|locum)[ ])?(?:physician|nurse|"
    r"doctor|surgeon|registrar|consultant|midwife|therapist|pharmacist|optician|dentist|paramedic|"
    r"chaplain|interpreter|supervisor|teacher)\b"
    r"|,?[ ](?:was[ ]an?[ ])?\d{1,3}[ -]?(?:y/?o|yrs?[ -]old|years?[ -]old|M)\b"
    r"|(?:[ ][A-Z][\w'’-]+)?[ ]is[ ]an?[ ]\d{1,3}[ -]?(?:y/?o|yrs?|years?)\b"
    r"|[ ](?:says|said|states|stated|tells|told|rang|phoned|texted|asks|asked|agrees|agreed|thinks|"
    r"wants|lives|works|drives|smokes|drinks|denies|denied|reports|reported|complains|complained|"
    r"attended|arrived|feels|felt|calls|called(?![ ](?:in|to|for)\b)|who|himself|herself)\b"
    r"|[ ]for[ ](?:himself|herself)\b"
    r"|[ ]\((?:[a-z]+(?:logy|iatry|iatrics|surgery|icine)|surgery|renal|ortho|ID|ENT|GI|IR)\)"
)
# Initials behind a sentence, at the end of a line.
INITIALS = 3
SIGNED = re.compile(r"(?:[.!?)][ ]+|[ ][-–—][ ]?)$")
LINE_END = re.compile(r"[ \t.]*(?:\n|$)")
# A name as lists have it: the surname at the head of a line or cell, the given name behind.
HEAD = re.compile(r"(?:^|[\n|\t])[ ]*$")
GIVEN = re.compile(r",[ ]?([A-Z][a-z]+)\b")
# A place behind one of these, and a noun behind it that places have as well as eponyms.
PLACE_BEFORE = re.compile(r"(?<!\w)(?:[Ii]n|[Ff]rom|[Nn]ear|nr|via|[Ll]ives[ ]at|[Tt]o)[ ]$")
PLACE_NOUNS = frozenset(
    ("approach", "area", "block", "canal", "line", "lines", "loop", "position", "present", "view")
)
# A word that is only near a term is one where it is taken or dosed, or another is beside it.
TAKEN = re.compile(
    r"(?<!\w)(?:on|takes?|taking|took|given?|gave|(?:re)?start(?:ed)?|stop(?:ped)?|held|hold|"
    r"continued?|resumed?|rx|prescribed|allerg(?:y|ic)[ ]to|allerg(?:y|ies):|caps?|tabs?|inj)[ ]$",
    re.IGNORECASE,
)
DOSED = re.compile(
    r"[ ](?:\d[\d.,]*[ ]?(?:mg|mcg|g|ml|units?|iu|%)|po|iv|im|sc|od|bd|bid|tds|tid|qds|qid|"
    r"nocte|prn|qhs|daily|tabs?|tablets?|caps?|cream|drops|inhaler)\b",
    re.IGNORECASE,
)
# What stands behind one of these is a condition, even where people are called so too.
CONDITION_BEFORE = re.compile(
    r"(?<!\w)(?:h/o|hx|history|dx(?:'?d)?|diagnos\w{1,4}|known|suspect\w{0,3}|possible|probable|"
    r"likely|r/o|rule[ ]out|s/p|status[ ]post|due[ ]to|secondary[ ]to|c/w|consistent[ ]with|"
    r"positive|negative|pos|neg|pmhx?|fhx?|mild|moderate|severe|advanced|refractory|bilateral|"
    r"left|right)(?:[ ](?:of|for|with|as))?[ ]?:?[ \t]*$",
    re.IGNORECASE | re.VERBOSE,
)
# And behind one of these if it is a possessive that owns nothing: `patient with Parkinson's.`
CONDITION_MAYBE = re.compile(r"(?<!\w)(?:for|no|with|has|had|of|early|new|and)[ ]$", re.IGNORECASE)
OWNS_NOTHING = re.compile(
    r"['’]s(?=[ ]?(?:[.,;:()/\n]|$|(?:and|or|but|on|since|who|dx|diagnosed|for|s/p|now|in|x)\b))"
)
# A capitalised word beside the mention; at the beginning of a sentence any word is.
BESIDE_BEFORE = re.compile(r"(?:(?<=[^\s.!?:;#*-][ ])([A-Z][a-z]+)[ ]|([A-Z][\w'’-]+),[ ])$")
BESIDE_AFTER = re.compile(r"[ ]([A-Z][a-z]+)\b")
# A town before its state is one, whatever else is called so: `Foley, AL`, but not a CT scan.
STATE_AFTER = re.compile(
    r",[ ](?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|"
    r"S[CD]|T[NX]|UT|V[AT]|W[AIVY])\b"
    r"(?![ ](?:scan|angio|chest|abd|head|neck|brain|pelvi|spine|with))"
)
SENTENCE_END = re.compile(r"[.;!?](?=\s)|\n[^\S\n]*\n")
CLAUSE_END = re.compile(r"[,()\[\]|:](?!\w)|[ ][-–—]+[ ]|[([]")


@dataclass(frozen=True, slots=True)
class Settings:
    """Which labels are looked at, and the score from which a single word is believed.

    Mentions of `labels` can be medical by their words; those of `in_phrases` only as part of a
    term of several words (`May-Thurner syndrome`, `farmer's lung`). `label_set` is the set that
    they are of; empty, it is not known.
    """

    labels: tuple[str, ...]
    in_phrases: tuple[str, ...] = ()
    sure: float = 0.95
    terms: str = "medical"
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Medical:
    """Load the terms; raise `SettingsError` for a label or score that cannot be."""
    named = {"labels": settings.labels, "in_phrases": settings.in_phrases}
    check_labels(settings.label_set, **named)
    check_scores(sure=settings.sure)
    folder = toolbox.folder("lexicons", settings.terms)
    terms = toolbox.shared(f"medical:{settings.terms}", lambda: MedicalTerms.load(folder))
    labels, in_phrases = frozenset(settings.labels), frozenset(settings.in_phrases)
    hub = label_set(settings.label_set or HUB).to_hub
    towns = frozenset(label for label in labels if hub.get(label) == TOWN)
    places = frozenset(label for label in labels if hub.get(label) in PLACES)
    return Medical(terms, Told(terms), labels, in_phrases, settings.sure, towns, places)


@dataclass(frozen=True, slots=True)
class Word:
    """Whether a word is medical by itself, and whether some term of several words has it."""

    medical: bool
    in_phrase: bool


class Told(Memo[str, Word]):
    """What the terms say of a word, worked out once a word; afresh when it is full."""

    def __init__(self, terms: MedicalTerms) -> None:
        self._terms = terms

    def __missing__(self, word: str) -> Word:
        if len(self) >= CACHED_WORDS:
            self.clear()
        in_phrase = bool(self._terms.phrase_words[word])
        self[word] = told = Word(self._terms.is_medical(word), in_phrase)
        return told


@dataclass(frozen=True, slots=True, eq=False)
class Medical:
    """Drops mentions that are medical terms where they stand, unless a person is meant.

    A title, an initial, a credential or a verb such as `signed by` beside the mention keeps its
    label. A term of several words is told by its words; a drug, an organ or a device by one word,
    if the mention's score is below `sure`; an eponym that is also a surname only by what it
    qualifies (`Parkinson disease`) or by what it is a history of (`hx of Parkinson's`). What is
    only near a term is one where it is taken or dosed, or beside another. One of `towns` is no
    term of one word before its state, one of `places` none behind `in` or before `area`.
    """

    terms: MedicalTerms = field(repr=False)
    told: Told = field(repr=False)
    labels: frozenset[str]
    in_phrases: frozenset[str] = frozenset()
    sure: float = 0.95
    towns: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions that are no medical terms."""
        return tuple(m for m in mentions if not self.is_medical(note.text, m))

    def is_medical(self, text: str, mention: Mention) -> bool:
        """Tell whether a mention is a medical term where it stands."""
        whole = mention.label in self.labels
        if not whole and mention.label not in self.in_phrases:
            return False
        start, end = mention.span.start, mention.span.end
        inside = cut(text[start:end])
        told = [self.told[word] for word in inside]
        in_phrase = bool(told) and told[0].in_phrase
        named = not all(map(str.isdigit, inside))
        by_words = whole and named and all(word.medical for word in told)
        if not in_phrase and not by_words:
            return False
        before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
        behind = cut(_clauses(after)[0]) if in_phrase else []
        if in_phrase and self.terms.phrase_around(cut(before), inside, behind, exact=not whole):
            headed = any(map(self.terms.is_head, (*inside, *behind[:1])))
            medical = headed or not PERSON_MAYBE.search(before)
        elif not by_words or (mention.label in self.towns and STATE_AFTER.match(after)):
            return False
        else:
            is_place = mention.label in self.places
            medical = self._by_words(inside, before, after, mention.score, is_place=is_place)
        return medical and not _is_person(before, after, end - start)

    def _by_words(
        self, inside: Sequence[str], before: str, after: str, score: float, *, is_place: bool
    ) -> bool:
        terms = self.terms
        if terms.is_eponym(inside) and self._qualifies(inside, after, is_place=is_place):
            return True
        named = terms.is_a_name(inside)
        if score >= self.sure or (named and not terms.is_listed(inside)):
            return False
        if PERSON_MAYBE.search(before) or (is_place and PLACE_BEFORE.search(before)):
            return False
        return self._is_meant(inside, before, after) and bool(
            not named
            or CONDITION_BEFORE.search(before)
            or (CONDITION_MAYBE.search(before) and OWNS_NOTHING.match(after))
        )

    def _is_meant(self, inside: Sequence[str], before: str, after: str) -> bool:
        """Tell whether nothing beside a term makes it a name, and what is only near one is one."""
        terms = self.terms
        listed = terms.is_listed(inside)
        beside = [BESIDE_BEFORE.search(before), None if listed else BESIDE_AFTER.match(after)]
        if HEAD.search(before):
            beside.append(GIVEN.match(after))
        if any(m and not all(map(terms.is_medical, cut(m[m.lastindex or 0]))) for m in beside):
            return False
        if all(word in terms.heads or terms.is_listed([word]) for word in inside):
            return True
        around = (*cut(before)[-1:], *cut(SENTENCE_END.split(after, maxsplit=1)[0])[:1])
        near = any(terms.is_listed([word]) for word in around)
        return near or bool(TAKEN.search(before) or DOSED.match(after))

    def _qualifies(self, inside: Sequence[str], after: str, *, is_place: bool) -> bool:
        """Tell whether an eponym's noun is in the mention or follows it, past other eponyms."""
        if any(self.terms.is_head(word) for word in inside):
            return True
        nouns = 0
        for at, clause in enumerate(_clauses(after)):
            words = cut(clause)
            if at and words and not self.terms.is_eponym(words[:1]):
                return False
            for word in words:
                if self.terms.is_head(word):
                    return not (is_place and word in PLACE_NOUNS)
                nouns += 1
                known = self.terms.is_medical(word) or word in ("type", "and")
                if not known or nouns == FOLLOWING:
                    return False
        return False


def _is_person(before: str, after: str, size: int) -> bool:
    """Tell whether what stands beside a mention of so many characters makes it a person's."""
    signs = size <= INITIALS and SIGNED.search(before) and LINE_END.match(after)
    return bool(signs or PERSON_BEFORE.search(before) or PERSON_AFTER.match(after))


def _clauses(after: str) -> list[str]:
    """Return what stands behind a mention up to the end of its sentence, in clauses."""
    return CLAUSE_END.split(SENTENCE_END.split(after, maxsplit=1)[0])
