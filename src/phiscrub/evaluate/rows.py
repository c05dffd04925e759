"""Figures by label and by category, with how sure they are: rows of every view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from phiscrub.core.counts import Counts
from phiscrub.evaluate.headline import summed, sure
from phiscrub.evaluate.identifying import SLASH, categories, short
from phiscrub.evaluate.masking import ENTITIES, Masking
from phiscrub.evaluate.tally import Tally
from phiscrub.evaluate.uncertainty import Interval
from phiscrub.evaluate.units import Groups


@dataclass(frozen=True, slots=True)
class Row:
    """A label's or category's exact counts, and bounds of its F1, its recall, and of masking.

    `masked` is the share of entities of which no letter or digit is left, whatever they were
    called. A mention found under another label of its category is wrong and missed there too.
    """

    name: str
    counts: Counts
    f1: Interval
    recall: Interval
    masked: Interval


def by_label(
    labels: Mapping[str, Tally], masking: Masking, subjects: Sequence[str | None] | None
) -> list[Row]:
    """Return a row for each label; `labels` are exact tallies."""
    return [_row(short(name), own, masked(masking, name), subjects) for name, own in labels.items()]


def by_category(
    labels: Mapping[str, Tally], masking: Masking, subjects: Sequence[str | None] | None
) -> list[Row]:
    """Return a row for each category; none where no two labels are of one."""
    members: dict[str, list[str]] = {}
    for label, category in category_of(labels).items():
        members.setdefault(category, []).append(label)
    if len(members) == len(labels):
        return []
    documents = next(iter(labels.values())).documents
    return [
        _row(
            name,
            summed({label: labels[label] for label in members[name]}, documents),
            masking.tallies[ENTITIES, f"category.{name}"],
            subjects,
        )
        for name in sorted(members)
    ]


def category_of(labels: Iterable[str]) -> dict[str, str]:
    """Return the category of each label: its XML element, else that of its label set."""
    known = list(labels)
    found = categories(known)
    return {label: label.partition(SLASH)[0] if SLASH in label else found[label] for label in known}


def groups(labels: Iterable[str]) -> Groups:
    """Return what groups marks by their label and by its category."""
    found = category_of(labels)
    return lambda label: (f"type.{label}", f"category.{found[label]}")


def masked(masking: Masking, label: str) -> Tally:
    """Return which of a label's entities were masked, whatever they were called."""
    whole = ENTITIES, f"type.{label}"
    return masking.tallies.get(whole) or masking.tallies[ENTITIES, f"type.{short(label)}"]


def _row(name: str, own: Tally, hidden: Tally, subjects: Sequence[str | None] | None) -> Row:
    f1, recall = (sure(own, figure, subjects) for figure in ("f1", "recall"))
    return Row(name, own.total, f1, recall, sure(hidden, "recall", subjects))
