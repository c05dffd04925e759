"""Packs: rules as data. A folder with files of rules, word lists, and cases that are its tests."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.labels import HUB, label_set
from phiscrub.detect.checks import CHECKS
from phiscrub.detect.finite import choices, inside, spelled
from phiscrub.detect.macros import Macros
from phiscrub.detect.outlines import outline
from phiscrub.lexicons.terms import terms_of

FIRST_WORD = re.compile(r"[^\W\d_]+|\d+")  # as the clinical tokenizer cuts
GROUP = re.compile(r"\(\?P<(\w+)>")
RULE_KEYS = frozenset(
    {"name", "label", "at", "at_terms", "next", "need", "pattern", "ignore_case", "score", "check"}
)
FILE_KEYS = frozenset({"about", "macros", "rule"})
PACK_KEYS = FILE_KEYS | {"label_set"}

MARKS = re.compile(r"[^\w|]")  # what makes a trigger more than words
CASED = "(?-i:"  # begins a group that letters match in their own case only
NO_LISTS = Macros({})
WORTH = 600  # characters of a pattern of which an outline saves time
BEHIND = 2  # characters behind a word that a trigger looks at


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern, and the cheap trigger that decides where it is tried.

    Some of `at…` is set, and the pattern is tried where a token of the clinical tokenizer fully
    matches one of `at`, is one of the words, in any case or exactly, or begins one of the
    terms, each its first word and the two characters that go on behind it; and `next`,
    if set, matches where the two characters behind the token begin (line feeds behind the text's
    end; where there are terms and others it speaks of the others only); or none is, and the
    pattern searches the whole text if that holds one of the strings in `need`. A pack writes
    words and patterns together, as `at`.

    Groups named ``phi``, ``phi2``, … give mentions of `label`; a group with another name gives
    the label of that name (a trailing digit is dropped; ``LOCATION_OTHER`` is LOCATION-OTHER
    unless `known`, the pack's labels, has it as it stands). Without named groups the whole match
    is the mention. `written` is the pattern with lists by their names, which `macros` know.
    """

    source: str
    label: str
    written: str = field(repr=False)
    ignore_case: bool = False
    at: tuple[re.Pattern[str], ...] = field(default=(), repr=False)
    at_words: frozenset[str] = field(default=frozenset(), repr=False)
    at_exactly: frozenset[str] = field(default=frozenset(), repr=False)
    at_terms: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    next: str | None = field(default=None, repr=False)
    need: tuple[str, ...] = ()
    score: float = 0.9
    check: str = ""
    known: frozenset[str] = frozenset()
    macros: Macros = field(default=NO_LISTS, repr=False)

    @property
    def name(self) -> str:
        """Its name within its pack."""
        return self.source.rpartition(":")[2]

    @property
    def pattern(self) -> str:
        """The whole pattern, its lists spelled out."""
        return self.macros.filled(self.written)

    @property
    def anchored(self) -> bool:
        """Whether the rule is tried at tokens rather than searched for."""
        return bool(self.at or self.at_words or self.at_exactly or self.at_terms)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that the rule can give."""
        return frozenset(map(self._given, GROUP.findall(self.written))) or frozenset({self.label})

    def compiled(self) -> CompiledRule:
        """Compile the pattern, which takes milliseconds: a rule that is never tried needs none.

        Raises `SettingsError` where it is not a pattern.
        """
        pattern = _compile(self.pattern, self._flags, self.source, "pattern")
        named = pattern.groupindex.items()
        groups = tuple((number, self._given(name)) for name, number in named)
        return CompiledRule(pattern, groups or ((0, self.label),), CHECKS.get(self.check))

    def outlined(self) -> re.Pattern[str] | None:
        """Compile what matches wherever the pattern does; None where that saves too little."""
        size = self.macros.size(self.written)
        least = outline(self.written) if size > WORTH else None
        if least is None:
            return None
        loose = self.macros.loosened(least)
        return re.compile(loose, self._flags) if 2 * len(loose) < size else None

    def follower(self) -> re.Pattern[str]:
        """Compile `next`, without case; raise `SettingsError` where it is not a pattern."""
        return _compile(self.next or "", re.IGNORECASE, self.source, "next")

    @property
    def _flags(self) -> int:
        return re.VERBOSE | (re.IGNORECASE if self.ignore_case else 0)

    def _given(self, group: str) -> str:
        plain = group.rstrip("0123456789")
        if plain == "phi":
            return self.label
        return plain if plain in self.known else plain.replace("_", "-")


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule at work: the pattern, the label that each group gives, and the check if any.

    Group 0 is the whole match.
    """

    pattern: re.Pattern[str] = field(repr=False)
    groups: tuple[tuple[int, str], ...]
    check: Callable[[str], bool] | None


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and the mentions that the pack must find in it: ``(label, words)``, in order."""

    text: str
    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """Rules that belong together, the label set that they speak, and where their cases stand."""

    name: str
    label_set: str
    rules: tuple[Rule, ...]
    folder: Traversable = field(repr=False)

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases that hold the rules, read anew: only tests want them."""
        return _read_cases(self.folder, self.name)

    @classmethod
    def load(cls, folder: Traversable, name: str) -> Pack:
        """Read a pack's folder; raise `SettingsError` naming the file and the rule.

        The rules are those of `pack.toml`, then those of each of `rules/*.toml` by its name. A
        file there sees the macros of `pack.toml`, and its own, which no other sees.
        """
        where = f"{name}/pack.toml"
        data = _read_table(folder / "pack.toml", PACK_KEYS, where)
        lists = _read_lists(folder)
        macros = Macros(lists).joined_by(data.get("macros", {}), where)
        labels = label_set(data.get("label_set", HUB))
        tables = [(data, macros, where)]
        for file in _files(folder / "rules", ".toml"):
            where = f"{name}/rules/{file.name}"
            data = _read_table(file, FILE_KEYS, where)
            tables.append((data, macros.joined_by(data.get("macros", {}), where), where))
        known = frozenset(labels.labels)
        rules = tuple(
            _rule(
                entry, f"rule[{index}]", where, pack=name, macros=macros, lists=lists, known=known
            )
            for data, macros, where in tables
            for index, entry in enumerate(data.get("rule", ()))
        )
        return cls(name, labels.name, rules, folder)


def _read_table(file: Traversable, known: frozenset[str], where: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError("no such file", where=where, hint="a pack needs one") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"is not TOML: {error}", where=where) from None
    _refuse_unknown(table, known, where, "")
    return table


def _refuse_unknown(
    table: Mapping[str, object], known: frozenset[str], where: str, at: str
) -> None:
    for key in table:
        if key not in known:
            raise SettingsError(
                f"unknown key '{at}{key}'", where=where, hint=f"known: {', '.join(sorted(known))}"
            )


def _files(folder: Traversable, ending: str) -> Iterator[Traversable]:
    """Yield the files of a folder by their names; none where there is no folder."""
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(ending):
                yield file


def _read_lists(folder: Traversable) -> dict[str, tuple[str, ...]]:
    """Read `terms/*.txt`."""
    return {
        file.name.removesuffix(".txt"): tuple(terms_of(file))
        for file in _files(folder / "terms", ".txt")
    }


def _compile(text: str, flags: int, where: str, at: str) -> re.Pattern[str]:
    try:
        return re.compile(text, flags)
    except re.error as error:
        raise SettingsError(f"'{at}' is not a pattern: {error}", where=where) from None


def _rule(
    entry: dict[str, Any],
    at: str,
    where: str,
    *,
    pack: str,
    macros: Macros,
    lists: Mapping[str, tuple[str, ...]],
    known: frozenset[str],
) -> Rule:
    _refuse_unknown(entry, RULE_KEYS, where, f"{at}.")
    for key in ("name", "label", "pattern"):
        if not isinstance(entry.get(key), str):
            raise SettingsError(f"'{at}.{key}' is missing or no string", where=where)
    check = entry.get("check", "")
    if check and check not in CHECKS:
        raise SettingsError(
            f"'{at}.check' names no check", where=where, hint=f"known: {', '.join(CHECKS)}"
        )
    terms = entry.get("at_terms", "")
    if terms and terms not in lists:
        raise SettingsError(
            f"'{at}.at_terms' names no list", where=where, hint=f"known: {', '.join(lists)}"
        )
    pattern = macros.expand(entry["pattern"], where, f"{at}.pattern")
    words, exact, shapes = _trigger(entry.get("at", ""))
    return Rule(
        source=f"patterns:{pack}:{entry['name']}",
        label=entry["label"],
        written=pattern,
        ignore_case=bool(entry.get("ignore_case", False)),
        at=tuple(_compile(shape, re.IGNORECASE, where, f"{at}.at") for shape in shapes),
        at_words=words,
        at_exactly=exact,
        next=entry.get("next"),
        at_terms=frozenset(map(_begun, lists.get(terms, ()))),
        need=tuple(entry.get("need", ())),
        score=float(entry.get("score", 0.9)),
        check=check,
        known=known,
        macros=macros,
    )


def _begun(term: str) -> tuple[str, str]:
    """Return a term's first word, and the characters behind it that a trigger may look at."""
    lower = term.lower()
    word = FIRST_WORD.findall(lower)[0]
    return word, lower.partition(word)[2][:BEHIND]


@cache  # packs have few triggers, and many rules to each
def _trigger(at: str) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Part the words that a trigger names, in any case or exactly, from its patterns.

    A word is looked up, which is cheaper to load and to try than a pattern.
    """
    words, exact, shapes = set[str](), set[str](), list[str]()
    if not MARKS.search(at):
        return frozenset(filter(None, at.lower().split("|"))), frozenset(), ()
    for choice in choices(at):
        cased = inside(choice, CASED)
        for one in [choice] if cased is None else choices(cased):
            found = None if CASED in one else (one,) if one.isalnum() else spelled(one)
            if found is None:
                shapes.append(one if cased is None else f"{CASED}{one})")
            else:
                (words if cased is None else exact).update(found)
    return frozenset(map(str.lower, words)), frozenset(exact), tuple(shapes)


def _read_cases(folder: Traversable, name: str) -> tuple[Case, ...]:
    """Read `cases.jsonl`: ``{"text": …, "find": [[label, words], …]}`` a line."""
    file = folder / "cases.jsonl"
    if not file.is_file():
        return ()
    cases = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            cases.append(Case(row["text"], tuple((a, b) for a, b in row["find"])))
        except (ValueError, KeyError, TypeError):
            where = Place(f"{name}/cases.jsonl", line=number)
            hint = 'a case is {"text": …, "find": [[label, words], …]}'
            raise SettingsError("is no case", where=where, hint=hint) from None
    return tuple(cases)
