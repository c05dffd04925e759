"""Steps that make word vectors of the notes' own text."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from phiscrub.core.document import Document
from phiscrub.embeddings.compose import Composed, shares
from phiscrub.embeddings.files import read_embedding, write_embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.training import Training, train
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.step import Result, Results, Step, Tick, slug
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus

LEAST_NOTES = 2  # that have a word: one in a single note can be a name


@dataclass(frozen=True, slots=True)
class Spelling:
    """How notes are cut into words, and words spelt; as the recipe that reads the vectors does."""

    tokenizer: str
    lower: bool = False
    digits: str = "none"

    @property
    def normalise(self) -> Normalise:
        """How words are spelt."""
        return Normalise(self.digits, self.lower)


def file_of(bench: Bench, name: str) -> Path:
    """Return the file of a step's vectors."""
    return bench.out / "vectors" / f"{slug(name)}.safetensors"


def learnt(bench: Bench, name: str, algorithm: str, dimensions: int, spelling: Spelling) -> Step:
    """Return the step that learns vectors of the training notes, and of `--text` where given."""
    epochs = 1 if bench.how.quick else 0
    settings = Training(
        algorithm, dimensions, min_notes=LEAST_NOTES, epochs=epochs, seed=bench.how.seed
    )
    file = file_of(bench, name)

    def work(done: Results, tick: Tick) -> Result:
        del done
        tick("reading")
        text = text_of(bench, spelling)
        embedding = train(text, settings, spelling.normalise, file.stem, lambda _, __: None)
        write_embedding(embedding, file)
        return {"text": embedding.about["text"], "words": len(embedding.vectors)}

    told = bench.told(bench.data.train, bench.text, **asdict(settings), spelt=asdict(spelling))
    return Step(name, "vectors", told, work, makes=(file,))


def composed(bench: Bench, name: str, primary: str, tested: Corpus, tokenizer: str) -> Step:
    """Return the step that falls back on `--vectors` for what the primary ones lack.

    Only words of the notes are kept: the others are never looked up. The result tells how many
    words of `tested` come from which source, as Kassaie 2016 does.
    """
    file = file_of(bench, name)
    assert bench.vectors is not None  # noqa: S101 - asked for only where they are given
    given = bench.vectors

    def work(done: Results, tick: Tick) -> Result:
        del done
        tick("reading")
        own, _ = read_embedding(file_of(bench, primary))
        other, _ = read_embedding(given)
        both = Composed((own, other))
        known = [bench.data.whole, *(one.whole for one in bench.extra)]
        words = {word for corpus in known for word in counts(corpus, tokenizer)}
        write_embedding(both.of(file.stem, sorted(words)), file)
        rows = shares(both, counts(tested, tokenizer))
        return {"shares": [asdict(row) for row in rows]}

    corpora = (bench.data.whole, tested, *(one.whole for one in bench.extra))
    return Step(name, "vectors", bench.told(*corpora), work, (primary,), (file,))


def text_of(bench: Bench, spelling: Spelling) -> Text:
    """Return the words of the training notes, and of those whose annotations nobody reads."""
    own = [note.document for note in bench.data.train.notes]
    more = [note.document for note in bench.text.notes] if bench.text is not None else []
    return Text.of(get_tokenizer(spelling.tokenizer).tokenize([*own, *more]), spelling.normalise)


def counts(corpus: Corpus, tokenizer: str) -> Counter[str]:
    """Count the words of notes."""
    documents: list[Document] = [note.document for note in corpus.notes]
    notes = get_tokenizer(tokenizer).tokenize(documents)
    return Counter(word for note in notes for word in note.tokens.words())
