"""What kind of line a line is; clinical layout is made of lines."""

from __future__ import annotations

import re

ITEM = re.compile(
    r"""
      [-*+•·‣◦▪–—→>o]\s                         # bullets, a lone o among them
    | [#]+\s*\w                                 # "## Plan", "#1 Sepsis"
    | \(?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})\)\s    # "1)", "(a)", "iv)"
    | \d{1,2}\.(?:\s|$)                         # "1."
    | \d{4}\s | \d{1,2}:\d\d\b                  # a log's hour
    """,
    re.VERBOSE,
)
KEY = re.compile(
    r"""
      [^\Wa-z\d_][\w\ /&().,\#'’º°+-]{0,40}:(?!//)   # "Past Medical History: ...", "Name:..."
    | [^\W\d_][\w/\#.'’-]{0,20}(?:\ [\w/\#.'’-]{1,20})?\ ?:(?!//)   # "phone: ...", "home meds: ..."
    """,
    re.VERBOSE,
)
TABLE = re.compile(r"\t|\S\s{3,}\S|\s\|\s|\|.*\|")
UNDERLINE = re.compile(r"[-=_~*]{3,}$")
CAPITALS = 60  # characters of the longest line of capitals that is a heading and no prose


def is_item(line: str) -> bool:
    """Tell whether a stripped line opens a list item or a log's entry."""
    return ITEM.match(line) is not None


def is_key(line: str) -> bool:
    """Tell whether a stripped line begins with a field's or section's name and a colon."""
    return KEY.match(line) is not None


def is_table(line: str) -> bool:
    """Tell whether a stripped line has columns: tabs, bars, or three blanks in a row."""
    return TABLE.search(line) is not None


def is_rule(line: str) -> bool:
    """Tell whether a stripped line is drawn, not written."""
    return UNDERLINE.match(line) is not None


def is_capitals(line: str) -> bool:
    """Tell whether a stripped line is short and all capitals."""
    return len(line) <= CAPITALS and line.isupper() and line[-1] not in ".,;"


def stands_alone(line: str) -> bool:
    """Tell whether a stripped line begins something of its own, whatever stands before it."""
    return is_item(line) or is_key(line) or is_table(line) or is_capitals(line) or is_rule(line)
