from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.record import Record
from phiscrub.jobs.beside import LONGEST, SAMPLE, Beside
from phiscrub.jobs.work import Outcome

TEXT = "Ann Ortiz-Lee, 3/14/2019"
NAME, DATE = Mention(Span(0, 13), "PATIENT"), Mention(Span(15, 24), "DATE")


def told(
    cells: dict[str, str], *found: Mention, kept: tuple[Mention, ...] = (), rows: int = 1
) -> Any:
    note = Annotated(Document("a", TEXT))
    seen: list[str] = []
    asked: list[int] = []
    reader: Any = SimpleNamespace(about=lambda _: asked.append(1) or cells)
    beside = Beside(reader, seen.append)
    for _ in range(rows):
        beside.look(Record((note,)), [Outcome(note, found, kept)])
    return seen, len(asked)


def test_names_are_sought_whole_and_in_parts_whatever_their_case() -> None:
    cells = {"last": "ORTIZ", "full": "Lee, Ann ortiz-lee", "x": "Ortizo", "first": "Ann"}
    assert told(cells, NAME)[0] == ["last", "full"]  # three letters are met by chance


def test_what_a_policy_keeps_is_not_sought() -> None:
    cells = {"seen": "on 3/14/2019", "by": "Ann Ortiz-Lee"}
    assert told(cells, NAME, DATE)[0] == ["seen", "by"]
    assert told(cells, NAME, DATE, kept=(DATE,))[0] == ["by"]


def test_days_are_sought_however_they_are_written() -> None:
    cells = {
        "a": "2019-03-14",
        "b": "2019-03-14 08:00:00",
        "c": "03/14/2019",
        "d": "14-MAR-19",
        "e": "Ann 417 20190314",
        "f": "14.3.2019",
        "g": "14 de marzo de 2019",
        "x": "2019-03-15",
        "y": "2019-04-13",
        "z": "March 2019",
    }
    assert told(cells, DATE)[0] == list("abcdefg")
    assert told({"a": "2019-03-14"}, Mention(Span(15, 19), "DATE"))[0] == []


def test_only_the_first_rows_and_characters_are_looked_at() -> None:
    cells = {"long": " " * LONGEST + "Ortiz"}
    assert told(cells, NAME, rows=SAMPLE + 9) == ([], SAMPLE)
    assert told(cells, rows=3) == ([], 0)
