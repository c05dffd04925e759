"""A name once found with a strong cue is a name everywhere else in that note."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.standing import standing
from phiscrub.lexicons.words import load_words

PART = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]{2,})?")  # shorter parts are too often words
# A word in lower case, or one that begins a sentence, is the name behind or before these.
CUE_BEFORE = re.compile(
    r"\b(?:per|by|told|asked|calls?|called|rang|w/|wife|husband|son|daughter|mother|mom|mum|father|"
    r"dad|sister|brother|partner|friend|contact|bf|gf|fr|rept to|report to)[ ]$|[\"“]$",
    re.IGNORECASE,
)
DEED_AFTER = re.compile(
    r"[ ](?:is|was|has|had|will|did|does|said|told|says|states|confirms|calls|comes|lives|wants|"
    r"asks|agrees|thinks|denies|reports|upset|aware|[a-z]{3,12}ed)\b"
)
AROUND = 12  # characters that these look at
LESS = 0.9  # a repetition is a little less sure than what it repeats


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels whose words repeat, the least score of a mention that is believed, word lists.

    `lists` names a folder of word lists whose `common` and `medical` words repeat only with a
    capital within a sentence, or beside words that make them names; empty, none is held to be one.
    """

    labels: tuple[str, ...]
    least_score: float = 0.75
    lists: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Repeat:
    """Load the word lists."""
    words: set[str] = set()
    if settings.lists:
        folder = toolbox.folder("lexicons", settings.lists)
        words.update(load_words(folder, "common"), load_words(folder, "medical"))
    return Repeat(frozenset(settings.labels), settings.least_score, frozenset(words))


@dataclass(frozen=True, slots=True)
class Repeat:
    """Adds a mention wherever a part of a believed name stands again.

    A part has three letters and begins with a capital; it repeats as it is, in capitals, with
    one capital and in lower case. A part that is one of `words` repeats only with its capital
    within a sentence, or where a cue stands before it or a deed behind it. A repetition takes
    the label of the first mention that has the part.
    """

    labels: frozenset[str]
    least_score: float = 0.75
    words: frozenset[str] = field(default=frozenset(), repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and their repetitions."""
        text = note.text
        parts: dict[str, Mention] = {}
        for mention in sorted(mentions, key=lambda m: m.key):
            if mention.label in self.labels and mention.score >= self.least_score:
                for part in PART.findall(text, mention.span.start, mention.span.end):
                    if part[0].isupper():
                        parts.setdefault(part.lower(), mention)
        forms: dict[str, list[str]] = defaultdict(list)  # and of which parts each is one
        for lower in parts:
            for form in {lower.title(), lower.upper(), lower}:
                forms[form].append(lower)
        covered = bytearray(len(text))
        for mention in mentions if parts else ():
            covered[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
        found = []
        for start, form in standing(text, forms):
            for lower in () if covered[start] else forms[form]:
                if not (lower in self.words and _is_plain(text, start, form)):
                    first = parts[lower]
                    span = Span(start, start + len(form))
                    found.append(Mention(span, first.label, first.score * LESS, "repeat"))
        return (*mentions, *sorted(found, key=lambda m: m.key))


def _is_plain(text: str, start: int, form: str) -> bool:
    """Tell whether a common word that is also a name in the note is the word where it stands."""
    if form[0].isupper() and not form.isupper() and not _begins_sentence(text, start):
        return False
    if form.isupper():
        capitals = text[max(0, start - AROUND) : start].isupper()
        if not capitals and not _begins_sentence(text, start):
            return False
    if CUE_BEFORE.search(text, max(0, start - AROUND), start):
        return False
    end = start + len(form)
    return form[0].islower() or not DEED_AFTER.match(text, end)


def _begins_sentence(text: str, start: int) -> bool:
    """Tell whether nothing but marks and blanks parts a place from the sentence's start."""
    before = text[max(0, start - 4) : start].rstrip(" \t\"'“‘(*-")
    return not before or before[-1] in ".!?:;\n"
