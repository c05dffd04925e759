"""Dates of birth, told by the words before them."""

from __future__ import annotations

import re

BIRTH = re.compile(
    r"(?<!\w)(?:dob|d\.o\.b|born|birth|nacimiento|nacid[oa]|f\.?\s?nac|född|födelse\w*)"
    r"[^.\n]{0,8}$|(?<!\w)(?:f\.?\s?nac\.?|fn|f\.?)\s?:?\s?$",
    re.I,
)
REACH = 44  # characters before a date that are looked at


def is_birth(before: str) -> bool:
    """Tell whether the text in front of a date says that somebody was born on it."""
    return BIRTH.search(before[-REACH:]) is not None
