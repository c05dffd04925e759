"""Names by their last word: `Rowan Lane Surgery`, `Sumter Timber Co.`, `Fremont County`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.detect.wordtypes import WordTypes
from phiscrub.lexicons.phrases import Hit

LONGEST = 9  # words of a name before its last one
# Behind a hospital's name: where in it.
DEPARTMENTS = frozenset({
    "er", "ed", "icu", "ent", "nicu", "picu", "ortho", "cardiology", "neurology", "unit", "ward",
    "clinic", "adol", "psych", "peds", "ob", "rehab", "dialysis", "oncology", "team", "nurse",
})  # fmt: skip
MARKS = frozenset({"[", "&", "+", "*", "•"})  # behind a name in a list
ABBREVIATED = frozenset({"st", "sts", "mt", "mts", "ft", "dr", "drs", "wm", "ste"})
NAMED_AFTER = frozenset({"of", "for"})  # University of Leeds, Hospital for Sick Children
BINDING = NAMED_AFTER | {"at", "in", "and", "from", "to", "with"}
POSTED = frozenset(
    {"at", "from", "to", "with", "for", "in", "by", "via", "@", "near", "on", "off", "(", ":", "]"}
)
EDGES = frozenset({"", ",", "(", "|", ":", "]", ")", "•", "*", "-", "–", "—", ";"})
SURE, LIKELY, LOWER = 0.9, 0.8, 0.6
SELF_EVIDENT = frozenset({"hospital", "hosp", "vna", "infirmary", "pharmacy", "ltd", "inc", "llc"})
LONGEST_LOWER = 3  # words in small letters before a last word in small letters
NUMBER = 3  # digits that are no misread letters
ENOUGH = 2  # words that identify, where the last word alone says little


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Walks left from a listed last word over capitalised words to the name's beginning.

    A name needs one word that identifies, which generic words such as `Regional` do not; after a
    weak last word it needs two, or a preposition before it.
    """

    lists: Lists
    barren: WordTypes = field(repr=False)  # words that are no part of a name in small letters

    @classmethod
    def of(cls, lists: Lists) -> Units:
        """Return a finder by the gazetteer's lists."""
        common, stops, generic = lists.common, lists.words["stops"], lists.words["generic"]

        def barren(word: str) -> bool:
            low = word.lower()
            return not low.isalpha() or low in stops or (low in common and low not in generic)

        return cls(lists, WordTypes(barren))

    def find(
        self, reading: Reading, hit: Hit, label: str, weak: bool
    ) -> Iterator[tuple[int, int, Mention]]:
        """Yield the name that ends with a hit, with the words ``[first, last)`` that it covers."""
        if not reading.is_name(hit.last - 1) and not reading.is_name(hit.first):
            before = reading.word(hit.first - 1)
            if before == "s" or not (before.islower() and self.barren[before]):
                yield from self._lower(reading, hit, label, weak)
            return
        if self._goes_on(reading, hit.last) or self._coded(reading, hit.last):
            return  # a heading goes on, or it is the front of a number
        first = self._beginning(reading, hit.first)
        last = self._ending(reading, hit.last)
        told = self._identifying(reading, first, hit.first) + self._identifying(
            reading, hit.last, last
        )
        if label == "STREET" or reading.lower(hit.last - 1) == "county":
            told = hit.first - first  # Main Street, Long County
        if not told or (weak and not self._evident(reading, first, last, told, label)):
            return
        first -= self._with_article(reading, first)
        if reading.word(first - 1) == "#" or reading.before(first) in ("dr", "mr", "mrs", "ms"):
            return
        span = Span(reading.starts[first], reading.ends[last - 1])
        score = LIKELY if weak else SURE
        yield first, last, Mention(span, label, score, f"gazetteer:unit-{label.lower()}")

    def _lower(
        self, reading: Reading, hit: Hit, label: str, weak: bool
    ) -> Iterator[tuple[int, int, Mention]]:
        """Yield a name in small letters or half of it: strange words before a strong last word."""
        owned = not weak and reading.word(hit.first - 1) == "s"
        owned = owned and reading.word(hit.first - 2) in ("'", "’")
        owner = hit.first - 1 - 2 * owned  # Hickey's chemist
        if reading.is_name(owner) and reading.joined(hit.first - 1):
            yield from self._half(reading, hit, label)
            return
        if label == "STREET" or (weak and label != "HOSPITAL"):
            return  # the packs know numbered streets
        first, told = hit.first, 0
        for index in range(hit.first - 1, max(hit.first - 1 - LONGEST_LOWER, -1), -1):
            low = reading.lower(index)
            if low == "-" and reading.touching(index - 1) and reading.touching(index):
                continue  # baker-swan funeral home
            if not reading.joined(index) or reading.is_name(index):
                break
            if self.barren[low]:
                break
            told += low not in self.lists.words["generic"] and len(low) > 2  # noqa: PLR2004 - abbreviations
            first = index
        if not told:
            return
        plain = weak or hit.last - hit.first == 1
        before = reading.before(first)
        posted = (before.isalpha() and before in POSTED) or reading.lower(
            hit.last - 1
        ) in SELF_EVIDENT
        if posted or not plain:
            span = Span(reading.starts[first], reading.ends[hit.last - 1])
            yield first, hit.last, Mention(span, label, LOWER, f"gazetteer:lower-{label.lower()}")

    def _half(self, reading: Reading, hit: Hit, label: str) -> Iterator[tuple[int, int, Mention]]:
        """Yield a name whose last word alone is in small letters: `Kilorna beach`."""
        words = self.lists.words
        if reading.lower(hit.last - 1) in words["generic"]:
            return  # Dr. Lowe's care team, the ward's school nurse
        first = self._beginning(reading, hit.first)
        strange = [
            reading.word(i)[1:].islower()
            and reading.lower(i) not in self.lists.common
            and reading.lower(i) not in words["generic"]
            and reading.lower(i) not in words["languages"]
            for i in range(first, hit.first)
            if reading.word(i).isalpha()
        ]
        told = sum(strange)
        if told and (told >= ENOUGH or reading.before(first) in POSTED):
            span = Span(reading.starts[first], reading.ends[hit.last - 1])
            yield first, hit.last, Mention(span, label, LOWER, f"gazetteer:half-{label.lower()}")

    def _coded(self, reading: Reading, last: int) -> bool:
        """Tell whether a number touches the last word: `FH7719042`."""
        number = reading.word(last)
        return number.isdigit() and len(number) >= NUMBER and reading.touching(last - 1)

    def _with_article(self, reading: Reading, first: int) -> bool:
        """Tell whether a `The` with a capital amid a sentence belongs to the name."""
        before = reading.before(first - 1)
        return (
            reading.word(first - 1) == "The"
            and reading.joined(first - 1)
            and (before == "," or before.isalpha())
        )

    def _goes_on(self, reading: Reading, last: int) -> bool:
        """Tell whether capitals go on behind a last word in capitals."""
        following = reading.word(last)
        heading = (
            reading.words[last - 1].isupper()
            and reading.joined(last - 1)
            and not (reading.word(last - 2).istitle() and reading.joined(last - 2))
        )
        return heading and following[:1].isupper() and following.lower() not in BINDING

    def _beginning(self, reading: Reading, head: int) -> int:
        stops, connectors = self.lists.words["stops"], self.lists.words["connectors"]
        first = head
        for index in range(head - 1, max(head - 1 - LONGEST, -1), -1):
            if not reading.joined(index):
                break
            word = reading.words[index]
            low = word.lower()
            if word == ".":
                before = reading.lower(index - 1)
                if not (len(before) == 1 or before in ABBREVIATED):
                    break
            elif reading.is_name(index) or self._broken(reading, index):
                if low in stops and not (word.isupper() and len(word) == 1):
                    break
                first = index
            elif low not in connectors or (word == "-" and not reading.touching(index)):
                break
        return first

    def _broken(self, reading: Reading, index: int) -> bool:
        """Tell whether a capital and an apostrophe stand before the letters: `Ko'olau`."""
        return (
            reading.word(index - 1) in ("'", "’", "ʻ")
            and len(reading.word(index)) > 1
            and reading.touching(index - 1)
            and reading.touching(index - 2)
            and reading.is_name(index - 2)
        )

    def _ending(self, reading: Reading, last: int) -> int:
        if reading.word(last) == "." and reading.lower(last - 1) in (
            "inc",
            "co",
            "ltd",
            "corp",
            "bros",
        ):
            return last + 1
        spoken = reading.word(last - 1) != "."  # not behind an abbreviation
        if not (spoken and reading.lower(last) in NAMED_AFTER and reading.joined(last - 1)):
            return last
        index = last + 1 + (reading.lower(last + 1) == "the")
        end = index
        while end < index + 4 and reading.is_name(end) and reading.joined(end - 1):
            end += 1
        return end if end > index else last

    def _identifying(self, reading: Reading, first: int, last: int) -> int:
        words = self.lists.words
        generic, stops = words["generic"], words["stops"]
        told = 0
        for index in range(first, last):
            low = reading.lower(index)
            told += (
                len(low) > 1 and low not in generic and low not in stops and reading.is_name(index)
            )
        return told

    def _at_edge(self, reading: Reading, first: int) -> bool:
        return reading.before(first) in EDGES or not reading.joined(first - 1)

    def _evident(self, reading: Reading, first: int, last: int, told: int, label: str) -> bool:
        posted = reading.before(first) in POSTED or (
            reading.before(first) == "the" and reading.before(first - 1) in POSTED
        )
        follows = reading.after(last - 1)
        if label == "STREET":
            addressed = self._at_edge(reading, first) and (
                follows in ("", ",", ".") or not reading.joined(last - 1)
            )
            return (posted and not reading.words[last - 1].isupper()) or addressed
        if label == "LOCATION-OTHER":
            return posted
        bare = follows in (
            "",
            ",",
            ".",
            ";",
            ")",
            "|",
            "-",
            "–",
            "—",
            "(",
            "/",
        ) or not reading.joined(last - 1)
        bare = bare or follows in MARKS or (label == "HOSPITAL" and follows in DEPARTMENTS)
        edge = self._at_edge(reading, first) or (
            reading.before(first) == "the" and self._at_edge(reading, first - 1)
        )
        return (
            (posted and (bare or told >= ENOUGH))
            or (bare and edge and told >= 1 and label == "HOSPITAL")
            or (told >= ENOUGH and bare)
        )
