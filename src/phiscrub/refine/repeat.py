"""A name once found with a strong cue is a name everywhere else in that note."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels, check_scores
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.words import load_words
from phiscrub.refine.boundary import titles_of
from phiscrub.refine.medical import Medical
from phiscrub.refine.medical import Settings as Chosen
from phiscrub.refine.medical import build as build_medical
from phiscrub.refine.plain import is_plain

LETTERS = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)++")  # accents may stand by themselves
PLAIN = re.compile(r"[A-Za-z]+")  # what these are where no letter has accents
APOSTROPHES = ("'", "’")
MARKS = re.compile(r"['’-]")
DOUBLE = re.compile(rf"{LETTERS.pattern}-{LETTERS.pattern}")  # `Smith-Jones`
LEAST = 3  # letters of a part; shorter ones are too often words
LEAST_TITLED = 2
NO_WORDS = "no_words"  # of a folder's lists, that which it may lack
TITLE_REACH = 24  # characters before a name in which its title stands
SOURCE = "repeat"
FAMILY = re.compile(r"\b[Tt]he (?![a-z])[^\W\d_]")  # before the plural of a family's name
FAMILY_REACH = len("the ")
LESS = 0.9  # a repetition is a little less sure than what it repeats


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels whose words repeat, the least score of a mention that is believed, word lists.

    `lists` names a folder of word lists whose `common` and `medical` words, less its `no_words`,
    repeat only with a capital within a sentence, or beside words that make them names; empty, none
    is held to be one. `terms` names a folder of medical terms that stay where they stand (`Graves
    disease` in a note of Dr. Graves); empty, there are none.
    `label_set` is the set that `labels` are of; empty, it is not known.
    """

    labels: tuple[str, ...]
    least_score: float = 0.75
    lists: str = ""
    terms: str = ""
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Repeat:
    """Load the word lists; raise `SettingsError` for a label or score that cannot be."""
    check_labels(settings.label_set, labels=settings.labels)
    check_scores(least_score=settings.least_score)
    words: set[str] = set()
    if settings.lists:
        folder = toolbox.folder("lexicons", settings.lists)
        words.update(load_words(folder, "common"), load_words(folder, "medical"))
        if (folder / f"{NO_WORDS}.txt").is_file():
            words.difference_update(load_words(folder, NO_WORDS))
    return Repeat(
        frozenset(settings.labels),
        settings.least_score,
        frozenset(words),
        titles_of(toolbox),
        build_medical(Chosen(settings.labels, terms=settings.terms), toolbox)
        if settings.terms
        else None,
    )


@dataclass(frozen=True, slots=True)
class _Name:
    """A mention, whether a title is before it, and its parts."""

    mention: Mention
    titled: bool
    parts: tuple[str, ...]

    @property
    def firm(self) -> bool:
        """Tell whether it is surely a name: behind a title, or of several parts."""
        return self.titled or len(self.parts) > 1


@dataclass(frozen=True, slots=True)
class Repeat:
    """Adds a mention wherever a part of a believed name stands again.

    A part has three letters and a capital, and repeats however its letters are capitalised and
    its accents encoded, and behind `the` in the plural; `O'Brien` is a part, and so are `OBrien`
    and `Brien`. Behind one of
    `titles` a name all in lower case has parts too, and two letters are one that repeats just as
    it is written. A part that is one of `words` repeats only where it is not plain, and none
    repeats as a word of a `medical` term. A repetition takes the label of the first mention that
    has the part, and is one mention for each source that believes it to be a name's; a mention
    without a title whose parts are all of one name with a title takes that one's label too.
    """

    labels: frozenset[str]
    least_score: float = 0.75
    words: frozenset[str] = field(default=frozenset(), repr=False)
    titles: re.Pattern[str] | None = field(default=None, repr=False)
    medical: Medical | None = field(default=None, repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and their repetitions."""
        text = note.text
        read = [self._read(text, m) for m in mentions if m.label in self.labels]
        names: dict[str, _Name] = {}  # by part, whose it is first
        sources: defaultdict[str, dict[str, None]] = defaultdict(dict)  # by part, who says so
        firm: set[str] = set()
        contested: set[str] = set()  # parts of names with titles, of several labels
        for name in sorted(read, key=lambda name: name.mention.key):
            if name.mention.score >= self.least_score:
                for part in name.parts:
                    first = names.setdefault(part, name)
                    sources[part][name.mention.source] = None
                    if name.titled and first.mention.label != name.mention.label:
                        contested.add(part)
                if name.firm:
                    firm.update(name.parts)
        if not names:
            return tuple(mentions)
        covered = bytearray(len(text))
        for mention in mentions:
            covered[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
        found: list[Mention] = []
        done = 0
        for start, end in _runs(text, 0, len(text)):
            if covered[start] or start < done:
                continue
            key = _key(text[start:end])
            if key not in names and (key[-1:] == "s" or "'" in key):
                key = _closed(key) if "'" in key else self._of_family(text, start, key, names)
            if key in names and self._repeats(
                text, span := Span(start, end), names[key], key, firm
            ):
                said = names[key].mention
                found += (
                    Mention(span, said.label, said.score * LESS, f"{SOURCE}:{source}")
                    for source in sources[key]
                )
                done = end
        called = {
            name.mention: owner.mention.label
            for name in read
            if not name.titled
            and contested.isdisjoint(name.parts)
            and (owner := _owner(name, names)) is not None
            and owner.mention.label != name.mention.label
        }
        if called:
            mentions = [replace(m, label=called[m]) if m in called else m for m in mentions]
        return (*mentions, *found)

    def _of_family(self, text: str, start: int, key: str, names: Collection[str]) -> str:
        """Return the part that a plural in -s behind `the` is of: `the Carters`, `the Joneses`."""
        if key not in self.words and FAMILY.match(text, start - FAMILY_REACH):
            stems = (key.removesuffix("s"), key.removesuffix("es"))
            return next((one for one in stems if one in names and len(one) > LEAST), key)
        return key

    def _read(self, text: str, mention: Mention) -> _Name:
        """Return whether a title is before a mention, and what repeats of it, as `_key` has it."""
        start, end = mention.span.start, mention.span.end
        titled = False
        if self.titles is not None:
            before = max(0, start - TITLE_REACH)
            titled = any(m.end() == start for m in self.titles.finditer(text, before, start + 1))
            while found := self.titles.match(text, start, end):
                start, titled = found.end(), True
        lower = titled and text[start:end].islower()
        parts: list[str] = []
        words = [text[first:last] for first, last in _runs(text, start, end)]
        if MARKS.search(text, start, end):
            words += [_closed(word) for word in (*words, *DOUBLE.findall(text, start, end))]
        for word in words:
            key = _key(word)
            if len(key) >= LEAST:
                if lower or word != word.lower():
                    parts.append(key)
            elif titled and len(key) == LEAST_TITLED and word[0].isupper():
                parts.append(key)
        return _Name(mention, titled, tuple(dict.fromkeys(parts)))

    def _repeats(self, text: str, span: Span, name: _Name, key: str, firm: Collection[str]) -> bool:
        """Tell whether a run of letters with the key of a name's part repeats it."""
        word = text[span.start : span.end]
        touched = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        if any(map(str.isalnum, touched)):
            return False
        if key.lower() in self.words and is_plain(text, span.start, word, firm=key in firm):
            return False
        asked = Mention(span, name.mention.label)  # so sure that only what is around it tells
        return self.medical is None or not self.medical.is_medical(text, asked)


def _runs(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield runs of letters, before each the two runs that an apostrophe makes of it."""
    letters = PLAIN if text.isascii() else LETTERS
    runs = [run.span() for run in letters.finditer(text, first, last)]
    if not any(mark in text for mark in APOSTROPHES):
        yield from runs
        return
    for (start, end), (begins, ends) in zip_longest(runs, runs[1:], fillvalue=(-1, -1)):
        if ends - begins > 1 and begins == end + 1 and text[end] in APOSTROPHES:
            yield start, ends
        yield start, end


def _owner(name: _Name, names: Mapping[str, _Name]) -> _Name | None:
    """Return the name with a title that has all parts of another first, if one has."""
    owners = {id(owner): owner for part in name.parts if (owner := names.get(part))}
    owner = next(iter(owners.values()), None)
    alone = owner is not None and len(owners) == 1 and owner.titled
    return owner if alone and all(part in names for part in name.parts) else None


def _closed(word: str) -> str:
    """Return a word as it is written without its apostrophe or hyphen."""
    return word if word.isalpha() else MARKS.sub("", word)


def _key(word: str) -> str:
    """Return what is alike of a word in all its forms, or the word itself if it is short."""
    whole = word if word.isascii() else unicodedata.normalize("NFC", word)
    return whole if len(whole) < LEAST else whole.casefold().replace("’", "'")
