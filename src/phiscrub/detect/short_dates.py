"""Days of months such as `3/4` or `21.11`, told by the note's other dates and the words beside.

A rule sees a fraction alone, and `2/5` is a grade of power more often than the second of May. A
note that writes other dates so may be trusted further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.terms import terms_of

# A digit first, then what may not stand before it: the search leaps from digit to digit.
FULL = re.compile(r"(\d(?<![\d./-]\d)\d?)/(\d{1,2})/(?:\d{4}|\d{2})(?![\d/])")
SHORT = re.compile(
    r"(\d(?<![\w./$+<>=~^#-]\d)\d?)/(\d{1,2})(?![\w/%+°\"]|[.]\d|[ ]?/|-[A-Za-z]|[ ]\d+/)"
)
NEXT = re.compile(r"[ ]?(?:->|-|>)(\d{1,2})/(\d{1,2})(?![\w/%]|[.]\d)")  # `3/4-3/6`
DOTTED_FULL = re.compile(r"\d(?<![\d./-]\d)\d?\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d|\.\d)")
DOTTED = re.compile(
    r"(?<![\w./$+<>=~^#,-])([1-9]|0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])"
    r"(?![\w%°]|[.,]\d|[ ]?[-–/x×]|[ ]?(?:[ap]\.?m|h|hrs)\b)"
)
BEFORE = re.compile(r"[^.;|\n]{0,30}$")
WORD = re.compile(r"[a-z&'’]+(?:/[a-z]+)?")
NUMBER = re.compile(r"(?<![\d.:])\d{1,2}[ ]$")
MONTHS, DAYS = 12, 31
SCORES = frozenset((15, 16, 18, 20, 21, 24, 25, 27, 28, 30))  # what questionnaires are out of
TENTHS = 10
SPANS = frozenset((7, 12, 52))  # 2/7, 3/12 and 6/52 are days, months and weeks in Britain
SECONDARY = (2, 2)  # `2/2` is written for `secondary to`
ALWAYS = (24, 7)
NEAR = 3  # words before a fraction that may make it a finding
LEAST = 2  # dates without a doubt that make a note one that writes short dates
SCORE = 0.58
SOURCE = "short_dates"
LABEL = "DATE"


@dataclass(frozen=True, slots=True)
class Settings:
    """The pack whose lists say what fractions are behind and before: a folder of `data/packs`."""

    pack: str = "en/dates"


def build(settings: Settings, toolbox: Toolbox) -> ShortDates:
    """Load the lists; raise `SettingsError` where the pack lacks one."""
    terms = toolbox.folder("packs", settings.pack) / "terms"

    def words(name: str) -> frozenset[str]:
        try:
            return frozenset(terms_of(terms / f"{name}.txt"))
        except FileNotFoundError:
            where = f"{settings.pack}/terms/{name}.txt"
            raise SettingsError("no such file", where=where) from None

    behind = "|".join(map(re.escape, sorted(words("behind_fractions"))))
    return ShortDates(
        words("findings"), words("cues"), re.compile(rf"[ ]?(?:{behind})(?![a-z])", re.IGNORECASE)
    )


@dataclass(frozen=True, slots=True)
class _Fraction:
    """A fraction, whether words beside it make it a date, and whether they forbid it."""

    span: Span
    first: int
    second: int
    told: bool
    denied: bool


@dataclass(frozen=True, slots=True)
class ShortDates:
    """Finds fractions that are dates in notes that hold two such dates without a doubt.

    In notes that hold a full date with points, it finds days and months with a point too.

    `findings` are words that make a fraction behind them a score, a size or a place; `cues` make
    it a date; `behind` matches what follows a fraction that is an amount.
    """

    findings: frozenset[str] = field(repr=False)
    cues: frozenset[str] = field(repr=False)
    behind: re.Pattern[str] = field(repr=False)
    labels: frozenset[str] = frozenset({LABEL})

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the short dates of each note."""
        return [tuple(self._find(note.text)) for note in notes]

    def _find(self, text: str) -> Iterator[Mention]:
        if "/" in text:
            yield from self._slashed(text)
        if DOTTED_FULL.search(text):
            yield from self._dotted(text)

    def _slashed(self, text: str) -> Iterator[Mention]:
        read = list(map(self._read, SHORT.finditer(text)))
        if len(read) < LEAST:
            return
        american = _american(text)
        fractions = [f for f in read if _possible(f.first, f.second, american=american)]
        if sum(_certain(f) for f in fractions) < LEAST:
            return
        for fraction in fractions:
            if fraction.told or _likely(fraction, american=american):
                yield Mention(fraction.span, LABEL, SCORE, SOURCE)
                match = NEXT.match(text, fraction.span.end)
                if match and _possible(int(match[1]), int(match[2]), american=american):
                    yield Mention(Span(match.start(1), match.end(2)), LABEL, SCORE, SOURCE)

    def _dotted(self, text: str) -> Iterator[Mention]:
        """Yield days before months, in two figures or cued: `2.12` is a value more often."""
        for fraction in map(self._read, DOTTED.finditer(text)):
            two = text[fraction.span.start + 1] != "."
            if fraction.told or (two and not fraction.denied):
                yield Mention(fraction.span, LABEL, SCORE, SOURCE)

    def _read(self, match: re.Match[str]) -> _Fraction:
        text, start, end = match.string, match.start(), match.end()
        before = BEFORE.search(text, max(0, start - 30), start)
        words = WORD.findall(before[0].lower()) if before else []
        cued = bool(words) and words[-1] in self.cues
        denied = (
            (not cued and not self.findings.isdisjoint(words[-NEAR:]))
            or self.behind.match(text, end) is not None
            or NUMBER.search(text, max(0, start - NEAR), start) is not None
        )
        told = cued and not denied
        return _Fraction(Span(start, end), int(match[1]), int(match[2]), told, denied)


def _american(text: str) -> bool | None:
    """Return whether the months of the note's full dates come first, or None where none tells."""
    votes = sum(
        (int(second) > MONTHS) - (int(first) > MONTHS) for first, second in FULL.findall(text)
    )
    return None if votes == 0 else votes > 0


def _possible(first: int, second: int, *, american: bool | None) -> bool:
    """Return whether two numbers can be a month and a day in the order of the note."""
    return (american is not False and 0 < first <= MONTHS and 0 < second <= DAYS) or (
        american is not True and 0 < second <= MONTHS and 0 < first <= DAYS
    )


def _certain(fraction: _Fraction) -> bool:
    """Return whether a fraction is a date in any note."""
    odd = fraction.first > fraction.second or fraction.second > MONTHS
    return not fraction.denied and (
        fraction.told or (odd and fraction.second not in SCORES and not _span(fraction))
    )


def _likely(fraction: _Fraction, *, american: bool | None) -> bool:
    """Return whether a fraction is a date in a note that writes dates so."""
    return not (
        fraction.denied
        or (fraction.first, fraction.second) in {SECONDARY, ALWAYS}
        or fraction.second == TENTHS
        or (_span(fraction) and american is not True)
    )


def _span(fraction: _Fraction) -> bool:
    return fraction.second in SPANS
