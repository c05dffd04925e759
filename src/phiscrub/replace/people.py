"""Who is who: which ways of writing a name in one note mean the same person."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.replace.titles import (
    AFTER_NAMES,
    ALONE,
    CREDENTIALS,
    IN_FRONT,
    JOINED,
    LEADING,
    PARTICLES,
    SEX,
    SUFFIXES,
    TITLES,
)

PART = re.compile(
    r"[^\W\d_]\.ª|(?<!\w)(?:[Aa]/[LlPp]|[SsDdWw]/[Oo])(?!\w)"
    r"|[^\W\d_]+(?:['’-][^\W\d_]+)*"
)
SPELLED = re.compile(r"[^\W\d_](?:-[^\W\d_]){2,}")
# Apostrophes as they are typed: `O' Brien` too, cut by a line's end, and other signs for one.
ELIDED = re.compile(r"(?<![^\W\d_])([^\W\d_])['’ʼ‘´`]-?\s*(?=[^\W\d_]{2})")
TYPED = re.compile(r"(?<=[^\W\d_])[‘´`](?=[^\W\d_])")
WRAPPED = re.compile(r"-[ \t]*\r?\n\s*(?=([^\W\d_]))")
TITLE_BEFORE = re.compile(rf"(?<!\w)({'|'.join(SEX)})\.?\s*$", re.I)
FILIAL = MappingProxyType(  # "son of", "daughter of"
    {"bin": "m", "binti": "f", "binte": "f", "a/l": "m", "s/o": "m", "a/p": "f", "d/o": "f"}
)
LEAST_SURNAME = 4  # letters in capitals that are no initials
RELATIVES = "FAMILIARES_SUJETO_ASISTENCIA"  # marks what a relative is, a name, or both
KIN = frozenset(
    (
        *("madre", "padre", "hija", "hijo", "hijas", "hijos", "hermana", "hermano", "hermanas"),
        *("hermanos", "hermanita", "hermanito", "esposa", "esposo", "mujer", "marido", "pareja"),
        *("abuela", "abuelo", "abuelas", "abuelos", "abuelita", "abuelito", "tia", "tio", "tias"),
        *("tios", "prima", "primo", "primas", "primos", "sobrina", "sobrino", "nieta", "nieto"),
        *("nietas", "nietos", "nuera", "yerno", "suegra", "suegro", "cunada", "cunado", "novia"),
        *("novio", "mama", "papa", "companera", "companero", "viuda", "viudo", "vecina"),
        *("vecino", "cuidadora", "cuidador", "gemela", "gemelo", "hijastra", "hijastro"),
        *("madrastra", "padrastro", "madrina", "padrino", "tutora", "tutor", "bisabuela"),
        *("bisabuelo", "materna", "materno", "paterna", "paterno", "mayor", "menor", "familia"),
        *("familiar", "padres", "suegros", "polola", "pololo", "comadre", "compadre"),
        *("conviviente", "enamorada", "enamorado", "expareja", "exmarido", "exmujer"),
        *("bisnieta", "bisnieto"),
    )
)
# Behind a word of kinship they are no names; any other word in small letters is one.
BESIDE_KIN = frozenset(
    (
        *("actual", "adoptiva", "adoptivo", "afin", "ambos", "biologica", "biologico", "carnal"),
        *("comun", "con", "cuidadores", "de", "del", "difunta", "difunto", "divorciada", "dos"),
        *("divorciado", "ella", "ellas", "ellos", "enferma", "enfermo", "entre", "fallecida"),
        *("fallecido", "gemelas", "gemelos", "grande", "las", "legal", "los", "maternas"),
        *("maternos", "mayores", "mediana", "mediano", "melliza", "mellizo", "mellizos"),
        *("menores", "mismo", "natural", "paternas", "paternos", "pequena", "pequenas"),
        *("pequeno", "pequenos", "politica", "politico", "por", "previa", "previo", "principal"),
        *("que", "referente", "sana", "sano", "sanos", "segunda", "segundo", "segundos", "soltera"),
        *("soltero", "tres", "unica", "unico", "varon", "varones", "vivos", "viuda", "viudo"),
    )
)
LEAST_NICKNAME = 3
APOSTROPHES = MappingProxyType({ord("’"): "'", ord("ʼ"): "'"})
# Particles that begin a surname, and are no given names: `Ben Lee` is not `Carl Ben Lee`.
OF = PARTICLES - {
    *("a/l", "a/p", "al", "anak", "ap", "ben", "bin", "binte", "binti", "d/o", "du", "el", "le"),
    *("mac", "s/o", "w/o", "y"),
}
_Token = tuple[int, int, str]  # a word of a name: where it stands, and what it is folded
CROWD = 200  # more ways of writing names that share words than this are all told apart


@dataclass(frozen=True, slots=True)
class Name:
    """One way of writing a name: words given name first, folded; suffix and sex where told.

    Sex is ``m`` or ``f`` by a title such as `Mr.` or by `bin` and `binti`, or empty.
    """

    words: tuple[str, ...]
    suffix: str = ""
    sex: str = ""

    @classmethod
    def read(cls, words: str, before: str = "", language: str = "") -> Name:
        """Read a name as it stands in a note; `before` is the text in front of it.

        `SMITH, JOHN A` and `SMITH John` are turned round; titles and credentials are set aside.
        """
        title = TITLE_BEFORE.search(before)
        sex = SEX[fold(title[1])] if title else ""
        words = _joined(_composed(words))
        led = LEADING.match(words) is not None
        tokens = _tokens(words)
        beside = [plain for _, _, plain in tokens]
        sex = sex or next((SEX[plain] for plain in beside if plain in SEX), "")
        suffix = next((plain for plain in beside[led:] if plain in SUFFIXES), "")
        spans = _naming(words, tokens, language)
        parts = [(words.count(",", 0, start), bare(words[start:end])) for start, end in spans]
        first = surname_first(words, spans)
        turned = [*parts[first:], *parts[:first]]
        ordered = [part for at, part in turned if at] + [part for at, part in turned if not at]
        sex = sex or FILIAL.get(ordered[filial(ordered)] if ordered else "", "")
        return cls(tuple(ordered) or (fold(words),), suffix, sex)

    @property
    def orders(self) -> tuple[tuple[str, ...], ...]:
        """The words as they stand, and with the surname last where `Smith J` may have it first."""
        if len(self.words) > 1 and len(self.words[-1]) == 1 < len(self.words[0]):
            return self.words, (*self.words[1:], self.words[0])
        return (self.words,)

    @property
    def told(self) -> tuple[int, int, bool, bool]:
        """How much the form tells, to sort by."""
        whole = sum(len(word) > 1 for word in self.words)
        return whole, len(self.words), bool(self.suffix), bool(self.sex)

    def matches(self, other: Name) -> bool:
        """Tell whether the two may well be one person: their words agree."""
        if self._contradicts(other):
            return False
        return any(_agree(mine, theirs) for mine in self.orders for theirs in other.orders)

    def differs(self, other: Name) -> bool:
        """Tell whether the two cannot be one person; two bare words may, as given and surname."""
        both_full = len(self.words) > 1 and len(other.words) > 1
        return self._contradicts(other) or (both_full and not self.matches(other))

    def _contradicts(self, other: Name) -> bool:
        suffixes, sexes = {self.suffix, other.suffix} - {""}, {self.sex, other.sex} - {""}
        return len(suffixes) > 1 or len(sexes) > 1


def filial(parts: Sequence[str]) -> int:
    """Return where among folded words `bin` or `binti` stands behind given names, else 0."""
    return next((at for at, part in enumerate(parts[:-1]) if at and part in FILIAL), 0)


def fold(words: str) -> str:
    """Return the words without case, accents, invisible characters and runs of white space.

    Curly apostrophes become straight ones.
    """
    if words.isascii():  # most are, and there is nothing to take apart
        return " ".join(words.lower().split())
    plain = unicodedata.normalize("NFKD", words.casefold()).translate(APOSTROPHES)
    shown = "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))
    return " ".join(shown.split())


def bare(word: str) -> str:
    """Return a word of a name folded, without a genitive's s and apostrophes: `O'Neil`, `ONeil`.

    A word that is spelled out is put together.
    """
    if "ª" in word:  # `Mª` and `M.ª` are María, `Ma` is a surname
        return "mª"
    plain = fold(word).removesuffix("'s").replace("'", "")
    return plain.replace("-", "") if SPELLED.fullmatch(word) else plain


def naming(words: str, language: str = "") -> list[tuple[int, int]]:
    """Return where the parts of a name stand, particles too; none where words are but a title.

    What is a name as well, such as `Do`, is a credential only behind a name and written as one.
    """
    return _naming(words, _tokens(words), language)


def _naming(words: str, tokens: Sequence[_Token], language: str) -> list[tuple[int, int]]:
    if _is_title(words, tokens):
        return []
    led = language != "es" and LEADING.match(words) is not None  # there SR is señor
    kept: list[tuple[int, int]] = []
    done = 0
    for at, (start, end, plain) in enumerate(tokens):
        raw, comma = words[start:end], "," in words[done:start]
        done = end
        is_front = not at and len(tokens) > 1 and plain in IN_FRONT.get(language, ())
        is_suffix = plain in SUFFIXES and not (led and not at)
        if plain in TITLES or is_front or is_suffix or (plain in CREDENTIALS and kept):
            continue
        written = raw.isupper() or (words.islower() and comma)
        whole = len(kept) > 1  # given name and surname
        behind = comma and whole if words.isupper() else (comma and kept) or whole
        if plain in AFTER_NAMES and written and behind:
            continue
        kept.append((start, end))
    return kept


def is_title(words: str) -> bool:
    """Tell whether words are but a title or credentials: `MD`, `RN, BSN`."""
    return _is_title(words, _tokens(words))


def _is_title(words: str, tokens: Sequence[_Token]) -> bool:
    named = any(map(str.isdigit, words)) or any(plain not in ALONE for _, _, plain in tokens)
    return bool(tokens) and not named


def surname_first(words: str, spans: Sequence[tuple[int, int]]) -> int:
    """Return how many of the parts at `spans` are a surname in capitals, as in `JONES Sian`."""
    if "," in words or words.isupper():
        return 0
    first = 0
    while first < len(spans) and words[slice(*spans[first])].isupper():
        first += 1
    long = any(end - start >= LEAST_SURNAME for start, end in spans[:first])
    return first if long and first < len(spans) else 0


def _composed(words: str) -> str:
    """Return the words with each accent in its letter, without invisible characters."""
    if words.isascii():
        return words
    plain = unicodedata.normalize("NFC", words)
    return "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))


def _joined(words: str) -> str:
    """Return the words with what a line's end or a typed apostrophe parts put together."""
    words = TYPED.sub("'", ELIDED.sub(r"\1'", words))
    return WRAPPED.sub(lambda cut: "" if cut[1].islower() else "-", words)


def _tokens(words: str) -> list[_Token]:
    """Return the words of a name at their places, folded; a credential in parts is one."""
    found: list[_Token] = []
    for joined in JOINED.finditer(words) if "." in words or "/" in words else ():
        plain = re.sub(r"[./]", "", fold(joined[0]))
        if plain in CREDENTIALS or plain in AFTER_NAMES:
            found.append((*joined.span(), plain))
    for pattern in (SPELLED, PART) if "-" in words else (PART,):
        taken = list(found)
        found += [
            (*part.span(), fold(part[0]).removesuffix("'s"))
            for part in pattern.finditer(words)
            if not (taken and any(start <= part.start() < end for start, end, _ in taken))
        ]
    return sorted(found)


def named_relatives(words: str, given: Container[str]) -> list[tuple[int, int]]:
    """Return where names stand in what is said of relatives: words with a capital, no kinship.

    `given` are known given names, folded, which are names without a capital too, and so is what
    stands right behind kinship and says nothing of it: `polola maca`.
    """
    runs: list[tuple[int, int]] = []
    before = ""
    for part in PART.finditer(words):
        plain, behind = fold(part[0]), before in KIN
        before = plain
        called = behind and len(plain) >= LEAST_NICKNAME and plain not in BESIDE_KIN
        if plain in KIN or not (part[0][0].isupper() or plain in given or called):
            continue
        if runs and not words[runs[-1][1] : part.start()].strip():
            runs[-1] = runs[-1][0], part.end()
        else:
            runs.append(part.span())
    return runs


def persons(names: Sequence[Name]) -> list[int]:
    """Return a number for each name; two have the same only where nobody else could be meant.

    A form that fits two people, such as `Smith` beside John and Jane Smith, is a person of its
    own, and so are forms that contradict each other over one fuller name.
    """
    forms = sorted(set(names), key=lambda n: (*(-int(x) for x in n.told), n.words, n.suffix, n.sex))
    found: dict[Name, int] = {}
    for crowd in _sharing(forms):
        people: list[list[Name]] = []
        for form in crowd:
            owners = [person for person in people if _fits(form, person)]
            if len(owners) == 1 and not _contested(form, owners[0][0], crowd):
                owners[0].append(form)
            else:
                people.append([form])
        first = len(found)  # any number that no other crowd has
        found |= {form: first + i for i, person in enumerate(people) for form in person}
    return [found[name] for name in names]


def _fits(form: Name, person: Sequence[Name]) -> bool:
    return form.matches(person[0]) and not any(form.differs(member) for member in person)


def _contested(form: Name, fullest: Name, crowd: Sequence[Name]) -> bool:
    return any(other.matches(fullest) and other.differs(form) for other in crowd)


def _agree(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Tell whether the shorter form's words are all in the longer, in order, first to first.

    Or the shorter is the longer's surname: `de la Cruz`.
    """
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(short) > 1 and short[0] in OF and long[-len(short) :] == short:
        return True
    if len(short) == 1:
        return len(short[0]) > 1 and short[0] in long
    if not _alike(short[0], long[0]):
        return False
    rest = iter(long[1:-1])
    middle = all(any(_alike(word, other) for other in rest) for word in short[1:-1])
    end = _alike(short[-1], long[-1]) or (len(short[-1]) > 1 and short[-1] in rest)
    return middle and end and any(len(word) > 1 and word in long for word in short)


def _alike(left: str, right: str) -> bool:
    return left == right or (1 in (len(left), len(right)) and left[0] == right[0])


def _sharing(forms: Sequence[Name]) -> Iterator[list[Name]]:
    """Yield groups of forms that share a whole word, directly or through others, in order."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, form in enumerate(forms):
        for word in form.words:
            if len(word) > 1:
                by_word[word].append(index)
    seen = [False] * len(forms)
    for start in range(len(forms)):
        if seen[start]:
            continue
        seen[start] = True
        group, waiting = [], [start]
        while waiting:
            index = waiting.pop()
            group.append(index)
            for word in forms[index].words:
                for other in by_word.pop(word, ()):
                    if not seen[other]:
                        seen[other] = True
                        waiting.append(other)
        if len(group) > CROWD:
            yield from ([forms[index]] for index in sorted(group))
        else:
            yield [forms[index] for index in sorted(group)]
