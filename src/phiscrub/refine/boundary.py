"""Mentions that begin and end where annotators say: `of` inside a date, credentials outside."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox

FILE = "words.toml"
GAP = r"[^\S\n\r]"  # blanks within a line
BREAK = rf"(?:{GAP}+|{GAP}*\r?\n{GAP}*)"  # or the end of one
WORD = re.compile(r"(?:[^\W\d_][\u0300-\u036f'’-]*){2,}")  # of a name, no initial
NAMES_TOO = frozenset({"DO", "MA", "MS", "OD", "PA", "RD"})  # credentials that people are called

STAFF = ("DOCTOR",)


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels of which two parts around a joining word are one, and those of people's names.

    `staff` are those of them that have credentials, whose `DO` or `MA` is no name. `words` names
    a folder with a `words.toml` of joining words, titles and credentials, by default that of the
    pipeline's language. `label_set` is the set that labels are of; empty, it is not known, and a
    set may lack the `staff` that is the default.
    """

    join: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    staff: tuple[str, ...] = STAFF
    words: str = ""
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Boundary:
    """Read the words; raise `LabelError` for a label that the set lacks."""
    staff = settings.staff if settings.staff != STAFF else ()
    check_labels(settings.label_set, join=settings.join, names=settings.names, staff=staff)
    name = settings.words or toolbox.language
    table = _read(toolbox.folder("boundary", name), f"{name}/{FILE}")
    joining, titles, credentials = (table[key] for key in KEYS)
    return Boundary(
        frozenset(settings.join),
        frozenset(settings.names),
        frozenset(settings.staff),
        re.compile(rf"{BREAK}(?i:{_any(joining)}){BREAK}"),
        _titles(titles),
        re.compile(
            rf"(?:{GAP}*(?P<comma>,){GAP}*|{GAP}+)\(?(?P<what>{_dotted(credentials)})\.?\)?$"
        ),
    )


AND = r"and|&|y|och"
SUBJECT = rf"med\.{GAP}*"  # of a doctor's degree: `Dr. med.`
KEYS = ("joining", "titles", "credentials")


@dataclass(frozen=True, slots=True)
class Boundary:
    """Joins, then trims.

    Two mentions of one label in `join` with only a joining word between them are one (`3rd` of
    `March`, `Hospital` de `Cruces`). A name loses the title before it and the credentials behind
    it (`Dr. Ann Lee, MD, PhD`); without a comma they must be told from the name by its small
    letters or their dots, because `MA` may be either. Nothing is dropped, and a name never
    becomes empty.
    """

    join: frozenset[str]
    names: frozenset[str]
    staff: frozenset[str]
    joining: re.Pattern[str] = field(repr=False)
    title: re.Pattern[str] = field(repr=False)
    credential: re.Pattern[str] = field(repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions, mended."""
        ordered = sorted(mentions, key=lambda mention: mention.key)
        return tuple(
            self._trimmed(note.text, mention) for mention in self._joined(note.text, ordered)
        )

    def _joined(self, text: str, ordered: Sequence[Mention]) -> list[Mention]:
        kept: list[Mention] = []
        last: dict[tuple[str, str], int] = {}  # by label and source, or any, among those kept
        for mention in ordered:
            own, any_ = (mention.label, mention.source), (mention.label, "")
            at = self._before(text, mention, kept, (last.get(own), last.get(any_)))
            if at is None:
                last[own] = last[any_] = len(kept)
                kept.append(mention)
            else:
                first = kept[at]
                span = Span(first.span.start, mention.span.end)
                score = min(first.score, mention.score)
                kept[at] = replace(first, span=span, score=score)
        return kept

    def _before(
        self, text: str, mention: Mention, kept: Sequence[Mention], places: Iterable[int | None]
    ) -> int | None:
        """Return the first of the places of which a joining word parts the mention."""
        if mention.label not in self.join:
            return None
        start = mention.span.start
        for at in places:
            if at is not None:
                end = kept[at].span.end
                if end < start and self.joining.fullmatch(text, end, start):
                    return at
        return None

    def _trimmed(self, text: str, mention: Mention) -> Mention:
        if mention.label not in self.names:
            return mention
        start, end = mention.span.start, mention.span.end
        while (found := self.title.match(text, start, end)) and found.end() < end:
            if not WORD.search(found[0]) and _words(text, found.end(), end) == 1:
                break
            start = found.end()
        while found := self._behind(text, start, end):
            may_be = found["what"] in NAMES_TOO and mention.label not in self.staff
            if may_be and _words(text, start, found.start()) == 1:
                break
            end = found.start()
        return (
            mention
            if (start, end) == (mention.span.start, mention.span.end)
            else (replace(mention, span=Span(start, end)))
        )

    def _behind(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Return the last credential of a name, if it is one for sure.

        In capitals without a comma it must have dots, and so written or as `M. D.` two words
        before it: `LEE P.A.` has initials.
        """
        found = next(self.credential.finditer(text, start + 1, end), None)
        if found is None:
            return None
        what = found["what"]
        capitals = text[start:end].isupper() and not found["comma"]
        if "." in what and (capitals or any(map(str.isspace, what))):
            return found if _words(text, start, found.start()) > 1 else None
        return None if capitals else found


def _words(text: str, start: int, end: int) -> int:
    return sum(1 for _ in WORD.finditer(text, start, end))


def titles_of(toolbox: Toolbox) -> re.Pattern[str] | None:
    """Return the pattern of a title before a name in the pipeline's language, if it has words."""
    try:
        folder = toolbox.folder("boundary", toolbox.language)
    except SettingsError:
        return None
    return _titles(_read(folder, f"{toolbox.language}/{FILE}")["titles"])


def _titles(words: Sequence[str]) -> re.Pattern[str]:
    one = rf"\b(?i:{_any(words)})\b"
    both = rf"(?:\.?{GAP}+(?i:{AND}){GAP}+{one})?"  # `Mr. and Mrs.`
    return re.compile(rf"{one}{both}(?:\.{GAP}*|{GAP}+)(?:{SUBJECT})?(?=[^\W\d_])")


def _dotted(words: Sequence[str]) -> str:
    """Return a pattern of any of the words, between whose dots blanks may stand: `M. D.`."""
    return _any(words).replace(r"\.", rf"\.{GAP}?")


def _any(words: Sequence[str]) -> str:
    """Return a pattern of any of the words, the longest first; a blank is any within a line."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(rf"{GAP}+".join(map(re.escape, word.split())) for word in ordered)


def _read(folder: Traversable, where: str) -> Mapping[str, Sequence[str]]:
    try:
        table = tomllib.loads((folder / FILE).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise SettingsError("cannot be read as words", where=where) from None
    if set(table) != set(KEYS) or not all(
        isinstance(words, list) and words and all(isinstance(w, str) and w.strip() for w in words)
        for words in table.values()
    ):
        raise SettingsError("is not made of lists of words", where=where, hint=", ".join(KEYS))
    return table
