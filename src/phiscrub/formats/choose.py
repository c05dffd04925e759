"""Which columns of a table, or keys of a JSON line, hold what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.errors import InputError, MissingError
from phiscrub.formats.record import Options

TEXTS = frozenset(
    ("text", "note", "note_text", "notetext", "note_body", "report", "document", "content")
)
IDS = ("id", "note_id", "row_id")  # the first that is there
MENTIONS, COLUMN = "mentions", "column"
SPAN = (  # of an annotation a line: one name of each
    frozenset(("start", "begin", "start_offset", "start_char", "char_start", "offset_start")),
    frozenset(("end", "stop", "end_offset", "end_char", "char_end", "offset_end")),
    frozenset(("label", "type", "tag", "entity", "entity_type", "entity_label", "phi_type")),
)
NAME = re.compile(r"[^\W\d][\w .:/()#-]{0,39}")  # a column's name rather than a row's content
DIGITS = re.compile(r"\d.*\d")  # of a number: `Ward 7` may be a name
WORD = re.compile(r"[A-ZÅÄÖ]?[a-zåäöáéíóúñ]+|[A-Z]+(?![a-z])")  # in patientName too
HEADER = frozenset(  # words of which alone a column's name, and hardly a cell, is made
    (  # noqa: SIM905 - a list of words
        "id ids key code nr no num number mrn dob date day time datetime year timestamp text note "
        "notes report type class category status name patient subject encounter visit hadm row "
        "seq index author provider title body content document description comment comments "
        "history summary plan value label section dataset source file path age sex gender "
        "fecha nombre texto nota informe paciente tipo codigo numero edad sexo "
        "datum namn anteckning journal typ kod nummer kön ålder"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Columns:
    """The names in their order, and the positions of those that phiscrub reads.

    `texts` is in the table's order and never empty; `several` says that more than one is read,
    though a JSON record may lack some.
    """

    names: tuple[str, ...]
    texts: tuple[int, ...]
    id: int | None = None
    subject: int | None = None
    mentions: int | None = None
    several: bool = False

    def note_id(self, base: str, column: int) -> str:
        """Return the id of a row's note: the row's, with the column's name where there are more."""
        return f"{base}/{self.names[column]}" if self.several else base


def choose(
    names: Sequence[str], options: Options, noun: str = COLUMN, *, may_lack: bool = False
) -> Columns:
    """Find the columns that the options name, or the usual ones.

    `may_lack` says that one of the named texts is enough, and that names of other columns may be
    absent.

    Raises `MissingError` where a column is not there, and `InputError` where a name that is used
    stands twice or several columns could hold the notes: a column that is overlooked would leak.
    """
    wanted = options.text_columns or (_usual_text(names, noun),)
    there = [name for name in wanted if name in names] if may_lack else wanted
    named = (options.id_column, options.subject_column)
    own_id, subject = (None if may_lack and name not in names else name for name in named)
    return Columns(
        tuple(names),
        tuple(sorted({_find(names, name, noun) for name in there or wanted})),
        id=_maybe(names, own_id or _usual_id(names), noun),
        subject=_maybe(names, subject, noun),
        mentions=_maybe(names, MENTIONS if MENTIONS in names else None, noun),
        several=len(set(wanted)) > 1,
    )


def has_text(names: Sequence[str]) -> bool:
    """Tell whether one of the names is usual for a column of notes."""
    return any(name.lower() in TEXTS for name in names)


def _find(names: Sequence[str], wanted: str, noun: str) -> int:
    found = [index for index, name in enumerate(names) if name == wanted]
    if not found:
        raise MissingError(f"no {noun} {wanted!r}", hint=_shown(names, noun))
    if len(found) > 1:
        raise InputError(f"{len(found)} {noun}s are called {wanted!r}", hint="rename all but one")
    return found[0]


def _maybe(names: Sequence[str], wanted: str | None, noun: str) -> int | None:
    return None if wanted is None else _find(names, wanted, noun)


def _usual_text(names: Sequence[str], noun: str) -> str:
    lower = {name.lower() for name in names}
    if all(lower & part for part in SPAN):
        raise InputError(
            "is a list of annotations, without the notes that they are of",
            hint=f"give each note's as a JSON list under 'mentions' beside its text; where the "
            f"{noun}s are a note's, name the one that holds it with --column",
        )
    found = sorted({name for name in names if name.lower() in TEXTS})
    if len(found) > 1:
        raise InputError(
            f"{len(found)} {noun}s may hold the notes: {', '.join(found)}",
            hint="name the right ones with --column",
        )
    if not found:
        raise MissingError(
            f"no {noun} that is usual for notes",
            hint=f"name the right one with --column; {_shown(names, noun)}",
        )
    return found[0]


def _usual_id(names: Sequence[str]) -> str | None:
    lower = [name.lower() for name in names]
    return next((names[lower.index(name)] for name in IDS if name in lower), None)


def _is_usual(name: str) -> bool:
    words = WORD.findall(name)
    return bool(words) and all(word.lower() in HEADER for word in words)


def _is_header(names: Sequence[str]) -> bool:
    """Tell whether most names are usual, and none holds a number, as a row of data would."""
    return 2 * sum(map(_is_usual, names)) > len(names) and not any(map(DIGITS.search, names))


def _shown(names: Sequence[str], noun: str) -> str:
    """List the names, unless they look like a row of data, which may identify a patient.

    So may the first line of a table without a header: keys are names, whatever they are called.
    """
    proper = all(NAME.fullmatch(name) for name in names)
    if not proper or (names and noun == COLUMN and not _is_header(names)):
        return f"the {noun}s have no usual names: is there a header?"
    return f"the {noun}s are {', '.join(names)}" if names else f"there are no {noun}s"
