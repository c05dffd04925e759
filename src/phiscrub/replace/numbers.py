"""Identifying numbers and codes: their shape stays, real checksums fail, ranges are reserved."""

from __future__ import annotations

import re
from collections.abc import Callable

from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold

DIGIT = re.compile(r"\d")
SHAPED = re.compile(r"[^\W_]")
US_SSN = re.compile(r"\d{3}[- ]?\d{2}[- ]?\d{4}")
NHS = re.compile(r"\d{3} ?\d{3} ?\d{4}")
PERSONNUMMER = re.compile(r"(?:\d\d)?\d{6}[-+]?\d{4}")
DNI = re.compile(r"[XYZ]?[- .]?\d[\d.]{6,9}[- ]?[A-Z]", re.I)
DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
MASKED = "xX*#"
SPOKEN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh"]
SPOKEN_DIGIT = re.compile(rf"(?<!\w)(?:{'|'.join(SPOKEN)})(?!\w)", re.I)
PLAIN_WORD = re.compile(r"(?<!\S)(?:[^\W\d_][a-zåäöáéíóúñ]{2,}|[a-z]{1,2})(?!\S)")
LEAST_CHECKED = 6  # digits; shorter numbers have no checksum


def coded(words: str, key: Key) -> str:
    """Return words among which are codes with other codes; plain words between them stay."""

    def code(found: re.Match[str]) -> str:
        return found[0] if PLAIN_WORD.fullmatch(found[0]) else number(found[0], key)

    return number(words, key) if not PLAIN_WORD.search(words) else re.sub(r"\S+", code, words)


def number(words: str, key: Key) -> str:
    """Return another number or code of the same shape, one whose checksums fail."""
    key = key.narrow("number", "".join(SHAPED.findall(fold(words))))
    digits = DIGIT.findall(words)
    if len(digits) < LEAST_CHECKED:
        return _shaped(words, key)
    for attempt in range(100):
        found = _reserved(words, _shaped(words, key.narrow(str(attempt))))
        if found != words and not any(check(found) for check in CHECKS):
            return found
    return found


def _shaped(words: str, key: Key) -> str:
    """Put other digits for digits and letters for letters; some number differs."""
    if not SHAPED.search(words):
        return words
    if SPOKEN_DIGIT.search(words):
        said = key.narrow("said").numbers()
        return SPOKEN_DIGIT.sub(lambda m: _other(m[0].lower(), SPOKEN[:10], next(said)), words)
    drawn = key.numbers()
    signs = []
    lead = True
    for sign in words:
        if sign.isdecimal():
            signs.append(
                sign
                if sign == "0" and lead
                else _other(sign, "123456789" if lead else "0123456789", next(drawn))
            )
            lead = lead and sign == "0"
        elif sign.isalpha() and sign not in MASKED:
            letter = _other(sign.upper(), "ABCDEFGHJKLMNPRSTUVW", next(drawn))
            signs.append(letter if sign.isupper() else letter.lower())
        else:
            signs.append(sign)
            lead = lead and not sign.isspace()
    found = "".join(signs)
    return found if found != words else words + "1"


def _other(sign: str, among: str | list[str], drawn: int) -> str:
    choices = [other for other in among if other != sign]
    return choices[drawn % len(choices)]


def _reserved(was: str, found: str) -> str:
    """Move a number into a range that is never given out, where its shape has one."""
    if US_SSN.fullmatch(was) and not NHS.fullmatch(was):
        return _digits(found, "000")  # area 000 is never given out
    if PERSONNUMMER.fullmatch(was) and is_personnummer(was):
        return _digits(found, _born(was, found))
    if NHS.fullmatch(was) and is_nhs(was):
        return _digits(found, "999")  # the range of the NHS for tests
    return found


def _born(was: str, found: str) -> str:
    """Return the digits of another day that can be in a calendar."""
    digits = DIGIT.findall(was)
    drawn = int("".join(DIGIT.findall(found)))
    century = "".join(digits[:-10])
    return f"{century}{drawn % 90 + 10:02}{drawn % 12 + 1:02}{drawn % 28 + 1:02}98"


def _digits(words: str, first: str) -> str:
    """Replace the first digits of the words."""
    left = iter(first)
    return DIGIT.sub(lambda m: next(left, m[0]), words)


def is_luhn(words: str) -> bool:
    """Tell whether the digits end in their Luhn check digit."""
    digits = [int(d) for d in DIGIT.findall(words)]
    total = sum(sum(divmod(2 * d, 10)) if i % 2 else d for i, d in enumerate(reversed(digits)))
    return len(digits) >= LEAST_CHECKED and total % 10 == 0


def is_personnummer(words: str) -> bool:
    """Tell whether the words are a Swedish personal number with its right check digit."""
    digits = "".join(DIGIT.findall(words))[-10:]
    return bool(PERSONNUMMER.fullmatch(words)) and is_luhn(digits)


def is_nhs(words: str) -> bool:
    """Tell whether the words are an NHS number with its right check digit."""
    digits = [int(d) for d in DIGIT.findall(words)]
    if not NHS.fullmatch(words):
        return False
    total = 11 - sum(d * w for d, w in zip(digits[:9], range(10, 1, -1), strict=True)) % 11
    return digits[9] == total % 11


def is_dni(words: str) -> bool:
    """Tell whether the words are a Spanish DNI or NIE with its right letter."""
    if not DNI.fullmatch(words):
        return False
    first = "XYZ".find(words[0].upper())
    digits = ("" if first < 0 else str(first)) + "".join(DIGIT.findall(words))
    return words[-1].upper() == DNI_LETTERS[int(digits) % len(DNI_LETTERS)]


CHECKS: tuple[Callable[[str], bool], ...] = (is_luhn, is_personnummer, is_nhs, is_dni)
