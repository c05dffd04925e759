"""Which labels HIPAA names, in two versions of the i2b2 2014 evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# As the official code has it, by element: a TYPE belongs that begins with one of these. The code
# says "IDNUM " with a trailing blank, so that IDNUM never counts, though its README lists it.
SCRIPT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "NAME": ("PATIENT",),
        "AGE": ("",),
        "DATE": ("",),
        "LOCATION": ("CITY", "STREET", "ZIP", "ORGANIZATION"),
        "CONTACT": ("PHONE", "FAX", "EMAIL"),
        "ID": (
            *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE"),
            *("BIOID", "IDNUM "),
        ),
    }
)
CORRECTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {**SCRIPT, "ID": (*SCRIPT["ID"], "IDNUM")}
)
VERSIONS = MappingProxyType({"script": SCRIPT, "corrected": CORRECTED})


def is_hipaa(element: str, kind: str, version: Mapping[str, tuple[str, ...]] = SCRIPT) -> bool:
    """Tell whether a tag's element and TYPE belong; case counts, and TYPE matches as a prefix."""
    return kind.startswith(version.get(element, ()))
