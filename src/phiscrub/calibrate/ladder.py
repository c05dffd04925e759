"""Down from the most careful threshold, as long as the claim is proved.

Learn then test (Angelopoulos et al. 2021) with thresholds in a fixed order: the chance that one
which does not keep the promise is ever taken is at most that of the first such one to pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from phiscrub.calibrate.bounds import Values
from phiscrub.calibrate.claim import FAR, Claim, Losses
from phiscrub.core.counts import Counts
from phiscrub.core.errors import InputError
from phiscrub.evaluate.masking import ALL

# The least P(O) at which a token is left alone, the most careful first; fixed before any data.
LADDER = (
    *(0.999999, 0.99999, 0.9999, 0.9997, 0.999, 0.998, 0.995, 0.99, 0.98, 0.97, 0.95),
    *(0.92, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5),
)
SHOWN = 5


@dataclass(frozen=True, slots=True, eq=False)
class Rung:
    """A threshold, what leaks of each patient at it, and the counts of all words."""

    threshold: float
    losses: Losses = field(repr=False)
    words: Counts


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A rung with the losses that it is judged by, and whether the claim is proved at it."""

    rung: Rung
    losses: Losses = field(repr=False)
    is_proved: bool

    def recall(self, group: str | None = None) -> float:
        """Return the mean over the patients, as it is judged; by default that of `first`."""
        return 1 - float(self.losses[self.first if group is None else group].mean())

    @property
    def first(self) -> str:
        """Everything, where that is promised; else the group with the lowest recall."""
        return ALL if ALL in self.losses else max(self.losses, key=lambda g: self.losses[g].mean())

    @property
    def patients(self) -> int:
        """How many patients prove it: those of the group that has the fewest."""
        return len(self.losses[ALL]) if ALL in self.losses else min(map(len, self.losses.values()))


def descend(claim: Claim, rungs: Iterable[Rung]) -> Iterator[Tried]:
    """Yield rungs, tried, until the first that is not proved, or the last; `rungs` may be lazy.

    A patient's loss is judged as the worst at this rung and all before, which is no less: so
    losses only grow, as conformal risk control needs.
    """
    worst: dict[str, Values] = {}
    for rung in rungs:
        worst = {name: np.maximum(own, worst.get(name, own)) for name, own in rung.losses.items()}
        is_proved = claim.holds(worst)
        yield Tried(rung, worst, is_proved)
        if not is_proved:
            return


def chosen(claim: Claim, tried: Sequence[Tried], notes_each: float = 1.0) -> Tried:
    """Return the least careful rung that is proved.

    Raises `InputError` where the first is not, saying how many notes are lacking; `notes_each`
    is the mean number of notes of a patient.
    """
    proved = [one for one in tried if one.is_proved]
    if proved:
        return proved[-1]
    raise _refused(claim, tried[0], notes_each)


def _refused(claim: Claim, first: Tried, notes_each: float) -> InputError:
    lacking = {g: own for g, own in first.losses.items() if not claim.proved(own)}
    wanted = {group: claim.wanted(losses) for group, losses in lacking.items()}
    hopeless = {g: own for g, own in lacking.items() if wanted[g] is None}
    if hopeless:
        return _hopeless(claim, hopeless, notes_each)
    times = {g: (number or 0) / len(lacking[g]) for g, number in wanted.items()}
    worst = max(sorted(times), key=lambda group: times[group])
    count, number, fewest = len(lacking[worst]), wanted[worst] or 0, claim.fewest()
    whose = _named([worst])
    clean = f"even if nothing leaked, it takes {fewest:,}" if count < fewest else ""
    alike = f"if further ones leak like these, it takes about {number:,}" if number > fewest else ""
    more = f"{_more(number - count, notes_each)} more notes of patients with identifiers{whose}"
    if clean and alike:
        least = _more(fewest - count, notes_each)
        more = f"at least {least} more notes of patients with identifiers{whose}, about "
        more += f"{_more(number - count, notes_each)} if they leak like these"
    return InputError(
        f"{count:,} patients with identifiers{whose} do not prove {_promised(claim)}: "
        f"{'; '.join(filter(None, (clean, alike)))}",
        hint=f"annotate {more}, or promise less",
    )


def _hopeless(claim: Claim, groups: Losses, notes_each: float) -> InputError:
    """Say of groups that no number helps, and of what may be chance how many would show it."""
    worst = max(sorted(groups), key=lambda group: groups[group].mean())
    losses, fewest = groups[worst], claim.fewest()
    barely, far = ("hardly", f" up to {FAR:,}") if losses.mean() < claim.rate else ("not", "")
    hint = "the pipeline must find more: add rules, or train on more notes"
    if len(losses) < fewest and not claim.is_beyond(losses):
        more = _more(fewest - len(losses), notes_each)
        hint += f"; at least {more} more notes would show whether so much leaks by chance alone"
    return InputError(
        f"even at the most careful threshold the recall{_named(sorted(groups))} is {barely} above "
        f"{claim.recall:g}, so that no number of notes{far} proves it if further ones leak alike",
        hint=hint,
    )


def _more(patients: int, notes_each: float) -> str:
    return f"{max(1, ceil(patients * notes_each)):,}"


def _named(groups: Sequence[str]) -> str:
    named = [group for group in groups if group != ALL]
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    return f" of {', '.join(named[:SHOWN])}{more}" if named else ""


def _promised(claim: Claim) -> str:
    if claim.confidence is None:
        return f"a recall of {claim.recall:g} on average"
    return f"a recall of {claim.recall:g} with confidence {claim.confidence:g}"
