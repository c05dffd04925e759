"""How far annotators of the same documents agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from phiscrub.core.contracts import Tokenizer
from phiscrub.core.counts import Counts, ratio
from phiscrub.core.document import Document
from phiscrub.core.span import Span
from phiscrub.evaluate.sample import Mark
from phiscrub.evaluate.tally import compared

OUTSIDE = "O"
RATERS = 2  # the fewest that can agree


@dataclass(frozen=True, slots=True)
class Joint:
    """A document with the marks of each annotator, in one order; None who did not annotate it."""

    id: str
    text: str = field(repr=False)
    sides: tuple[tuple[Mark, ...] | None, ...] = field(repr=False)


def entity_counts(documents: Sequence[Joint], first: int, second: int) -> Counts:
    """Count exact matches of two annotators, the first taken as gold; its F1 takes no side.

    Documents that one of them did not annotate are left out.
    """
    total = Counts()
    for document in documents:
        one, other = document.sides[first], document.sides[second]
        if one is not None and other is not None:
            total += Counts(*compared(set(one), set(other)))
    return total


def kappa(
    documents: Sequence[Joint], first: int, second: int, tokenizer: Tokenizer
) -> float | None:
    """Return Cohen's kappa of two annotators over token labels; None without variation.

    A token has the label of the first mark that shares a character with it, else none. Source:
    Cohen 1960.
    """
    pairs = Counter(
        (one, other)
        for labels in ratings(documents, tokenizer)
        if (one := labels[first]) is not None and (other := labels[second]) is not None
    )
    size = pairs.total()
    left, right = Counter[str](), Counter[str]()
    for (one, other), count in pairs.items():
        left[one] += count
        right[other] += count
    agreed = sum(count for (one, other), count in pairs.items() if one == other)
    # In whole numbers, so that perfect agreement is 1 exactly.
    chance = sum(left[label] * right[label] for label in left)
    return ratio(agreed * size - chance, size * size - chance)


def alpha(documents: Sequence[Joint], tokenizer: Tokenizer) -> float | None:
    """Return Krippendorff's nominal alpha over token labels; None without variation.

    Takes any number of annotators; tokens that fewer than two of them saw are left out. Source:
    Krippendorff 2011, Computing Krippendorff's alpha-reliability.
    """
    totals: Counter[str] = Counter()
    apart = 0.0  # pairs of different labels within a token, by the formula's weights
    for labels in ratings(documents, tokenizer):
        given = Counter(label for label in labels if label is not None)
        size = given.total()
        if size >= RATERS:
            totals += given
            apart += (size * size - sum(n * n for n in given.values())) / (size - 1)
    size = totals.total()
    expected = size * size - sum(n * n for n in totals.values())
    share = ratio(apart * (size - 1), expected)
    return None if share is None else 1 - share


def ratings(documents: Sequence[Joint], tokenizer: Tokenizer) -> Iterator[tuple[str | None, ...]]:
    """Yield every token's label by each annotator; None where there is no annotation."""
    notes = tokenizer.tokenize([Document(document.id, document.text) for document in documents])
    for document, note in zip(documents, notes, strict=True):
        sides: list[list[str] | None] = []
        for marks in document.sides:
            if marks is None:
                sides.append(None)
                continue
            labels = [OUTSIDE] * len(note.tokens)
            for start, end, label in sorted(marks, reverse=True):  # the first one has the last say
                if start < end:
                    inside = note.tokens.within(Span(start, end))
                    labels[inside.start : inside.stop] = [label] * len(inside)
            sides.append(labels)
        for at in range(len(note.tokens)):
            yield tuple(side[at] if side is not None else None for side in sides)
