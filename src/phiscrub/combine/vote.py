"""Vote: what enough detectors claim is covered; what only one is sure of may stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from phiscrub.combine import ranked
from phiscrub.combine.ranked import Ranked, clusters
from phiscrub.core.cover import Cover
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox

MODELS = frozenset({"crf", "neural", "ensemble", "stacked"})  # their sources name the model
RESTING = frozenset({"aged", "repeat"})  # refiners whose sources name that of what they rest on


@dataclass(frozen=True, slots=True)
class Settings:
    """How many detectors must agree: `votes`, or what `by_label` says for a claim's label.

    `least_scores` are by label: a claim below has no vote and does not stand. `first` and
    `prefer` are as in the part ``ranked``, which settles what label the rest has, as are
    `sources`. `voters` are the different voters there are, by default those of the pipeline's
    detectors, and `label_set` is the set that they speak; empty, neither is known.
    """

    votes: int = 2
    by_label: Mapping[str, int] = field(default_factory=dict)
    least_scores: Mapping[str, float] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    prefer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    voters: tuple[str, ...] = ()
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Vote:
    """Make the combiner.

    Raises `LabelError` for a label that the set lacks, and `SettingsError` where two models have
    one name, where a label needs no vote or more than there are voters (nothing of it would ever
    be masked), or as ``ranked``.
    """
    check_labels(settings.label_set, by_label=settings.by_label)
    settle = ranked.build(_of_ranked(settings), toolbox)
    if settings.votes < 1 or any(votes < 1 for votes in settings.by_label.values()):
        raise SettingsError("'votes' or 'by_label' asks for no vote", hint="give 1 or more")
    spoken = settings.label_set
    labels = label_set(spoken).labels if spoken else (*settings.by_label, "")
    most = max(settings.by_label.get(label, settings.votes) for label in labels)
    for name, models in Counter(map(voter, settings.voters)).items():
        if models > 1:
            raise SettingsError(
                f"{models} models are called {name!r}, and would have one vote together",
                hint="give them different names: 'name' in their manifest.json",
            )
    there = len(settings.voters)
    if settings.voters and most > there:
        raise SettingsError(
            f"{most} votes are asked for, and the detectors have {there}",
            hint="all rules of one part are one voter: ask for fewer votes or add detectors",
        )
    return Vote(settings.votes, settings.by_label, settings.least_scores, settle)


def _of_ranked(settings: Settings) -> ranked.Settings:
    """Return the settings that this part has in common with ``ranked``."""
    named = {key: getattr(settings, key) for key in ranked.Settings.__dataclass_fields__}
    return ranked.Settings(**named)


@dataclass(frozen=True, slots=True)
class Vote:
    """A claim stands where as many detectors as its label needs claim the place, as whatever.

    All rules of one part are one voter, each model is one; what a refiner added has the votes of
    what it rests on. Of a claim that stands in part, the
    stretches stay that do, less white space and punctuation at the cuts.
    """

    votes: int = 2
    by_label: Mapping[str, int] = field(default_factory=dict)
    least_scores: Mapping[str, float] = field(default_factory=dict)
    ranked: Ranked = field(default_factory=Ranked)

    def combine(self, note: Note, claims: Sequence[Mention]) -> Cover:
        """Return the cover of what was voted for."""
        heard = [c for c in claims if c.score >= self.least_scores.get(c.label, 0.0)]
        kept: list[Mention] = []
        for here in clusters(sorted(heard, key=lambda mention: mention.key)):
            kept.extend(self._standing(note.text, here))
        return self.ranked.combine(note, kept)

    def _standing(self, text: str, claims: Sequence[Mention]) -> Iterator[Mention]:
        """Yield what stands of claims that overlap."""
        edges = sorted({edge for c in claims for edge in (c.span.start, c.span.end)})
        votes = {
            start: len({voter(c.source) for c in claims if c.span.start <= start < c.span.end})
            for start in edges
        }
        for claim in claims:
            needed = self.by_label.get(claim.label, self.votes)
            own = [edge for edge in edges if claim.span.start <= edge <= claim.span.end]
            parts = [(a, b) for a, b in pairwise(own) if votes[a] >= needed]
            for start, end in _joined(parts):
                if (start, end) == (claim.span.start, claim.span.end):
                    yield claim
                elif inner := [i for i in range(start, end) if text[i].isalnum()]:
                    yield replace(claim, span=Span(inner[0], inner[-1] + 1))


def voter(source: str) -> str:
    """Return whose vote a source is: its part, of a model its name too, never a refiner."""
    part, _, rest = source.partition(":")
    if part in RESTING:
        return voter(rest)
    return f"{part}:{rest.partition(':')[0]}" if part in MODELS else part


def _joined(parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield stretches, those that touch as one."""
    run: tuple[int, int] | None = None
    for start, end in parts:
        if run is not None and run[1] == start:
            run = (run[0], end)
        else:
            if run is not None:
                yield run
            run = (start, end)
    if run is not None:
        yield run
