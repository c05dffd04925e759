"""Which notes models learned from, as far as that is told.

The package tells it of the models that ship, whose notes are open or invented. A model that a user
trained holds nothing of its notes: who had a scrubbed note and a mark of the whole could try names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Self

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import strict_json
from phiscrub.core.wording import shown
from phiscrub.detect.tagging.manifest import Manifest, TrainedOn

FILE = "learned.json"
LONG = 200  # characters of a text that no two notes share by chance
MARK = 16  # hexadecimal digits that tell a note


def mark_of(text: str) -> str | None:
    """Return 8 bytes of a hash that tell a note by its text, whatever its blanks; None if short."""
    told = " ".join(text.split())
    if len(told) < LONG:
        return None
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:MARK]


def marks_of(texts: Iterable[str]) -> str:
    """Return the marks of some texts, sorted, one behind the other."""
    return "".join(sorted({mark for text in texts if (mark := mark_of(text)) is not None}))


def each_mark(marks: str) -> frozenset[str]:
    """Return the marks that `marks_of` put together."""
    return frozenset(marks[at : at + MARK] for at in range(0, len(marks), MARK))


@dataclass(frozen=True, slots=True)
class Learned:
    """What is told of a model: marks of notes, and corpora of whose notes nothing is."""

    model: str
    marks: frozenset[str] = field(repr=False)
    untold: tuple[TrainedOn, ...]
    is_whole: bool  # of all that it learned from the notes are told

    @classmethod
    def by(cls, manifest: Manifest, known: Mapping[str, str]) -> Self:
        """Read a manifest; `known` are the marks of corpora by their hashes."""
        told = {one: known.get(one.sha256, "") for one in manifest.data}
        marks = frozenset(mark for texts in told.values() for mark in each_mark(texts))
        untold = tuple(one for one, texts in told.items() if not texts)
        return cls(manifest.name, marks, untold, bool(told) and not untold)

    def known(self, notes: Mapping[str, str], sha256: str) -> list[str]:
        """Return the ids of notes that it learned from: texts by ids, and their corpus's hash."""
        if any(one.sha256 == sha256 for one in self.untold):
            return list(notes)
        return [name for name, text in notes.items() if mark_of(text) in self.marks]


def learned(manifests: Iterable[Manifest]) -> tuple[Learned, ...]:
    """Return what the package's list tells of each model."""
    known = _listed()
    return tuple(Learned.by(manifest, known) for manifest in manifests)


def shipped_learned(texts: Iterable[str]) -> int:
    """Count the texts that a model of the package learned from."""
    known = each_mark("".join(_listed().values()))
    return sum(mark_of(text) in known for text in texts)


def _listed() -> Mapping[str, str]:
    """Return the package's list: the marks of corpora by their hashes."""
    file = resources.files("phiscrub") / "data" / FILE
    listed: Mapping[str, str] = strict_json(file.read_text("utf-8"), Place(FILE))
    return listed


def unseen(models: Sequence[Learned], notes: Mapping[str, str], sha256: str, where: str) -> str:
    """Return what a certificate says of it; `notes` are texts by ids, `sha256` of their corpus.

    Raises `SettingsError` where a model learned from one of them.
    """
    for model in models:
        known = model.known(notes, sha256)
        if known:
            told = "these very notes" if len(known) == len(notes) else "some of these notes"
            raise SettingsError(
                f"model {model.model} learned from {told}: {len(known):,} of {len(notes):,}, "
                f"{shown(known)}",
                where=where,
                hint="a promise needs notes that it has not seen: leave them out",
            )
    silent = [model.model for model in models if not model.is_whole]
    if silent:
        return f"not known: {', '.join(silent)} does not tell which notes it learned from"
    short = sum(mark_of(text) is None for text in notes.values())
    told = f"no text of {LONG} characters or more is one that a model learned from"
    return f"{told}; {short:,} of {len(notes):,} are shorter" if short else told
