"""A name once found with a strong cue is a name everywhere else in that note."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels, check_scores
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.words import load_words
from phiscrub.refine.boundary import titles_of

LETTERS = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)++")  # accents may stand by themselves
APOSTROPHES = ("'", "’")
LEAST = 3  # letters of a part; shorter ones are too often words
LEAST_TITLED = 2
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
TITLE_REACH = 24  # characters before a name in which its title stands
LESS = 0.9  # a repetition is a little less sure than what it repeats


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels whose words repeat, the least score of a mention that is believed, word lists.

    `lists` names a folder of word lists whose `common` and `medical` words repeat only with a
    capital within a sentence, or beside words that make them names; empty, none is held to be one.
    `label_set` is the set that `labels` are of; empty, it is not known.
    """

    labels: tuple[str, ...]
    least_score: float = 0.75
    lists: str = ""
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Repeat:
    """Load the word lists; raise `SettingsError` for a label or score that cannot be."""
    check_labels(settings.label_set, labels=settings.labels)
    check_scores(least_score=settings.least_score)
    words: set[str] = set()
    if settings.lists:
        folder = toolbox.folder("lexicons", settings.lists)
        words.update(load_words(folder, "common"), load_words(folder, "medical"))
    titles = titles_of(toolbox)
    return Repeat(frozenset(settings.labels), settings.least_score, frozenset(words), titles)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Adds a mention wherever a part of a believed name stands again.

    A part has three letters and a capital, and repeats however its letters are capitalised and
    its accents encoded; `O'Brien` is a part, and so is `Brien`. Behind one of `titles` a name all
    in lower case has parts too, and two letters are one that repeats just as it is written. A
    part that is one of `words` repeats only with its capital within a sentence, with a capital
    inside (`McDonald`), or where a cue stands before it or a deed behind it. A repetition takes
    the label of the first mention that has the part.
    """

    labels: frozenset[str]
    least_score: float = 0.75
    words: frozenset[str] = field(default=frozenset(), repr=False)
    titles: re.Pattern[str] | None = field(default=None, repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and their repetitions."""
        text = note.text
        parts: dict[str, Mention] = {}
        for mention in sorted(mentions, key=lambda m: m.key):
            if mention.label in self.labels and mention.score >= self.least_score:
                for part in self._parts(text, mention.span):
                    parts.setdefault(part, mention)
        if not parts:
            return tuple(mentions)
        covered = bytearray(len(text))
        for mention in mentions:
            covered[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
        found: list[Mention] = []
        for span in _runs(text, Span(0, len(text))):
            inside = found and span.start < found[-1].span.end
            if not (covered[span.start] or inside) and (first := self._first(text, span, parts)):
                found.append(Mention(span, first.label, first.score * LESS, "repeat"))
        return (*mentions, *found)

    def _parts(self, text: str, name: Span) -> Iterator[str]:
        """Yield what repeats of a name, as `_key` has it."""
        start = name.start
        titled = False
        if self.titles is not None:
            before = max(0, start - TITLE_REACH)
            titled = any(m.end() == start for m in self.titles.finditer(text, before, start + 1))
            while found := self.titles.match(text, start, name.end):
                start, titled = found.end(), True
        lower = titled and text[start : name.end].islower()
        for span in _runs(text, Span(start, name.end)):
            word = text[span.start : span.end]
            key = _key(word)
            if len(key) >= LEAST:
                if lower or word != word.lower():
                    yield key
            elif titled and len(key) == LEAST_TITLED and word[0].isupper():
                yield key

    def _first(self, text: str, span: Span, parts: Mapping[str, Mention]) -> Mention | None:
        """Return the mention that a run of letters repeats, if it does."""
        word = text[span.start : span.end]
        key = _key(word)
        first = parts.get(key)
        touched = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        if first is None or any(map(str.isalnum, touched)):
            return None
        plain = key.lower() in self.words and _is_plain(text, span.start, word)
        return None if plain else first


def _runs(text: str, within: Span) -> Iterator[Span]:
    """Yield runs of letters, before each the two runs that an apostrophe makes of it."""
    runs = [Span(*run.span()) for run in LETTERS.finditer(text, within.start, within.end)]
    for run, behind in zip_longest(runs, runs[1:]):
        if (
            behind is not None
            and len(behind) > 1
            and behind.start == run.end + 1
            and text[run.end] in APOSTROPHES
        ):
            yield Span(run.start, behind.end)
        yield run


def _key(word: str) -> str:
    """Return what is alike of a word in all its forms, or the word itself if it is short."""
    whole = unicodedata.normalize("NFC", word)
    return whole if len(whole) < LEAST else whole.casefold().replace("’", "'")


def _is_plain(text: str, start: int, form: str) -> bool:
    """Tell whether a common word that is also a name in the note is the word where it stands."""
    within = not form[1:].islower() or not _begins_sentence(text, start)
    if form[0].isupper() and not form.isupper() and within:
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
