"""Occupations: another one in the same number and, in Spanish, gender; verbs stay verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold

JOB = re.compile(
    r"((?:(?:semi-)?retired\s+|former\s+|ex-|jubilad[oa]\s+|pensionerad\s+)?)"
    r"(.*?)(['’]s|(?<=s)['’]|)",
    re.I | re.S,
)
VOWELS = tuple("aeiouáéíóúåäö")
NEITHER = re.compile(r"ista\b|crata\b|atleta\b|guía\b|policía\b|cura\b")  # Spanish of either gender
ONLY_MEN = frozenset({"albañil", "sastre"})
_verbs = {  # how one says what somebody does, and what is then said of another occupation
    "works as {}": "works drives sells teaches raises farms runs cleans builds cuts owns keeps"
    " makes fixes grows packs fishes digs shells sews manages delivers repairs paints plays takes",
    "worked as {}": "worked drove sold taught raised farmed ran cleaned built owned kept made"
    " fixed grew packed fished dug shelled sewed managed delivered repaired painted played took",
    "working as {}": "working driving selling teaching raising farming running cleaning building"
    " cutting owning keeping making fixing growing packing fishing digging sewing managing",
    "work as {}": "drive sell teach raise run own build fix grow sew manage deliver",
}
SAYINGS = {verb: saying for saying, verbs in _verbs.items() for verb in verbs.split()}


def another(
    words: str, options: Sequence[str], key: Key, avoid: Set[str], *, spanish: bool = False
) -> str:
    """Return another occupation that goes with the article in front of it, in number too.

    `retired` and a genitive's s stay.
    """
    found = JOB.fullmatch(words)
    before, bare, genitive = found.groups() if found else ("", words, "")
    folded = fold(bare)
    first, *others = folded.split() or [""]
    saying = "" if spanish or not others else SAYINGS.get(first, "")
    head = first if spanish else folded
    many = not saying and head.endswith("s") and not head.endswith("ss")
    one = folded.removesuffix("s") if many else folded
    key = key.narrow("job", one)
    woman = spanish and head.removesuffix("s").endswith("a") and not NEITHER.search(first)
    fit = key.walk(list(_fitting(options, one, woman=woman, spoken=bool(saying))))
    told = [_woman(job) if woman else job for job in fit]
    free = (job for job in told if fold(job) not in one and fold(job) not in avoid)
    chosen = next(free, told[0])
    if many and not chosen.endswith("s"):
        chosen += "es" if spanish and not chosen.endswith(VOWELS) else "s"
    if saying:
        chosen = saying.format(f"{'an' if chosen.startswith(VOWELS) else 'a'} {chosen}")
    return before + like(bare, chosen) + genitive


def _fitting(options: Sequence[str], one: str, *, woman: bool, spoken: bool) -> Iterator[str]:
    """Yield the occupations that begin, and are of the gender, as one does."""
    begins = one.startswith(VOWELS)
    for job in options:
        if (spoken or job.startswith(VOWELS) == begins) and not (woman and job in ONLY_MEN):
            yield job


def _woman(job: str) -> str:
    """Return a Spanish occupation as it is said of a woman."""
    if job.endswith("o"):
        return f"{job[:-1]}a"
    return f"{job}a" if job.endswith("or") else job
