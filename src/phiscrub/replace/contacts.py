"""Ways to reach somebody, in ranges that reach nobody: telephones, mail, web, network addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from phiscrub.replace.dialling import PLANS, Plan
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import DIGIT, SPOKEN_DIGIT, number
from phiscrub.replace.people import fold

LETTERS = re.compile(r"[^\W\d_]+")
MAIL = re.compile(r"(?P<user>\S+?)(?P<at>\s?(?:@|\(at\)|\[at\])\s?)(?P<host>\S.*)")
WEB = re.compile(
    r"(?P<scheme>[a-z]+://)?(?P<www>www\.)?(?P<host>[^/\s?#]+)(?P<path>.*)", re.I | re.S
)
IPV4 = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}")
NATIONAL = 7  # digits of a number within its area; fewer are no telephone number of their own
MOST_DIGITS = 15  # of one number (ITU-T E.164)
FEWER = 2  # digits by which a national number may be shorter than is usual there
ABROAD = re.compile(r"\D*(?:\+|00)\s?(?=\d)")
SEVERAL = re.compile(r"(\s*(?:[,;/]|(?<!\w)(?:or|and|y|o|och|eller)(?!\w))\s*)")
STORY = "55501"


def phone(words: str, key: Key, area: Callable[[str], str], country: str) -> str:
    """Return a telephone number of the same look that nobody has.

    `area` gives the area that stands for another, itself where it knows none: then one is drawn.
    `country` is `us`, `uk`, `sv` or `es`, and decides where the number does not tell. An extension
    keeps its length.
    """
    key = key.narrow("phone", "".join(DIGIT.findall(words)) or fold(words))
    if SPOKEN_DIGIT.search(words) and not DIGIT.search(words):
        return number(words, key)
    several = SEVERAL.split(words)
    if len(several) > 1 and all(len(DIGIT.findall(one)) >= NATIONAL for one in several[::2]):
        several[::2] = [phone(one, key, area, country) for one in several[::2]]
        return "".join(several)
    main, extension = _parts(words)
    digits = "".join(DIGIT.findall(main))
    plan, head = _dialled(main, digits, country)
    drawn = key.numbers()
    line = f"{STORY}{next(drawn) % 100:02}"
    if plan is not None:
        national = digits[head:]
        code, line = plan.another(national, key, area)
        if digits[:head] + code + line == digits:
            line = line[:-1] + str((int(line[-1]) + 1) % 10)
        put = _laid(main, head, plan, (plan.cut(national), code), line)
    elif len(digits) == NATIONAL and country == "us":
        put = _filled(main, line if line != digits else line[:-1] + str((int(line[-1]) + 1) % 10))
    elif NATIONAL < len(digits) <= MOST_DIGITS:  # a line for stories behind whatever code
        kept = head if ABROAD.match(main) else len(digits) - len(digits.lstrip("0"))
        kept = min(kept, len(digits) - NATIONAL)
        code = "".join(
            str((int(d) + next(drawn) % 9 + 1) % 10) for d in digits[kept : len(digits) - NATIONAL]
        )
        put = _filled(main, digits[:kept] + code + line)
    else:
        return number(words, key)
    return put + (number(extension, key.narrow("extension")) if extension else "")


def _dialled(main: str, digits: str, country: str) -> tuple[Plan | None, int]:
    """Return the plan of a number, if one is known, and how many digits stand before its area."""
    plans = (PLANS[country], *(plan for name, plan in PLANS.items() if name != country))
    if ABROAD.match(main):
        skip = len("00") if "+" not in main else 0
        for plan in plans:
            if digits[skip:].startswith(plan.prefix):
                head = skip + len(plan.prefix)
                head += bool(plan.trunk) and digits[head:].startswith(plan.trunk)
                return (plan, head) if _fits(plan, digits[head:]) else (None, head)
        return None, skip + len("49")
    home = plans[0]
    if digits.startswith(home.trunk) and _fits(home, digits[len(home.trunk) :]):
        return home, len(home.trunk)
    if digits.startswith(home.prefix) and len(digits) == len(home.prefix) + home.length:
        return home, len(home.prefix)
    return None, 0


def _fits(plan: Plan, national: str) -> bool:
    """Tell whether a number has the length and the beginning that the plan gives it."""
    fewest = plan.length - (FEWER if plan.trunk else 0)
    return fewest <= len(national) <= plan.length and not national.startswith("0")


def _laid(main: str, head: int, plan: Plan, codes: tuple[int, str], line: str) -> str:
    """Write a number as another was; where its area's code is longer or shorter, as is usual."""
    cut, code = codes
    between = [found[1] for found in re.finditer(r"(\D*)\d", main)]
    digits = "".join(DIGIT.findall(main))[:head] + code + line
    if cut == len(code) and len(digits) == len(between):
        return _filled(main, digits)
    behind = next((sign for sign in between[head + cut + 1 :] if sign), "")
    sizes = plan.groups.get(len(line), (len(line),))
    starts = {sum(sizes[:at]) for at in range(1, len(sizes))}
    signs = [*between[: head + 1], *[""] * (len(code) - 1), between[head + cut]]
    signs += [behind if at in starts else "" for at in range(1, len(line))]
    end = main[max(found.end() for found in DIGIT.finditer(main)) :]
    return "".join(sign + digit for sign, digit in zip(signs, digits, strict=True)) + end


def _filled(main: str, digits: str) -> str:
    left = iter(digits)
    return DIGIT.sub(lambda _: next(left), main)


def _parts(words: str) -> tuple[str, str]:
    """Split off an extension."""
    found = re.search(
        r"(?:,|;)?\s*(?:x|ext\.?|extn\.?|extension|#|option|anknytning|ankn\.?)\s*\d+.*$",
        words,
        re.I,
    )
    return (words[: found.start()], words[found.start() :]) if found else (words, "")


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
