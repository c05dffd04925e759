"""Mentions as JSON, as tables and JSON lines hold them.

A list of objects with `start` and `end` (characters of the text, half-open), `label`, and where
known `score` and `source`; `column` says which text is meant where a row has several. Lists of
other programs (doccano, spaCy, Prodigy, Label Studio's JSON-MIN) are read by their usual shapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.core.wording import listed

OTHERS = ("label", "labels", "entities", "spans")  # what other programs call their lists
ANSWER = "answer"  # what the annotator made of a task of Prodigy's
DECLINED = ("reject", "ignore")
TRIPLE = 3  # start, end, label
WHERE = (
    f"in JSON they are read under one of {listed(('mentions', *OTHERS))}, in tables in the column "
    "mentions, beside text files in .ann files"
)
HINT = "it must be a JSON list of objects with start, end and label"


def parse_mentions(cell: str) -> object:
    """Return the JSON in a table's cell, an empty list where it is empty."""
    if not cell.strip():
        return []
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise AnnotationError("the mentions are not JSON", hint=HINT) from None


def read_mentions(value: object, columns: Sequence[str]) -> dict[str, tuple[Mention, ...]]:
    """Turn parsed JSON into the mentions of each text column; null stands for none.

    Raises `AnnotationError` where a member is missing, of the wrong type or out of range.
    """
    found: dict[str, list[Mention]] = {name: [] for name in columns}
    if not isinstance(value, list | None):
        raise AnnotationError("the mentions are not a list", hint=HINT)
    for number, item in enumerate(value or (), 1):
        if not isinstance(item, dict):
            raise AnnotationError(f"mention {number} is not an object", hint=HINT)
        known = {key: member for key, member in item.items() if member is not None}
        column = known.get("column", columns[0] if len(columns) == 1 else None)
        if not isinstance(column, str) or column not in found:
            raise AnnotationError(f"mention {number} is of no text column that is read", hint=HINT)
        found[column].append(_mention(known, number))
    return {name: tuple(mentions) for name, mentions in found.items()}


def are_mentions(value: object) -> bool:
    """Tell whether a value under another program's key is its list of mentions.

    The same keys hold the class of a whole text, or words, which are nobody's mentions.
    """
    return isinstance(value, list) and any(
        (isinstance(item, list) and len(item) == TRIPLE and isinstance(item[-1], str))
        or (isinstance(item, dict) and ("start" in item or "start_offset" in item))
        for item in value
    )


def usual_mentions(value: object) -> object:
    """Return a list of another program's mentions as one of ours; what is odd in it stays so."""
    return [_usual(item) for item in value] if isinstance(value, list) else value


def _usual(item: object) -> object:
    if isinstance(item, list) and len(item) == TRIPLE:
        return dict(zip(("start", "end", "label"), item, strict=True))
    if not isinstance(item, dict):
        return item
    labels = item.get("labels")
    lone = labels[0] if isinstance(labels, list) and len(labels) == 1 else None
    return {
        "start": item.get("start", item.get("start_offset")),
        "end": item.get("end", item.get("end_offset")),
        "label": item.get("label", lone),
    }


def write_mentions(mentions: Iterable[tuple[str, Mention]], columns: Sequence[str]) -> str:
    """Turn ``(column, mention)`` pairs into JSON, by column and place."""
    order = {name: index for index, name in enumerate(columns)}
    items: list[dict[str, object]] = []
    for column, mention in sorted(mentions, key=lambda pair: (order[pair[0]], pair[1].key)):
        item: dict[str, object] = {} if len(columns) == 1 else {"column": column}
        item |= {"start": mention.span.start, "end": mention.span.end, "label": mention.label}
        item |= {"score": mention.score, "source": mention.source}
        items.append(item)
    return json.dumps(items, ensure_ascii=False)


def _mention(item: dict[str, object], number: int) -> Mention:
    start, end, label = item.get("start"), item.get("end"), item.get("label")
    score, source = item.get("score", 1.0), item.get("source", "gold")
    if not _is_number(start, int) or not _is_number(end, int):
        raise AnnotationError(f"start or end of mention {number} is not a whole number", hint=HINT)
    if not isinstance(label, str) or not label or not isinstance(source, str):
        raise AnnotationError(f"label or source of mention {number} is not a word", hint=HINT)
    if not _is_number(score, int | float) or not 0 < score <= 1:  # type: ignore[operator]
        raise AnnotationError(f"score of mention {number} is not in (0, 1]", hint=HINT)
    return Mention(Span(start, end), label, float(score), source)  # type: ignore[arg-type]


def _is_number(value: object, kind: type | object) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)  # type: ignore[arg-type]
