"""How a column of tags is written: which scheme a file uses, and the bracket notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from phiscrub.core.errors import AnnotationError
from phiscrub.core.schemes import OUTSIDE, scheme

Chunk = tuple[int, int, str]  # first token, end token, label

BRACKETS = "brackets"
BRACKET = re.compile(r"(?:\((?P<label>[^()*\s]+))?(?:\*|(?=\)))(?P<close>\))?|-")
PREFIXED = re.compile(r"(?P<prefix>[BIESLU])-(?P<label>\w[\w./&+:-]*)")
BARE = re.compile(r"[^\W\d_][\w-]*")
OUTSIDES = (OUTSIDE, "0")  # the second as klintan/swedish-ner-corpus writes it


class TagStyle(Protocol):
    """Chunks to tags and back; every `core.schemes.Scheme` is one."""

    def chunks(self, tags: Sequence[str]) -> list[Chunk]:
        """Read the tags of one sentence."""
        ...

    def write(self, length: int, chunks: Iterable[Chunk]) -> list[str]:
        """Write sorted, disjoint chunks as one tag a token."""
        ...


@dataclass(frozen=True, slots=True)
class Brackets:
    """The notation of CoNLL-2012 (Pradhan et al. 2012): ``(PERSON*``, ``*``, ``*)``, ``(DATE)``."""

    def chunks(self, tags: Sequence[str]) -> list[Chunk]:
        """Read tags; a chunk that is not closed ends with the sentence.

        Raises `AnnotationError` for what is no bracket, and where brackets nest or close nothing.
        """
        chunks: list[Chunk] = []
        first, label = 0, ""
        for index, tag in enumerate(tags):
            match = BRACKET.fullmatch(tag)
            if match is None or (match["label"] and label):
                raise AnnotationError(
                    f"tag of token {index} is no bracket or opens one in another",
                    hint="named entities are written (LABEL*, *, *) and do not nest",
                )
            if match["label"]:
                first, label = index, match["label"]
            if match["close"]:
                if not label:
                    raise AnnotationError(
                        f"tag of token {index} closes a bracket that is not open",
                        hint="named entities are written (LABEL*, *, *)",
                    )
                chunks.append((first, index + 1, label))
                label = ""
        return [*chunks, (first, len(tags), label)] if label else chunks

    def write(self, length: int, chunks: Iterable[Chunk]) -> list[str]:
        """Write chunks; one of a single token as ``(LABEL)``."""
        tags = ["*"] * length
        for first, end, label in chunks:
            tags[first] = f"({label})" if end - first == 1 else f"({label}*"
            if end - first > 1:
                tags[end - 1] = "*)"
        return tags


def reading_style(name: str) -> TagStyle:
    """Return what reads a file whose style was detected.

    BIOES reads BIO and IOB1 too, and a head may lack the E and S that come later.
    """
    return (
        Brackets()
        if name == BRACKETS
        else scheme({"BIO": "BIOES", "IOB1": "BIOES"}.get(name, name))
    )


def writing_style(name: str) -> TagStyle:
    """Return what writes tags of the named style."""
    return Brackets() if name == BRACKETS else scheme(name)


def detect_style(sentences: Iterable[Sequence[str]]) -> str:
    """Tell brackets or the scheme from some tags, BIO where they do not decide.

    One prefix is enough for a scheme with prefixes, and one bracket for brackets: a tag without
    one is then an error, to be found on reading.
    """
    known = [list(tags) for tags in sentences]
    every = {tag for tags in known for tag in tags}
    marked = every.difference(OUTSIDES)
    prefixes = {match["prefix"] for tag in marked if (match := PREFIXED.fullmatch(tag))}
    if not prefixes:
        if any("*" in tag or tag.startswith("(") for tag in marked):
            return BRACKETS
        return "IO" if marked else "BIO"
    if prefixes & {"E", "S"}:
        return "BIOES"
    if prefixes & {"L", "U"}:
        return "BILOU"
    return "BIO" if any(map(_opens_anywhere, known)) else "IOB1"


def _opens_anywhere(tags: Sequence[str]) -> bool:
    """Tell whether a B stands where IOB1 has none: not right behind a chunk of its label."""
    before = [OUTSIDE, *tags]
    return any(
        tag.startswith("B-") and left.partition("-")[2] != tag.partition("-")[2]
        for left, tag in zip(before, tags, strict=False)
    )


def mostly_outside(tags: Sequence[str]) -> bool:
    """Tell whether half of the tags or more are outside, but not all: so are those of names."""
    return len(tags) / 2 <= sum(tag in OUTSIDES for tag in tags) < len(tags)
