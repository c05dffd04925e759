"""What haste, keyboards and scanners do to a text, by rate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TypeVar

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, edited

T = TypeVar("T")
WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"(?<=[^\W_]) (?=[^\W_])")
CLITIC = re.compile(r"(?<=[^\W_]['’])[^\W_]{1,2}(?![^\W_])")  # of `she's`: no word by itself
AFTER_POINT = re.compile(r"(?<=[.,;:)]) (?=\w)")
LEAST = 4  # letters of a word that may be mistyped: a shorter one would not be known again
KEYS = ("qwertyuiopå", "asdfghjklñöä", "zxcvbnm")
MISREAD = (
    *(("rn", "m"), ("m", "rn"), ("cl", "d"), ("vv", "w"), ("li", "h"), ("in", "m"), ("tt", "it")),
    *(("l", "1"), ("I", "l"), ("O", "0"), ("0", "O"), ("1", "l"), ("S", "5"), ("5", "S")),
    *(("B", "8"), ("8", "B"), ("e", "c"), ("c", "e"), ("h", "b"), ("G", "6"), ("Z", "2")),
    *(("é", "e"), ("í", "i"), ("ó", "o"), ("ñ", "n"), ("å", "a"), ("ä", "a"), ("ö", "o")),
)
CONFUSED = re.compile("|".join(was for was, _ in MISREAD))
HINT = "such as typos=.01,case=.02,glued=.005,spaces=.01,ocr=.01"


@dataclass(frozen=True, slots=True)
class Rates:
    """How much of each: of words that are mistyped, in another case or misread, of gaps lost.

    `glued` is of the gaps between two words, `spaces` of those behind a comma, point or bracket.
    All words and gaps count, also those that cannot be spoilt so: others are in their stead, as
    far as there are any. A word is a run of letters and digits.
    """

    typos: float = 0.0
    case: float = 0.0
    glued: float = 0.0
    spaces: float = 0.0
    ocr: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= 1:
                raise SettingsError(f"noise {field.name} is not between 0 and 1", hint=HINT)

    @classmethod
    def parse(cls, words: str) -> Rates:
        """Read rates as the command line has them; raise `SettingsError` where they are wrong."""
        known = {field.name for field in fields(cls)}
        given: dict[str, float] = {}
        for part in filter(None, words.split(",")):
            name, _, rate = part.partition("=")
            if name.strip() not in known:
                raise SettingsError(f"no noise {name.strip()!r}", hint=HINT)
            try:
                given[name.strip()] = float(rate)
            except ValueError:
                raise SettingsError(f"noise {name.strip()} is no number", hint=HINT) from None
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Noise:
    """Spoils words and gaps; no gap beside a mention is lost where a word would then run on."""

    rates: Rates

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note as somebody in a hurry would have written it."""
        text, edges = note.document.text, Edges.of(note)
        words = list(WORD.finditer(text))
        small = {found.start() for found in CLITIC.finditer(text)}
        whole = [m for m in words if m.start() not in small and not edges.crossed(*m.span())]
        edits: dict[int, Edit] = {}
        spoilt_at: set[int] = set()  # a letter there may have become a digit
        for name, (may_be_spoilt, spoil) in SPOILERS.items():
            rate = getattr(self.rates, name)
            fit = (m for m in whole if m.start() not in edits and may_be_spoilt(m[0]))
            for word in _hit(draw, rate * len(words), list(fit) if rate else ()):
                edits[word.start()] = Edit(*word.span(), spoil(word[0], draw))
                spoilt_at.update(word.span())
        for rate, pattern in ((self.rates.glued, GAP), (self.rates.spaces, AFTER_POINT)):
            gaps = list(pattern.finditer(text)) if rate else []
            lost = [m for m in gaps if _may_go(text, m, edges, spoilt_at)]
            for gap in _hit(draw, rate * len(gaps), lost):
                edits[gap.start()] = Edit(*gap.span(), "")
        return edited(note, edits.values())


def runs_on(left: str, right: str) -> bool:
    """Tell whether two characters side by side are of one word: both letters, or both digits."""
    return (left.isalpha() and right.isalpha()) or (left.isnumeric() and right.isnumeric())


def _hit(draw: Draw, wanted: float, among: Sequence[T]) -> Iterator[T]:
    """Yield about as many things as are wanted, all where there are fewer."""
    rate = wanted / len(among) if among else 0
    return (among[index] for index in draw.hits(rate, len(among)))


def _may_go(text: str, gap: re.Match[str], edges: Edges, spoilt_at: set[int]) -> bool:
    start, end = gap.span()
    if not (edges.at(start) or edges.at(end)):
        return True
    return not ({start, end} & spoilt_at or runs_on(text[start - 1], text[end]))


def _may_be_mistyped(word: str) -> bool:
    return len(word) >= LEAST and word.isalpha()


def _mistyped(word: str, draw: Draw) -> str:
    at = 1 + draw.below(len(word) - 2)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + _beside(word[at], draw) + word[at + 1 :],
    )
    return _other(word, slips, draw)


def _other(word: str, ways: Sequence[str], draw: Draw) -> str:
    """Return one of the ways to write a word that are not its own."""
    return draw.choice([way for way in ways if way != word])


def _beside(letter: str, draw: Draw) -> str:
    """Return the letter of a neighbouring key."""
    for row in KEYS:
        at = row.find(letter.lower())
        if at >= 0:
            beside = row[max(0, at - 1)] if draw.happens(0.5) else row[min(len(row) - 1, at + 1)]
            return beside.upper() if letter.isupper() else beside
    return letter


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()


def _recased(word: str, draw: Draw) -> str:
    ways = (
        word.lower(),
        word.lower(),
        word.upper(),
        word.capitalize(),
        word[:2].upper() + word[2:],
    )
    return _other(word, ways, draw)


def _may_be_misread(word: str) -> bool:
    return CONFUSED.search(word) is not None


def _misread(word: str, draw: Draw) -> str:
    was, put = draw.choice([pair for pair in MISREAD if pair[0] in word])
    at = draw.choice(list(_found(word, was)))
    return word[:at] + put + word[at + len(was) :]


def _found(word: str, part: str) -> Iterator[int]:
    at = word.find(part)
    while at >= 0:
        yield at
        at = word.find(part, at + 1)


# By rate: which words it can change, and how. No word is spoilt twice: the choosiest goes first.
SPOILERS: MappingProxyType[str, tuple[Callable[[str], bool], Callable[[str, Draw], str]]] = (
    MappingProxyType(
        {
            "typos": (_may_be_mistyped, _mistyped),
            "ocr": (_may_be_misread, _misread),
            "case": (_has_case, _recased),
        }
    )
)
