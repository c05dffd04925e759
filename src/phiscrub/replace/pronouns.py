"""The sex that the pronouns of a note give its patient."""

from __future__ import annotations

import re
from collections import Counter

from phiscrub.replace.namelists import FEMALE, MALE

HER = frozenset({"she", "her", "hers", "ella", "hon", "hennes", "henne"})
PRONOUN = re.compile(
    r"(?<!\w)(?:she|hers?|he|his|him|ella|él|hon|hennes?|han|hans|honom)(?!\w)", re.I
)


def told_sex(text: str) -> str:
    """Return the sex of which there are more than twice as many pronouns, else ``."""
    said = Counter(found[0].lower() for found in PRONOUN.finditer(text))
    she = sum(said[word] for word in HER)
    he = sum(said.values()) - she
    return FEMALE if she > 2 * he else MALE if he > 2 * she else ""
