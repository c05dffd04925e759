"""Rosters: lists whose lines begin with somebody's name, so that each line's first word is one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.name_words import FREQUENT, Kinds

SOURCE = "names"
SCORE = 0.55  # below what is told of the one name
ROWS = 3  # of one form; fewer are no list
LIKELY = 0.7  # worth of a word that is a name as a rule
SURE, HALF = 1.0, 0.5  # what such a word counts, and a frequent surname that is a common word
NAMED = 0.5  # what the rows must count, by their number
NAMEABLE = 0.75  # share of the rows that may begin with a name at all
DOCTOR, PATIENT = "DOCTOR", "PATIENT"
CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
WORD = rf"{CAPITAL}[^\W\d_]+(?:['’-]{CAPITAL}?[^\W\d_]+)*"
FIRST = re.compile(r"\W")
# A row: a mark such as a bed, a number or a bullet, a name, and what parts it from the rest; below
# the first line, as a line feed is fast to find.
ROW = re.compile(
    r"\n[ \t|]{0,8}+(?:(?=[BbRrCcSs])(?i:bed|bay|rm|room|cot|chair|slot|sr)[ .#]{0,2}+)?"
    r"(?:[#(]?(?P<number>\d)[\dA-Z:/-]{0,6}+[.):]?|[-*•–>](?=[ ])|\[[ xX]?\])?+[ \t|–-]{0,6}+"
    rf"(?:(?:Mr|Mrs|Ms|Miss|Mx|MR|MRS|MS)\.?[ ])?(?P<name>{WORD}"
    rf"(?:,[ ](?:{WORD}|{CAPITAL}\b\.?)|[ ]{CAPITAL}\b\.?(?=[ ]?[,(|–-]|[ ]{{2}}))?)"
    r"(?P<rest>[ ]?(?=\n)|[ ]?[,;(]|[ ]?[|\t]|[ ]?[–—-](?![^\W\d_])|[ ]{2}|[ ]\d|[ ](?=[^\W\d_]))",
)


@dataclass(frozen=True, slots=True)
class Row:
    """The first words of a line, and what they are worth as a name."""

    span: Span
    likely: float
    nameable: bool


class Rosters:
    """Takes the first words of a list's rows, where those of most rows are likely names.

    Rows are of one list where they have the same form: a mark with a number or none, and the same
    sign behind the name. Where a blank alone follows the name the mark must have a number.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds

    def find(self, text: str, names: Sequence[tuple[Span, str]]) -> Iterator[Mention]:
        """Yield the names of rows that no name of `names` covers yet."""
        found = {span.start: (span, label) for span, label in names}
        lists: defaultdict[tuple[bool, str], list[re.Match[str]]] = defaultdict(list)
        for match in ROW.finditer(text):
            numbered, behind = match["number"] is not None, match["rest"]
            if behind == " " and not numbered:
                continue
            rest = behind.strip(" ")[:1] or " " * min(len(behind), 2)
            if rest.isdigit() and not numbered:
                continue
            lists[numbered, rest].append(match)
        for matches in lists.values():
            if len(matches) < ROWS:
                continue
            rows = [self._row(match, found) for match in matches]
            likely = sum(row.likely for row in rows)
            nameable = sum(row.nameable for row in rows)
            size = len(rows)
            if likely < NAMED * size or nameable < NAMEABLE * size:
                continue
            if all(row.likely < SURE for row in rows):
                continue  # `Brown`, `Green`, `Long`
            labels = [found[row.span.start][1] for row in rows if row.span.start in found]
            label = DOCTOR if labels.count(DOCTOR) > len(labels) / 2 else PATIENT
            for row in rows:
                if row.nameable and row.span.start not in found:
                    yield Mention(row.span, label, SCORE, SOURCE)

    def _row(self, match: re.Match[str], found: dict[int, tuple[Span, str]]) -> Row:
        span = Span(*match.span("name"))
        kind = self._kinds[FIRST.split(match["name"], maxsplit=1)[0]]
        if span.start in found:
            return Row(span, SURE, nameable=True)
        if kind is None:
            return Row(span, 0.0, nameable=False)
        listed = bool(kind.given or kind.surname)
        likely = SURE if kind.worth >= LIKELY else HALF * (kind.surname > FREQUENT)
        return Row(span, likely if listed else 0.0, nameable=listed or kind.strange)
