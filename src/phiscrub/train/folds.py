"""Notes dealt into folds: whole groups, folds of like size, by a seed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.core.wording import counted
from phiscrub.train.corpus import Corpus

FEWEST = 2
WHOSE = "name the column with --subject-column, or files PATIENT-RECORD"

Groups = Mapping[str, str]  # by the id of a note


def by_document(corpus: Corpus) -> dict[str, str]:
    """Return the whole note that each note or piece is of; copies, but for blanks, are one."""
    first: dict[str, str] = {}
    same = {name: first.setdefault(text, name) for name, text in corpus.wholes.items()}
    return {note.document.id: same[corpus.origin(note.document.id)] for note in corpus.notes}


def by_piece(corpus: Corpus) -> dict[str, str]:
    """Return each note or piece as a group of its own."""
    return {note.document.id: note.document.id for note in corpus.notes}


def by_patient(corpus: Corpus) -> dict[str, str]:
    """Return each note's patient: its subject's key, or what stands before the record's number.

    Raises `SettingsError` where a note has neither.
    """
    groups = {}
    for note in corpus.notes:
        patient = corpus.patient(note)
        if patient is None:
            raise SettingsError(
                f"note {corpus.origin(note.document.id)} does not say whose it is", hint=WHOSE
            )
        groups[note.document.id] = patient
    return groups


def joined_by_patient(corpus: Corpus, groups: Groups) -> dict[str, str]:
    """Return the groups so joined that no patient who is known is in two."""
    joined = {group: group for group in groups.values()}

    def root(group: str) -> str:
        while joined[group] != group:
            joined[group] = group = joined[joined[group]]
        return group

    first: dict[str, str] = {}
    for note in corpus.notes:
        patient = corpus.patient(note)
        if patient is not None:
            own = groups[note.document.id]
            joined[root(own)] = root(first.setdefault(patient, own))
    return {note.document.id: root(groups[note.document.id]) for note in corpus.notes}


def of_nobody(corpus: Corpus) -> int:
    """Return how many whole notes do not say whose they are."""
    return len({corpus.origin(n.document.id) for n in corpus.notes if corpus.patient(n) is None})


def deal(corpus: Corpus, groups: Groups, folds: int, seed: int) -> list[tuple[str, ...]]:
    """Return the ids of each fold's notes; a group is never parted, and no fold is empty.

    Groups are shuffled, then dealt from the longest on to the fold that has least text. Raises
    `SettingsError` where there are fewer groups than folds.
    """
    members: dict[str, list[str]] = defaultdict(list)
    size: dict[str, int] = defaultdict(int)
    for note in corpus.notes:
        group = groups[note.document.id]
        members[group].append(note.document.id)
        size[group] += len(note.document.text)
    if folds < FEWEST:
        raise SettingsError(f"--folds is {folds}", hint=f"give {FEWEST} or more")
    if len(members) < folds:
        noun = "note" if len(members) == len(corpus) else "group"
        raise SettingsError(
            f"{corpus.name} has {counted(len(members), noun)}, fewer than {folds} folds",
            hint="give fewer folds; loose sentences can be parted by --cut 20 --by piece",
        )
    order = sorted(members)
    random.Random(seed).shuffle(order)  # noqa: S311 - no secret
    order.sort(key=lambda group: -size[group])
    dealt: list[list[str]] = [[] for _ in range(folds)]
    filled = [0] * folds
    for group in order:
        least = min(range(folds), key=lambda fold: (filled[fold], fold))
        dealt[least] += members[group]
        filled[least] += max(1, size[group])
    return [tuple(sorted(ids)) for ids in dealt]


def set_aside(corpus: Corpus, groups: Groups, share: float, seed: int) -> tuple[str, ...]:
    """Return the ids of notes that make about a share of the corpus, in whole groups."""
    order = sorted(set(groups.values()))
    random.Random(seed).shuffle(order)  # noqa: S311 - no secret
    members: dict[str, list[Annotated]] = defaultdict(list)
    for note in corpus.notes:
        members[groups[note.document.id]].append(note)
    taken: list[str] = []
    size = 0
    for group in order:
        if size >= share * corpus.characters:
            break
        taken += [note.document.id for note in members[group]]
        size += sum(len(note.document.text) for note in members[group])
    return tuple(sorted(taken))
