"""Mentions that hold several places, such as a whole address, taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phiscrub.replace.people import fold
from phiscrub.replace.placewords import COUNTRY_SHORT, STREET_TYPES, UNIT_WORDS
from phiscrub.replace.regions import SHORT, Regions, spelled
from phiscrub.replace.streets import is_generic

PART = re.compile(r"(?:[^,;()\n]|\n(?![^\n]*\d{5}))+")  # a line of an address has a post code
WORD = re.compile(r"[^\W\d_]+\.?")
LETTERS = re.compile(r"[^\W\d_]")
NUMBER = re.compile(r"\s*\d")
HOUSE = re.compile(r"\d+(?:\s?[-/]\s?\d+)?\s?[a-z]?", re.I)
# Before a number that is no post code.
BOXED = re.compile(r"(?<!\w)(?:box|bag|drawer|dx)\W*$", re.I)
NAMED_CODE = frozenset({"c.p", "cp", "zip"})
DIGITS = r"\d{5}(?:-\d{4})?|\d{3} \d\d"
CODES = {
    "uk": re.compile(r"(?i)(?<!\w)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?=\s*$)"),
    "us": re.compile(rf"(?<!\w)(?:{DIGITS})(?=\s*$)"),
}
CODE_FIRST = re.compile(rf"(?<!\w)(?:{DIGITS})(?=\s*$|\s+[^\W\d_])")  # as in Spain and Sweden
STATE = re.compile(rf"(?<![^\s,])(?:{SHORT}|[A-Z][a-z]{{2,4}})(?=\s*$)")
SPLIT = frozenset({"CITY", "STATE", "ZIP", "STREET", "LOCATION-OTHER"})

Piece = tuple[str, int, int]  # its kind in the hub set, and where in the words it begins and ends


def pieces(kind: str, words: str, regions: Regions) -> list[Piece]:
    """Return the places that the words of a mention name, in order."""
    if kind not in SPLIT:
        return [(kind, 0, len(words))]
    found: list[Piece] = []
    parts = list(PART.finditer(words))
    for part in parts:
        found += _part(kind, part, regions, lone=len(parts) == 1)
    if len(found) <= 1:
        told = _kind("", words, regions) if kind == "LOCATION-OTHER" else kind
        return [(told or (found[0][0] if found else kind) or kind, 0, len(words))]
    turned: list[Piece] = []
    behind = ""
    for own, start, end in reversed(found):
        first = start == found[0][1]
        if turned and HOUSE.fullmatch(words, start, end) and behind == "STREET":
            _, street, end_of_street = turned[-1]
            if first or _kind("", words[street:end_of_street], regions) == "STREET":
                turned[-1] = ("STREET", start, end_of_street)  # `14, Gull Close` is of one house
                continue
        behind = own or _kind(behind, words[start:end], regions, first=first) or kind
        turned.append((behind, start, end))
    telling = [one for one in turned[::-1] if not _says_nothing(one[0], words[one[1] : one[2]])]
    return telling or [(kind, 0, len(words))]


def _says_nothing(kind: str, words: str) -> bool:
    """Tell whether words are those of any address: `North`, `Apt B`."""
    if kind not in ("STREET", "LOCATION-OTHER") or any(map(str.isdigit, words)):
        return False
    return all(map(is_generic, WORD.findall(words)))


def _part(kind: str, part: re.Match[str], regions: Regions, *, lone: bool) -> Iterator[Piece]:
    """Yield what stands between commas: a place, a state and a post code, where they are."""
    words, at = part[0], part.start()
    number = CODES.get(regions.country, CODE_FIRST).search(words)
    if number and BOXED.search(words, 0, number.start()):
        number = None
    before = words[: number.start()].rstrip() if number else words.rstrip()
    state = STATE.search(before) if regions.country == "us" else None
    if state and regions.shortened(state[0]) is None:
        state = None
    if number and kind == "STREET" and lone and not state:
        number, before = None, words.rstrip()  # of a house or a box
    if state and not (number or _says(kind, before, state[0], lone=lone)):
        state = None
    name = before[: state.start()] if state else before
    if name.strip() and not (number and fold(name).strip(" .") in NAMED_CODE):
        yield _piece(name, at)
    if state:
        yield ("STATE", at + state.start(), at + state.end())
    if number:
        yield ("ZIP", at + number.start(), at + number.end())
        if LETTERS.search(words, number.end()):
            yield _piece(words[number.end() :], at + number.end())


def _says(kind: str, before: str, state: str, *, lone: bool) -> bool:
    """Tell whether what is at the end is a state: `42nd St NE` and `LA` by itself are not."""
    alone = before.strip() == state
    return not lone if alone else kind == "CITY"


def _piece(words: str, at: int) -> Piece:
    return ("", at + len(words) - len(words.lstrip()), at + len(words.rstrip()))


def _kind(behind: str, words: str, regions: Regions, *, first: bool = True) -> str:
    """Return what a place is by its words and by what is behind it, "" where they do not tell."""
    plain = fold(words).strip(".")
    said = {word.strip(".") for word in plain.split()}
    if plain in COUNTRY_SHORT:
        return "COUNTRY"
    housed = NUMBER.match(words) and (LETTERS.search(words) or not first)
    if housed or said & UNIT_WORDS or (said and plain.split()[-1].strip(".") in STREET_TYPES):
        return "STREET"
    is_town = spelled(words) in regions.of_town
    told = len(plain) > len("MA") or words.isupper() or words.endswith(".")
    if regions.state(words) and (not first or (told and not is_town)):
        return "STATE"
    return "CITY" if is_town or behind in ("STATE", "ZIP") else ""
