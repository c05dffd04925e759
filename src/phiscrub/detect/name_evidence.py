"""Evidence around a name: cue words, field labels, brackets, ages, other names."""

from __future__ import annotations

from phiscrub.detect.name_cues import Cue, Cues
from phiscrub.detect.name_runs import APOSTROPHES, Told
from phiscrub.detect.name_words import Shape, Word

QUIET = frozenset("(\"“”['‘’:.,/-–—>+@*_;")  # may stand between a cue and its name
OPENING = frozenset('("“[‘/>-–—+')
TEAM_MARKS = frozenset("(-–—")  # `GI (Varga)`
PARTING = frozenset(",(-–—[")
LINKS = frozenset(",/+")
TITLES = frozenset({"doctor_title", "person_title", "sister"})
SHORT_TITLE = 4  # letters: only such a title may be an abbreviation with a full stop
NEAR = 2  # tokens between two names that are told together
MARKS = 3  # marks between a cue and its name
REACH = 4  # tokens that are looked at behind a name
DOTTED = 8  # letters of the longest dotted credential
AGE_DIGITS = 2
GRADES = frozenset({"II", "III", "IV", "V", "IIa", "IIb", "IIIa", "IIIb"})  # of an eponym


class Evidence:
    """Weighs what stands before and behind a name; both look at a few tokens only."""

    def __init__(self, cues: Cues) -> None:
        self._cues = cues
        self._weights = cues.weights
        self._links = cues.pairing | LINKS

    def may_name(self, word: str) -> bool:
        """Tell whether a word could bring evidence for the word behind it."""
        return word in QUIET or word.lower() in self._cues.before

    def against(self, lower: str) -> float:
        """Return the worth of a word directly behind a name that makes a thing of it."""
        cue = self._cues.after.get(lower)
        return cue.worth if cue is not None and cue.worth < 0 else 0.0

    def before(self, told: Told, token: int, last_end: int) -> tuple[Cue | None, float]:
        """Return the cue before a name, if any, and all evidence there.

        `last_end` is the token behind the name before.
        """
        weights, words = self._weights, told.words
        if token - last_end <= NEAR and token > last_end and words[token - 1] in self._links:
            kind = told.kinds[token]
            named = kind is not None and kind.shape == Shape.TITLE and kind.given > 0
            paired = named and words[token - 1] in self._cues.pairing
            return None, weights.listed + paired * weights.beside
        at, evidence, colon = token - 1, 0.0, False
        for _ in range(MARKS):
            if at < 0 or words[at] not in QUIET or "\n" in told.gap(at + 1):
                break
            if words[at] in OPENING and not evidence:
                evidence += weights.bracket
            colon |= words[at] == ":"
            at -= 1
        if at < 0 or "\n" in told.gap(at + 1):
            return None, evidence
        if words[at].isdigit():  # `3041023MARY`
            return None, weights.bracket if told.glued(token) else evidence
        if words[at].lower() in self._cues.linking and at > 0 and "\n" not in told.gap(at):
            at -= 1
        labelled = colon or told.starts[at + 1] - told.ends[at] > 1
        cue = self._cue_before(told, at, labelled, last_end)
        if labelled:
            evidence += weights.label if cue is None else weights.label_cue
        elif words[token - 1].islower() or words[token - 1] in (",", ";"):
            kind = told.kinds[token]
            named = kind is not None and (kind.shape == Shape.TITLE or kind.given > 0)
            if named and words[token] != words[token].lower():
                evidence += weights.middle
        stopped = "." in words[at + 1 : token]
        if cue is None or (stopped and not (cue.group in TITLES and len(words[at]) <= SHORT_TITLE)):
            return None, evidence
        if at + 1 == token and cue.worth > 0 and words[at].islower() and words[token][0].isupper():
            evidence += weights.beside
        return cue, evidence + cue.worth

    def _cue_before(self, told: Told, at: int, labelled: bool, last_end: int) -> Cue | None:
        """Return the cue that a word before a name is where it stands."""
        cue = self._cues.before.get(told.words[at].lower())
        if cue is None:
            return None
        if cue.group == "field" and not labelled:
            return self._cues.before.get("patient")
        near = at - last_end <= NEAR and told.words[at - 1] not in self._cues.pairing
        credential = cue.group == "role" and near  # of the name before
        measure = cue.group == "sister" and told.words[at - 1].isdigit()  # `16 Fr`
        team = cue.group == "team" and told.words[at + 1] not in TEAM_MARKS
        return None if credential or measure or team else cue

    def after(self, told: Told, end: int) -> tuple[Cue | None, float]:
        """Return the cue behind a name, if any, and all evidence there."""
        words, weights = told.words, self._weights
        possessive = (
            end + 1 < len(words) and words[end] in APOSTROPHES and words[end + 1] in ("s", "S")
        )
        if _labels(told, end):
            return None, weights.labels
        if _paired(told, end):
            return None, weights.paired
        first = end + 2 * possessive
        parted = False
        for at in range(first, min(first + REACH, len(words))):
            if "\n" in told.gap(at):
                break
            lower = words[at].lower()
            if lower in PARTING:
                parted = True
                continue
            if lower.isdigit():
                return None, self._age(words, at)
            if words[at] in GRADES and at == end and self._graded(told.kinds[end - 1]):
                return None, weights.labels
            if parted and lower in self._cues.articles:
                continue
            cue = self._cues.after.get(words[at])
            cue = cue or self._cues.after.get(_dotted(words, at) or lower)
            if cue is not None:
                return self._heard(cue, parted, possessive)
            if not parted:
                break
        return None, 0.0

    def _graded(self, name: Word | None) -> bool:
        """Tell whether a word before a grade is an eponym rather than somebody's given name."""
        return name is None or not name.given

    def _heard(self, cue: Cue, parted: bool, possessive: bool) -> tuple[Cue | None, float]:
        """Return what a cue behind a name is worth where it stands."""
        if cue.worth < 0 or (cue.group == "department" and not parted):
            return None, 0.0 if parted else -abs(cue.worth)
        if (possessive and cue.group != "relation") or (cue.group == "deed" and parted):
            return None, 0.0
        return cue, cue.worth

    def _age(self, words: list[str], at: int) -> float:
        """Return what a number behind a name is worth: much, where it is an age."""
        sexed = at + 1 < len(words) and words[at + 1].lower() in self._cues.sexes
        aged = len(words[at]) <= AGE_DIGITS and (sexed or words[at - 1] in PARTING)
        return self._weights.age if aged else 0.0


def _labels(told: Told, end: int) -> bool:
    """Tell whether a colon or a number sign follows, and the word before it may be a label."""
    if end >= len(told.words) or told.words[end] not in (":", "#"):
        return False
    kind = told.kinds[end - 1]
    return "\n" not in told.gap(end) and kind is not None and bool(kind.common or kind.place)


def _paired(told: Told, end: int) -> bool:
    """Tell whether a slash and a word that may be a surname follow: `Varga/Osei`."""
    if not (told.glued(end) and told.words[end] == "/" and told.glued(end + 1)):
        return False
    name, other = told.kinds[end - 1], told.kinds[end + 1]
    return all(
        kind is not None
        and kind.shape == Shape.TITLE
        and bool(kind.surname or kind.strange)
        and not (kind.common or kind.place)
        for kind in (name, other)
    )


def _dotted(words: list[str], at: int) -> str:
    """Return letters with full stops from a token on as one word: `M.D.` is `md`."""
    letters = ""
    while len(letters) < DOTTED and words[at].isalpha() and words[at + 1 : at + 2] == ["."]:
        letters += words[at].lower()
        at += 2
        if at >= len(words):
            break
    return letters
