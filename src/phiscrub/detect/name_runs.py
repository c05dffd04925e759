"""Runs of words that could be one name: capitals in a row, initials, particles, `LAST, FIRST`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.tokens import Tokens
from phiscrub.detect.name_cues import Cues
from phiscrub.detect.name_words import FREQUENT, Kinds, Shape, Word

LINE_END = re.compile(r"\n")
JOINTS = frozenset("-‐‑'’")
APOSTROPHES = frozenset("'’")
CLITICS = frozenset({"s", "S", "t", "ll", "d"})  # `Ann's` is no `Anns`
ABBREVIATED = frozenset(
    ["mohd", "muhd", "md", "wm", "chas", "geo", "jos", "thos", "jas", "robt", "edw", "ma"]
)
SEXES = frozenset("MF")  # in a column of their own
MAX_PARTS = 7
MAX_PARTICLES = 3
MAX_SURNAMES = 2  # words before the comma of `LAST, FIRST`


@dataclass(slots=True)
class Part:
    """One word of a run with what is glued to it: tokens ``[first, last)``."""

    first: int
    last: int
    worth: float
    word: Word


class Told:
    """A text's words as lists that a walk can index."""

    __slots__ = ("_tokens", "ends", "kinds", "starts", "text", "words")

    def __init__(self, tokens: Tokens, kinds: Kinds) -> None:
        self.text = tokens.text
        self.words = tokens.words()
        self.starts, self.ends = tokens.offsets()
        self._tokens = tokens
        self.kinds = list(map(kinds.__getitem__, self.words))
        if "I" in self.words:
            for token, word in enumerate(self.words):
                if word == "I" and not (self.glued(token + 1) and self.words[token + 1] == "."):
                    self.kinds[token] = None  # who writes, or a number

    def ends_lines(self) -> NDArray[np.bool_]:
        """Tell of each token whether its line ends behind it; there is at least one token."""
        lines = [match.start() for match in LINE_END.finditer(self.text)]
        before = np.searchsorted(self._tokens.starts, np.array(lines, dtype=np.int32)) - 1
        ends = np.zeros(len(self.starts), dtype=np.bool_)
        ends[before[before >= 0]] = True
        ends[-1] = True
        return ends

    def gap(self, token: int) -> str:
        """Return what stands between a token and the one before it."""
        return self.text[self.ends[token - 1] : self.starts[token]]

    def joined(self, token: int) -> bool:
        """Tell whether a token is there, on the line of the one before it, and near."""
        if token >= len(self.words):
            return False
        gap = self.gap(token)
        near = 1 if self.words[token - 1] == "." else 2
        return len(gap) <= near and "\n" not in gap

    def abbreviates(self, token: int, kind: Word) -> bool:
        """Tell whether a letter is one of `H&C` or `S/N`, or a sex, rather than an initial."""
        if kind.shape != Shape.INITIAL:
            return False
        if token > 1 and self.glued(token) and self.words[token - 1] in ("&", "/"):
            return self.glued(token - 1) and len(self.words[token - 2]) == 1
        mark = self.words[token + 1] if self.glued(token + 1) else ""
        alone = token > 0 and not mark and len(self.gap(token)) > 1
        return (mark in ("&", "/") and self.glued(token + 2)) or (
            alone and self.words[token] in SEXES
        )

    def glued(self, token: int) -> bool:
        """Tell whether a token is there and nothing parts it from the one before it."""
        return token < len(self.words) and self.starts[token] == self.ends[token - 1]


class Runs:
    """Gathers runs; none is longer than `MAX_PARTS` words, so that the work stays linear."""

    def __init__(self, cues: Cues) -> None:
        self._particles = cues.particles
        self._weights = cues.weights
        self._deeds = {word for word, cue in cues.after.items() if cue.group == "deed"}

    def gather(self, told: Told, token: int, kind: Word) -> list[Part]:
        """Return the words from a token on that could be one name, at least that token."""
        run = [self._part(told, token, kind)]
        comma = False
        while len(run) < MAX_PARTS:
            at = run[-1].last
            if not told.joined(at):
                break
            if told.words[at] == "," and not comma:
                comma = self._first_follows(told, run)
                at = at + 1 if comma else -1
            elif kind.shape != Shape.LOWER and (told.kinds[at] is None or told.words[at].islower()):
                at = self._behind_particles(told, at)
            ahead = told.kinds[at] if at >= 0 else None
            if ahead is None or told.abbreviates(at, ahead):
                break
            if not (_continues(kind, ahead) or self._acts(told, at, ahead)):
                break
            part = self._part(told, at, ahead)
            self._join(run[-1], part)
            run.append(part)
        if comma:
            self._vouch(told, run)
        return run

    def _vouch(self, told: Told, run: list[Part]) -> None:
        """Add what a comma behind a surname is worth, to that and to the particles before it."""
        last = next(i for i, part in enumerate(run) if told.words[part.last] == ",")
        surname, given = run[last], run[min(last + 1, len(run) - 1)]
        if surname.word.shape == Shape.CAPS and given.word.shape == Shape.TITLE:
            surname.worth = max(surname.worth, 0.0)  # `WILL, Ann` is a name, whatever will is
        surname.worth += self._weights.surname_first
        for part in run[:last]:
            if part.word.lower in self._particles:
                part.worth = max(part.worth, self._weights.vouched)

    def _first_follows(self, told: Told, run: list[Part]) -> bool:
        """Tell whether the comma behind a run stands between surname and given name."""
        at = run[-1].last + 1
        first = run[-1 if run[0].word.lower in self._particles else 0].word
        if len(run) > MAX_SURNAMES or first.shape == Shape.LOWER or not told.joined(at):
            return False
        ahead = told.kinds[at]
        if ahead is None:
            return False
        if ahead.shape == Shape.INITIAL:
            return len(run) == 1 and (first.surname > 0 or first.strange)
        placed = ahead.place and (first.place or ahead.given <= FREQUENT)  # `Dover, Virginia`
        return ahead.given > 0 and not placed and (first.surname > 0 or first.strange)

    def _acts(self, told: Told, at: int, ahead: Word) -> bool:
        """Tell whether a word that may be a surname stands before what people do: `pat may at`."""
        after = told.words[at + 1] if told.joined(at + 1) else ""
        told_of = after in self._deeds or after in ("at", "from")
        return told_of and ahead.shape == Shape.LOWER and ahead.surname >= FREQUENT

    def _behind_particles(self, told: Told, at: int) -> int:
        """Return the name token behind a few particles, or -1."""
        for _ in range(MAX_PARTICLES):
            if told.words[at].lower() not in self._particles:
                break
            at += 1
            if told.glued(at) and told.words[at] in (".", "-", "'"):
                at += 1
            if not told.joined(at):
                return -1
        return at

    def _join(self, left: Part, right: Part) -> None:
        """Add what two words of a run are worth beside each other; each may vouch for the other."""
        weights = self._weights
        if left.word.shape == Shape.INITIAL and left.last > left.first + 1:
            if right.worth > 0 or right.word.surname >= FREQUENT:
                right.worth = max(right.worth, weights.vouched) + weights.initials
            return
        if not (right.word.surname or right.word.strange):
            return
        frequent = left.word.given >= FREQUENT
        if left.worth < 0:
            if frequent and right.worth > 0:
                left.worth = weights.vouched
            elif frequent and right.word.surname > FREQUENT:
                right.worth += weights.full_frequent
        elif frequent and right.word.surname > FREQUENT and right.worth < 0:
            right.worth += weights.full_frequent
        elif frequent and right.worth < 0 and not right.word.common:
            right.worth = weights.vouched  # who bears the name of a disease
        else:
            right.worth += weights.full

    def _part(self, told: Told, token: int, kind: Word) -> Part:
        """Take a word with what is glued to it: `O'Brien`, `Wei-Lin`, `J` and its stop."""
        words, end, worth = told.words, token + 1, kind.worth
        stopped = told.glued(end) and words[end] == "."
        if stopped and (kind.shape == Shape.INITIAL or kind.lower in ABBREVIATED):
            return Part(token, end + 1, worth + self._weights.stopped, kind)
        while (
            told.glued(end)
            and words[end] in JOINTS
            and told.glued(end + 1)
            and words[end + 1].isalpha()
            and not (words[end] in APOSTROPHES and words[end + 1] in CLITICS)
        ):
            other = told.kinds[end + 1]
            if other is not None:
                worth = (worth + other.worth) / 2 + self._weights.hyphened
                kind = other if kind.shape == Shape.INITIAL else kind
            else:
                worth = min(worth, 0.0) + self._weights.hyphened_word
            end += 2
        return Part(token, end, worth, kind)


def _continues(kind: Word, ahead: Word) -> bool:
    """Tell whether a word can stand in the name that `kind` began."""
    if kind.shape == Shape.LOWER:
        return ahead.shape == Shape.LOWER and ahead.surname > 0 and not ahead.common
    return ahead.shape != Shape.LOWER


def best_stretch(run: list[Part], forced: bool) -> tuple[int, int]:
    """Return the stretch ``[low, high)`` of the highest sum; a forced one begins with the run."""
    best, most = (0, 1), run[0].worth
    for low in range(1 if forced else len(run)):
        total = 0.0
        for high in range(low, len(run)):
            total += run[high].worth
            if total >= most:
                best, most = (low, high + 1), total
    return best
