"""Ways to reach somebody, in ranges that reach nobody: telephones, mail, web, network addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from phiscrub.replace import saidnumbers
from phiscrub.replace.british import is_british
from phiscrub.replace.casing import like
from phiscrub.replace.dialling import PLANS, Plan
from phiscrub.replace.keyed import Key
from phiscrub.replace.misread import AS_DIGITS
from phiscrub.replace.numbers import DIGIT, KINDS, coded, number
from phiscrub.replace.people import fold
from phiscrub.replace.saidnumbers import SAID

LETTERS = re.compile(r"[^\W\d_]+")
MAIL = re.compile(r"(?P<user>\S+?)(?P<at>\s?(?:@|\(at\)|\[at\])\s?)(?P<host>\S.*)")
WEB = re.compile(
    r"(?P<scheme>[a-z]+://)?(?P<www>www\.)?(?P<host>[^/\s?#]+)(?P<path>.*)", re.I | re.S
)
NETWORK = re.compile(
    r"(?P<v4>(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d))"
    r"|(?P<mac>(?<!\w)[0-9a-f]{2}(?P<by>[:-])(?:[0-9a-f]{2}(?P=by)){4}[0-9a-f]{2}(?!\w))"
    r"|(?<![\w:])(?=[0-9a-f]*:[0-9a-f]*:)[0-9a-f:]+(?<![^:]:)(?!\w)",
    re.I,
)
BESIDE = re.compile(r"\W*|\]?[:/]\d{1,5}\W*")  # what may stand around an address
NATIONAL = 7  # digits of a number within its area; fewer are no telephone number of their own
MOST_DIGITS = 15  # of one number (ITU-T E.164)
FEWER = 2  # digits by which a national number may be shorter than is usual there
ABROAD = re.compile(r"\D*(?:\+|00)\s?(?=\d)")
FROM_US = re.compile(r"\D*011(?=(?:\D*\d){9})")  # and behind it the number with its country
SEVERAL = re.compile(r"(\s*(?:[,;/]|(?<!\w)(?:or|and|y|o|och|eller)(?!\w))\s*)")
NANP = re.compile(
    r"(?:\+?1[-. ])?(?:\([2-9]\d\d\) ?[2-9]\d\d[-. ]|[2-9]\d\d([-.])[2-9]\d\d\1)\d{4}"
)
FORMS = {  # of numbers of other countries that are written without their prefix
    "au": re.compile(
        r"\D*(?:04\d\d(?P<by>[ -]?)\d{3}(?P=by)\d{3}|\(?0[2378]\)?[ -]\d{4}[ -]\d{4})\D*"
    ),
    "in": re.compile(r"\D*0?[6-9]\d{4}[ -]\d{5}\D*"),
    "au free": re.compile(r"\D*1[38]00(?P<by>[ -]?)\d{3}(?P=by)\d{3}\D*"),
    "fr": re.compile(r"\D*0[1-9](?P<by>[ .-])\d\d(?:(?P=by)\d\d){3}\D*"),
}
BRITISH = re.compile(r"0(?:20|[17]\d)\d{8}")  # however the digits are parted
EXTENSION = re.compile(
    r"(?P<main>.*?\d)(?P<extension>\W{0,4}(?:x|#|[^\W\d_]{2,12}\.?)[\s:.]{0,4}(?:[^\W\d_]{1,12}\s{1,4}){0,4}\d.*)",
    re.I | re.S,
)
BESIDE_NUMBERS = frozenset(  # what may be written about a telephone
    (
        f"{KINDS} "
        "x ex opt poste local anexo int interno interna växel vx knappval telnr nummer mobilnr "
        "a an at to in on of the or is it if for by when then only and any after before until "
        "between ask asked press dial call calls text page enter select leave message voicemail "
        "machine prompt best preferred primary secondary main alternate alt other emergency "
        "contact number numbers line lines land landline phones hours day days daytime night "
        "nights evening evenings morning weekdays weekends front desk nurse nurses triage "
        "operator reception receptionist switchboard clinic hospital ward unit room station "
        "floor toll free hotline international intl country code area ring c h w m o p t f e y "
        "u de del la el los las al en por con si para luego después marque marcar pulse pulsar "
        "llame llamar preguntar pregunte opción opcion contacto fijo particular trabajo casa "
        "oficina centralita urgencias planta consulta personal och eller tryck välj slå sedan "
        "efter mellan vid på till från hem hemnr hemma arbete arbetet jobb jobbet dagtid "
        "kvällstid vardagar avdelning avd mottagning am pm mon tue wed thu fri sat sun"
    ).split()
)
LEAST_MAIN = 6  # digits before an extension
MISREAD = re.compile(r"(?<![^\W\d_])[OolI]*\d[\dOolI]*(?![^\W\d_])")
LONG_PREFIX = re.compile(  # of countries whose prefix has three digits (ITU-T E.164)
    r"2(?!0|7)|3[578]|42|5[09]|6[789]|8(?!1|2|4|6)|9[679]"
)
STORY = "55501"
MOST_ATTEMPTS = 200  # to find a line that stands for no other number of the note


@dataclass(slots=True)
class Phones:
    """Stands in for the telephone numbers of one note, however each is written.

    `area` gives the area that stands for another, "" where it knows none: then one is drawn.
    `country` is `us`, `uk`, `sv` or `es`, and decides where a number does not tell. A number steps
    aside where it, or its line alone, would stand for two of the note, as long as its range has
    others.
    """

    key: Key
    area: Callable[[str], str]
    country: str
    _taken: dict[str, str] = field(default_factory=dict)  # a number and for which it stands
    _lines: dict[str, str] = field(default_factory=dict)  # the same of lines without their areas

    def another(self, words: str) -> str:
        """Return a number of the same look that nobody has; an extension keeps its length."""
        if SAID.search(words) and not DIGIT.search(words):
            return self._said(words)
        words = in_digits(words)
        several = SEVERAL.split(words)
        sizes = [len(DIGIT.findall(one)) for one in several[::2]]
        told = any(
            size < NATIONAL and LETTERS.search(one)
            for size, one in zip(sizes, several[::2], strict=True)
        )
        if len(several) > 1 and sizes[0] >= NATIONAL and all(sizes) and not told:
            firsts = [several[0] if size < NATIONAL else "" for size in sizes]
            pairs = zip(several[::2], firsts, strict=True)
            several[::2] = [self._short(one, of) if of else self.another(one) for one, of in pairs]
            return "".join(several)
        main, extension = _parts(words)
        digits = "".join(DIGIT.findall(main))
        plan, head = _dialled(main, digits, self.country)
        if plan is None:
            head = head if _exit(main, self.country) else len(digits) - len(digits.lstrip("0"))
            head = max(0, min(head, len(digits) - NATIONAL))
        national = digits[head:]
        one = plan.line(national) if plan else national
        key = self.key.narrow("phone", one or fold(words))
        least = NATIONAL if self.country == "us" else NATIONAL + 1
        if plan is None and not least <= len(digits) <= MOST_DIGITS:
            return number(words, key)
        code, line = self._free(plan, national, one, key)
        if plan is None:
            put = _filled(main, digits[:head] + code + line)
        else:
            put = _laid(main, head, plan, (plan.cut(national), code), line)
        own = key.narrow("extension")
        put += re.sub(r"\d+", lambda found: number(found[0], own), extension)
        return LETTERS.sub(lambda found: _beside_number(found[0], own), put)

    def _said(self, words: str) -> str:
        """Return a number in words, one that nobody has where each word says a digit."""
        digits = saidnumbers.digits(words)
        if len(digits) < NATIONAL:
            return number(words, self.key.narrow("phone", fold(words)))
        return saidnumbers.say(words, self.another(digits))

    def _short(self, ending: str, first: str) -> str:
        """Return the ending of what stands for a number that is written as the end of another.

        `617-422-9182/3` is two numbers: as many digits come out as tell the second from the first.
        """
        ends = "".join(DIGIT.findall(ending))
        main, _ = _parts(first)
        left = iter("".join(DIGIT.findall(main))[: -len(ends)] + ends)
        whole = DIGIT.sub(lambda _: next(left), main)
        one, other = ("".join(DIGIT.findall(self.another(words))) for words in (main, whole))
        unlike = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        alike = next(unlike, len(other))
        put = other[min(alike, len(other) - len(ends)) :]
        places = [found.start() for found in DIGIT.finditer(ending)]
        return f"{ending[: places[0]]}{put}{ending[places[-1] + 1 :]}"

    def _free(self, plan: Plan | None, national: str, one: str, key: Key) -> tuple[str, str]:
        """Return the code and the line of a number that stands for no other of the note.

        `one` is what tells the number apart by itself.
        """
        spare: tuple[str, str] | None = None
        for attempt in range(MOST_ATTEMPTS):
            own = key if attempt == 0 else key.narrow("aside", str(attempt))
            code, line = plan.another(national, own, self.area) if plan else _story(national, own)
            if self._taken.get(code + line, national) != national:
                continue
            if not (plan and plan.local) or self._lines.setdefault(line, one) == one:
                break
            spare = spare or (code, line)
        else:
            code, line = spare or (code, line)
        self._taken.setdefault(code + line, national)
        return code, line


def _story(national: str, key: Key) -> tuple[str, str]:
    """Return another code, and behind it a line that is kept for stories."""
    drawn = key.numbers()
    line = f"{STORY}{next(drawn) % 100:02}"
    if line == national[-NATIONAL:]:
        line = line[:-1] + str((int(line[-1]) + 1) % 10)
    return (
        "".join(str((int(d) + next(drawn) % 9 + 1) % 10) for d in national[:-NATIONAL]),
        line,
    )


def _dialled(main: str, digits: str, country: str) -> tuple[Plan | None, int]:
    """Return the plan of a number, if one is known, and how many digits stand before its area."""
    plans = (PLANS[country], *(plan for name, plan in PLANS.items() if name != country))
    exit_code = _exit(main, country)
    if exit_code:
        skip = len(exit_code.strip("+"))
        for plan in plans:
            if digits[skip:].startswith(plan.prefix):
                head = skip + len(plan.prefix)
                head += bool(plan.trunk) and digits[head:].startswith(plan.trunk)
                return (plan, head) if _fits(plan, digits[head:]) else (None, head)
        return None, skip + (len("49") if not LONG_PREFIX.match(digits, skip) else len("234"))
    home = plans[0]
    form = next((name for name, form in FORMS.items() if form.fullmatch(main)), "")
    if not form and country == "us" and _is_british(main, digits):
        form = "uk"
    if form and country in ("us", "uk"):
        return PLANS[form], int(digits.startswith("0"))
    local = bool(home.local) and len(digits) == home.local
    if local or (digits.startswith(home.trunk) and _fits(home, digits[len(home.trunk) :])):
        return home, len(home.trunk)
    if digits.startswith(home.prefix) and len(digits) == len(home.prefix) + home.length:
        return home, len(home.prefix)
    return None, 0


def _is_british(main: str, digits: str) -> bool:
    """Tell whether a number with its trunk zero can be British, by its digits or as written."""
    plan = PLANS["uk"]
    fits = digits.startswith(plan.trunk) and _fits(plan, digits.removeprefix(plan.trunk))
    return fits and (BRITISH.fullmatch(digits) is not None or is_british(main))


def _exit(main: str, country: str) -> str:
    """Return what is dialled, or written, before a country's prefix, "" where nothing is."""
    if ABROAD.match(main):
        return "+" if "+" in main else "00"
    return "011" if country == "us" and FROM_US.match(main) else ""


def _beside_number(word: str, key: Key) -> str:
    """Return a word that says something of a telephone, other letters for any other word."""
    return word if word.lower() in BESIDE_NUMBERS else number(word, key)


def in_digits(words: str) -> str:
    """Return a number with digits for the letters that a scanner read for them."""
    return MISREAD.sub(lambda found: found[0].translate(AS_DIGITS), words)


def is_american(words: str) -> bool:
    """Tell whether words look like a telephone number of North America, whatever they are."""
    return NANP.fullmatch(words) is not None


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
    """Split off an extension: what a word, or a number sign, sets apart from a whole number."""
    found = EXTENSION.fullmatch(words)
    if found is None or len(DIGIT.findall(found["main"])) < LEAST_MAIN:
        return words, ""
    return found["main"], found["extension"]


@dataclass(frozen=True, slots=True)
class Stems:
    """What stands for words of names in log-ins, folded, and for first letters, in capitals."""

    words: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)


def mail(words: str, key: Key, names: Stems) -> str:
    """Return a mail address at example.org; a name of the note in it becomes its surrogate."""
    found = MAIL.fullmatch(words)
    user = found["user"] if found else words
    return f"{handle(user, key, names)}{found['at'] if found else '@'}example.org"


def handle(words: str, key: Key, names: Stems) -> str:
    """Return a user name; names in it, also behind an initial, become what stands for them."""

    def part(words: str) -> str:
        initial = names.letters.get(words.upper(), "") if len(words) == 1 else ""
        return fold(initial) or _letters(words, key)

    def letters(found: re.Match[str]) -> str:
        was = fold(found[0])
        for name in sorted(names.words, key=lambda name: (-len(name), name)):
            if len(name) > 2 and name in was:  # noqa: PLR2004
                before, after = was.split(name, 1)
                whole = part(before) + fold(names.words[name]) + part(after)
                return re.sub(r"[^a-z]", "", whole) or _letters(was, key)
        put = _letters(was, key)
        return put.upper() if found[0].isupper() else put

    put = LETTERS.sub(letters, words)
    drawn = key.narrow("handle", fold(words)).numbers()
    put = DIGIT.sub(lambda m: str((int(m[0]) + next(drawn) % 9 + 1) % 10), put)
    return put if fold(put) != fold(words) else f"{put}1"


def user(words: str, log_in: Callable[[str], str], key: Key, names: Stems) -> str:
    """Return a log-in, or several: `jbs/cq` is who spoke and who wrote.

    `log_in` gives what stands for initials of the note, "" for other words.
    """
    parts = re.split(r"([/:])", words)
    put = [log_in(one) or handle(one, key, names) for one in parts[::2]]
    parts[::2] = map(like, parts[::2], put)
    return "".join(parts)


def nowhere(_: str) -> str:
    """Return no telephone area for any."""
    return ""


def _letters(words: str, key: Key) -> str:
    """Return letters that can be said where the words could."""
    drawn = key.narrow("letters of", words).numbers()
    signs = []
    for sign in words:
        among = "aeiou" if sign in "aeiouy" else "bcdfghklmnprstvw"
        choices = [other for other in among if other != sign]
        signs.append(choices[next(drawn) % len(choices)])
    return "".join(signs)


def web(words: str, key: Key, names: Stems) -> str:
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
    """Return network addresses out of the blocks for documentation (RFC 5737, 3849, 7042).

    A port, the length of a network's prefix and marks stay.
    """
    put, done = "", 0
    for found in NETWORK.finditer(words):
        put += _beside(words[done : found.start()], key) + _documented(found, key)
        done = found.end()
    return put + _beside(words[done:], key) if done else number(words, key)


def _beside(words: str, key: Key) -> str:
    return words if BESIDE.fullmatch(words) else coded(words, key)


def _documented(found: re.Match[str], key: Key) -> str:
    words = found[0]
    drawn = key.narrow("address", words).numbers()
    if found["v4"]:
        block = ("192.0.2", "198.51.100", "203.0.113")[next(drawn) % 3]
        put = f"{block}.{next(drawn) % 254 + 1}"
        return put if put != words else f"{block}.{255}"
    if found["mac"]:
        return found["by"].join(("00", "00", "5E", "00", "53", f"{next(drawn) % 256:02X}"))
    return f"2001:db8::{next(drawn) % 65535 + 1:x}"
