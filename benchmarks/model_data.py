"""The notes that shipped models learn from and are measured on, by language and writer."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pages import DATA, ROOT

from phiscrub.core.mention import Annotated
from phiscrub.train.corpus import Corpus, read_corpus

CORPUS = ROOT / "corpus"
LICENCE = "CC BY 4.0"
LABELS = {"en": "i2b2-2014", "es": "meddocan", "sv": "stockholm-epr"}


@dataclass(frozen=True, slots=True)
class Data:
    """A corpus a writer: what is learned from, what measured on first, what never learned from."""

    language: str
    train: tuple[Corpus, ...]
    dev: tuple[Corpus, ...]
    kept: tuple[Corpus, ...] = ()

    @property
    def whole(self) -> tuple[Corpus, ...]:
        """What the model that ships learns from."""
        return (*self.train, *self.dev)

    def without(self, part: Corpus) -> Data:
        """Return it with one writer's notes to measure on, and all others to learn from."""
        return Data(self.language, tuple(c for c in self.whole if c is not part), (part,))


def data_of(language: str, shared: Path = DATA) -> Data:
    """Read a language's notes: this project's by writer, and for Spanish those of `shared`."""
    split = tomllib.loads((CORPUS / "splits.toml").read_text("utf-8"))[language]
    dev, kept = ([_written(language, name) for name in split[side]] for side in ("dev", "kept"))
    writers = sorted(folder.name for folder in (CORPUS / language).iterdir())
    others = [name for name in writers if name not in (*split["dev"], *split["kept"])]
    train = [_written(language, name) for name in others]
    if language == "es":
        for name, side in (("train", train), ("dev", dev)):
            side.insert(0, _read(shared / "meddocan" / name / "xml", f"MEDDOCAN {name}", language))
    return Data(language, tuple(train), tuple(dev), tuple(kept))


def joined(corpora: Iterable[Corpus]) -> Corpus:
    """Return several corpora of one label set as one."""
    first, *others = corpora
    notes = (*first.notes, *(note for corpus in others for note in corpus.notes))
    return replace(first, name=" + ".join([first.name, *(c.name for c in others)]), notes=notes)


def _written(language: str, writer: str) -> Corpus:
    corpus = _read(CORPUS / language / writer, f"corpus/{language}/{writer}", language)
    return replace(corpus, notes=tuple(_signed(corpus.notes, writer)))


def _signed(notes: Iterable[Annotated], writer: str) -> Iterator[Annotated]:
    """Put the writer before ids, since two may have called a note alike."""
    for note in notes:
        yield replace(note, document=replace(note.document, id=f"{writer}/{note.document.id}"))


def _read(path: Path, name: str, language: str) -> Corpus:
    corpus, notices = read_corpus(path, labels=LABELS[language], licence=LICENCE)
    for line in notices:
        print(line)
    return replace(corpus, name=name)
