"""Ways to reach somebody, in ranges that reach nobody: telephones, mail, web, network addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import DIGIT, SPOKEN_DIGIT, number
from phiscrub.replace.people import fold

LETTERS = re.compile(r"[^\W\d_]+")
MAIL = re.compile(r"(?P<user>\S+?)(?P<at>\s?(?:@|\(at\)|\[at\])\s?)(?P<host>\S.*)")
WEB = re.compile(
    r"(?P<scheme>[a-z]+://)?(?P<www>www\.)?(?P<host>[^/\s?#]+)(?P<path>.*)", re.I | re.S
)
IPV4 = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}")
DRAMA = re.compile(r"(?:\+?44\D{0,4})?\(?0?\)?\s?(7\d{3}|1\d{3}|1\d1|11\d|2\d)")
NATIONAL = 10  # digits of a North American number
# Numbers that are kept for stories. Ofcom: 01632 960, 07700 900, 020 7946 0; ACMA: 5550 and
# 0491 57; ComReg: 020 91; PTS: 08-465 004, 070-174 06; ARCEP: 01 99 00, 06 39 98.
CITY_DRAMA = {
    "113": "4960",
    "114": "4960",
    "115": "4960",
    "116": "4960",
    "117": "4960",
    "118": "4960",
    "121": "4960",
    "131": "4960",
    "141": "4960",
    "151": "4960",
    "161": "4960",
    "20": "79460",
    "191": "4980",
    "28": "96496",
    "29": "20180",
}


def phone(words: str, key: Key, area: Callable[[str], str], country: str) -> str:
    """Return a telephone number of the same look that nobody has.

    `area` gives the North American area that stands for another; `country` is `us`, `uk`, `sv`
    or `es`, and decides where the number does not tell. An extension keeps its length.
    """
    key = key.narrow("phone", "".join(DIGIT.findall(words)) or fold(words))
    if SPOKEN_DIGIT.search(words) and not DIGIT.search(words):
        return number(words, key)
    main, extension = _parts(words)
    digits = "".join(DIGIT.findall(main))
    drawn = key.numbers()
    abroad = main.lstrip(" (").startswith(("+", "00"))
    tail = f"{next(drawn) % 100:02}"
    length = len(digits)
    national = digits.removeprefix("1") if length == NATIONAL + 1 else digits
    new = ""
    if (
        (not abroad or digits.startswith("1"))
        and country == "us"
        and len(national) == NATIONAL
        and digits[0] != "0"
    ):
        new = digits[: length - NATIONAL] + area(national[:3]) + "55501" + tail
    elif length == 7 and country == "us":  # noqa: PLR2004
        new = "55501" + tail
    elif digits.startswith(("44", "0")) and country == "uk" and length >= NATIONAL:
        new = _british(digits, drawn_tail=f"{next(drawn) % 1000:03}")
    elif country == "sv" and length >= 8 and digits.startswith(("0", "46")):  # noqa: PLR2004
        new = _swedish(digits, int(tail))
    elif length >= 8:  # noqa: PLR2004 - the line is 555 01xx, behind whatever code
        new = digits[: length - 7] + "55501" + tail
    else:
        return number(words, key)
    if new == digits:
        new = new[:-1] + str((int(new[-1]) + 1) % 10)
    left = iter(new)
    put = DIGIT.sub(lambda _: next(left), main)
    put = re.sub(r"[^\W\d_]", lambda m: m[0], put)
    return put + (
        number(extension, key.narrow("extension")) if DIGIT.search(extension) else extension
    )


def _parts(words: str) -> tuple[str, str]:
    """Split off an extension."""
    found = re.search(
        r"(?:,|;)?\s*(?:x|ext\.?|extn\.?|#|option|anknytning|ankn)\s*\d+.*$", words, re.I
    )
    return (words[: found.start()], words[found.start() :]) if found else (words, "")


def _british(digits: str, drawn_tail: str) -> str:
    code = "44" if digits.startswith("44") else "0"
    rest = digits[len(code) :].removeprefix("0")
    if rest.startswith("7"):
        new = "7700900" + drawn_tail
    else:
        city = next((c for c in CITY_DRAMA if rest.startswith(c)), "")
        new = city + CITY_DRAMA[city] + drawn_tail if city else "1632960" + drawn_tail
    new = code + ("0" if digits[len(code) :].startswith("0") and code == "44" else "") + new
    return (new + drawn_tail)[: len(digits)]


def _swedish(digits: str, tail: int) -> str:
    code = "46" if digits.startswith("46") else "0"
    rest = digits[len(code) :]
    new = "7017406" + f"{tail % 95 + 5:02}" if rest.startswith("7") else "846500" + f"4{tail:02}"
    return (code + new + "00")[: len(digits)]


def mail(words: str, key: Key, names: Mapping[str, str]) -> str:
    """Return a mail address at example.org; a name of the note in it becomes its surrogate."""
    found = MAIL.fullmatch(words)
    user = found["user"] if found else words
    return f"{handle(user, key, names)}{found['at'] if found else '@'}example.org"


def handle(words: str, key: Key, names: Mapping[str, str]) -> str:
    """Return a user name; names in it, also behind an initial, become what stands for them."""

    def letters(found: re.Match[str]) -> str:
        was = fold(found[0])
        for name in sorted(names, key=lambda name: (-len(name), name)):
            if len(name) > 2 and name in was:  # noqa: PLR2004
                before, after = was.split(name, 1)
                whole = _letters(before, key) + fold(names[name]) + _letters(after, key)
                return re.sub(r"[^a-z]", "", whole) or _letters(was, key)
        put = _letters(was, key)
        return put.upper() if found[0].isupper() else put

    put = LETTERS.sub(letters, words)
    drawn = key.narrow("handle", fold(words)).numbers()
    put = DIGIT.sub(lambda m: str((int(m[0]) + next(drawn) % 9 + 1) % 10), put)
    return put if fold(put) != fold(words) else f"{put}1"


def _letters(words: str, key: Key) -> str:
    """Return letters that can be said where the words could."""
    drawn = key.narrow("letters of", words).numbers()
    signs = []
    for sign in words:
        among = "aeiou" if sign in "aeiouy" else "bcdfghklmnprstvw"
        choices = [other for other in among if other != sign]
        signs.append(choices[next(drawn) % len(choices)])
    return "".join(signs)


def web(words: str, key: Key, names: Mapping[str, str]) -> str:
    """Return a web address below example.org, with as long a path."""
    found = WEB.fullmatch(words)
    if found is None:
        return number(words, key)
    host = "example.org"
    labels = found["host"].split(".")
    if len(labels) > 2 and "example" not in labels[0]:  # noqa: PLR2004
        host = f"{handle(labels[0], key, names)}.{host}"
    path = re.sub(r"[^\W_]+", lambda m: handle(m[0], key, names), found["path"])
    return f"{found['scheme'] or ''}{found['www'] or ''}{host}{path}"


def address(words: str, key: Key) -> str:
    """Return a network address out of the blocks for documentation (RFC 5737, 3849, 7042)."""
    drawn = key.narrow("address", words).numbers()
    if IPV4.fullmatch(words):
        block = ("192.0.2", "198.51.100", "203.0.113")[next(drawn) % 3]
        put = f"{block}.{next(drawn) % 254 + 1}"
        return put if put != words else f"{block}.{255}"
    pairs = re.fullmatch(r"((?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\2){4}[0-9a-f]{2})", words, re.I)
    if pairs:
        return pairs[2].join(("00", "00", "5E", "00", "53", f"{next(drawn) % 256:02X}"))
    if ":" in words:
        return f"2001:db8::{next(drawn) % 65535 + 1:x}"
    return number(words, key)
