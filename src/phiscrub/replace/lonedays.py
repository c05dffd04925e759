"""Days without a month, `on the 29th`: each is in the month that its note most likely means."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from phiscrub.replace.shifted import clamped, day_of
from phiscrub.replace.together import is_joint
from phiscrub.replace.written import DAY, MONTH, WEEKDAY, Written

BACK = timedelta(10)  # how far a note goes behind its last date: mostly it goes on
DAY_LONG = timedelta(1)
TWO_MONTHS = 62  # days
Span = tuple[date, date]


def settled(
    read: Sequence[Written | None],
    references: Sequence[date],
    behind: Sequence[str],
    apart: Sequence[bool],
    *,
    dated: bool,
) -> tuple[date, ...]:
    """Return the days that a note's dates lean on, of lone days the first of their month.

    A lone day leans on what follows where the words join both (`the 14th and 16th of March`) or no
    date is before it, else on what is before it; never on a date that is `apart`. `dated` tells
    whether the note has a year, so that a weekday tells the month.
    """
    spans = [_span(one, near) if one else None for one, near in zip(read, references, strict=True)]
    first = next((i for i, span in enumerate(spans) if span and not apart[i]), len(read))
    after: list[Span | None] = [None] * (len(read) + 1)
    for index in range(len(read) - 1, -1, -1):
        one, near = read[index], after[index + 1] if index < first else None
        if index + 1 < len(read) and is_joint(behind[index]):
            near = spans[index + 1] or near
        if near and one and _is_lone(one):
            last = max(near[0] + BACK, near[1])
            spans[index] = _likeliest(one, [_until(last, one)], dated=dated)
        after[index] = after[index + 1] if apart[index] else spans[index] or after[index + 1]
    before: Span | None = None
    for index, one in enumerate(read):
        if one and _is_lone(one) and spans[index] is None:
            near = before and _onward(one, before, after[index + 1], dated=dated)
            spans[index] = near = near or _in_month(one, references[index])
            before = (before or near)[0], near[1]
        elif not apart[index]:
            before = spans[index] or before
    return tuple(
        span[0].replace(day=1) if span and one and _is_lone(one) else near
        for one, span, near in zip(read, spans, references, strict=True)
    )


def _is_lone(written: Written) -> bool:
    kinds = {field.kind for field in written.fields}
    return DAY in kinds and kinds <= {DAY, WEEKDAY}


def _span(written: Written, near: date) -> Span | None:
    """Return the first and last day of a date that tells its month, None for others."""
    if written.value(MONTH) is None:
        return None
    fields = [field for field in written.own if field.kind == DAY] or written.fields
    days = [day_of(written, field, near) for field in fields]
    if written.value(DAY) is not None:
        return days[0], days[-1]
    return days[0].replace(day=1), days[-1].replace(
        day=monthrange(days[-1].year, days[-1].month)[1]
    )


def _in_month(written: Written, near: date) -> Span:
    """Return a lone day of the month of another."""
    day = clamped(near.year, near.month, written.value(DAY) or 1)
    return day, day


def _onward(written: Written, before: Span, after: Span | None, *, dated: bool) -> Span:
    """Return the day that is meant behind another.

    It is between the date that is before it and the last lone day since, or between that and the
    date behind it, if these are within two, or else the first from `BACK` before.
    """
    last = before[1]
    places = [before]
    if after and 0 <= (after[0] - last).days <= TWO_MONTHS:
        places.append((last, after[0]))
    days = [day for first, end in places if (day := _since(first, written)) <= end]
    return _likeliest(written, [*days, _since(last - BACK, written)], dated=dated)


def _likeliest(written: Written, days: Sequence[date], *, dated: bool) -> Span:
    """Return the first of the days, or the first that is the weekday that is written."""
    weekday = written.value(WEEKDAY) if dated else None
    beside = [_since(days[0] + DAY_LONG, written), _until(days[0] - DAY_LONG, written)]
    day = min([*days, *beside], key=lambda day: weekday not in (None, day.weekday()))
    return day, day


def _since(day: date, written: Written) -> date:
    """Return the first day of the number that is written from a day on."""
    days = (day + timedelta(step) for step in range(TWO_MONTHS))
    return next(one for one in days if one.day == written.value(DAY))


def _until(day: date, written: Written) -> date:
    """Return the last day of the number that is written up to a day."""
    days = (day - timedelta(step) for step in range(TWO_MONTHS))
    return next(one for one in days if one.day == written.value(DAY))
