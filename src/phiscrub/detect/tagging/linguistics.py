"""Lemmas, parts of speech and chunks, from optional packages that work without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.detect.tagging.layout import Column, Layout

TAGGED = ("en",)  # we know no kept package for other languages that needs no download or pickle


def lemmatiser(language: str) -> Callable[[str], str]:
    """Return what gives a word's base form in small letters, by simplemma (MIT).

    It looks words up and makes visible slips, as it knows no context. Raises `MissingError`
    without the package and `SettingsError` for a language that it lacks.
    """
    try:
        from simplemma import Lemmatizer  # noqa: PLC0415  # optional, and slow to import
        from simplemma.strategies.dictionaries import dictionary_factory  # noqa: PLC0415
    except ImportError:
        hint = "pip install simplemma, or leave the trait 'lemma' out"
        raise MissingError("the trait 'lemma' needs the package simplemma", hint=hint) from None
    if language not in dictionary_factory.SUPPORTED_LANGUAGES:
        hint = "leave the trait 'lemma' out; its languages are those of simplemma"
        raise SettingsError(f"no lemmas for language {language!r}", hint=hint)
    lemmatise = Lemmatizer().lemmatize
    return lambda word: lemmatise(word, language).lower()


def parser(language: str) -> Callable[[Layout], Column]:
    """Return what gives each token its part of speech and chunk, as ``NN B-NP``.

    By TextBlob's pattern parser (MIT; Penn Treebank tags), which is the only kept package that
    reads a text without downloads: for English, at 30,000 tokens a second. Raises `MissingError`
    without the package and `SettingsError` for another language.
    """
    if language not in TAGGED:
        raise SettingsError(
            f"no parts of speech and chunks for language {language!r}",
            hint=f"leave the traits 'pos' and 'chunk' out; there are some for {', '.join(TAGGED)}",
        )
    try:
        parse = import_module("textblob.en").parse  # optional, and slow to import
    except ImportError:
        hint = "pip install textblob, or leave the traits 'pos' and 'chunk' out"
        raise MissingError("the traits 'pos' and 'chunk' need textblob", hint=hint) from None

    def parsed(layout: Layout) -> Column:
        lines = (str(parse(line, tokenize=False)) for line in _lines(layout))
        return Column.of(tag for line in lines for tag in _read(line))

    return parsed


def part(number: int, parsed: Column) -> Column:
    """Return the first or second word of each value of a column."""
    return Column(tuple(value.split()[number] for value in parsed.values), parsed.ids)


def _lines(layout: Layout) -> Iterator[str]:
    """Yield each sequence as the parser wants it: words parted by single blanks."""
    words = ["".join(word.split()) or "_" for word in layout.frame.words]
    ids = layout.frame.word.tolist()
    for low, high in pairwise(layout.frame.starts.tolist()):
        yield " ".join(map(words.__getitem__, ids[low:high]))


def _read(line: str) -> Iterator[str]:
    """Yield ``POS CHUNK`` of each ``word/POS/CHUNK/…``; the parser escapes a word's own slash."""
    for token in line.split(" "):
        _, pos, chunk, *_ = token.split("/")
        yield f"{pos} {chunk}"
