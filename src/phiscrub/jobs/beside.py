"""What stands beside the notes of a table and passes through, and whether it too is notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from phiscrub.formats.choose import NAME
from phiscrub.formats.record import Reader, Record
from phiscrub.jobs.read import Entry

SAMPLE = 200  # rows that are looked at
WORDS = 15  # that a cell must have to look like a note
SHARE = 0.1  # of a column's cells that must look so
WORD = re.compile(r"[^\W\d_]{2,}")
NAMELESS = "a column without a proper name"


def looked_at(
    found: Iterator[Entry], reader: Reader, tell: Callable[[str], None]
) -> Iterator[Entry]:
    """Yield the entries; behind the first rows, tell each column whose cells look like notes."""
    filled: Counter[str] = Counter()
    long: Counter[str] = Counter()
    for _, entry in zip(range(SAMPLE), found, strict=False):
        if isinstance(entry[1], Record):
            for name, cell in reader.about(entry[1]).items():
                filled[name] += bool(cell.strip())
                long[name] += len(WORD.findall(cell)) >= WORDS
        yield entry
    for name, count in long.items():
        if count and count >= SHARE * filled[name]:
            tell(name if NAME.fullmatch(name) else NAMELESS)
    yield from found
