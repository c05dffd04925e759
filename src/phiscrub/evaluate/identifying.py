"""Which labels identify a patient by themselves, and which only together."""

from __future__ import annotations

from collections.abc import Iterable

from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, UNNAMED, label_set, label_set_names, strangers

# In the hub's names. Staff, employers and hospitals narrow a patient down but do not name them.
DIRECT = frozenset(
    (
        *("PATIENT", "USERNAME", "STREET", "PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN"),
        *("MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
        *("IDNUM", UNNAMED),
    )
)
SLASH = "/"  # between element and TYPE in the label of an XML tag


def split(
    labels: Iterable[str], direct: Iterable[str] | None = None
) -> tuple[frozenset[str], frozenset[str]]:
    """Part labels into direct and quasi-identifying ones.

    A label goes by what it is called in the hub label set; one that no shipped set has counts as
    direct, and one that its set holds for no PHI as neither. Those that `direct` names, with or
    without their element, are direct, and then all others quasi-identifying. Raises
    `SettingsError` where `direct` names what neither the labels nor a set that has them all has.
    """
    known = set(labels)
    if direct is not None:
        named = set(direct)
        _check(named, known)
        chosen = {label for label in known if label in named or short(label) in named}
        return frozenset(chosen), frozenset(known - chosen)
    hubs = {label: _hub(short(label)) for label in known}
    return (
        frozenset(label for label, hub in hubs.items() if hub in DIRECT),
        frozenset(label for label, hub in hubs.items() if hub not in DIRECT and hub is not None),
    )


def categories(labels: Iterable[str]) -> dict[str, str]:
    """Return the category of each label in the hub label set; an unknown label's is itself."""
    found = {}
    for label in set(labels):
        hub = _hub(short(label))
        named = hub is not None and hub != UNNAMED
        found[label] = label_set(HUB).category(hub) if named and hub is not None else short(label)
    return found


def short(label: str) -> str:
    """Return a label without the element that an XML tag of it has."""
    return label.rpartition(SLASH)[2]


def _check(named: set[str], known: set[str]) -> None:
    plain = set(map(short, known))
    sets = (set(label_set(name).labels) for name in label_set_names())
    if absent := named.difference(known, plain, *(own for own in sets if plain <= own)):
        raise SettingsError(
            f"the notes have no {strangers(absent)}", hint=f"they have {strangers(plain)}"
        )


def _hub(label: str) -> str | None:
    """Return the name in the hub, that of an unnamed mention where no set knows the label."""
    for name in (HUB, *sorted(set(label_set_names()) - {HUB})):
        known = label_set(name)
        if label in known.categories:
            return known.to_hub.get(label)
    return UNNAMED
