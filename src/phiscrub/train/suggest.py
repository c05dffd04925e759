"""Which notes to annotate next: those that would teach a tagger most for the reading they cost."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phiscrub.core.contracts import Tagger, Tokenizer
from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated
from phiscrub.lexicons.phrases import fold
from phiscrub.train.reading import read

BATCH = 64
LEAST = 0.01  # doubt of a token that counts; the many near zero would add up
OVERHEAD = 50  # tokens' worth of reading that opening any note costs


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A note, its tokens, and how many of them the tagger expects to get wrong.

    `gain` is what the note adds to those chosen before it, by the thousand tokens of reading.
    """

    document: str
    tokens: int
    doubt: float
    gain: float


def suggest(
    documents: Sequence[Document], tokenizer: Tokenizer, tagger: Tagger, number: int
) -> list[Suggestion]:
    """Return up to `number` notes, the most useful first.

    A token's doubt is one minus the probability of its likeliest label. The doubts of one word
    add up under a square root, over all notes chosen: the tenth note with the same unknown ward
    teaches little. Each step takes the note that raises the sum most for its length; the order is
    greedy (within 1 - 1/e of the best choice, as the sum is submodular).
    """
    doubts = list(_doubts(documents, tokenizer, tagger))
    chosen: dict[str, float] = defaultdict(float)
    left = set(range(len(documents)))
    found: list[Suggestion] = []

    def gain(at: int) -> float:
        length, words = doubts[at]
        rise = sum(
            math.sqrt(chosen.get(word, 0.0) + doubt) - math.sqrt(chosen.get(word, 0.0))
            for word, doubt in words.items()
        )
        return 1000 * rise / (length + OVERHEAD)

    bounds = {at: gain(at) for at in left}  # gains only fall, so an old one is an upper bound
    while left and len(found) < number:
        best, at = -1.0, -1
        for candidate in sorted(left, key=lambda c: (-bounds[c], documents[c].id)):
            if bounds[candidate] <= best:
                break
            bounds[candidate] = gain(candidate)
            if bounds[candidate] > best:
                best, at = bounds[candidate], candidate
        left.remove(at)
        length, words = doubts[at]
        for word, doubt in words.items():
            chosen[word] += doubt
        found.append(Suggestion(documents[at].id, length, sum(words.values()), best))
    return found


def _doubts(
    documents: Sequence[Document], tokenizer: Tokenizer, tagger: Tagger
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield each note's number of tokens, and the doubt of each of its words."""
    for start in range(0, len(documents), BATCH):
        readings = read([Annotated(d) for d in documents[start : start + BATCH]], tokenizer)
        notes = [reading.note for reading in readings]
        for note, scores in zip(notes, tagger.scores(notes), strict=True):
            words: dict[str, float] = defaultdict(float)
            doubt = (1.0 - scores.proba.max(axis=1, initial=0.0)).tolist()
            for word, own in zip(note.tokens.words(), doubt, strict=True):
                if own >= LEAST:
                    words[fold(word)] += own
            yield len(note.tokens), dict(words)
