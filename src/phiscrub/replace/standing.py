"""Tags that stand in a note already, of an earlier scrub: settled text, which nothing may cut."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from operator import attrgetter

from phiscrub.combine.ranked import left_over
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span

TAG = re.compile(r"\[([^\s\[\]]+?)(?:-([1-9][0-9]{0,8}))?\]")
FURTHER = 10  # than the note has tags of a label, an excerpt say; higher ones are identifiers


@dataclass(frozen=True, slots=True)
class Standing:
    """A tag at its place; `number` is 0 where it has none."""

    span: Span
    label: str
    number: int


def standing(text: str, labels: Container[str]) -> tuple[Standing, ...]:
    """Return the tags of a text, `[LABEL-1]` or `[LABEL]`, whose label is one of `labels`."""
    if "[" not in text:
        return ()
    found = [
        Standing(Span(*tag.span()), tag[1], int(tag[2] or 0))
        for tag in TAG.finditer(text)
        if tag[1] in labels
    ]
    many = Counter(tag.label for tag in found)
    return tuple(tag for tag in found if tag.number <= many[tag.label] + FURTHER)


def emptied(document: Document, tags: Iterable[Standing]) -> Document:
    """Return the document with blanks for what tags say, so that nobody reads it as words."""
    text, done = document.text, 0
    pieces: list[str] = []
    for start, end in ((tag.span.start + 1, tag.span.end - 1) for tag in tags):
        pieces += (text[done:start], " " * (end - start))
        done = end
    return replace(document, text="".join((*pieces, text[done:]))) if pieces else document


def spared(text: str, cover: Cover, tags: Iterable[Standing]) -> Cover:
    """Return what of a cover lies outside tags, less white space and punctuation at the cuts."""
    spans = [tag.span for tag in tags]
    left: list[Mention] = []
    for mention in cover:
        first = bisect_right(spans, mention.span.start, key=attrgetter("end"))
        last = bisect_left(spans, mention.span.end, key=attrgetter("start"))
        left += left_over(text, mention, spans[first:last])
    return Cover(tuple(left))
