"""Cities, regions, states and countries: listed names, weighed by what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.lexicons.phrases import Hit

SURE, LIKELY, PLAIN, FAINT = 0.92, 0.85, 0.7, 0.6
LONGEST_SITE = 4  # words
MOVES = frozenset({
    "moved", "move", "moving", "went", "go", "going", "gone", "flew", "fly", "flying",
    "drove", "driving", "travel", "traveled", "travelled", "travelling", "traveling",
    "trip", "back", "return", "returned", "returning", "relocated", "visit", "visits",
    "came", "up", "down", "lives", "live", "living", "lived", "resides", "residing",
    "resident", "born", "raised", "grew", "native", "home",
})  # fmt: skip
CERTAIN = frozenset({"in", "from", "near", "fr", "frm"})  # before a city in small letters
TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof"})
PLACES = frozenset({
    "state_code", "state_code_weak", "country", "country_weak", "state", "state_weak", "region",
    "region_weak", "city", "city_weak",
})  # fmt: skip
CITIES = frozenset({"city", "city_weak", "state_weak"})
CREDENTIALS = frozenset({"MD", "PA", "MS", "MO", "DC"})  # behind a comma, a person's too
LONGEST = 3  # words of an unlisted place
POST_CODE = re.compile(
    r"[ ,–-]{1,3}(?:[A-Z]{1,2}\d[A-Z\d]?[ ]{1,2}\d[A-Z]{2}|[A-Z]\d[A-Z\d][ ]{1,2}[A-Z\d]{3,4}"
    r"|(?P<zip>\d{6}|\d{5}(?:-\d{4})?))(?![\w-])"
)
SHORTEST_CAPITALS = 4  # letters of a city in capitals that may stand without evidence
ENDINGS = (
    "ville", "burg", "burgh", "shire", "ford", "bury", "borough", "wick", "mouth", "haven", "port",
    "stead", "dale", "wood", "field", "worth", "ton", "ham", "ley", "grad", "pur", "abad", "stadt",
    "dorf", "town", "view", "creek", "springs", "city", "ridge",
)  # fmt: skip
# Words that begin or end the name of a town, and say nothing alone.
PARTS = frozenset({
    "port", "fort", "mount", "lake", "grand", "new", "little", "great", "upper", "lower", "north",
    "south", "east", "west", "saint", "san", "santa", "big", "spring", "glen", "old", "pointe",
    "point", "cape", "bay", "rock", "white", "black", "red", "green", "blue", "cedar", "elk",
    "eagle", "silver", "twin", "three", "many", "city", "village", "falls", "landing", "garden",
    "gardens", "heights", "park", "beach", "hill", "hills", "valley", "forks", "fork", "junction",
    "corner", "corners", "bridge", "river", "head", "cross", "end", "pine", "bank", "side", "gate",
    "parva", "magna", "royal", "regis", "oaks", "grove", "center", "mills", "mines", "station",
})  # fmt: skip
DISCLAIMED = frozenset({
    "OR", "IN", "ME", "HI", "OK", "ON", "AL", "LA", "CO", "ID", "PR", "SA", "CT", "DE", "MA",
})  # fmt: skip
CODE = 2  # letters of a state's code
CHAIN = 4  # parts of an address behind a unit
BEHIND_UNIT = frozenset({",", "(", "-", "–", "|"})


@dataclass(frozen=True, slots=True, eq=False)
class Towns:
    """Takes a place's name by its kind, its capitals, and the words beside it."""

    lists: Lists

    def find(self, reading: Reading, hit: Hit) -> Iterator[Mention]:
        """Yield what a listed name stands for, if it stands for a place here."""
        kinds = hit.kinds
        if "state_code" in kinds or "state_code_weak" in kinds:
            yield from self._coded(reading, hit, strong="state_code" in kinds)
        if "country" in kinds or "country_weak" in kinds:
            if self._stands(reading, hit, strong="country" in kinds, lower=False):
                yield self._mention(reading, hit.first, hit.last, "COUNTRY", LIKELY)
        elif "state" in kinds or "state_weak" in kinds:
            if self._behind_city(reading, hit.first):
                yield self._mention(reading, hit.first, hit.last, "STATE", SURE)
                yield from self._city_before(reading, hit.first, sure=True)
            elif self._stands(reading, hit, strong="state" in kinds, lower=False):
                yield self._mention(reading, hit.first, hit.last, "STATE", LIKELY)
        elif "region" in kinds or "region_weak" in kinds:
            if self._stands(reading, hit, strong="region" in kinds, lower=False):
                yield self._mention(reading, hit.first, hit.last, "LOCATION-OTHER", LIKELY)
        elif "city" in kinds:
            if self._stands(reading, hit, strong=True, lower=True):
                yield self._mention(reading, hit.first, hit.last, "CITY", LIKELY)
                yield from self._zip(reading, hit.last)
        elif "city_weak" in kinds and self._stands(reading, hit, strong=False, lower=False):
            yield self._mention(reading, hit.first, hit.last, "CITY", PLAIN)

    def behind(self, reading: Reading, last: int) -> Iterator[Mention]:
        """Yield the town that stands behind a unit's name, after a comma or in brackets."""
        for _ in range(CHAIN):
            if reading.word(last) not in BEHIND_UNIT or not reading.same_line(last - 1):
                return
            first = last + 1
            end = self._listed_after(reading, first) or self._run(reading, first)
            bounded = reading.after(end - 1) in ("", ",", ")", ".", ";", "|") or not reading.joined(
                end - 1
            )
            if end == first or not reading.same_line(last) or not bounded:
                return
            yield self._mention(reading, first, end, "CITY", PLAIN)
            last = end

    def unlisted(self, reading: Reading, index: int) -> Iterator[Mention]:
        """Yield an unlisted town behind a preposition, where its ending or a verb speaks for it."""
        first = index + 1
        if not reading.joined(index):
            return
        end = self._run(reading, first)
        if end == first:
            return
        moved = self._moves(reading, index)
        ending = reading.lower(end - 1).endswith(ENDINGS) and len(reading.words[end - 1]) > 5  # noqa: PLR2004 - an ending alone is no name
        if moved or ending or reading.lower(index) != "to":
            yield self._mention(reading, first, end, "CITY", PLAIN)

    def site(self, reading: Reading, index: int) -> Iterator[Mention]:
        """Yield the unlisted name behind an `at` or `@`: a site of which no list knows the kind."""
        first = index + 1
        end = first
        while end < first + LONGEST_SITE and reading.is_name(end) and reading.joined(end - 1):
            end += 1
        if end > first and self._nameable(reading, first):
            yield self._mention(reading, first, end, "ORGANIZATION", FAINT)

    def _zip(self, reading: Reading, last: int) -> Iterator[Mention]:
        code = POST_CODE.match(reading.text, reading.ends[last - 1])
        if code is not None and code["zip"]:
            yield Mention(Span(*code.span("zip")), "ZIP", LIKELY, "gazetteer:zip")

    def _run(self, reading: Reading, first: int) -> int:
        """Return where a run of words that could be an unlisted place ends."""
        end, named = first, False
        while end < first + LONGEST and (self._nameable(reading, end) or self._part(reading, end)):
            named = named or self._nameable(reading, end)
            end += 1
            if not reading.joined(end - 1):
                break
        return end if named or end > first + 1 else first

    def _part(self, reading: Reading, index: int) -> bool:
        return reading.lower(index) in PARTS and reading.word(index).istitle()

    def _listed_after(self, reading: Reading, first: int) -> int | None:
        """Return where a listed city ends that begins with this word."""
        hit = next(self.lists.terms.find(reading.words[first : first + LONGEST + 2]), None)
        if hit is None or hit.first or not CITIES & set(hit.kinds):
            return None
        return first + hit.last if reading.capitals(first, first + hit.last) else None

    def _moves(self, reading: Reading, index: int) -> bool:
        return any(reading.lower(i) in MOVES for i in range(max(index - 3, 0), index + 1))

    def _nameable(self, reading: Reading, index: int) -> bool:
        """Tell whether a word could be an unlisted place: a capital, small letters, not common."""
        word = reading.word(index)
        low = word.lower()
        if len(word) < SHORTEST_CAPITALS or not reading.is_name(index) or not word[1:].islower():
            return False
        words = self.lists.words
        return low not in self.lists.common and not any(
            low in words[kind] for kind in ("stops", "generic", "languages", "titles")
        )

    def _stands(self, reading: Reading, hit: Hit, *, strong: bool, lower: bool) -> bool:
        """Tell whether a listed name is meant as a place; a strong one needs less evidence."""
        first, last = hit.first, hit.last
        before = reading.before(first)
        if not reading.capitals(first, last):
            word = reading.words[first]
            long = word.islower() and len(word) >= SHORTEST_CAPITALS
            sure = before in CERTAIN or (before == "to" and self._moves(reading, first - 1))
            return lower and strong and long and sure
        moved = before == "to" and self._moves(reading, first - 1)
        where = moved or (before in self.lists.words["where"] and before != "of")
        if self._is_another(reading, first, last, where=where):
            return False
        leads = reading.is_name(last) and reading.joined(last - 1)
        if where:
            return strong or not leads
        if self._in_address(reading, last):
            return True
        follows = reading.is_name(first - 1) and reading.joined(first - 1)
        return strong and not leads and not follows and not self._heading(reading, first, last)

    def _is_another(self, reading: Reading, first: int, last: int, *, where: bool) -> bool:
        """Tell whether the name is a month, part of a compound, a score's or a person's."""
        before, after = reading.before(first), reading.after(last - 1)
        return (
            (last - first == 1 and reading.lower(first) in self.lists.words["stops"])
            or not all(map(_plain, reading.words[first:last]))
            or after in self.lists.words["eponym_followers"]
            or (after.isdigit() and not where and not self._in_address(reading, last))
            or (after == "-" and reading.touching(last - 1))
            or (before == "-" and reading.touching(first - 1))
            or (before == "." and reading.before(first - 1) in TITLES)
        )

    def _heading(self, reading: Reading, first: int, last: int) -> bool:
        """Tell whether a name in capitals is short, or stands by itself as a heading does."""
        word = reading.words[first]
        alone = last - first == 1 and not reading.joined(first - 1)
        return word.isupper() and (len(word) < SHORTEST_CAPITALS or alone)

    def _in_address(self, reading: Reading, last: int) -> bool:
        """Tell whether a state, a country or a post code stands behind the name."""
        index = last + (reading.word(last) == ",")
        if POST_CODE.match(reading.text, reading.ends[last - 1]):
            return True
        if not reading.same_line(last - 1):
            return False
        following = next(self.lists.terms.find(reading.words[index : index + 3]), None)
        if following is None or following.first != 0:
            return False
        kinds = set(following.kinds)
        if kinds & {"state_code", "state_code_weak"}:
            return reading.is_name(index)
        named = kinds & {"state", "state_weak", "country", "country_weak", "region"}
        return bool(named) and reading.word(last) == "," and reading.is_name(index)

    def _behind_city(self, reading: Reading, state: int) -> bool:
        index = state - 1 - (reading.word(state - 1) == ",")
        return (
            reading.same_line(index) and reading.word(state - 1) == "," and reading.is_name(index)
        )

    def _coded(self, reading: Reading, hit: Hit, *, strong: bool) -> Iterator[Mention]:
        """Yield a state's code behind a city, and that city."""
        comma = reading.word(hit.first - 1) == ","
        index = hit.first - 1 - comma
        if not reading.same_line(hit.first - 1) or not reading.is_name(index):
            return
        listed = self._listed_before(reading, index)
        certain = comma and self._certain(reading, listed, index)
        if reading.word(hit.first) in CREDENTIALS and not certain:
            return
        posted = POST_CODE.match(reading.text, reading.ends[hit.last - 1])
        ends = listed is not None and reading.after(hit.last - 1) in ("", ",", ".", ";", ")")
        if not (strong or comma or posted or (ends and self._certain(reading, listed, index))):
            return
        if listed is None and not self._unlisted(reading, hit, index, strong=strong, comma=comma):
            return
        yield self._mention(reading, hit.first, hit.last, "STATE", SURE)
        yield from self._zip(reading, hit.last)
        yield from self._city_before(reading, hit.first, sure=listed is not None)

    def _unlisted(
        self, reading: Reading, hit: Hit, index: int, *, strong: bool, comma: bool
    ) -> bool:
        """Tell whether the word before a state's code may be an unlisted city."""
        code = reading.word(hit.first)
        posted = POST_CODE.match(reading.text, reading.ends[hit.last - 1])
        words, before = self.lists.words, reading.lower(index)
        if before in words["generic"] or before in words["stops"]:
            return False
        if not reading.word(index)[1:].islower():
            return posted is not None and reading.word(index).isalpha()
        if strong and comma:
            return True
        fair = comma and len(code) == CODE and code not in DISCLAIMED | CREDENTIALS
        ends = strong and (posted is not None or not reading.after(hit.last - 1))
        return (fair or ends) and self._nameable(reading, index)

    def _certain(self, reading: Reading, first: int | None, index: int) -> bool:
        """Tell whether the words ``[first, index]`` are called a city, and nothing else."""
        if first is None:
            return False
        hit = next(self.lists.terms.find(reading.words[first : index + 1]))
        return "city" in hit.kinds and not (
            reading.is_name(first - 1) and reading.joined(first - 1)
        )

    def _city_before(self, reading: Reading, state: int, *, sure: bool) -> Iterator[Mention]:
        index = state - 1 - (reading.word(state - 1) == ",")
        first = self._listed_before(reading, index)
        if first is None:
            first = index
            while (
                reading.joined(first - 1)
                and (
                    self._nameable(reading, first - 1)
                    or self._part(reading, first - 1)
                    or self._capitals(reading, first - 1, index)
                )
                and index - first < LONGEST - 1
            ):
                first -= 1
        yield self._mention(reading, first, index + 1, "CITY", SURE if sure else LIKELY)

    def _capitals(self, reading: Reading, index: int, last: int) -> bool:
        """Tell whether a word and the last one of its name are both in capitals."""
        word = reading.word(index)
        return (
            word.isupper()
            and word.isalpha()
            and len(word) >= SHORTEST_CAPITALS
            and reading.word(last).isupper()
        )

    def _listed_before(self, reading: Reading, index: int) -> int | None:
        """Return where a listed city begins that ends with this word."""
        for first in range(max(index - 3, 0), index + 1):
            words = reading.words[first : index + 1]
            hit = next(self.lists.terms.find(words), None)
            whole = hit is not None and hit.first == 0 and hit.last == len(words)
            listed = hit is not None and whole and CITIES & set(hit.kinds)
            if listed and reading.capitals(first, index + 1):
                return first
        return None

    def _mention(
        self, reading: Reading, first: int, last: int, label: str, score: float
    ) -> Mention:
        span = Span(reading.starts[first], reading.ends[last - 1])
        return Mention(span, label, score, f"gazetteer:{label.lower()}")


def _plain(word: str) -> bool:
    """Tell whether a word is in small letters, in capitals, or has one in front: not `MoCA`."""
    return (
        word.islower()
        or word.isupper()
        or word.istitle()
        or not word.isalpha()
        or word[:2] in ("Mc", "De", "La", "Le", "Di")
    )
