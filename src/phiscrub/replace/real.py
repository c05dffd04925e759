"""Words that lead to one real patient, so that no surrogate for another may be one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.document import Subject
from phiscrub.detect.subjects import read_subjects
from phiscrub.replace.people import bare, fold, naming

NAMES = frozenset({"PATIENT", "DOCTOR"})
# What may well stand in a note for another reason, or stays on purpose.
UNCHECKED = frozenset(
    {"AGE", "DATE", "PROFESSION", "DEPARTMENT", "ROOM", "COUNTRY", "STATE", "OTHER"}
)
LEAST_DIGITS = 5  # shorter numbers are many people's
MOST_ATTEMPTS = 50  # to find a name or number that is nobody's
BYTES = 8


def tells_apart(hub: str, words: str) -> bool:
    """Tell whether words alone lead to one person: a full name, a long number."""
    if hub in NAMES:
        return len(_parts(words)) > 1
    return hub not in UNCHECKED and sum(map(str.isdecimal, words)) >= LEAST_DIGITS


@dataclass(frozen=True, slots=True, eq=False)
class Real:
    """The names and numbers of known patients, 8 bytes each; without any, nothing is real.

    Two parts of one name in whatever order are a name; of a number letters and digits count.
    """

    _hashes: NDArray[np.uint64] = field(
        default_factory=lambda: np.empty(0, dtype=np.uint64), repr=False
    )

    @classmethod
    def of(cls, subjects: Iterable[Subject]) -> Self:
        """Take what is known of patients, by labels of the hub set."""
        known = (_hash(key) for s in subjects for hub, words in s.known for key in keys(hub, words))
        return cls(np.unique(np.fromiter(known, dtype=np.uint64)))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a table of patients; raise as `read_subjects`."""
        return cls.of(read_subjects(path).values())

    def __bool__(self) -> bool:
        return len(self._hashes) > 0

    def has(self, key: str) -> bool:
        """Tell whether one of `keys` is some patient's."""
        own = _hash(key)
        at = int(np.searchsorted(self._hashes, own))
        return at < len(self._hashes) and int(self._hashes[at]) == own

    def holds(self, hub: str, words: str) -> bool:
        """Tell whether words are a name or number of some patient."""
        return bool(self) and any(map(self.has, keys(hub, words)))


def keys(hub: str, words: str) -> Iterator[str]:
    """Yield what words are looked up by, nothing where they lead to nobody.

    Of a name it is each two of its parts, parted by a blank.
    """
    if not tells_apart(hub, words):
        return
    if hub in NAMES:
        yield from (" ".join(sorted(two)) for two in combinations(_parts(words), 2))
    else:
        yield "".join(filter(str.isalnum, fold(words)))


def _parts(words: str) -> list[str]:
    """Return the parts of a name, without titles and initials."""
    parts = [bare(words[start:end]) for start, end in naming(words)]
    return [part for part in parts if len(part) > 1]


def _hash(key: str) -> int:
    told = key.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=BYTES).digest(), "big")
