"""Every error that phiscrub raises on purpose, as one tree.

    PhiscrubError                 what, where, what to do; exit code 1
    ├── InputError                something that was read is not as it should be; 2
    │   ├── EncodingError         bytes that are not text in the encoding
    │   ├── AnnotationError       offsets, tags or labels that do not fit the text
    │   │   └── OffsetError       an offset behind or before the text; an IndexError too
    │   ├── NoTextError           what should be a text is something else; a TypeError too
    │   └── MissingError          a file, a column or a member that is not there
    ├── SettingsError             a pipeline, pack, label set or option is wrong; 2
    │   └── LabelError            a label that the label set does not have; 2
    ├── QuarantinedError          the run ended, but some notes were kept back; 3
    ├── OutputError               something could not be written; 4
    └── StoppedError              the user stopped the run; 130
        └── TerminatedError       the system did, by SIGTERM; 143

A message never holds text of a note: it names the place, and the reader looks there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is: a file, and a line (from 1), character offset (from 0) or record."""

    path: str | None = None
    line: int | None = None
    offset: int | None = None
    record: str | None = None

    def __str__(self) -> str:
        parts = [] if self.path is None else [self.path]
        if self.record is not None:
            parts.append(f"record {self.record}")
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.offset is not None:
            parts.append(f"offset {self.offset}")
        return ", ".join(parts)


class PhiscrubError(Exception):
    """One clear line: where, what, and what to do about it."""

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, *, where: Place | str | None = None, hint: str = "") -> None:
        self.what = what
        self.where = Place(where) if isinstance(where, str) else where
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        place = str(self.where or "")
        line = f"{place}: {self.what}" if place else self.what
        line = f"{line}; {self.hint}" if self.hint else line
        return " ".join(line.split())

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.where, self.hint)

    def at(self, where: Place) -> PhiscrubError:
        """Return the same error, placed; a place that it already has is kept."""
        return self if self.where else type(self)(self.what, where=where, hint=self.hint)


def _rebuild(kind: type[PhiscrubError], what: str, where: Place, hint: str) -> PhiscrubError:
    return kind(what, where=where, hint=hint)


def raised_in(error: Exception) -> str:
    """Return the module and line where an error was raised: all of it that tells no text."""
    trace, place = error.__traceback__, "unknown"
    while trace is not None:
        place = f"{trace.tb_frame.f_globals.get('__name__')}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


class InputError(PhiscrubError):
    """Something that was read is not as it should be."""

    exit_code = 2


class EncodingError(InputError):
    """Bytes that are not text in the encoding that was named or detected."""


class AnnotationError(InputError):
    """Offsets, tags or labels that do not fit the text that they annotate."""


class OffsetError(AnnotationError, IndexError):
    """An offset that is behind or before the text."""


class NoTextError(InputError, TypeError):
    """What should be a text is something else."""


class MissingError(InputError):
    """A file, a column or a member that should be there and is not."""


class SettingsError(PhiscrubError):
    """A pipeline, a pack, a label set or an option is not as it should be."""

    exit_code = 2


class LabelError(SettingsError):
    """A label that the label set does not have."""


class QuarantinedError(PhiscrubError):
    """The run ended, but some notes were kept back because they could not be processed."""

    exit_code = 3


class OutputError(PhiscrubError):
    """Something could not be written."""

    exit_code = 4


class StoppedError(PhiscrubError):
    """The user stopped the run."""

    exit_code = 130


class TerminatedError(StoppedError):
    """The system stopped the run, by SIGTERM."""

    exit_code = 143
