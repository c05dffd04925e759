"""Recall by the type of note: systems that do well on one type can leak in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phiscrub.evaluate.masking import ALL, DOCUMENTS, ENTITIES, TOKENS, Masking
from phiscrub.evaluate.sample import Sample, subjects_of
from phiscrub.evaluate.tally import Tally

UNTYPED = ""  # the type of documents that have none


@dataclass(frozen=True, slots=True)
class TypeRow:
    """What was masked in the documents of one type, label-blind, one row a document.

    `tokens` are those of the i2b2 tokenizer, `entities` and `documents` are hit where nothing
    is left of them; `size` is how many documents there are, those without PHI too. `subjects`
    are the patients of the documents, None where none is known.
    """

    size: int
    tokens: Tally
    entities: Tally
    documents: Tally
    subjects: tuple[str | None, ...] | None


def by_type(samples: Sequence[Sample], masking: Masking) -> dict[str, TypeRow]:
    """Count by type, most leaking entities first; nothing where no document has a type.

    `masking` is that of the same samples.
    """
    kinds = np.array([sample.kind or UNTYPED for sample in samples], dtype=np.str_)
    rows = {}
    for kind in sorted(set(kinds.tolist())):
        at = np.flatnonzero(kinds == kind)
        names = tuple(samples[place].id for place in at.tolist())
        subjects = subjects_of(samples[place] for place in at.tolist())
        tokens, entities, documents = (
            Tally(names, masking.tallies[measure, ALL].table[at])
            for measure in (TOKENS, ENTITIES, DOCUMENTS)
        )
        rows[kind] = TypeRow(len(names), tokens, entities, documents, subjects)
    if set(rows) <= {UNTYPED}:
        return {}
    return dict(sorted(rows.items(), key=lambda row: (-row[1].entities.total.missed, row[0])))
