"""Ranked union: everything that anyone claims is covered, under the strongest claim's label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from phiscrub.core.cover import Cover
from phiscrub.core.mention import Mention, is_of
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels, check_least_scores, check_sources
from phiscrub.core.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Settings:
    """`first` lists labels that win over all others, the strongest first.

    `prefer` lists by label the detectors that are believed first, as mentions name their sources
    (``crf``, ``crf:our-model``, ``patterns:en/contact``); any other comes behind them. A label
    that it lacks is believed of everybody. `least_scores` are by label: a claim below does not
    stand. `label_set` is the set that mentions speak, and `sources` are those that they can have;
    empty, neither is known.
    """

    first: tuple[str, ...] = ()
    prefer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least_scores: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Ranked:  # noqa: ARG001 - every part's signature
    """Make the combiner; raise `SettingsError` for a label, source or score that cannot be."""
    stated = {"first": settings.first, "prefer": settings.prefer}
    check_labels(settings.label_set, **stated, least_scores=settings.least_scores)
    check_least_scores(settings.least_scores)
    check_sources(settings.sources, prefer=chain.from_iterable(settings.prefer.values()))
    return Ranked(settings.first, settings.prefer, settings.least_scores)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Claims are taken by rank: label, detector, score, length, place, label, source.

    Where a claim overlaps stronger ones, what is left of it stays covered under its own label,
    less the white space and punctuation at the cuts.
    """

    first: tuple[str, ...] = ()
    prefer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least_scores: Mapping[str, float] = field(default_factory=dict)

    def combine(self, note: Note, claims: Sequence[Mention]) -> Cover:
        """Return the cover of every character that a claim names, but for trimmed cuts."""
        if self.least_scores:
            claims = [c for c in claims if c.score >= self.least_scores.get(c.label, 0.0)]
        if len(claims) < 2:  # noqa: PLR2004 - nothing to settle
            return Cover(tuple(claims))
        ordered = sorted(claims, key=lambda mention: mention.key)
        if all(a.span.end <= b.span.start for a, b in pairwise(ordered)):
            return Cover(tuple(ordered))
        taken: list[Mention] = []
        for claims_here in clusters(ordered):
            if len(claims_here) == 1:
                taken += claims_here
                continue
            here: list[Mention] = []
            for claim in sorted(claims_here, key=self._rank):
                here.extend(left_over(note.text, claim, [other.span for other in here]))
            taken.extend(here)
        return Cover.of(taken)

    def _rank(self, claim: Mention) -> tuple[int, int, float, int, tuple[object, ...]]:
        priority = self.first.index(claim.label) if claim.label in self.first else len(self.first)
        believed = self.prefer.get(claim.label, ())
        at = (n for n, name in enumerate(believed) if is_of(claim.source, name))
        return priority, next(at, len(believed)), -claim.score, -len(claim.span), claim.key


def clusters(ordered: Sequence[Mention]) -> Iterator[list[Mention]]:
    """Yield sorted claims in runs that overlap, so that each is only held against its own."""
    run: list[Mention] = []
    reach = 0
    for claim in ordered:
        if run and claim.span.start >= reach:
            yield run
            run = []
        run.append(claim)
        reach = max(reach, claim.span.end)
    if run:
        yield run


def left_over(text: str, claim: Mention, taken: Iterable[Span]) -> Iterator[Mention]:
    """Yield the stretches of a claim that nothing taken covers, trimmed where it is cut."""
    in_the_way = sorted(span for span in taken if span.overlaps(claim.span))
    if not in_the_way:
        yield claim
        return
    edges = [claim.span.start]
    for span in in_the_way:
        edges += (span.start, span.end)
    edges.append(claim.span.end)
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        inner = [i for i in range(start, end) if text[i].isalnum()]
        if inner:
            yield replace(claim, span=Span(inner[0], inner[-1] + 1))
