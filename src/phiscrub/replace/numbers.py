"""Identifying numbers and codes: their shape stays, real checksums fail, ranges are reserved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from phiscrub.detect.checks import CHECKS, is_nhs, is_personnummer
from phiscrub.detect.checksums import mod97
from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold
from phiscrub.replace.saidnumbers import ENGLISH, SAID, others

DIGIT = re.compile(r"\d")
SHAPED = re.compile(r"[^\W_]")
US_SSN = re.compile(r"\d{3}[- ]?\d{2}[- ]?\d{4}")
PERSONNUMMER = re.compile(r"(?:\d\d)?\d{6}[-+ ]?\d{4}")
BORN = re.compile(  # a personnummer by its form alone; the short one is the long one's end
    r"(?P<century>1[89]|20)?"
    r"(?P<short>\d\d(?:0[1-9]|1[0-2])(?:[06][1-9]|[1278]\d|[39][01])[-+ ]?\d{4})"
)
CENTURIES = ("", "18", "19", "20")
COORDINATED = 60  # what a samordningsnummer adds to the day
MASKED = "xX*#"
PLAIN_WORD = re.compile(r"(?<!\S)(?:[^\W\d_][a-zåäöáéíóúñ]{2,}|[a-z]{1,2})(?!\S)")
CAPITALS = re.compile(rf"{PLAIN_WORD.pattern}|(?<!\S)[A-Z]{{2,}}(?!\S)")
# Words that say what kind of number comes, in English, Spanish and Swedish.
KINDS = (
    "ext extn extension option ankn anknytning tel tele telephone teléfono telefono tfno tlf "
    "telefon phone ph fax cell mobile mob móvil movil mobil pager beeper home work office direct "
    "ssn mrn mr emr nhs chi npi dea vin dob id ids no nos nr nro núm num numero número number nº "
    "acct account policy member subscriber group lic license licence plate serial ref case claim "
    "dni nie nif nuss nass cip nhc hc historia expediente colegiado pasaporte passport "
    "personnr personnummer samordningsnummer pnr pers journalnr reservnr medicare medicaid "
    "iban imei"
)
KIND = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(sorted(KINDS.split(), key=len, reverse=True))})(?![^\W\d_])", re.I
)
CALLS = frozenset(  # words in call signs that are nobody's name
    (
        *("medic", "med", "medevac", "medivac", "ambulance", "amb", "rescue", "engine", "ladder"),
        *("truck", "unit", "squad", "brush", "tanker", "helimed", "helijet", "air", "rotor"),
        *("road", "car", "van", "bus", "taxi", "als", "bls", "ems", "fire", "police", "patrol"),
        *("flight", "lifeguard", "life", "alert", "battalion", "chief", "supervisor", "crew"),
        *("call", "sign"),
    )
)
ALPHABET = (
    *("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"),
    *("kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango"),
    *("uniform", "victor", "whiskey", "xray", "yankee", "zulu"),
)
SPELT = re.compile(r"(?<!\w)[^\W\d_](?=\s+(?:as in|for|like)\s+[^\W\d_]{2})", re.I)
AS_IN = re.compile(rf"(?P<sign>{SPELT.pattern})(?P<by>\s+(?:as in|for|like)\s+)[^\W\d_]+", re.I)
JOINING = r"(?<!\w)(?:dash|stroke|slash|hyphen|point|dot|double|triple|(?-i:and|y))(?!\w)"
_spelt_out = AS_IN.pattern.replace("?P<sign>", "?:").replace("?P<by>", "?:")
_sign = rf"(?:{_spelt_out}|(?!(?-i:y)(?!\w))[a-z](?!\w))"
SPOKEN_NUMBER = re.compile(  # nothing but such words, and what joins or names them
    rf"\W*(?:{KIND.pattern}\W+)*(?:(?:{_sign}|{JOINING})\W+)*{SAID.pattern}"
    rf"(?:\W+(?:{SAID.pattern}|{JOINING}|{_sign}))*\W*",
    re.I,
)
BETWEEN = re.compile(
    rf"(?P<kept>{KIND.pattern}|{JOINING}|[,;]\s)|(?P<spelt>{AS_IN.pattern})|(?P<said>{SAID.pattern})",
    re.I,
)
CODE = re.compile(r"[^\W_](?:.*[^\W_])?", re.S)
RUN = re.compile(r"\S+")
LEAST_CHECKED = 6  # signs, one a digit; shorter numbers have no checksum
MOST_ATTEMPTS = 200
NUSS_DIGITS = 12
NUSS_SHORT = 10_000_000  # below it a number is not written out behind its province
ANY_NUMBER = frozenset({"ip", "ssn"})  # checks that hold of nearly every number of their length


def coded(
    words: str, key: Key, name: Callable[[str], str] | None = None, *, language: str = ""
) -> str:
    """Return words among which are codes with other codes; plain words between them stay.

    With `name`, which gives other names, only those stay that are no names in call signs.
    In English `once` is no number.
    """
    if SPELT.search(words) or SPOKEN_NUMBER.fullmatch(words):
        return number(words, key)
    found: list[str] = []
    done = 0
    for plain in (CAPITALS if name else PLAIN_WORD).finditer(words):
        if plain[0].isupper() and fold(plain[0]) not in CALLS:
            continue
        english = language == "en" and plain[0].lower() in ENGLISH
        if SAID.fullmatch(plain[0]) and not english:
            continue
        told = fold(plain[0]) in CALLS or fold(plain[0]) in ALPHABET or KIND.fullmatch(plain[0])
        stays = plain[0] if name is None or told else name(plain[0])
        found += (number(words[done : plain.start()], key), stays)
        done = plain.end()
    return "".join((*found, number(words[done:], key))) if done else number(words, key)


def number(words: str, key: Key) -> str:
    """Return another number or code of the same shape, one whose checksums fail.

    Words that say what kind of number it is stay: `SSN 512-77-3094`, `NHS No`, `ext. 22`. One
    that passes together with such a word is drawn once more.
    """
    put = _numbered(words, key)
    for attempt in range(MOST_ATTEMPTS):
        if not passes(put):
            break
        put = _numbered(words, key.narrow("whole", str(attempt)))
    return put


def _numbered(words: str, key: Key) -> str:
    found: list[str] = []
    done = 0
    for between in BETWEEN.finditer(words):
        stays = between["kept"] or (
            _spelt(between, key) if between["spelt"] else _said(between[0], key, between.start())
        )
        found += (_trimmed(words[done : between.start()], key), stays)
        done = between.end()
    put = "".join((*found, _trimmed(words[done:], key)))
    return put if put != words or not SHAPED.search(words) else _code(words, key)


def _trimmed(words: str, key: Key) -> str:
    return CODE.sub(lambda found: _code(found[0], key), words, count=1)


def _said(word: str, key: Key, at: int) -> str:
    """Return another digit that is written as a word."""
    plain = word.lower()
    return like(
        word, _other(plain, others(plain), key.narrow("said", str(at), plain).below(1 << 32))
    )


def _spelt(found: re.Match[str], key: Key) -> str:
    """Return another letter that is said with a word: `B for bravo`."""
    drawn = key.narrow("spelt", str(found.start()), fold(found[0])).below(1 << 32)
    choices = [word for word in ALPHABET if word[0] != fold(found["sign"])]
    word = choices[drawn % len(choices)]
    return f"{like(found['sign'] * 2, word[0])}{found['by']}{word}"


def _code(words: str, key: Key) -> str:
    """Return another code; whatever of it still passes a checksum is drawn once more."""
    if born := BORN.fullmatch(words):
        return (born["century"] or "") + _personal(born["short"], key)
    key = key.narrow("number", "".join(SHAPED.findall(fold(words))))
    found = _reserved(words, _shaped(words, key))
    for attempt in range(MOST_ATTEMPTS):
        span = next((s for s in _checked(words) if passes(found[s])), None)
        if span is None:
            break
        again = _shaped(words[span], key.narrow(str(attempt)))
        found = found[: span.start] + _reserved(words[span], again) + found[span.stop :]
    return found


def _personal(short: str, key: Key) -> str:
    """Return the end of another personnummer, which fails its checksums behind any century."""
    key = key.narrow("number", "".join(DIGIT.findall(short)))
    found = _reserved(short, _shaped(short, key))
    for attempt in range(MOST_ATTEMPTS):
        digits = "".join(DIGIT.findall(found))
        if not any(passes(century + digits) for century in CENTURIES):
            break
        found = _reserved(short, _shaped(short, key.narrow(str(attempt))))
    return found


def _checked(words: str) -> Iterator[slice]:
    """Yield where a checksum may be found: in all, and in each run without blanks."""
    for start, end in ((0, len(words)), *(run.span() for run in RUN.finditer(words))):
        chunk = words[start:end]
        if len(SHAPED.findall(chunk)) >= LEAST_CHECKED and DIGIT.search(chunk):
            yield slice(start, end)


def passes(words: str) -> bool:
    """Tell whether any checksum or form of a real scheme that phiscrub knows holds."""
    return is_nuss(words) or any(
        check(words) for name, check in CHECKS.items() if name not in ANY_NUMBER
    )


def _shaped(words: str, key: Key) -> str:
    """Put other digits for digits and letters for letters; some number differs."""
    if not SHAPED.search(words):
        return words
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
    if lead and "0" in found:  # zeros that lead stay, but not all where there are no others
        before, behind = found.rsplit("0", 1)
        found = before + _other("0", "0123456789", next(drawn)) + behind
    return found if found != words else words + "1"


def _other(sign: str, among: Sequence[str], drawn: int) -> str:
    choices = [other for other in among if other != sign]
    return choices[drawn % len(choices)]


def _reserved(was: str, found: str) -> str:
    """Move a number into a range that is never given out, where its shape has one."""
    if US_SSN.fullmatch(was):
        return _digits(found, "000")  # area 000 is never given out
    if PERSONNUMMER.fullmatch(was) and is_personnummer(was):
        return _digits(found, _born(was, found))
    if is_nhs(was):
        return _digits(found, "999")  # the range of the NHS for tests
    return found


def _born(was: str, found: str) -> str:
    """Return the digits of another day that can be in a calendar."""
    digits = DIGIT.findall(was)
    drawn = int("".join(DIGIT.findall(found)))
    century = "".join(digits[:-10])
    day = drawn % 28 + 1 + (COORDINATED if int("".join(digits[-6:-4])) > COORDINATED else 0)
    return f"{century}{drawn % 90 + 10:02}{drawn % 12 + 1:02}{day:02}98"


def _digits(words: str, first: str) -> str:
    """Replace the first digits of the words."""
    left = iter(first)
    return DIGIT.sub(lambda m: next(left, m[0]), words)


def is_nuss(words: str) -> bool:
    """Tell whether twelve digits are a Spanish social-security number.

    Province, number, and both modulo 97; a number below ten million counts without its first 0.
    """
    digits = "".join(DIGIT.findall(words))
    if len(digits) != NUSS_DIGITS:
        return False
    short = int(digits[2:10]) < NUSS_SHORT
    return mod97(digits[:2] + digits[3:10] if short else digits[:10]) == int(digits[10:])
