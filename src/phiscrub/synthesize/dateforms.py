"""The same days written in other forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from phiscrub.core.mention import Annotated
from phiscrub.replace.calendar import MONTHS, Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.written import DAY, MONTH, WEEKDAY, YEAR, YEAR2, Field, Written
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, edited
from phiscrub.synthesize.noise import runs_on
from phiscrub.synthesize.templates import read_table

JOINED = re.compile(r"(?:[\s,./–-]|(?<!\w)(?:of|the|de|del|den)(?!\w))*", re.I)
FULL, DAY_MONTH, MONTH_YEAR = "full", "day_month", "month_year"
KINDS = {
    frozenset({DAY, MONTH, YEAR}): FULL,
    frozenset({DAY, MONTH}): DAY_MONTH,
    frozenset({MONTH, YEAR}): MONTH_YEAR,
}
OWN = 0.8  # of a note's dates of one precision are in the form that the note was given


@dataclass(frozen=True, slots=True)
class DateForms:
    """Gives a note's dates another form, most of one precision the same.

    `hubs` gives each label's name in the hub set; `forms` are templates by precision, those in
    digits alone by the order of day and month. `rate` is the chance that a note's dates change.
    """

    calendar: Calendar
    hubs: Mapping[str, str]
    forms: Mapping[str, Sequence[str]]
    months: tuple[Sequence[str], Sequence[str]]  # long and short
    rate: float = 0.5

    @classmethod
    def of(cls, language: str, hubs: Mapping[str, str]) -> DateForms:
        """Load the forms of a language."""
        calendar = Calendar.load(language)
        short = next(
            word.forms
            for word in calendar.words[calendar.long_months[0][:3].lower()]
            if word.kind == MONTHS
        )
        forms = read_table(language, "forms")["dates"]
        return cls(calendar, hubs, forms, (calendar.long_months, short))

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with its dates in other forms."""
        if not draw.happens(self.rate):
            return note
        text, edges = note.document.text, Edges.of(note)
        spans = [m.span for m in note.mentions if self.hubs.get(m.label) == "DATE"]
        dates = Dates.of(self.calendar, [text[s.start : s.end] for s in spans])
        day_first = dates.reader.day_first
        if day_first is None:
            day_first = self.calendar.language != "en"
        own: dict[str, str] = {}
        edits = []
        for index, span in enumerate(spans):
            written = dates.written[index][1]
            read = None if written is None else _stretch(written)
            if written is None or read is None:
                continue
            kind, start, end = read
            forms = (*self.forms[kind], *self.forms[f"{kind}_{'dm' if day_first else 'md'}"])
            form = own.setdefault(kind, draw.choice(forms))
            if not draw.happens(OWN):
                form = draw.choice(forms)
            words = self._written(form, written, dates.references[index])
            if words is None:
                continue
            was = written.words[start:end]
            words = words.upper() if was.isupper() else words.lower() if was.islower() else words
            place = span.start + start, span.start + end
            if not _would_run_on(text, *place, words, edges):
                edits.append(Edit(*place, words))
        return edited(note, edits)

    def _written(self, form: str, written: Written, reference: date) -> str | None:
        """Write the fields of a date in a form; nothing where a day is none of its month."""
        month, day = written.value(MONTH) or 1, written.value(DAY) or 1
        year = written.year or reference.year
        try:
            date(year, month, day)
        except ValueError:
            return None
        long, short = self.months
        return form.format(
            d=day,
            dd=f"{day:02}",
            th=f"{day}{_ordinal(day)}",
            m=month,
            mm=f"{month:02}",
            Month=long[month - 1],
            Mon=short[month - 1],
            yyyy=year,
            yy=f"{year % 100:02}",
        )


def _stretch(written: Written) -> tuple[str, int, int] | None:
    """Return the precision of a date and where its day, month and year stand, if nothing else."""
    fields = [field for field in written.fields if field.kind != WEEKDAY]
    names = [YEAR if field.kind == YEAR2 else field.kind for field in fields]
    kind = KINDS.get(frozenset(names))
    if kind is None or len(set(names)) < len(names) or any(f.spoken for f in fields):
        return None
    between = _between(written, fields)
    start, end = fields[0].start, fields[-1].end
    alone = all(JOINED.fullmatch(part) for part in between)
    within = all(not start <= f.start < end for f in written.fields if f.kind == WEEKDAY)
    return (kind, start, end) if alone and within else None


def _between(written: Written, fields: Sequence[Field]) -> list[str]:
    ends = [field.end for field in fields[:-1]]
    starts = [field.start for field in fields[1:]]
    return [written.words[a:b] for a, b in zip(ends, starts, strict=True)]


def _would_run_on(text: str, start: int, end: int, words: str, edges: Edges) -> bool:
    """Tell whether other words here would become one with what stands beside the mention."""
    before = edges.at(start) and start > 0 and runs_on(text[start - 1], words[0])
    after = edges.at(end) and end < len(text) and runs_on(words[-1], text[end])
    return before or after


def _ordinal(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
