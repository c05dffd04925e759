"""The words of a note that its output must not hold, and where it still does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from importlib import resources

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.lexicons.standing import PIECE, sentence_mark, standing
from phiscrub.lexicons.words import load_words
from phiscrub.replace.institutions import UnitLists
from phiscrub.replace.people import KIN, PART, RELATIVES, fold, naming
from phiscrub.replace.real import NAMES, UNCHECKED
from phiscrub.replace.spellings import Codes, Flat, date_key, dates, log_ins, without_kind
from phiscrub.replace.titles import PARTICLES
from phiscrub.tokenize.disguise import with_line_ends

LEAST_NAME, LEAST_OTHER = 3, 4  # signs; shorter ones stand in other words
INITIALS = 2  # letters of a name that only count with the same capitals
RARE, FREQUENT = 1, 3  # ranks of the word lists
UNITS = frozenset({"HOSPITAL", "ORGANIZATION"})
GENITIVE = re.compile(r"['’]s$", re.I)


def plain_words(language: str) -> frozenset[str]:
    """Return words, folded, that are no names by themselves: common, medical, kinds of units.

    Rare words among the most frequent surnames (`smith`), and rare ones of two letters (`li`), are
    names. A language without word lists has the kinds of units alone.
    """
    folder = resources.files("phiscrub") / "data" / "lexicons" / language
    units = UnitLists.load(language)
    words = {*units.generic, *units.endings}
    if folder.is_dir():
        common = dict(load_words(folder, "common").items())
        words |= common.keys() | set(load_words(folder, "medical"))
        words -= {w for w in words if len(w) == INITIALS and common.get(w, RARE) == RARE}
        if (folder / "surname.txt").is_file():
            surnames = load_words(folder, "surname").items()
            words -= {w for w, rank in surnames if rank == FREQUENT and common.get(w) == RARE}
    return frozenset(map(fold, words))


@dataclass(frozen=True, slots=True)
class Originals:
    """The words of a note that its output must not hold, each with the hub label it had.

    `words` are as `Flat` has them, with what an s makes of names; `written` gives how the note
    had those without, `plain` are those of `plain_words`. `codes` are letters and digits alone,
    `dates` complete dates as `date_key` has them.
    """

    words: Mapping[str, str] = field(repr=False)
    written: Mapping[str, Set[str]] = field(default_factory=dict, repr=False)
    plain: Set[str] = field(default=frozenset(), repr=False)
    codes: Codes = field(default_factory=Codes, repr=False)
    dates: Set[str] = field(default=frozenset(), repr=False)

    @classmethod
    def of(
        cls,
        text: str,
        mentions: Iterable[Mention],
        hubs: Mapping[str, str],
        plain: Set[str] = frozenset(),
        moved: Iterable[str] = (),
    ) -> Originals:
        """Take the identifying words of what was replaced, and the dates that were `moved`.

        Of names it is every part, of names of units also each word that is not plain.
        """
        found: dict[str, str] = {}
        codes: dict[str, str] = {}
        written: dict[str, set[str]] = defaultdict(set)
        for mention in mentions:
            hub = hubs.get(mention.label, "")
            words = text[mention.span.start : mention.span.end]
            if hub in UNCHECKED or not hub:
                continue
            parts: Iterable[str] = ()
            if hub in NAMES:
                parts = _name_parts(words, is_relative=mention.label == RELATIVES)
                small = words.islower()  # so was the note
                parts = [p for p in parts if p[0].isupper() or (small and fold(p) not in plain)]
                found = dict.fromkeys(log_ins(words), hub) | found
            elif sum(map(str.isalnum, words)) >= LEAST_OTHER:
                for form in (words, without_kind(hub, words)):
                    found.setdefault(Flat.of(form).text, hub)
                    written[Flat.of(form).text].add(form)
                codes |= dict.fromkeys(Codes.forms(hub, words), hub)
                if hub in UNITS:
                    parts = [p for p in _unit_parts(words) if fold(p) not in plain]
            for part in parts:
                flat = Flat.of(part).text
                found.setdefault(flat, hub)
                found.setdefault(flat + "s", hub)
                written[flat].add(part)
        days = frozenset(map(date_key, moved)) - {""}
        return cls(found, written, plain, Codes.of(codes), days)

    def left(self, output: str, inside: Sequence[Span] = ()) -> list[Span]:
        """Return where the output still holds one of them as a word, however it is spelled.

        Plain words count as they were written, or with a capital inside a sentence; words of two
        letters with the same capitals. A genitive's s may follow. Dates `inside` surrogates do
        not count.
        """
        output = with_line_ends(output)
        flat = Flat.of(output)
        said = (flat.span(at, at + len(words)) for at, words in standing(flat.text, self.words))
        found = [span for span in said if self._counts(output, span)]
        found += self.codes.spans(output)
        found += self._days(output, inside)
        left: list[Span] = []
        for span in sorted(found, key=lambda span: (span.start, -span.end)):
            if not left or span.start >= left[-1].end:
                left.append(span)
        return left

    def label(self, words: str) -> str:
        """Return the hub label of words that are left."""
        return self.words.get(Flat.of(words).text) or self.codes.label(words) or "DATE"

    def _days(self, output: str, inside: Sequence[Span]) -> Iterator[Span]:
        """Yield where complete dates stand that were moved."""
        for span in dates(output) if self.dates else ():
            held = any(other.start <= span.start < other.end for other in inside)
            if not held and date_key(output[span.start : span.end]) in self.dates:
                yield span

    def _counts(self, output: str, span: Span) -> bool:
        words = output[span.start : span.end]
        own = Flat.of(words).text
        if self.words.get(own) == "EMAIL" and words.isalpha():  # `outreach@` is a word as well
            return output[span.end : span.end + 1] == "@"
        stem = words if own in self.written else words[:-1]
        same = stem in self.written.get(Flat.of(stem).text, ())
        is_plain = self._is_plain(words) or self._is_plain(stem)
        inside = not words.isupper() and not sentence_mark(output, span.start)
        if len(stem) <= INITIALS:
            return same and (inside or not is_plain)
        if is_plain:
            return (same and not stem.islower()) or (words[0].isupper() and inside)
        return True

    def _is_plain(self, words: str) -> bool:
        return all(fold(piece) in self.plain for piece in PIECE.findall(words))


def _name_parts(words: str, *, is_relative: bool) -> Iterator[str]:
    """Yield the parts of a name and their halves, without titles, particles and initials."""
    spans = naming(words)
    for at, (start, end) in enumerate(spans):
        part = words[start:end]
        plain = fold(part)
        small = part.islower() or len(part) <= INITIALS or (at and words.isupper())
        if plain in PARTICLES and small and len(spans) > 1:
            continue
        if is_relative and (plain in KIN or part[0].islower()):
            continue
        for piece in _halves(part):
            if len(piece) >= LEAST_NAME or (len(piece) == INITIALS and piece[0].isupper()):
                yield piece


def _unit_parts(words: str) -> Iterator[str]:
    """Yield the words with a capital of a unit's name, and their halves."""
    for part in PART.findall(words):
        yield from (p for p in _halves(part) if len(p) >= LEAST_OTHER and p[0].isupper())


def _halves(part: str) -> list[str]:
    """Return a word without its genitive, and of one with a hyphen what the hyphen parts."""
    bare = GENITIVE.sub("", part)
    return [bare, *bare.split("-")] if "-" in bare else [bare]
