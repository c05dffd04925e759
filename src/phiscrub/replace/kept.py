"""What stays of patients though it narrows them down: ages, places, professions, years."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from phiscrub.replace.people import fold

AGES, PLACES, PROFESSIONS, YEARS = "ages", "places", "professions", "years"
KINDS = MappingProxyType(
    {"AGE": AGES, "PROFESSION": PROFESSIONS, "DATE": YEARS}
    | dict.fromkeys(("CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER", "HOSPITAL"), PLACES)
)  # by the hub label
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

Fact = tuple[str, str]  # its kind, and the words folded, or what stands for them


def facts(hub: str, words: str) -> Iterator[Fact]:
    """Yield what words of a label tell of a patient; of a date the years alone."""
    kind = KINDS.get(hub)
    if kind == YEARS:
        yield from ((YEARS, year) for year in YEAR.findall(words))
    elif kind is not None:
        yield kind, fold(words)


@dataclass(slots=True)
class Kept:
    """What stays of each patient, by a key that need not be the patient's own."""

    _facts: dict[bytes, set[Fact]] = field(default_factory=lambda: defaultdict(set))

    def add(self, owner: bytes, found: set[Fact]) -> None:
        """Take in what a note keeps of its patient, be it nothing."""
        self._facts[owner] |= found

    def alone(self, *kinds: str) -> tuple[int, int]:
        """Return how many patients nobody equals in what is kept of some kinds, and of how many.

        By default all kinds count, together. Of whom nothing of them is kept is in neither number.
        """
        wanted = kinds or tuple(KINDS.values())
        told = (frozenset(f for f in own if f[0] in wanted) for own in self._facts.values())
        sets = Counter(own for own in told if own)
        return sum(1 for count in sets.values() if count == 1), sum(sets.values())
