"""Notes as what a trainer takes: the attributes of every token as numbers, and its tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.batches import by_size
from phiscrub.core.schemes import OUTSIDE, Scheme
from phiscrub.detect.tagging.attributes import template_of
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.templates import Template, attributes
from phiscrub.detect.tagging.traits import Traits
from phiscrub.train.reading import Reading

Row = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Sequenced:
    """One sequence: a row of attribute numbers a token, a tag a token, and whose note it is."""

    rows: tuple[Row, ...] = field(repr=False)
    tags: tuple[str, ...] = field(repr=False)
    note: int


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Sequences of notes; row entries are indices into `attributes`, each of one template."""

    attributes: tuple[str, ...] = field(repr=False)
    sequences: tuple[Sequenced, ...] = field(repr=False)
    notes: int

    @property
    def tokens(self) -> int:
        """How many tokens there are."""
        return sum(len(sequence.tags) for sequence in self.sequences)

    def seen(self) -> NDArray[np.int64]:
        """Return in how many notes each attribute stands."""
        counts = np.zeros(len(self.attributes), dtype=np.int64)
        last = np.full(len(self.attributes), -1, dtype=np.int64)  # the note that counted it last
        for sequence in self.sequences:
            here = np.unique(np.concatenate(sequence.rows))
            new = here[last[here] != sequence.note]
            counts[new] += 1
            last[new] = sequence.note
        return counts

    def of_templates(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return which attributes are of one of the named templates."""
        wanted = set(names)
        return np.array([template_of(text)[0] in wanted for text in self.attributes], dtype=bool)

    def written(self, keep: NDArray[np.bool_]) -> Iterator[tuple[list[list[str]], list[str]]]:
        """Yield the attributes of each sequence's tokens, as far as they are kept, and its tags."""
        names = self.attributes
        for sequence in self.sequences:
            rows = [[names[i] for i in row[keep[row]].tolist()] for row in sequence.rows]
            yield rows, list(sequence.tags)


def encode(
    readings: Sequence[Reading],
    templates: Sequence[Template],
    traits: Traits,
    scheme: Scheme,
    sequence: str,
    *,
    origins: Sequence[int] | None = None,
) -> Examples:
    """Write notes as examples, in batches, so that no more than one is there as strings.

    `origins` tells which of the notes are copies of one, side by side: they count as one note, or
    a rare word would be seen often.
    """
    whose = range(len(readings)) if origins is None else origins
    numbers: dict[str, int] = {}
    sequences: list[Sequenced] = []
    done = 0
    for batch in in_batches(readings):
        frame = Frame.of([reading.note for reading in batch], sequence)
        tags = [tag for r in batch for tag in scheme.encode(r.note.tokens, r.gold)]
        bounds = frame.starts.tolist()
        owner = np.searchsorted(frame.note_starts, frame.starts[:-1], side="right") - 1 + done
        for at, rows in enumerate(attributes(frame, traits, templates)):
            numbered = tuple(
                np.array([numbers.setdefault(text, len(numbers)) for text in row], dtype=np.int32)
                for row in rows
            )
            own = scheme.repair(tags[bounds[at] : bounds[at + 1]])  # a mention may be cut here
            sequences.append(Sequenced(numbered, tuple(own), whose[int(owner[at])]))
        done += len(batch)
    return Examples(tuple(numbers), tuple(sequences), len(set(whose)))


def known_tags(examples: Examples) -> frozenset[str]:
    """Return every tag that is used, `O` always."""
    return frozenset({OUTSIDE, *(tag for one in examples.sequences for tag in one.tags)})


def in_batches(readings: Sequence[Reading]) -> Iterator[list[Reading]]:
    """Return notes as many at a time as are worth laying out together."""
    return by_size(readings, lambda reading: len(reading.note.text))
