"""What the papers count, from gold and found mentions of one label set, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from phiscrub.core.counts import Counts
from phiscrub.core.document import Document
from phiscrub.core.labels import LabelSet, label_set
from phiscrub.core.mention import Mention
from phiscrub.core.schemes import scheme
from phiscrub.core.span import Span
from phiscrub.evaluate import tokenlevel
from phiscrub.evaluate.bytype import ByType
from phiscrub.evaluate.entities import exact, partial
from phiscrub.evaluate.masking import ALL, TOKENS, Masking, hipaa_groups, measure
from phiscrub.evaluate.masking import CORRECTED as HARMLESS_ASIDE
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus

HIPAA = "hipaa.corrected"  # without the slip of the official script, see evaluate.hipaa
EVERY = "all"
TOKENIZER = "treebank"  # of the figures by token


def plain(counts: Counts) -> list[int]:
    """Return counts as JSON has them."""
    return [counts.hit, counts.missed, counts.spurious]


def read(told: Sequence[int] | None) -> Counts:
    """Return counts from JSON; none for nothing."""
    return Counts(*(told or ()))


def triple(told: Sequence[int] | None) -> tuple[float | None, float | None, float | None]:
    """Return precision, recall and F1 of counts from JSON."""
    counts = read(told)
    return counts.precision, counts.recall, counts.f1


def f1(told: Sequence[int] | None) -> float | None:
    """Return F1 of counts from JSON."""
    return read(told).f1


def figures(samples: Sequence[Sample], names: str) -> dict[str, Any]:
    """Return all that the papers' tables need of one system on one corpus.

    `mentions` and `partly` count mentions by label, `categories` mentions by category (place and
    category right), `tokens` words by label; each has the sum as `EVERY`. `masking` counts words
    that are masked under any label: all of them, and those that HIPAA names.
    """
    known = label_set(names)
    masking = masked(samples, known)
    return {
        "mentions": _summed(exact(samples)),
        "partly": _summed(partial(samples)),
        "categories": _summed(exact([_by_category(sample, known) for sample in samples])),
        "tokens": by_token(samples),
        "masking": told_of(masking),
    }


def by_token(samples: Sequence[Sample]) -> dict[str, list[int]]:
    """Count words by label, whatever the edges of mentions."""
    style = scheme("IO")
    notes = get_tokenizer(TOKENIZER).tokenize([Document(s.id, s.text) for s in samples])
    sides = [
        [
            style.encode(note.tokens, _mentions(getattr(sample, side)))
            for note, sample in zip(notes, samples, strict=True)
        ]
        for side in ("gold", "found")
    ]
    counted: ByType = tokenlevel.score(sides[0], sides[1])
    return {**{n: plain(c) for n, c in counted.counts.items()}, EVERY: plain(counted.total)}


def training_tokens(corpus: Corpus) -> Counter[str]:
    """Return how many words of each label there are to learn from."""
    style = scheme("IO")
    notes = get_tokenizer(TOKENIZER).tokenize([note.document for note in corpus.notes])
    return Counter(
        tag
        for note, own in zip(notes, corpus.notes, strict=True)
        for tag in style.encode(note.tokens, own.mentions)
        if tag != "O"
    )


def masked(samples: Sequence[Sample], known: LabelSet) -> Masking:
    """Measure masking with groups by category and HIPAA, as labels are called in the set."""
    hub = label_set("i2b2-2014")

    def groups(label: str) -> tuple[str, ...]:
        told = known.translate(label, hub)
        return () if told is None else hipaa_groups(hub.category(told), told)

    return measure(samples, groups, tokenizers=("i2b2",))


def told_of(masking: Masking) -> dict[str, list[int]]:
    """Return masked words: of all labels, of HIPAA's, and less the harmless ones."""
    there = {group for _, group in masking.tallies}
    wanted = sorted(g for g in there if g == HIPAA or g.startswith("category."))
    return {
        EVERY: plain(masking.total(TOKENS)),
        **{group: plain(masking.total(TOKENS, group)) for group in wanted},
        "corrected": plain(masking.total(HARMLESS_ASIDE, HIPAA if HIPAA in there else ALL)),
    }


def _summed(tallies: Mapping[str, Tally]) -> dict[str, list[int]]:
    total = sum((tally.total for tally in tallies.values()), Counts())
    return {
        **{label: plain(tally.total) for label, tally in sorted(tallies.items())},
        EVERY: plain(total),
    }


def _by_category(sample: Sample, known: LabelSet) -> Sample:
    def moved(marks: Iterable[Mark]) -> tuple[Mark, ...]:
        return tuple((start, end, known.category(label)) for start, end, label in marks)

    return Sample(sample.id, sample.text, moved(sample.gold), moved(sample.found))


def _mentions(marks: Iterable[Mark]) -> list[Mention]:
    return [Mention(Span(start, end), label) for start, end, label in marks if start < end]
