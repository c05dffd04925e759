"""Days that a corpus leaves unmarked, marked by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.load import Declaration, build
from phiscrub.train.corpus import Corpus

DATE = "DATE"
RULES = {"use": "patterns", "packs": ["en/dates"], "only": [DATE]}
YEAR_APART = re.compile(r"[A-Za-z]+\.? \d{1,2} , [12]\d{3}")  # "March 15 , 1984"


def with_days(corpus: Corpus) -> Corpus:
    """Return a corpus with a mention of each date that English rules find and it leaves unmarked.

    Its label set knows the label DATE. Left alone, such dates would teach a model, which learns
    from other notes what a date is, that they are none.
    """
    made = build(Declaration("en", (RULES,)))

    def marked(own: Annotated) -> Annotated:
        found = made.explain(own.document).cover.mentions
        free = [one for one in found if not any(one.span.overlaps(m.span) for m in own.mentions)]
        days = _joined(own.document.text, free)
        mentions = sorted((*own.mentions, *days), key=lambda mention: mention.span.start)
        return replace(own, mentions=tuple(mentions))

    return replace(corpus, notes=tuple(map(marked, corpus.notes)))


def _joined(text: str, days: Iterable[Mention]) -> list[Mention]:
    """Join a year to the day before it, where columns have put a blank before the comma."""
    made: list[Mention] = []
    for day in days:
        before = made[-1].span if made else None
        if before is not None and YEAR_APART.fullmatch(text, before.start, day.span.end):
            made[-1] = replace(day, span=Span(before.start, day.span.end))
        else:
            made.append(day)
    return made
