"""Traits that depend on the word alone; each is worked out once a distinct word."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from phiscrub.core.errors import SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.linguistics import lemmatiser
from phiscrub.detect.tagging.wordclasses import CLASSES
from phiscrub.detect.tagging.wordlists import look_up, read_clusters
from phiscrub.lexicons.phrases import fold

WordTrait = Callable[[str], str]
EXACT = 9  # counts up to here are told as they are
MANY = 15
DIGITS = re.compile(r"\d+")
YEARS = range(1900, 2100)
RANGES = (12, 24, 31, 59, 120)  # months, hours, days, minutes, ages


def word_trait(name: str, tools: Toolbox) -> WordTrait | None:
    """Return the trait of that name, such as ``suffix:3``, or None where it is no word trait.

    Raises `SettingsError` where the argument behind the colon does not fit.
    """
    head, _, argument = name.partition(":")
    if head in PLAIN:
        if argument:
            raise SettingsError(f"trait '{head}' takes no argument", hint=f"write '{head}'")
        return PLAIN[head]
    if head in AFFIXES:
        if not argument.isascii() or not argument.isdigit() or int(argument) == 0:
            raise SettingsError(f"trait '{name}' has no length", hint=f"such as '{head}:3'")
        return AFFIXES[head](int(argument))
    return LOADED[head](argument, tools) if head in LOADED else None


def shape(word: str) -> str:
    """Return the word with X for capitals, x for other letters, 9 for digits."""
    return "".join(map(_kind, word))


def short_shape(word: str) -> str:
    """Return the shape with every run as one character."""
    kinds = shape(word)
    return "".join(k for k, before in zip(kinds, " " + kinds, strict=False) if k != before)


def classes(word: str) -> str:
    """Return what kind of word it is by its characters."""
    if word.isalpha():
        if word.islower():
            return "lower"
        if word.isupper():
            return "upper"
        return "title" if word[0].isupper() and word[1:].islower() else "mixed"
    if word.isdigit():
        return "digits"
    if word.isalnum():
        return "alnum"
    return "other" if any(map(str.isalnum, word)) else "punct"


def digit_pattern(word: str) -> str:
    """Return what a number can be by its size, or how digits stand in a word; '' without any.

    After the number words of Bikel 1997 (``twoDigitNum``), with the bounds of months, hours,
    days, minutes and ages.
    """
    if not DIGITS.search(word):
        return ""
    if not (word.isascii() and word.isdigit()):
        return DIGITS.sub(lambda found: _size(len(found[0])), short_letters(word))
    if len(word) > len("2000"):
        return f"{_size(len(word))} digits"
    number = int(word)
    if len(word) == len("2000"):
        return "year" if number in YEARS else "4 digits"
    bound = next((f"<={most}" for most in RANGES if number <= most), "3 digits")
    return f"0 {bound}" if word[0] == "0" else bound


def short_letters(word: str) -> str:
    """Return the word with every run of letters as one x, its digits as they are."""
    return re.sub(r"[^\W\d_]+", "x", word)


def _kind(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isupper():
        return "X"
    return "x" if character.isalpha() else character


def _size(count: int) -> str:
    """Return a count in words few enough to learn from; '' for none."""
    if count <= EXACT:
        return str(count) if count else ""
    return f"{EXACT + 1}+" if count < MANY else f"{MANY}+"


def _letters(word: str) -> str:
    return _size(sum(map(str.isalpha, word)))


def _digits(word: str) -> str:
    return _size(sum(map(str.isdigit, word)))


def _others(word: str) -> str:
    return _size(len(word) - sum(c.isalpha() or c.isdigit() for c in word))


def _length(word: str) -> str:
    return _size(len(word))


def _prefix(length: int) -> WordTrait:
    def prefix(word: str) -> str:
        return word[:length].lower() if len(word) >= length else ""

    return prefix


def _suffix(length: int) -> WordTrait:
    def suffix(word: str) -> str:
        return word[-length:].lower() if len(word) >= length else ""

    return suffix


def _lemma(argument: str, tools: Toolbox) -> WordTrait:
    return lemmatiser(argument or tools.language)


def _list(argument: str, tools: Toolbox) -> WordTrait:
    return look_up(argument, tools)


def _class(argument: str, _: Toolbox) -> WordTrait:
    if argument not in CLASSES:
        known = ", ".join(f"class:{name}" for name in CLASSES)
        raise SettingsError(f"no trait 'class:{argument}'", hint=f"known: {known}")
    return CLASSES[argument]


def _cluster(argument: str, tools: Toolbox) -> WordTrait:
    name, _, bits = argument.partition(":")
    clusters = read_clusters(name, tools)

    def cluster(word: str) -> str:
        return clusters.get(word) or clusters.get(fold(word), "")

    if not bits:
        return cluster
    if not bits.isascii() or not bits.isdigit() or int(bits) == 0:
        raise SettingsError(f"trait 'cluster:{argument}' has no length", hint="cluster:NAME:4")
    return lambda word: cluster(word)[: int(bits)]


PLAIN: Mapping[str, WordTrait] = MappingProxyType(
    {
        "word": str,
        "lower": str.lower,
        "fold": fold,
        "shape": shape,
        "short_shape": short_shape,
        "classes": classes,
        "letters": _letters,
        "digits": _digits,
        "others": _others,
        "length": _length,
        "digit_pattern": digit_pattern,
    }
)
AFFIXES: Mapping[str, Callable[[int], WordTrait]] = MappingProxyType(
    {"prefix": _prefix, "suffix": _suffix}
)
LOADED: Mapping[str, Callable[[str, Toolbox], WordTrait]] = MappingProxyType(
    {"lemma": _lemma, "list": _list, "class": _class, "cluster": _cluster}
)
WORD_TRAITS = (*PLAIN, *(f"{head}:N" for head in AFFIXES), *(f"{head}:NAME" for head in LOADED))
