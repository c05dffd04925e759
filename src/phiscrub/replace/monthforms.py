"""Months that are written alike in long and in short: `May` among `Apr` and `Jun` is short."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from phiscrub.replace.calendar import MONTHS, Calendar, Word
from phiscrub.replace.people import fold
from phiscrub.replace.written import MONTH, Field, Written


def in_one_form(calendar: Calendar, read: Sequence[Written | None]) -> tuple[Written | None, ...]:
    """Return a note's dates, months of several forms in the one that its other months are in."""
    seen = {month for one in read if one for month in _months(one)}

    def best(one: Written, field: Field) -> Field:
        if not _is_alone(one, field):
            return field
        word = fold(one.words[field.start : field.end])
        entries = calendar.words.get(word, ())
        forms = [e for e in entries if e.kind == MONTHS and e.language == entries[0].language]
        if len(forms) < 2 or field.form != forms[0]:  # noqa: PLR2004
            return field
        others = seen - {(word, field.value)}
        votes = {form: sum(_holds(form, *other) for other in others) for form in forms}
        return replace(field, form=max(forms, key=lambda form: votes[form]))

    return tuple(
        one and replace(one, fields=tuple(best(one, field) for field in one.fields)) for one in read
    )


def _months(one: Written) -> Iterator[tuple[str, int]]:
    for field in one.own:
        if _is_alone(one, field):
            yield fold(one.words[field.start : field.end]), field.value


def _is_alone(one: Written, field: Field) -> bool:
    """Tell whether a field is a month by its name and by itself, unlike that of `14-Mar`."""
    beside = one.words[max(0, field.start - 1) : field.start] + one.words[field.end :][:1]
    return field.kind == MONTH and field.form is not None and not re.search(r"[-/\d]", beside)


def _holds(form: Word, word: str, number: int) -> bool:
    return fold(form.forms[number - 1]) == word
