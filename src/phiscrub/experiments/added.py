"""Corpora that are added to learn from, under the labels of the notes that are tested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import resources

from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.core.wording import listed
from phiscrub.train.corpus import Corpus

STOCKHOLM = "stockholm-epr"  # parts names in two, and marks no organisation but units of care
FIRST, LAST, BOTH = "First_Name", "Last_Name", "First_Name or Last_Name"
ORGANISATION = "ORGANIZATION"
WORD = re.compile(r"\S+")
PARTED = (
    f"of a name the last word is its {LAST} and what stands before it {FIRST}; a word alone is "
    f"{FIRST} where it is on phiscrub's list of them, else {LAST}"
)


def suited(corpus: Corpus, names: str) -> Corpus:
    """Return a corpus under the labels of another set, as `renamed` says and names are parted.

    Raises `SettingsError` where nothing is left.
    """
    if corpus.label_set == label_set(names).name:
        return corpus
    told = renamed(corpus.label_set, names)
    notes = tuple(Annotated(n.document, tuple(_suited(n, told))) for n in corpus.notes)
    if not any(note.mentions for note in notes):
        raise SettingsError(
            f"{corpus.name} (labels {corpus.label_set}) marks nothing that {names} marks",
            hint="give other notes with --extra",
        )
    return replace(corpus, notes=notes, label_set=label_set(names).name)


def renamed(source: str, names: str) -> dict[str, str | None]:
    """Return what each label becomes in another set; None for those that are dropped."""
    own, target = label_set(source), label_set(names)
    told = {label: own.translate(label, target) for label in own.labels}
    if target.name != STOCKHOLM:
        return told
    told |= {label: BOTH for label, to in told.items() if to == LAST}
    return told | {label: None for label, hub in own.to_hub.items() if hub == ORGANISATION}


def notice(corpus: Corpus, names: str) -> str:
    """Say what `suited` does to a corpus, "" for nothing."""
    if corpus.label_set == label_set(names).name:
        return ""
    told = renamed(corpus.label_set, names)
    seen = sorted(corpus.labels)
    kept = [f"{label} as {to}" for label in seen if (to := told[label]) is not None]
    dropped = [label for label in seen if told[label] is None]
    parts = [f"{corpus.name} (labels {corpus.label_set}) is learned from under {names}'s labels"]
    parts.append(", ".join(kept))
    parts += [PARTED] * (BOTH in told.values())
    parts += [f"dropped: {listed(dropped)}"] * bool(dropped)
    return "; ".join(parts) + "."


def _suited(note: Annotated, told: dict[str, str | None]) -> Iterator[Mention]:
    for mention in note.mentions:
        to = told[mention.label]
        if to == BOTH:
            yield from _parted(note.document.text, mention)
        elif to is not None:
            yield replace(mention, label=to)


def _parted(text: str, mention: Mention) -> Iterator[Mention]:
    """Yield first and last name of a whole one."""
    start, end = mention.span.start, mention.span.end
    words = list(WORD.finditer(text, start, end))
    if len(words) > 1:
        yield replace(mention, span=Span(start, words[-2].end()), label=FIRST)
        yield replace(mention, span=Span(words[-1].start(), end), label=LAST)
    else:
        is_first = text[start:end].strip() in _first_names()
        yield replace(mention, label=FIRST if is_first else LAST)


@cache
def _first_names() -> frozenset[str]:
    folder = resources.files("phiscrub") / "data" / "packs" / "sv" / "names" / "terms"
    return frozenset((folder / "first_names.txt").read_text("utf-8").splitlines())
