"""Lemmas, from an optional package that works without a network."""

from __future__ import annotations

from collections.abc import Callable

from phiscrub.core.errors import MissingError, SettingsError


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
