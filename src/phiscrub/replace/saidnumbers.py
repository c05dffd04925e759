"""Digits and numbers that are said in English, Spanish and Swedish words, by their like."""

from __future__ import annotations

import re

from phiscrub.replace.casing import like
from phiscrub.replace.spoken import TENS, UNITS

OH = "oh"
DIGITS = (
    tuple(UNITS[:10]),
    ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    ("noll", "ett", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio"),
)
TEENS = (
    *("diez", "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete"),
    *("dieciocho", "diecinueve"),
)
TWENTIES = (
    *("veintiuno", "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis"),
    *("veintisiete", "veintiocho", "veintinueve"),
)
SPANISH_TENS = (
    *("veinte", "treinta", "cuarenta", "cincuenta"),
    *("sesenta", "setenta", "ochenta", "noventa"),
)
SWEDISH_TEENS = (
    *("tio", "elva", "tolv", "tretton", "fjorton", "femton", "sexton", "sjutton", "arton"),
    "nitton",
)
SWEDISH_TENS = ("tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio")
FAMILIES = (
    *DIGITS,
    tuple(UNITS[10:]),
    tuple(TENS),
    TEENS,
    SPANISH_TENS,
    TWENTIES,
    ("dieciseis", "veintidos", "veintitres", "veintiseis"),  # written without their accents
    (
        *("cien", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos"),
        *("seiscientos", "setecientos", "ochocientos", "novecientos"),
    ),
    SWEDISH_TEENS,
    SWEDISH_TENS,
    tuple(ten + one for ten in SWEDISH_TENS for one in DIGITS[2][1:]),
)
_english = "|".join(word for words in FAMILIES if words[0] in {*UNITS, *TENS} for word in words)
_others = "|".join(
    f"[{word[0]}{word[0].upper()}]{word[1:]}"
    for words in FAMILIES
    if words[0] not in {*UNITS, *TENS}
    for word in words
)
SAID = re.compile(rf"(?<!\w)(?:{_english}|{OH}|(?-i:{_others}))(?!\w)", re.I)
ENGLISH = frozenset({"once", "sex"})  # words that are numbers in other languages only
DIGIT_SAID = re.compile(rf"(?:(?P<many>double|triple)\s+)?(?P<digit>{SAID.pattern})", re.I)
MANY = {"double": 2, "triple": 3}


def others(word: str) -> tuple[str, ...]:
    """Return the words of the same kind as one that is said, in order."""
    return next((words for words in FAMILIES if word.lower() in words), DIGITS[0])


def digits(words: str) -> str:
    """Return the digits that words say one by one, `` where some say more than a digit."""
    found = ""
    for said in DIGIT_SAID.finditer(words):
        word = said["digit"].lower()
        family = others(word)
        if family not in DIGITS:
            return ""
        digit = "0" if word == OH else str(family.index(word))
        found += digit * MANY.get((said["many"] or "").lower(), 1)
    return found


def say(model: str, put: str) -> str:
    """Return the words with other digits, said as they were; nothing is said twice at once."""
    left = iter(put)
    has_oh = OH in re.findall(r"\w+", model.lower())

    def one(found: re.Match[str]) -> str:
        word = found["digit"]
        family = others(word)
        many = MANY.get((found["many"] or "").lower(), 1)
        told = [next(left, "0") for _ in range(many)]
        spoken = (OH if has_oh and sign == "0" else family[int(sign)] for sign in told)
        return " ".join(like(word, sign) for sign in spoken)

    return DIGIT_SAID.sub(one, model)
