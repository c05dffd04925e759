"""A model's attributes as numbers: the values of each trait, and what they stand for where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Self

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.detect.tagging.attributes import NAME_ENDS
from phiscrub.detect.tagging.conjunctions import Conjunction
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.detect.tagging.templates import Template
from phiscrub.detect.tagging.weights import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What a model knows of traits.

    `vocabularies` number the values of each trait. `unigrams` gives for ``(trait, offset)`` the
    attributes by the value's number, and -1 behind them for values that have none.
    """

    vocabularies: Mapping[str, Mapping[str, int]] = field(repr=False)
    unigrams: Mapping[tuple[str, int], Ints] = field(repr=False)
    conjunctions: tuple[Conjunction, ...] = field(repr=False)

    @classmethod
    def of(cls, model: CrfModel) -> Self:
        """Sort a model's attributes; raise `SettingsError` for one that is none of its template."""
        templates = {template.name: template for template in model.parsed_templates()}
        numbers: dict[str, dict[str, int]] = defaultdict(_numbering)
        rows: list[tuple[Template, Ints, Ints]] = []
        for name, (written, places) in _by_template(model).items():
            template = templates[name]
            columns = [
                np.fromiter(map(numbers[trait].__getitem__, values), np.int64, len(written))
                for (trait, _), values in zip(
                    template.parts, _columns(template, written), strict=True
                )
            ]
            rows.append((template, np.column_stack(columns), np.array(places)))
        unigrams, conjunctions = {}, []
        for template, values, attributes in rows:
            own = [len(numbers[trait]) for trait, _ in template.parts]
            if len(own) == 1:
                table = np.full(own[0] + 1, -1, dtype=np.int64)
                table[values[:, 0]] = attributes
                unigrams[template.parts[0]] = table
            else:
                conjunctions.append(Conjunction.of(template, own, values, attributes))
        vocabularies = {trait: dict(known) for trait, known in numbers.items()}
        return cls(vocabularies, unigrams, tuple(conjunctions))


def numbers_of(values: Sequence[str], vocabulary: Mapping[str, int]) -> Ints:
    """Return the number of each value, -1 where it is not known."""
    return np.array([vocabulary.get(value, -1) for value in values], dtype=np.int64)


def _numbering() -> dict[str, int]:
    """Return what gives each value that it is asked for a number, from 0."""
    return defaultdict(count().__next__)


def _by_template(model: CrfModel) -> dict[str, tuple[list[str], list[int]]]:
    """Return by template what is written behind its name, and the attributes' numbers."""
    found: dict[str, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
    for attribute, text in enumerate(model.attributes):
        name, _, value = text.partition(NAME_ENDS)
        written, places = found[name]
        written.append(value)
        places.append(attribute)
    return {f"{name}]": own for name, own in found.items()}


def _columns(template: Template, written: Sequence[str]) -> list[Sequence[str]]:
    """Return the values of each part; raise `SettingsError` where there are not just so many."""
    columns = [written]
    if len(template.parts) > 1:
        # Most have nothing escaped, and are parted the short way.
        rows = [template.values(text) if "\\" in text else text.split("|") for text in written]
        columns = list(zip(*rows, strict=True)) if len({*map(len, rows)}) == 1 else []
    if len(columns) != len(template.parts) or not all(map(all, columns)):
        raise SettingsError(
            f"has an attribute that is none of its template {template.name}", hint=AGAIN
        )
    return columns
