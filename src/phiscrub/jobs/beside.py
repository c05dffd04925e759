"""What stands beside the notes of a table and passes through, and whether it identifies too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from phiscrub.formats.choose import NAME
from phiscrub.formats.record import Reader, Record
from phiscrub.jobs.read import Entry
from phiscrub.jobs.sought import WORD, Sought
from phiscrub.jobs.work import Outcome

SAMPLE = 200  # rows that are looked at
LONGEST = 100_000  # characters of a cell that are looked at
WORDS = 15  # that a cell must have to look like a note
SHARE = 0.1  # of a column's cells that must look so
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
            tell(_shown(name))
    yield from found


class Beside:
    """Tells columns that hold what was removed from the note in their row.

    It looks at the first rows from which something was removed.
    """

    def __init__(self, reader: Reader, tell: Callable[[str], None]) -> None:
        self._reader, self._tell, self._left = reader, tell, SAMPLE

    def look(self, record: Record, outcomes: Sequence[Outcome]) -> None:
        """Look at a row."""
        if not self._left:
            return
        sought = Sought.of(record, outcomes)
        if not sought.words:
            return
        self._left -= 1
        cells = {name: cell[:LONGEST] for name, cell in self._reader.about(record).items()}
        for name in sought.found_in(cells):
            self._tell(_shown(name))


def _shown(name: str) -> str:
    return name if NAME.fullmatch(name) else NAMELESS
