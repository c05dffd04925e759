"""Names as systems and dictation write them: `DOE^JANE`, `doe comma jane`, `d o e`, `Ó Máille`."""

from __future__ import annotations

import re

SPELLED = re.compile(r"[^\W\d_](?: [^\W\d_]){3,}")
COMMA = re.compile(r" comma(?= [^\W\d_])", re.I)
JOINED = re.compile(r"(?<!\w)(Ó|Ní|Nic|Uí|Mhic) (?=[^\W\d_]{2})", re.I)


def as_read(words: str) -> str:
    """Return a name as names are read, as long as it was: `DOE,JANE`, `d-o-e`, `Ó'Máille`."""
    if SPELLED.fullmatch(words):
        return words.replace(" ", "-")
    words = words.replace("^", ",") if "," not in words else words
    words = COMMA.sub(lambda found: ",".ljust(len(found[0])), words) if "," not in words else words
    return JOINED.sub(r"\1'", words) if "'" not in words and not words.isascii() else words


def as_typed(words: str, put: str) -> str:
    """Return what stands for a name in the form that the name had."""
    if SPELLED.fullmatch(words):
        return put.replace("-", " ")
    if "," in words:
        return put
    if "^" in words:
        return put.replace(",", "^")
    found = COMMA.search(words)
    return put.replace(",".ljust(len(found[0])), found[0]) if found else put
