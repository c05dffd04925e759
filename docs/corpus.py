"""Writes the counts of corpus/README.md: kinds of notes, countries, lengths, decoys.

python docs/corpus.py

Of the English notes those are counted that may be read: none of `kept` in corpus/splits.toml.
"""

from __future__ import annotations

import re
import statistics
import tomllib
from collections.abc import Iterator
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"
PAGE = CORPUS / "README.md"
COUNTED = re.compile(
    r"(?<=<!-- counts: written by docs/corpus.py -->\n).*?(?=<!-- end of counts -->)", re.DOTALL
)
WRITER = re.compile(r"^\| `en/.*\| ([^|]*) \|$", re.MULTILINE)
HEADING = 3  # lines of a note
LONG = 1000  # words
KINDS = (
    "admission note", "advice letter", "after[- ]visit summary", "antenatal", "autopsy",
    "birth summary", "call log", "care plan", "case conference", "clerking", "clinic letter",
    "clinic list", "code blue", "colonoscopy report", "consultation", "coroner", "death summary",
    "discharge letter", "discharge summary", "endoscopy report", "face sheet", "fit note",
    "flow ?sheet", "handover", "history and physical", "home visit", "incident report",
    "laboratory report", "medical certificate", "medication administration record",
    "neuropsychological evaluation", "nursing note", "occupational therapy",
    "operati(on note|ve (note|report))", "pathology report", "physical therapy|physiotherapy",
    "prior authori[sz]ation", "procedure note", "progress note", "psychiatric evaluation",
    "psychosocial assessment", "referral", "run sheet", "safety plan", "sign-?out",
    "telephone note", "transfer (letter|note|summary)", "treatment plan", "triage",
    "tumou?r board", "ward round",
)  # fmt: skip
COUNTRIES = (
    "US|United States", "Puerto Rico", "Guam", "UK|Great Britain", "Ireland", "Malta", "Canada",
    "Jamaica", "Australia", "New Zealand", "Hong Kong", "Singapore", "Philippines", "India",
    "Israel", "Kenya", "Nigeria", "South Africa",
)  # fmt: skip
REGIONS = ("Caribbean", "Africa", "Gulf", "South( and South-East)? Asia", "East Asia", "Pacific")
NUMBER = re.compile(r"(?<!\S)(?=\S*(?:\d\S*\d|\d[-/.]|[-/.]\d))[^\s·]+(?!\S)")
NAME = re.compile(r"(?<=[^\s.:!?] )[(\"']?[A-Z][a-z]+(?![\w·]|\.? ?·)")


def notes() -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the text and the marked places of each English note that may be read."""
    kept = tomllib.loads((CORPUS / "splits.toml").read_text("utf-8"))["en"]["kept"]
    for file in sorted((CORPUS / "en").glob("*/*.txt")):
        if file.parent.name not in kept:
            marks = file.with_suffix(".ann").read_text("utf-8").splitlines()
            places = [mark.split("\t")[1].split(" ")[1:] for mark in marks]
            yield file.read_text("utf-8"), [(int(start), int(end)) for start, end in places]


def unmarked(text: str, places: list[tuple[int, int]]) -> str:
    """Return the text with a dot for each character of a mention."""
    for start, end in places:
        text = text[:start] + "·" * (end - start) + text[end:]
    return text


def named(words: tuple[str, ...], text: str) -> int:
    """Return how many of the words, each a pattern, a text has."""
    return sum(re.search(rf"\b({word})\b", text) is not None for word in words)


def counts() -> str:
    """Return the paragraph of counts."""
    read = list(notes())
    heads = "\n".join(line for text, _ in read for line in text.splitlines()[:HEADING]).lower()
    origins = "\n".join(WRITER.findall(PAGE.read_text("utf-8")))
    lengths = sorted(len(text.split()) for text, _ in read)
    rest = [unmarked(*note) for note in read]
    numbers = sum(len(NUMBER.findall(text)) for text in rest)
    names = sum(len(NAME.findall(text)) for text in rest)
    marked = sum(len(places) for _, places in read)
    long = sum(length >= LONG for length in lengths)
    return f"""\
Counted over the {len(read):,} English notes that may be read:
- at least {named(KINDS, heads)} kinds of notes (listed in `docs/corpus.py`), \
each named in one of a note's first {HEADING} lines;
- {named(COUNTRIES, origins)} countries and territories and {named(REGIONS, origins)} regions \
named in the last column above;
- {lengths[0]} to {lengths[-1]:,} words a note, {statistics.median(lengths):g} at the median, \
{long} notes of {LONG:,} or more;
- {numbers + names:,} words that look identifying and are not, \
{(numbers + names) / marked:.2f} for each of the {marked:,} mentions:
  {numbers:,} numbers (words with two digits or more, or a digit next to `-`, `/` or `.`) and
  {names:,} capitalised words (not all in capitals, not first in a line, not behind `.`, `:`, `!`
  or `?`). Words that touch a mention and titles before one are not counted, clock times and
  doses are.
"""


def page() -> str:
    """Return the page with its counts as they are now."""
    return COUNTED.sub(lambda _: counts(), PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
