"""The notes that an experiment is run on: what is learned from, and what is tested."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from phiscrub.core.document import patient_of
from phiscrub.core.errors import InputError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.core.wording import counted
from phiscrub.experiments.official import official
from phiscrub.formats.annotated import DEFAULT
from phiscrub.formats.folder import note_files
from phiscrub.formats.record import Options
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source
from phiscrub.train.corpus import Corpus, keep_apart, read_corpus, same_labels
from phiscrub.train.folds import (
    Groups,
    by_document,
    by_piece,
    deal,
    joined_by_patient,
    set_aside,
)

FORMS = ("xml", "brat")  # folders of one side, where it is given in several formats
COLUMNS = "conll"
TESTED = 0.25  # of a corpus that is not split
SEED = 1


class Own(StrEnum):
    """What a user says is the paper's own corpus: the notes of `--data`, or all of `--extra`."""

    DATA = "data"
    EXTRA = "extra"


def played(role: str, corpus: Corpus, given: Own, own: Collection[Own] = ()) -> str:
    """Say which notes, `given` as data or extra ones, stand for a paper's corpus.

    That they are it is the user's word: others have the same formats and labels.
    """
    notes = f"{corpus.name} ({counted(len(corpus), 'note')}, labels {corpus.label_set})"
    is_own = given in own
    return (
        f"{notes} is {role}, as --own {given} says" if is_own else f"{notes} stands in for {role}"
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """How corpora are read: as `train` reads them, but that only columns are cut."""

    options: Options = DEFAULT
    read_as: str | None = None
    labels: str | None = None
    language: str | None = None
    cut: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """A corpus, what of it is learned from and what is tested, and its language.

    `by` says how it was parted: by its own sides, or `drawn` by patient or record.
    """

    whole: Corpus
    train: Corpus
    test: Corpus
    language: str
    by: str = ""
    drawn: bool = False
    notices: tuple[str, ...] = field(default=(), repr=False)

    @property
    def groups(self) -> Groups:
        """What is never parted: see `groups_of`."""
        return groups_of(self.whole)

    @property
    def sha256(self) -> tuple[str, str]:
        """Hashes of both sides."""
        return self.train.sha256, self.test.sha256

    def recast(self, name: str) -> Sides:
        """Return it with labels of another set; a mention that the set does not mark is dropped."""
        sides = (recast(one, name) for one in (self.whole, self.train, self.test))
        whole, train, test = sides
        return replace(self, whole=whole, train=train, test=test)

    def sample(self, train: int, test: int) -> Sides:
        """Return evenly spaced notes of about so many characters."""
        few, tested = self.train.sample(train), self.test.sample(test)
        return replace(self, whole=joined(few, tested, self.whole.name), train=few, test=tested)

    def held_out(self, share: float, seed: int = SEED) -> tuple[Corpus, Corpus]:
        """Return what is learned from without a share of it, and that share for choosing by."""
        ids = set_aside(self.train, self.groups, share, seed)
        return self.train.without(ids), self.train.only(ids)

    def folds(self, number: int, seed: int = SEED) -> list[tuple[str, ...]]:
        """Deal all its notes into folds."""
        return deal(self.whole, self.groups, number, seed)


def open_sides(path: Path, reading: Reading = Reading()) -> Sides:
    """Read a file, a folder, or a folder with `OFFICIAL` sides inside; all formats are known.

    Without those, a quarter of the records is tested, drawn by a fixed seed. A side that holds
    the same notes as XML and as brat is read as XML. Raises as `read_corpus` does.
    """
    sides = official(path)
    if sides is not None:
        (train, some), (test, more) = (
            _side(path, names, reading) for names in (sides.train, sides.test)
        )
        keep_apart(train, test)
        by = f"its own sides {sides}"
        notices = (*some, *more)
        whole = joined(train, test, path.resolve().name)
    else:
        whole, notices = _read(_form(path), reading, path.resolve().name)
        ids = set_aside(whole, groups_of(whole), TESTED, SEED)
        train, test = whole.without(ids), whole.only(ids)
        by = f"{unit_of(whole)}, a quarter of the text tested"
        if not len(train) or not len(test):
            raise InputError(
                f"{counted(len(whole), 'note')} cannot be parted into two sides",
                where=str(path),
                hint="give more notes; loose sentences are parted by --cut 20",
            )
    language = reading.language or whole.language
    return Sides(whole, train, test, language, by, sides is None, notices)


def groups_of(corpus: Corpus) -> Groups:
    """Return what is never parted: all notes of a patient who is known, else the note.

    Where loose sentences were cut, it is the piece.
    """
    alone = by_piece(corpus) if corpus.origins else by_document(corpus)
    return joined_by_patient(corpus, alone)


def unit_of(corpus: Corpus) -> str:
    """Say what `groups_of` keeps together."""
    known = [patient_of(n.document, corpus.origin(n.document.id)) is not None for n in corpus.notes]
    alone = "the piece" if corpus.origins else "the record"
    if not any(known):
        return alone
    return (
        "the patient"
        if all(known)
        else f"the patient where the notes say whose they are, else {alone}"
    )


def recast(corpus: Corpus, name: str) -> Corpus:
    """Return a corpus with labels of another set; what that set does not mark is dropped."""
    source, target = label_set(corpus.label_set), label_set(name)
    if source.name == target.name:
        return corpus
    names = {label: source.translate(label, target) for label in source.labels}
    notes = tuple(
        Annotated(
            note.document,
            tuple(
                replace(mention, label=told)
                for mention in note.mentions
                if (told := names[mention.label]) is not None
            ),
        )
        for note in corpus.notes
    )
    return replace(corpus, notes=notes, label_set=target.name)


def _side(folder: Path, names: Sequence[str], reading: Reading) -> tuple[Corpus, tuple[str, ...]]:
    """Read the parts of a side as one corpus."""
    root = folder.resolve().name
    files = [(_form(folder / name), f"{root}/{name}") for name in names]
    parts = [_read(file, reading, name, whole_names=True) for file, name in files]
    corpus = parts[0][0]
    for more, _ in parts[1:]:
        corpus = joined(corpus, more, f"{corpus.name} + {more.name}")
    return corpus, tuple(notice for _, notices in parts for notice in notices)


def _form(folder: Path) -> Path:
    return next((folder / form for form in FORMS if (folder / form).is_dir()), folder)


def _read(
    path: Path, reading: Reading, name: str, *, whole_names: bool = False
) -> tuple[Corpus, tuple[str, ...]]:
    corpus, notices = read_corpus(
        path, labels=reading.labels, options=reading.options, read_as=reading.read_as
    )
    named = replace(corpus, name=name)
    if not _is_columns(path, reading.read_as):
        return named, notices
    if whole_names and path.is_file():
        named = _called_by(path, named)
    return (named.cut(reading.cut) if reading.cut else named), notices


def _called_by(file: Path, corpus: Corpus) -> Corpus:
    """Call notes that are called after a file without its suffix after its whole name.

    The files of CoNLL-2003 have one name and are told apart by suffixes.
    """
    of_file = re.compile(rf"{re.escape(file.stem)}(-\d+)?")

    def called(own: Annotated) -> Annotated:
        found = of_file.fullmatch(own.document.id)
        name = own.document.id if found is None else f"{file.name}{found[1] or ''}"
        return replace(own, document=replace(own.document, id=name))

    return replace(corpus, notes=tuple(map(called, corpus.notes)))


def _is_columns(path: Path, read_as: str | None) -> bool:
    """Tell whether notes are columns of loose sentences, rather than notes."""
    first = next(note_files(path), path) if path.is_dir() else path
    return (read_as or detect_format(Source(first)).name) == COLUMNS


def joined(train: Corpus, test: Corpus, name: str) -> Corpus:
    """Return two corpora of one label set as one, its notes by id; raise `InputError` for twins."""
    same_labels(train, test)
    notes = sorted((*train.notes, *test.notes), key=lambda note: note.document.id)
    if len({note.document.id for note in notes}) < len(notes):
        raise InputError(
            f"{train.name} and {test.name} have notes of the same ids", hint="rename them"
        )
    origins = {**train.origins, **test.origins}
    return replace(train, name=name, notes=tuple(notes), origins=origins)
