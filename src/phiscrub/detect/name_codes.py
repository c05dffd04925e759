"""What names leave behind: initials that sign an entry, and log-ins made of names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

import numpy as np

from phiscrub.core.memo import Memo
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.name_cues import Cues
from phiscrub.detect.name_runs import Told
from phiscrub.detect.name_words import CACHED_WORDS, Kinds, Shape

SOURCE = "names"
USERNAME, DOCTOR = "USERNAME", "DOCTOR"
STEM = 4  # letters of a name that a log-in name keeps
STEM_PLACES = 4  # it begins at one of that many letters
STEM_TAIL = 2  # letters behind it that are not the name's
LOGIN_LENGTHS = range(4, 13)
LOGIN_DIGITS = 4
LOGIN_SCORE = 0.6
INITIALS_SCORE = 0.7
LENGTHS = range(2, 5)  # letters of somebody's initials
STAMPS = frozenset(":/-")  # within a time or a date
DASHES = frozenset("-–—~")
CAPITAL = re.compile(r"[^\W\d_a-zß-öø-ÿ]")
PARTS = re.compile(r"[\s.,-]+")
# What a word type can be here, as bits.
SHORT, LETTER, LOGIN, SIGNS, CLOSES = (1 << bit for bit in range(5))
LONG_WORD = re.compile(r"[^\W\d_]{4,}")


class _Roles(Memo[str, int]):
    """Word types to what they can be: initials, a letter of them, a log-in, or a sign of these."""

    def __init__(self, cues: Cues, kinds: Kinds) -> None:
        self._cues, self._kinds = cues, kinds

    def __missing__(self, word: str) -> int:
        if len(self) >= CACHED_WORDS:
            self.clear()
        kind, lower = self._kinds[word], word.lower()
        login = kind is not None and kind.strange and kind.shape != Shape.TITLE
        role = self[word] = (
            (word.isalpha() and len(word) in LENGTHS) * SHORT
            | (word.isalpha() and word.isupper() and len(word) == 1) * LETTER
            | login * LOGIN
            | (lower in self._cues.signed) * SIGNS
            | (lower in self._cues.credentials or word == ")") * CLOSES
        )
        return role


class Codes:
    """Finds initials and log-in names, given the names that a note tells."""

    def __init__(self, cues: Cues, kinds: Kinds) -> None:
        self._cues = cues
        self._roles = _Roles(cues, kinds)

    def find(self, told: Told, names: Sequence[tuple[Span, str]]) -> Iterator[Mention]:
        """Yield what stands outside the names themselves; ``names`` are spans with labels."""
        inside = {at for span, _ in names for at in range(span.start, span.end)}
        known: dict[str, str] = {}
        stems: dict[str, set[str]] = {}
        for span, label in names:
            words = told.text[span.start : span.end]
            for made in _initials(words):
                known.setdefault(made, label)
            for long in map(str.lower, LONG_WORD.findall(words)):
                stems.setdefault(long[:STEM], set()).add(long)
        for token in self._places(told, known):
            word = told.words[token]
            if told.starts[token] in inside:
                continue
            if len(word) == 1:
                found = self._dotted(told, token, known)
            elif len(word) in LENGTHS:
                found = self._plain(told, token, known)
            else:
                found = None
            yield from [found] if found else self._login(told, token, stems)

    def _places(self, told: Told, known: dict[str, str]) -> list[int]:
        """Return the tokens, in order, that could be found; the others need no look."""
        if not told.words:
            return []
        roles = np.frombuffer(bytes(map(self._roles.__getitem__, told.words)), dtype=np.uint8)
        placed = told.ends_lines()
        placed[1:] |= (roles[:-1] & SIGNS) != 0
        placed[:-1] |= (roles[1:] & CLOSES) != 0
        wanted = ((roles & LOGIN) != 0) | (placed & ((roles & SHORT) != 0))
        if known:
            wanted |= (roles & LETTER) != 0
            short = set(compress(told.words, (roles & SHORT).tobytes()))
            called = {word for word in short if word.lower() in known}
            if called:
                wanted[[i for i, word in enumerate(told.words) if word in called]] = True
        places: list[int] = np.flatnonzero(wanted).tolist()
        return places

    def _plain(self, told: Told, token: int, known: dict[str, str]) -> Mention | None:
        """Take letters that sign something, or that are the initials of somebody in the note."""
        word = told.words[token]
        lower = word.lower()
        if told.glued(token + 1) and (
            told.words[token + 1].isdigit() or told.words[token + 1] == "'"
        ):
            return None
        common = lower in self._cues.abbreviations
        placed = self._signs(told, token)
        label = known.get(lower)
        if label is not None and (word.isupper() or placed):
            long = len(word) > LENGTHS[0]
            behind_cue = token > 0 and told.words[token - 1].lower() in self._cues.signed
            if (not behind_cue if common and placed else not common and (long or placed)) or _acts(
                told, token
            ):
                return _mention(told, token, token + 1, label)
        if placed and not common and len(word) < LENGTHS[-1] and _is_bare(told, token):
            return _mention(told, token, token + 1, DOCTOR)
        return None

    def _signs(self, told: Told, token: int) -> bool:
        """Tell whether letters stand where people sign: behind `by`, at the end of a line."""
        words = told.words
        before = words[token - 1].lower() if token and "\n" not in told.gap(token) else ""
        cased = words[token].isupper()
        after = "" if _ends_line(told, token + 1) else words[token + 1].lower()
        credential = after in self._cues.credentials
        if (before in self._cues.signed and cased) or (credential and words[token + 1].isupper()):
            return True
        if (credential and not cased) or (before == "(" and after == ")"):
            return _ends_line(told, token + 2)
        if after or not before:
            return False
        if before in DASHES:
            return cased and not told.glued(token - 1)
        if cased:
            timed = len(before) > 1 and before.isdigit() and token > 1
            return before == "." or (timed and words[token - 2] in STAMPS)
        return before == "." or len(told.gap(token)) > 1

    def _dotted(self, told: Told, token: int, known: dict[str, str]) -> Mention | None:
        """Take dotted initials of somebody in the note: `R.T.`, but no credential."""
        words = told.words
        end, letters = token, ""
        while (
            len(letters) <= LENGTHS[-1]
            and end + 1 < len(words)
            and len(words[end]) == 1
            and words[end].isupper()
            and words[end + 1] == "."
            and told.glued(end + 1)
            and (not letters or told.glued(end))
        ):
            letters += words[end].lower()
            end += 2
        label = known.get(letters)
        if label is None or len(letters) not in LENGTHS:
            return None
        before = words[token - 1] if token else ""
        credential = before == "," or (before == "." and not _ends_line(told, end))
        return None if credential else _mention(told, token, end, label)

    def _login(self, told: Told, token: int, stems: dict[str, set[str]]) -> Iterator[Mention]:
        """Take an unknown word made of a name in the note, or one that digits follow."""
        kind = told.kinds[token]
        if kind is None or not kind.strange or kind.shape == Shape.TITLE:
            return
        digits = told.glued(token + 1) and told.words[token + 1].isdigit()
        made = _is_made(kind.lower, stems)
        if kind.shape == Shape.CAPS and not made:
            return
        numbered = (
            digits
            and len(told.words[token + 1]) <= LOGIN_DIGITS
            and len(kind.lower) in LOGIN_LENGTHS
            and not (token and told.glued(token))
            and not (told.glued(token + 2) and told.words[token + 2] not in ".,;:)/")
        )
        if made or numbered:
            yield _mention(told, token, token + 1 + digits, USERNAME, LOGIN_SCORE)


def _is_made(login: str, stems: Mapping[str, set[str]]) -> bool:
    """Tell whether letters are a few initials and a name or its beginning: `tqolson`."""
    for at in range(min(STEM_PLACES, len(login) - STEM + 1)):
        least = login[at : max(at + STEM, len(login) - STEM_TAIL)]
        names = stems.get(login[at : at + STEM], ())
        if any(name != login and name.startswith(least) for name in names):
            return True
    return False


def _mention(
    told: Told, first: int, end: int, label: str, score: float = INITIALS_SCORE
) -> Mention:
    return Mention(Span(told.starts[first], told.ends[end - 1]), label, score, SOURCE)


def _ends_line(told: Told, token: int) -> bool:
    """Tell whether the line ends before a token."""
    return token >= len(told.words) or "\n" in told.gap(token)


def _is_bare(told: Told, token: int) -> bool:
    """Tell whether letters are no word that a list of names or words explains."""
    kind = told.kinds[token]
    return kind is None or not kind.common


def _acts(told: Told, token: int) -> bool:
    """Tell whether letters begin a line as a person does: `RT: …`, `RT visited …`."""
    if token and "\n" not in told.gap(token):
        return False
    after = told.words[token + 1] if token + 1 < len(told.words) else ""
    return after == ":" or (after.islower() and after.endswith("ed"))


def _initials(words: str) -> Iterator[str]:
    """Yield the initials that a name of several words makes, the surname last."""
    letters = "".join(part[0] for part in PARTS.split(words) if CAPITAL.match(part)).lower()
    if "," in words:
        letters = letters[1:] + letters[:1]
    if len(letters) in LENGTHS:
        yield letters
    if len(letters) > LENGTHS[0]:
        yield letters[0] + letters[-1]
