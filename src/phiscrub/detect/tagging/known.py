"""A model's attributes as numbers: the values of each trait, and what they stand for where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.detect.tagging.conjunctions import Conjunction
from phiscrub.detect.tagging.model import CrfModel, template_of
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
        numbers: dict[str, dict[str, int]] = defaultdict(dict)
        attributes: dict[str, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
        for attribute, text in enumerate(model.attributes):
            name, written = template_of(text)
            parts, values = templates[name].parts, templates[name].values(written)
            if len(values) != len(parts) or not all(values):
                raise SettingsError(
                    f"has an attribute that is none of its template {name}",
                    hint=AGAIN,
                )
            seen = [numbers[trait] for trait, _ in parts]
            row = tuple(n.setdefault(v, len(n)) for n, v in zip(seen, values, strict=True))
            attributes[name].append((row, attribute))
        sizes = {trait: len(known) for trait, known in numbers.items()}
        unigrams, conjunctions = {}, []
        for name, found in attributes.items():
            template = templates[name]
            rows, places = np.array([row for row, _ in found]), np.array([n for _, n in found])
            if len(template.parts) == 1:
                table = np.full(sizes[template.parts[0][0]] + 1, -1, dtype=np.int64)
                table[rows[:, 0]] = places
                unigrams[template.parts[0]] = table
            else:
                own = [sizes[trait] for trait, _ in template.parts]
                conjunctions.append(Conjunction.of(template, own, rows, places))
        return cls(dict(numbers), unigrams, tuple(conjunctions))


def numbers_of(values: Sequence[str], vocabulary: Mapping[str, int]) -> Ints:
    """Return the number of each value, -1 where it is not known."""
    return np.array([vocabulary.get(value, -1) for value in values], dtype=np.int64)
