"""Times of day beside a date: they stay as they are, and are not read as parts of the date."""

from __future__ import annotations

import re

_CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d"
_ZONE = r"(?:\s?(?:UTC|GMT|CES?T|BST|[ECMP][SD]?T|Z)(?!\w)|\s?[+-]\d\d:?\d\d(?![\d/.-]))?"
_TIMES = (
    r"(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:\s?[ap]\.?m\b\.?)?",
    r"(?<![\d/])\d{1,2}(?:[.]\d\d)?\s?[ap]\.?m\b\.?",
    r"(?<!\d)\d{1,2}h(?:[0-5]\d)?(?!\w)",
    rf"(?<!\d){_CLOCK}\s?(?:hrs?|hours?|h)(?!\w)",
    r"(?<!\w)(?:kl\.?|a las?)\s?\d{1,2}(?:[.:]?\d\d)?(?![\d/])(?:\s?(?:h|horas?)(?!\w))?",
    rf"(?<=\dT){_CLOCK}(?:[0-5]\d)?(?:\.\d+)?(?!\d)",
    # a stamp, 20120314 and then 09, 0915 or 091522
    r"(?<=(?<!\d)\d{8})(?:[01]\d|2[0-3])(?:[0-5]\d){0,2}(?!\d)(?:\.\d+)?",
    # no year begins so
    r"(?<=[\s@])(?:0\d|1[0-7]|2[1-3])[0-5]\d(?![\w/])",
)
TIME = re.compile("|".join(f"(?:{time}){_ZONE}" for time in _TIMES), re.I)
BEHIND = re.compile(  # a year would be the second one
    r"(?:(?!\d{1,2}-\d{1,2}[/.])\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|(?<!\d)\d{6}(?:\d\d)?|\d[^\d]{1,14}(?:19|20)\d\d)"
    rf"(?:,?\s+(?:at\s+|@\s*)?|\s*@\s*)(?P<time>{_CLOCK})(?![\w/]){_ZONE}"
)


def without_times(words: str) -> str:
    """Return the words with spaces in place of times of day."""
    words = TIME.sub(lambda found: " " * len(found[0]), words)
    return BEHIND.sub(
        lambda found: found[0][: found.start("time") - found.start()].ljust(len(found[0])), words
    )
