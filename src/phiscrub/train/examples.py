"""Notes as what a trainer takes: the attributes of every token as numbers, and its tag."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.batches import by_size
from phiscrub.core.schemes import OUTSIDE, Scheme
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.templates import Template, coded
from phiscrub.detect.tagging.traits import Traits
from phiscrub.train.reading import Reading

NONE = -1  # where a template shows nothing at a token
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Sequences of notes, one behind the other.

    `shown`, int32 of shape ``[tokens, templates]``, are numbers of `attributes`, and `template`
    says of which column each attribute is. `tags` are numbers of `tag_names`, in which O comes
    first. Sequence ``s`` has the tokens ``starts[s]`` to ``starts[s + 1]`` and is of the source
    ``sources[s]``: a note, or all notes of a patient.
    """

    templates: tuple[str, ...]
    attributes: tuple[str, ...] = field(repr=False)
    template: NDArray[np.int32] = field(repr=False)
    shown: NDArray[np.int32] = field(repr=False)
    tag_names: tuple[str, ...]
    tags: Ints = field(repr=False)
    starts: Ints = field(repr=False)
    sources: Ints = field(repr=False)

    def seen(self) -> Ints:
        """Return of how many sources each attribute stands in a note."""
        counts = np.zeros(len(self.attributes) + 1, dtype=np.int64)  # the last is for none
        changes = np.flatnonzero(np.diff(self.sources)) + 1
        firsts = [0, *changes.tolist(), len(self.sources)]
        runs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for first, end in pairwise(firsts):
            if first < end:
                runs[int(self.sources[first])].append((self.starts[first], self.starts[end]))
        for places in runs.values():
            counts[np.unique(np.concatenate([self.shown[low:high] for low, high in places]))] += 1
        return counts[:-1]

    def of_templates(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return which attributes are of one of the named templates."""
        wanted = set(names)
        return np.array([name in wanted for name in self.templates], dtype=bool)[self.template]

    def written(self, keep: NDArray[np.bool_]) -> Iterator[tuple[list[list[str]], list[str]]]:
        """Yield the attributes of each sequence's tokens, as far as they are kept, and its tags."""
        names, tags = self.attributes, self.tag_names
        kept = np.append(keep, [False])
        for low, high in pairwise(self.starts.tolist()):
            rows = [[names[i] for i in row[kept[row]].tolist()] for row in self.shown[low:high]]
            yield rows, [tags[tag] for tag in self.tags[low:high].tolist()]


def encode(
    readings: Sequence[Reading],
    templates: Sequence[Template],
    traits: Traits,
    scheme: Scheme,
    sequence: str,
    *,
    sources: Sequence[int] | None = None,
) -> Examples:
    """Write notes as examples, in batches, so that no more than one is there as strings.

    `sources` tells which of the notes count as one, being copies of it or of one patient: or a rare
    word would be seen often.
    """
    whose = np.arange(len(readings)) if sources is None else np.array(sources, dtype=np.int64)
    numbers: list[dict[str, int]] = [{} for _ in templates]  # of each template's attributes
    tag_numbers = {OUTSIDE: 0}
    shown, tags, lengths, owners = [], [], [np.zeros(1, dtype=np.int64)], []
    done = 0
    for batch in in_batches(readings):
        frame = Frame.of([reading.note for reading in batch], sequence)
        shown.append(_numbered(coded(frame, traits, templates), numbers, len(frame)))
        own = [tag for r in batch for tag in scheme.encode(r.note.tokens, r.gold)]
        for low, high in pairwise(frame.starts.tolist()):  # a mention may be cut here
            repaired = scheme.repair(own[low:high])
            tags += [tag_numbers.setdefault(tag, len(tag_numbers)) for tag in repaired]
        lengths.append(np.diff(frame.starts))
        owner = np.searchsorted(frame.note_starts, frame.starts[:-1], side="right") - 1 + done
        owners.append(whose[owner])
        done += len(batch)
    sizes = [len(own) for own in numbers]
    table = np.concatenate(shown) if shown else np.zeros((0, len(templates)), dtype=np.int32)
    before = np.append(0, np.cumsum(sizes)[:-1]).astype(np.int32)
    np.add(table, before, out=table, where=table != NONE)
    return Examples(
        templates=tuple(template.name for template in templates),
        attributes=tuple(text for own in numbers for text in own),
        template=np.repeat(np.arange(len(templates), dtype=np.int32), sizes),
        shown=table,
        tag_names=tuple(tag_numbers),
        tags=np.array(tags, dtype=np.int64),
        starts=np.cumsum(np.concatenate(lengths)),
        sources=np.concatenate(owners) if owners else np.zeros(0, dtype=np.int64),
    )


def in_batches(readings: Sequence[Reading]) -> Iterator[list[Reading]]:
    """Return notes as many at a time as are worth laying out together."""
    return by_size(readings, lambda reading: len(reading.note.text))


def _numbered(
    told: Sequence[tuple[list[str], Ints]], numbers: Sequence[dict[str, int]], tokens: int
) -> NDArray[np.int32]:
    """Return a column a template: which of its attributes each token shows; `numbers` grow."""
    table = np.empty((tokens, len(told)), dtype=np.int32)
    for column, ((texts, ids), known) in enumerate(zip(told, numbers, strict=True)):
        own = [known.setdefault(text, len(known)) if text else NONE for text in texts]
        table[:, column] = np.array(own, dtype=np.int32)[ids]
    return table
