"""Whose notes are: a patient's are one source of rare words, and so are copies of one text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from phiscrub.train.corpus import LONG, Corpus, even


def sources_of(corpora: Iterable[Corpus]) -> list[int]:
    """Return a number for each note of the corpora, in order, the same for those of one source.

    Notes of one patient, where they tell it, are one, and so are those of one text, whatever its
    blanks. A text that two patients have makes them one, if it is too long to be shared by chance:
    `Did not attend.` says nothing of who they are. Pieces of one note are not one where nothing
    tells its patient: it may hold many people's.
    """
    known: dict[Hashable, int] = {}
    joined: list[int] = []  # to a source that is the same, or to itself

    def last(source: int) -> int:
        while joined[source] != source:
            joined[source] = source = joined[joined[source]]
        return source

    found = []
    for corpus in corpora:
        for note in corpus.notes:
            patient, text = corpus.patient(note), even(note.document.text)
            keys: list[Hashable] = [] if patient is None else [("patient", patient)]
            if patient is None or len(text) >= LONG:
                keys.append(("text", text))
            own = {last(known[key]) for key in keys if key in known} or {len(joined)}
            first = min(own)
            joined += [first] * (first == len(joined))
            for source in own:
                joined[source] = first
            known.update(dict.fromkeys(keys, first))
            known.setdefault(("text", text), first)
            found.append(first)
    return [last(source) for source in found]


class Fresh:
    """Tells which values a source shows for the first time, for counts of sources.

    `sources` are those of all notes; what a source shows is only kept in mind where it has several.
    """

    def __init__(self, sources: Sequence[int]) -> None:
        self._told: dict[int, set[str]] = {
            source: set() for source, count in Counter(sources).items() if count > 1
        }

    def of(self, source: int, values: set[str]) -> set[str]:
        """Return those of a note's values that no note of its source showed before."""
        if source not in self._told:
            return values
        new = values - self._told[source]
        self._told[source] |= new
        return new
