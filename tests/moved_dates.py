"""What tests of dates share: calendars, a key, and how words move."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.keyed import Key

KEY = Key(b"a secret of many bytes")
CALENDARS = {language: Calendar.load(language) for language in ("en", "es", "sv")}
DAYS = st.dates(date(1930, 1, 1), date(2029, 12, 31))
SHIFTS = st.integers(-400, 400)


def moved(words: str, days: int, language: str = "en", *context: str) -> str:
    """Return the words of the first date of some, so many days later."""
    return Dates.of(CALENDARS[language], [words, *context]).moved(0, days, KEY).words
