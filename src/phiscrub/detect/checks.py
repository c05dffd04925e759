"""Checks that a pattern cannot express: each takes the matched words and says whether they hold.

Blanks, hyphens, dots, slashes and brackets within an identifier never matter.
"""
# ruff: noqa: PLR2004 - the numbers are those of the published rules

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import date
from types import MappingProxyType

from phiscrub.detect.checksums import luhn, mod97, verhoeff, weighted

NOT_DIGIT = re.compile(r"\D")
NOT_SIGN = re.compile(r"[\W_]")
VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10)), strict=True)
)
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
PPSN_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV"
NRIC_LETTERS = {
    "S": (0, "JZIHGFEDCBA"),
    "T": (4, "JZIHGFEDCBA"),
    "F": (0, "XWUTRQPNMLK"),
    "G": (4, "XWUTRQPNMLK"),
}
HKID_BLANK = 36  # what a one-letter number has in its first place
MBI = re.compile(
    "[1-9]{c}{an}[0-9]{c}{an}[0-9]{c}{c}[0-9][0-9]".format(
        c="[AC-HJKMNP-RT-Y]", an="[0-9AC-HJKMNP-RT-Y]"
    )
)
NINO = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]")


def is_ip(words: str) -> bool:
    """Tell whether the words are an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(words)
    except ValueError:
        return False
    return True


def is_luhn(words: str) -> bool:
    """Tell whether the digits end in their Luhn check digit."""
    digits = _digits(words)
    return len(digits) > 1 and luhn(digits)


def is_ssn(words: str) -> bool:
    """Tell whether nine digits may be a US Social Security number.

    Never issued: area 000, 666 and 900 to 999, group 00, serial 0000 (SSA POMS RM 10201.035).
    """
    digits = _sign(words)
    if len(digits) != 9 or not digits.isdecimal():
        return False
    area, group, serial = int(digits[:3]), int(digits[3:5]), int(digits[5:])
    return area not in (0, 666) and area < 900 and group > 0 and serial > 0


def is_nhs(words: str) -> bool:
    """Tell whether ten digits are an NHS number: weights 10 to 1, modulo 11 (NHS Dictionary)."""
    digits = _digits(words)
    return len(digits) == 10 and weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def is_chi(words: str) -> bool:
    """Tell whether ten digits are a Scottish CHI number: a birth date DDMMYY, then as NHS."""
    digits = _digits(words)
    return is_nhs(words) and _is_date(
        _number(digits[4:6]), _number(digits[2:4]), _number(digits[:2])
    )


def is_npi(words: str) -> bool:
    """Tell whether ten digits are a US NPI: Luhn over 80840 and the number, first digit 1 or 2."""
    digits = _digits(words)
    return len(digits) == 10 and digits[0] in (1, 2) and luhn([8, 0, 8, 4, 0, *digits])


def is_dea(words: str) -> bool:
    """Tell whether two letters (the second may be 9) and seven digits are a US DEA number.

    Digits one, three and five, plus twice digits two, four and six, end in the seventh.
    """
    sign = _sign(words)
    if len(sign) != 9 or not sign[0].isalpha() or not sign[2:].isdecimal():
        return False
    digits = _digits(sign[2:])
    return weighted(digits, (1, 2, 1, 2, 1, 2)) % 10 == digits[6]


def is_vin(words: str) -> bool:
    """Tell whether 17 signs are a vehicle number with its check digit (49 CFR 565.15)."""
    sign = _sign(words)
    if len(sign) != 17:
        return False
    values = [int(s) if s.isdecimal() else VIN_VALUES.get(s, -1) for s in sign]
    remainder = weighted(values, VIN_WEIGHTS) % 11
    return -1 not in values and sign[8] == "0123456789X"[remainder]


def is_imei(words: str) -> bool:
    """Tell whether fifteen digits are an IMEI: Luhn (3GPP TS 23.003, annex B)."""
    digits = _digits(words)
    return len(digits) == 15 and luhn(digits)


def is_iban(words: str) -> bool:
    """Tell whether the words are an IBAN: first four signs moved last, 1 modulo 97 (ISO 13616)."""
    sign = _sign(words)
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", sign):
        return False
    return mod97(sign[4:] + sign[:4]) == 1


def is_aadhaar(words: str) -> bool:
    """Tell whether twelve digits are an Aadhaar number: Verhoeff, first digit 2 to 9 (UIDAI)."""
    digits = _digits(words)
    return len(digits) == 12 and digits[0] > 1 and verhoeff(digits)


def is_sin(words: str) -> bool:
    """Tell whether nine digits are a Canadian social insurance number: Luhn."""
    digits = _digits(words)
    return len(digits) == 9 and luhn(digits)


def is_ohip(words: str) -> bool:
    """Tell whether ten digits, and perhaps a version of two letters, are an Ontario health card."""
    digits = _digits(words)
    return len(digits) == 10 and luhn(digits)


def is_bc_phn(words: str) -> bool:
    """Tell whether ten digits are a British Columbia health number: 9 first, then modulo 11."""
    digits = _digits(words)
    if len(digits) != 10 or digits[0] != 9:
        return False
    return weighted(digits[1:], (2, 4, 8, 5, 10, 9, 7, 3, 1)) % 11 == 0


def is_ramq(words: str) -> bool:
    """Tell whether the words are a Quebec card: four letters, YYMMDD (month + 50 if female), two.

    The last digit is a check digit whose rule the RAMQ does not publish.
    """
    sign = _sign(words)
    if not re.fullmatch(r"[A-Z]{4}[0-9]{8}", sign):
        return False
    return _is_date(int(sign[4:6]), int(sign[6:8]) % 50, int(sign[8:10]))


def is_au_medicare(words: str) -> bool:
    """Tell whether ten or eleven digits are an Australian Medicare card, perhaps with the person.

    First digit 2 to 6; the ninth is the first eight by 1, 3, 7, 9, 1, 3, 7, 9, modulo 10.
    """
    digits = _digits(words)
    if len(digits) not in (10, 11) or digits[0] not in range(2, 7):
        return False
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8]


def is_ihi(words: str) -> bool:
    """Tell whether 16 digits are an Australian healthcare identifier: 800360, -1 or -2, Luhn."""
    digits = _digits(words)
    return len(digits) == 16 and _number(digits[:5]) == 80036 and luhn(digits)


def is_personnummer(words: str) -> bool:
    """Tell whether the words are a Swedish personnummer or samordningsnummer (day + 60).

    A date with or without the century, and four digits, the last of them Luhn over the last ten.
    """
    digits = _digits(words)
    if len(digits) not in (10, 12):
        return False
    short = digits[-10:]
    year, month, day = (_number(short[at : at + 2]) for at in (0, 2, 4))
    if len(digits) == 12:
        year += 100 * _number(digits[:2])
        if not 1850 <= year < 2100:
            return False
    return luhn(short) and _is_date(year, month, day - 60 if day > 60 else day)


def is_dni_nie(words: str) -> bool:
    """Tell whether the words are a Spanish DNI or NIE: the number modulo 23 gives the letter.

    The X, Y or Z that an NIE begins with counts as 0, 1 or 2.
    """
    sign = _sign(words)
    if not re.fullmatch(r"[XYZ0-9][0-9]{7}[A-Z]", sign):
        return False
    return DNI_LETTERS[int(sign[:-1].translate(str.maketrans("XYZ", "012"))) % 23] == sign[-1]


def is_mbi(words: str) -> bool:
    """Tell whether eleven signs have the form of a Medicare beneficiary identifier (CMS)."""
    return MBI.fullmatch(_sign(words)) is not None


def is_nino(words: str) -> bool:
    """Tell whether the words have the form of a UK National Insurance number (HMRC NIM39110)."""
    return NINO.fullmatch(_sign(words)) is not None


def is_ppsn(words: str) -> bool:
    """Tell whether the words are an Irish PPS number: weights 8 to 2, a second letter by 9."""
    sign = _sign(words)
    if not re.fullmatch(r"[0-9]{7}[A-W][A-IW]?", sign):
        return False
    second = PPSN_LETTERS.index(sign[8]) * 9 if len(sign) == 9 else 0
    total = weighted(_digits(sign), range(8, 1, -1)) + second
    return PPSN_LETTERS[total % 23] == sign[7]


def is_hkid(words: str) -> bool:
    """Tell whether the words are a Hong Kong identity card number: weights 9 to 1, modulo 11."""
    sign = _sign(words)
    if not re.fullmatch(r"[A-Z]{1,2}[0-9]{6}[0-9A]", sign):
        return False
    values = [int(s, 36) for s in sign]
    return weighted([HKID_BLANK, *values][-9:], range(9, 0, -1)) % 11 == 0


def is_nric(words: str) -> bool:
    """Tell whether the words are a Singapore NRIC or FIN: weights 2, 7 to 2, modulo 11."""
    sign = _sign(words)
    if not re.fullmatch(r"[STFG][0-9]{7}[A-Z]", sign):
        return False
    offset, letters = NRIC_LETTERS[sign[0]]
    return letters[(weighted(_digits(sign), (2, 7, 6, 5, 4, 3, 2)) + offset) % 11] == sign[8]


def _digits(words: str) -> list[int]:
    return [int(digit) for digit in NOT_DIGIT.sub("", words)]


def _number(digits: list[int]) -> int:
    return int("".join(map(str, digits)))


def _sign(words: str) -> str:
    return NOT_SIGN.sub("", words).upper()


def _is_date(year: int, month: int, day: int) -> bool:
    """Tell whether there is such a day; a year of two digits may be of either century."""
    years = (1900 + year, 2000 + year) if year < 100 else (year,)
    for candidate in years:
        try:
            date(candidate, month, day)
        except ValueError:
            continue
        return True
    return False


CHECKS: MappingProxyType[str, Callable[[str], bool]] = MappingProxyType(
    {
        "aadhaar": is_aadhaar,
        "au_medicare": is_au_medicare,
        "bc_phn": is_bc_phn,
        "chi": is_chi,
        "dea": is_dea,
        "dni_nie": is_dni_nie,
        "hkid": is_hkid,
        "iban": is_iban,
        "ihi": is_ihi,
        "imei": is_imei,
        "ip": is_ip,
        "luhn": is_luhn,
        "mbi": is_mbi,
        "nhs": is_nhs,
        "nino": is_nino,
        "npi": is_npi,
        "nric": is_nric,
        "ohip": is_ohip,
        "personnummer": is_personnummer,
        "ppsn": is_ppsn,
        "ramq": is_ramq,
        "sin": is_sin,
        "ssn": is_ssn,
        "vin": is_vin,
    }
)
