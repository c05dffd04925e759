"""Label sets, and how the labels of one are called in another. The sets themselves are data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.wording import listed

HUB = "i2b2-2014"  # every set says what its labels are called here, and back
UNNAMED = "PHI"  # what a label becomes in a set that has no name for it
NAMED = "name the set that the labels are of with --source-labels"
MAPPED = "rename labels of your own with phiscrub convert --map OWN=LABEL"
SURE = re.compile(r"[A-Z][A-Z0-9_.:/&+-]+")  # a label's name rather than a word of a note


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A named set of labels: each label's category, its name in the hub set, and back.

    `to_hub` lacks the labels that are no PHI there (a CARDINAL); `from_hub` lacks those that
    this set does not mark.
    """

    name: str
    about: str
    categories: Mapping[str, str]
    to_hub: Mapping[str, str]
    from_hub: Mapping[str, str]

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label, in the order of its source."""
        return tuple(self.categories)

    def category(self, label: str) -> str:
        """Return the category that a label belongs to; raise `LabelError` where unknown."""
        try:
            return self.categories[label]
        except KeyError:
            raise LabelError(
                f"{strangers([label])} is not in label set {self.name}",
                hint=f"its labels are {listed(self.labels)}",
            ) from None

    def translate(self, label: str, target: LabelSet) -> str | None:
        """Return what `label` is called in `target`, or None where that set does not mark it.

        Raises `LabelError` where this set has no such label.
        """
        self.category(label)
        if target.name == self.name:
            return label
        hub = self.to_hub.get(label)
        return None if hub is None else target.from_hub.get(hub)


def strangers(labels: Iterable[str]) -> str:
    """Return labels that no set knows for a message, or only how many they are.

    Where a file's columns are mistaken for each other, the words of its notes stand as labels; so
    none is named unless all are written as labels are, in capitals.
    """
    names = sorted(labels)
    if all(SURE.fullmatch(name) for name in names):
        return f"label{'s' * (len(names) > 1)} {listed(names)}"
    return f"{len(names)} label{'s' * (len(names) > 1)} (not shown: not all in capitals)"


def check_label(label: str, target: LabelSet) -> None:
    """Raise `LabelError` where a format whose labels are of `target` cannot be given a label."""
    if label not in target.categories:
        raise LabelError(
            f"{strangers([label])} is not in label set {target.name}",
            hint=f"its labels are {listed(target.labels)}; of another set? {NAMED}",
        )


def renaming(source: LabelSet, target: LabelSet) -> dict[str, str]:
    """Return what each label of `source` is called in `target`.

    A label that the target set does not mark becomes `UNNAMED`: a mention is never dropped for
    want of a name.
    """
    return {label: source.translate(label, target) or UNNAMED for label in source.labels}


def mapping(told: Iterable[str], target: LabelSet) -> dict[str, str]:
    """Read what labels of one's own are called in `target`, each as ``OWN=LABEL``.

    ``OWN=`` is no PHI: its name is ''. Raises `SettingsError` for what cannot be read, and
    `LabelError` for what the set does not have.
    """
    names = dict[str, str]()
    for one in told:
        own, is_told, label = (part.strip() for part in one.partition("="))
        if names.get(own, label) != label:
            raise SettingsError(f"{own!r} is mapped twice", hint="name one label for it")
        if not own or not is_told:
            raise SettingsError(
                f"{one!r} is no OWN=LABEL", hint="name=PATIENT; to drop mentions: finding="
            )
        if label:
            check_label(label, target)
        names[own] = label
    return names


def recognised(labels: Iterable[str], likely: Iterable[str] = (HUB,)) -> LabelSet:
    """Return the set that labels are of: the first `likely` one that has them all, or the only one.

    Raises `LabelError` where no set has them all, or several that are not likely do.
    """
    seen = set(labels)
    holding = [name for name in label_set_names() if seen <= set(label_set(name).labels)]
    found = [name for name in likely if name in holding] or holding
    if not found:
        strange = seen.difference(*(label_set(name).labels for name in label_set_names()))
        raise LabelError(
            f"no label set has {strangers(strange)}"
            if strange
            else f"no one label set has all of {strangers(seen)}",
            hint=f"{NAMED}, or {MAPPED}",
        )
    if len(found) > 1 and found[0] not in likely:
        raise LabelError(f"the labels are of {listed(found)} alike", hint=NAMED)
    return label_set(found[0])


def label_set_names() -> tuple[str, ...]:
    """Return the names of the label sets that ship with phiscrub."""
    folder = resources.files("phiscrub") / "data" / "labels"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


ALIASES = MappingProxyType(
    {
        "i2b2": "i2b2-2014",
        "conll": "conll-2003",
        "ontonotes": "ontonotes-5",
        "stockholm": "stockholm-epr",
        "suc": "suc-3",
    }
)


@cache
def label_set(name: str) -> LabelSet:
    """Load a label set by its name or short name (`i2b2`, `stockholm`, `conll`, `suc`, …).

    Raises `SettingsError` where there is none.
    """
    known = ALIASES.get(name, name)
    if known not in label_set_names():
        choices = ", ".join((*label_set_names(), *ALIASES))
        raise SettingsError(f"no label set {name!r}", hint=f"known: {choices}")
    file = resources.files("phiscrub") / "data" / "labels" / f"{known}.toml"
    data = tomllib.loads(file.read_text("utf-8"))
    labels: dict[str, dict[str, str]] = data["labels"]
    is_hub = known == HUB
    return LabelSet(
        name=known,
        about=data["about"],
        categories=MappingProxyType({n: row["category"] for n, row in labels.items()}),
        to_hub=MappingProxyType(
            {n: n if is_hub else row["hub"] for n, row in labels.items() if is_hub or "hub" in row}
        ),
        from_hub=MappingProxyType({n: n for n in labels} if is_hub else data["from_hub"]),
    )
