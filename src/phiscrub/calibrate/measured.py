"""What a pipeline at one threshold leaks of the patients of a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from phiscrub.calibrate.ladder import Rung
from phiscrub.calibrate.losses import TOKENIZERS, TOKENS, Patients, Risk, by_group
from phiscrub.core.errors import InputError
from phiscrub.core.wording import listed
from phiscrub.evaluate.masking import ALL, measure, no_groups
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.units import Groups


def measured(
    samples: Sequence[Sample],
    threshold: float,
    patients: Patients,
    risk: Risk,
    *,
    groups: Groups = no_groups,
    promised: Sequence[str] | None = None,
) -> Rung:
    """Measure the samples; `groups` names those of a label.

    `promised` are the groups that count, and those alone; by default everything, and each group
    that anybody has. The samples are in the order that `patients` was made of. Raises `InputError`
    where nobody has anything of a promised group to lose.
    """
    masking = measure(samples, groups, tokenizers=TOKENIZERS)
    every = (ALL, *sorted({group for _, group in masking.tallies} - {ALL}))
    losses = by_group(masking, patients, risk, every if promised is None else promised)
    if lacking := sorted(set((ALL,) if promised is None else promised) - set(losses)):
        named = f" of {listed(lacking)}" if lacking != [ALL] else ""
        raise InputError(
            f"the notes hold nothing{named} that could leak",
            hint="a promise needs notes in which it is marked",
        )
    return Rung(threshold, losses, masking.total(TOKENS))
