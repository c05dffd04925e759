"""What a network is trained on: notes as numbers, in rows that are read at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.schemes import OUTSIDE, Scheme
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.inputs import Encoder, Inputs, Shown, Type, TypeNumbers
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.windows import NONE, sliding
from phiscrub.train.architectures import Network
from phiscrub.train.examples import in_batches
from phiscrub.train.reading import Reading
from phiscrub.train.sources import Fresh

Ints = NDArray[np.int64]
POOL = 64  # batches whose sequences are sorted by length together


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Encoded notes in one row, as `Encoded` has them, with the number of each gold tag.

    `numbers` are those of all types. `chunk` tells mentions apart, 0 for none. `is_first` is
    where a token begins, which is everywhere but where digits are split. A tag of a label that
    training has not seen is -1: it can only be missed.
    """

    numbers: TypeNumbers = field(repr=False)
    type: NDArray[np.int32] = field(repr=False)
    notes: Ints = field(repr=False)
    starts: Ints = field(repr=False)
    is_first: NDArray[np.bool_] = field(repr=False)
    tags: Ints = field(repr=False)
    chunk: Ints = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Sequences or windows: `place` are their positions, one row behind the other, `tags` theirs.

    `starts` is int64 of shape ``[rows + 1]``. No row is empty.
    """

    place: Ints = field(repr=False)
    tags: Ints = field(repr=False)
    starts: Ints = field(repr=False)

    @property
    def lengths(self) -> Ints:
        """The length of each row."""
        return np.diff(self.starts)

    @classmethod
    def of(cls, positions: Positions, length: int, stride: int, outside: int) -> Rows:
        """Return sequences as they are, or windows of a `length`, if it is not 0.

        In a window, a phrase that its edge cuts is relabelled O (Kassaie 2016, section 3.3).
        """
        if not length:
            return cls(np.arange(len(positions.type)), positions.tags, positions.starts)
        windows = sliding(positions.starts, length, stride)
        there = windows != NONE
        chunk = np.where(there, positions.chunk[windows], 0)
        tags = positions.tags[windows]
        first, last = windows[:, 0], windows.max(axis=1)
        beyond = np.append(positions.chunk, 0)
        for inner, outer in ((first, first - 1), (last, last + 1)):
            own = positions.chunk[inner]
            is_cut = (own > 0) & (beyond[outer] == own)
            tags = np.where((chunk == own[:, None]) & is_cut[:, None], outside, tags)
        starts = np.append(0, np.cumsum(there.sum(axis=1)))
        return cls(windows[there], tags[there], starts)

    def matrix(self, rows: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Return places, tags and mask of some rows, ``[rows, longest]``; padding has 0."""
        lengths = self.lengths[rows]
        offsets = np.arange(lengths.max())
        mask = offsets < lengths[:, None]
        at = np.where(mask, self.starts[rows][:, None] + offsets, 0)
        return np.where(mask, self.place[at], 0), np.where(mask, self.tags[at], 0), mask

    def batches(self, size: int, rng: np.random.Generator, *, same_length: bool) -> list[Ints]:
        """Deal rows into batches at random, of like length or of the same."""
        order = rng.permutation(len(self.starts) - 1)
        lengths = self.lengths
        made: list[Ints] = []
        if same_length:
            by_length = order[np.argsort(lengths[order], kind="stable")]
            cuts = np.flatnonzero(np.diff(lengths[by_length])) + 1
            for group in np.split(by_length, cuts):
                made += [group[low : low + size] for low in range(0, len(group), size)]
        else:
            for low in range(0, len(order), size * POOL):
                pool = order[low : low + size * POOL]
                pool = pool[np.argsort(lengths[pool], kind="stable")]
                made += [pool[at : at + size] for at in range(0, len(pool), size)]
        return [made[at] for at in rng.permutation(len(made))]


def learn_inputs(
    readings: Sequence[Reading],
    shown: Sequence[Shown],
    traits: Traits,
    network: Network,
    *,
    sequence: str,
    min_count: int,
    sources: Sequence[int],
    given: Iterable[str] = (),
) -> Inputs:
    """List the words, characters and values that notes show, as far as the network reads them.

    `given` are words that are listed anyway, because there are vectors of them. Of the others,
    those of fewer than `min_count` of the notes' `sources` are not: a rare word can be a name.
    """
    words, characters = network.words, network.characters
    inputs = Inputs(
        traits=tuple(shown),
        lower=words.lower,
        digits=words.digits,
        longest=characters.longest,
        post_space=characters.post_space,
    )
    reads = Encoder(inputs, traits)
    seen_words, seen_characters = Counter[str](), Counter[str]()
    values = {one.trait: Counter[str]() for one in shown if not one.buckets}
    fresh_words, fresh_characters = Fresh(sources), Fresh(sources)
    fresh_values = {name: Fresh(sources) for name in values}
    done = 0
    for batch in in_batches(readings):
        own = sources[done : done + len(batch)]
        done += len(batch)
        for source, reading in zip(own, batch, strict=True):
            frame = Frame.of([reading.note], "note")
            types = reads.types_of(frame)
            words_there = {inputs.looked_up(word) for word, _ in types}
            seen_words.update(fresh_words.of(source, words_there))
            characters_there = {c for word, gap in types for c in word + gap}
            seen_characters.update(fresh_characters.of(source, characters_there))
        frame = Frame.of([reading.note for reading in batch], sequence)
        if values:
            columns = traits.columns(frame)
            note = np.repeat(np.arange(len(frame.notes)), np.diff(frame.note_starts))
            for name, counter in values.items():
                pairs = np.unique(np.stack([note, columns[name].ids]), axis=1).T.tolist()
                shows = columns[name].values  # in which a value may stand twice
                there: defaultdict[int, set[str]] = defaultdict(set)
                for n, i in pairs:
                    there[n].add(shows[i])
                for n, told in there.items():
                    counter.update(fresh_values[name].of(own[n], told))

    def kept(seen: Counter[str]) -> list[str]:
        ordered = sorted(seen.items(), key=lambda pair: (-pair[1], pair[0]))
        return [value for value, count in ordered if value and count >= min_count]

    listed = dict.fromkeys((*given, *kept(seen_words))) if words.dimension else ()
    return replace(
        inputs,
        words=tuple(listed),
        characters=tuple(kept(seen_characters)) if characters.dimension else (),
        traits=tuple(
            one if one.buckets else replace(one, values=tuple(kept(values[one.trait])))
            for one in shown
        ),
    )


def lay_out(
    readings: Sequence[Reading],
    encoder: Encoder,
    style: Scheme,
    tags: Sequence[str],
    sequence: str,
) -> Positions:
    """Encode notes for training or for figures, in batches."""
    known: dict[Type, int] = {}
    number = {tag: at for at, tag in enumerate(tags)}
    columns: dict[str, list[NDArray[Any]]] = {
        name: [] for name in ("type", "notes", "sizes", "is_first", "tags", "chunk")
    }
    chunks_done = 0
    for batch in in_batches(readings):
        frame = Frame.of([reading.note for reading in batch], sequence)
        encoded = encoder.encode(frame)
        ids = [known.setdefault(one, len(known)) for one in encoded.types]
        own = [tag for r in batch for tag in style.encode(r.note.tokens, r.gold)]
        written, chunk = _spread(own, frame.starts, encoded.firsts, len(encoded.type), style)
        is_first = np.zeros(len(encoded.type), dtype=np.bool_)
        is_first[encoded.firsts] = True
        columns["type"].append(np.array(ids, dtype=np.int32)[encoded.type])
        columns["notes"].append(encoded.notes)
        columns["sizes"].append(np.diff(encoded.starts))
        columns["is_first"].append(is_first)
        columns["tags"].append(np.array([number.get(t, NONE) for t in written], dtype=np.int64))
        columns["chunk"].append(np.where(chunk > 0, chunk + chunks_done, 0))
        chunks_done += int(chunk.max(initial=0))
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    starts = np.append(0, np.cumsum(joined.pop("sizes")))
    return Positions(numbers=encoder.numbers(tuple(known)), starts=starts, **joined)


def class_weights(
    positions: Positions, tags: Sequence[str], kind: str, weights: Callable[[str], float]
) -> NDArray[np.float32]:
    """Return what each tag counts in the loss: by its rarity, times its own weight.

    ``balanced`` is positions / (tags * positions of the tag), ``root`` the root of it; both are
    scaled so that the mean over positions is 1, as without.
    """
    counts = np.bincount(positions.tags[positions.tags >= 0], minlength=len(tags))
    shares = np.maximum(counts, 1) / max(1, counts.sum())
    power = {"": 0.0, "root": 0.5, "balanced": 1.0}[kind]
    own = shares**-power
    own *= counts.sum() / max(1.0, float((own * counts).sum()))
    return np.array(own * [weights(tag) for tag in tags], dtype=np.float32)


def _spread(
    tags: Sequence[str], starts: Ints, firsts: Ints, size: int, style: Scheme
) -> tuple[list[str], Ints]:
    """Write the tags of tokens at positions, sequence by sequence, and number their chunks."""
    bounds = np.append(firsts, size)
    written, chunk = [OUTSIDE] * size, np.zeros(size, dtype=np.int64)
    done = 0
    for low, high in pairwise(starts.tolist()):
        base, end = int(bounds[low]), int(bounds[high])
        found = [
            (int(bounds[low + a]) - base, int(bounds[low + b]) - base, label)
            for a, b, label in style.chunks(tags[low:high])
        ]
        written[base:end] = style.write(end - base, found)
        for first, last, _ in found:
            done += 1
            chunk[base + first : base + last] = done
    return written, chunk
