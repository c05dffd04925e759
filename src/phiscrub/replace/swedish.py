"""What a Swedish Location is, a town, a street, a firm or a school: its label does not tell."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import resources
from itertools import accumulate

from phiscrub.lexicons.terms import terms_of
from phiscrub.replace.people import fold

STREET = re.compile(r"(?:gatan|vägen|gränd|torget|stigen|allén)(?!\w)", re.I)
TOWN = re.compile(r"[^\W\d_]+s?|\d{3} ?\d\d")
POSTCODE = re.compile(r"(\d{3} ?\d\d)\s+(?=[^\W\d_])")  # with its town behind it
FIRM = re.compile(
    r"(?<!\w)(?:AB|HB|KB)(?!\w)"
    r"|(?i:skola|gymnasi|kyrka|församling|förening|fabrik|hotell|museum|museet|teater)"
)


@dataclass(frozen=True, slots=True)
class Locations:
    """Tells Swedish places apart; `firms` are the names of firms, folded."""

    firms: frozenset[str] = field(repr=False)

    @classmethod
    def load(cls) -> Locations:
        """Load the firms that the rules know."""
        packs = resources.files("phiscrub") / "data" / "packs"
        firms = terms_of(packs / "sv" / "places" / "terms" / "companies.txt")
        return cls(frozenset(map(fold, firms)))

    def kind(self, words: str) -> str:
        """Return STREET, ORGANIZATION, CITY or LOCATION-OTHER."""
        if STREET.search(words):
            return "STREET"
        begun = accumulate(fold(words).split(), "{} {}".format)
        if FIRM.search(words) or any({one, one.removesuffix("s")} & self.firms for one in begun):
            return "ORGANIZATION"
        return "CITY" if TOWN.fullmatch(words) else "LOCATION-OTHER"

    def pieces(self, words: str) -> list[tuple[str, int, int]]:
        """Return the kinds of a post code and the town behind it, or of the whole."""
        behind = POSTCODE.match(words)
        cuts = [0, *([behind.end(1), behind.end()] if behind else []), len(words)]
        spans = zip(cuts[::2], cuts[1::2], strict=True)
        return [(self.kind(words[start:end]), start, end) for start, end in spans]
