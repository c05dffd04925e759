"""What a pipeline at one threshold leaks of the patients of a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from phiscrub.calibrate.ladder import Rung
from phiscrub.calibrate.losses import TOKENIZERS, TOKENS, Patients, Risk, by_group
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
    """Measure the samples; `groups` names those of a label, `promised` which count, by default all.

    The samples are in the order that `patients` was made of.
    """
    masking = measure(samples, groups, tokenizers=TOKENIZERS)
    named = sorted({group for _, group in masking.tallies}) if promised is None else promised
    losses = by_group(masking, patients, risk, (ALL, *(name for name in named if name != ALL)))
    return Rung(threshold, losses, masking.total(TOKENS))
