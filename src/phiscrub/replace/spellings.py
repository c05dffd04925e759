"""Other ways to write what identifies: without accents or marks, as codes, in log-ins, as dates."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from phiscrub.core.span import Span
from phiscrub.lexicons.standing import PIECE
from phiscrub.replace.people import bare, fold, naming

# Of blanks one stays, of a name's apostrophe (`O'Connell`, not `we'll`) nothing.
LOOSE = re.compile(r"(?<=[^\W\d_])['’ʼ](?=[^\W\d_]{3})|\s+|[^\x00-\x7f]")
BY_WORDS = frozenset({"CITY", "STREET", "LOCATION-OTHER", "HOSPITAL", "ORGANIZATION", "DEPARTMENT"})
LEAST_CODE, LEAST_LOG_IN = 5, 5
LOCAL, WITH_AREA = 7, 10  # digits of a telephone number without its area, and with it
STORY = "555"  # begins numbers of surrogates
GAP = re.compile(r"[-./() \t\u00a0\u2010-\u2014]{0,2}")  # within a code
STREET_KIND = re.compile(
    r"\s+(?:street|st|avenue|ave|road|rd|drive|dr|lane|ln|boulevard|blvd|court|ct|place|pl|way"
    r"|terrace|ter|close|cl|crescent|cres|square|sq|parkway|pkwy|highway|hwy)\.?$",
    re.I,
)
IN_DIGITS = re.compile(r"(?<![\w/.-])(\d{1,4})([/.-])(\d{1,2})\2(\d{2,4})(?![\w/-])")
IN_WORDS = re.compile(
    r"(?<!\w)(?:\d{1,2}(?:st|nd|rd|th)?[ -](?:of |de )?[^\W\d_]{3,10}\.?,?[ -](?:of |de )?\d{4}"
    r"|[^\W\d_]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Flat:
    """A text in lower case without accents, runs of white space and the apostrophes of names."""

    text: str
    _shifts: tuple[tuple[int, int], ...] = field(repr=False)  # from where on, and by how much

    @classmethod
    def of(cls, text: str) -> Flat:
        """Write a text so."""
        put: list[str] = []
        shifts, done, length = [(0, 0)], 0, 0
        for found in LOOSE.finditer(text):
            start, end = found.span()
            sign = " " if found[0].isspace() else _plain(found[0])
            put += (text[done:start].lower(), sign)
            length += start - done + len(sign)
            done = end
            if shifts[-1][1] != end - length:
                shifts.append((length, end - length))
        put.append(text[done:].lower())
        return cls("".join(put), tuple(shifts))

    def span(self, start: int, end: int) -> Span:
        """Return where what stands at places of the flat text is written in the text."""
        return Span(self._place(start), self._place(end - 1) + 1)

    def _place(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._shifts, at, key=itemgetter(0)) - 1][1]


def _plain(sign: str) -> str:
    """Return a sign that is no ASCII as one that is, if there is such a one."""
    if sign in "'’ʼ":
        return ""
    parts = unicodedata.normalize("NFKD", sign.lower())
    shown = "".join(c for c in parts if unicodedata.category(c) not in ("Mn", "Cf"))
    return "'" if sign == "‘" else shown


@dataclass(frozen=True, slots=True)
class Codes:
    """Numbers and codes by their letters and digits alone, each with its hub label."""

    _labels: Mapping[str, str] = field(default_factory=dict)
    _begins: frozenset[str] = frozenset()

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> Codes:
        """Take codes as `forms` has them."""
        return cls(labels, frozenset(code[:end] for code in labels for end in range(1, len(code))))

    @staticmethod
    def forms(hub: str, words: str) -> Iterator[str]:
        """Yield a code's letters and digits, and a telephone number's without the area."""
        code = _signs(words)
        if hub in BY_WORDS or len(code) < LEAST_CODE or not any(map(str.isdigit, code)):
            return
        yield code
        local = code[-LOCAL:]
        is_telephone = hub in ("PHONE", "FAX") and code.isdigit() and len(code) == WITH_AREA
        if is_telephone and not local.startswith(STORY):
            yield local

    def label(self, words: str) -> str:
        """Return the label of a code, `` of what is none."""
        return self._labels.get(_signs(words), "")

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where the codes stand by themselves, however they are divided."""
        pieces = [(m.start(), m.end(), _signs(m[0])) for m in PIECE.finditer(text)]
        for first in range(len(pieces) if self._labels else 0):
            code, done = "", pieces[first][0]
            for start, end, signs in pieces[first:]:
                if not GAP.fullmatch(text, done, start):
                    break
                code, done = code + signs, end
                behind = first and GAP.fullmatch(text, pieces[first - 1][1], pieces[first][0])
                cut = len(code) == LOCAL and behind and pieces[first - 1][2].isdigit()
                if code in self._labels and not cut:
                    yield Span(pieces[first][0], end)
                if code not in self._begins:
                    break


def _signs(words: str) -> str:
    return "".join(filter(str.isalnum, fold(words)))


def without_kind(hub: str, words: str) -> str:
    """Return a street's number and name without `St` or `Street`, other words as they are.

    Of a mail address it is what stands in front of the at.
    """
    if hub == "STREET" and any(map(str.isdigit, words)):
        return STREET_KIND.sub("", words.strip())
    user = words.partition("@")[0]
    return user if hub == "EMAIL" and len(_signs(user)) >= LEAST_LOG_IN else words


def log_ins(words: str) -> Iterator[str]:
    """Yield how a person's log-ins may be written."""
    parts = [bare(words[start:end]) for start, end in naming(words)]
    if len(parts) > 1 and min(len(parts[0]), len(parts[-1])) > 1:
        for one, other in ((parts[0], parts[-1]), (parts[-1], parts[0])):
            for form in (one[0] + other, other + one[0], one + other):
                if len(form) >= LEAST_LOG_IN:
                    yield form


def dates(text: str) -> Iterator[Span]:
    """Yield where complete dates stand."""
    for pattern in (IN_DIGITS, IN_WORDS):
        yield from (Span(*found.span()) for found in pattern.finditer(text))


def date_key(words: str) -> str:
    """Return a complete date without what may be written otherwise, `` for any other words."""
    if found := IN_DIGITS.fullmatch(words):
        numbers = [int(found[at]) for at in (1, 3, 4)]
        at = 0 if len(found[1]) > 2 else 2  # noqa: PLR2004 - the year's place
        numbers[at] %= 100
        return "/".join(map(str, numbers))
    return re.sub(r"[^\w]+", " ", fold(words)) if IN_WORDS.fullmatch(words) else ""
