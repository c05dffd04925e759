"""Steps that make word vectors of the notes' own text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

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


def learnt(
    bench: Bench, name: str, how: Training, spelling: Spelling, corpora: Sequence[Corpus]
) -> Step:
    """Return the step that learns vectors of the text of notes; `how` says its settings."""
    epochs = 1 if bench.how.quick else how.epochs
    settings = replace(how, min_notes=LEAST_NOTES, epochs=epochs, seed=bench.how.seed)
    file = file_of(bench, name)

    def work(done: Results, tick: Tick) -> Result:
        del done
        tick("reading")
        text = text_of(corpora, spelling)
        tick(f"{text.tokens:,} words")
        embedding = train(text, settings, spelling.normalise, file.stem, lambda _, __: None)
        write_embedding(embedding, file)
        return {"text": embedding.about["text"], "words": len(embedding.vectors)}

    told = bench.told(*corpora, **asdict(settings), spelt=asdict(spelling))
    return Step(name, "vectors", told, work, makes=(file,))


def composed(
    bench: Bench,
    name: str,
    sources: Sequence[Path],
    *,
    corpora: Sequence[Corpus],
    tested: Corpus,
    needs: tuple[str, ...],
) -> Step:
    """Return the step that takes from each file of vectors what those before it lack.

    Only words of the corpora are kept: the others are never looked up. The result tells how many
    words of `tested` come from which source, as Kassaie 2016 does.
    """
    file = file_of(bench, name)

    def work(done: Results, tick: Tick) -> Result:
        del done
        tick("reading")
        both = Composed(tuple(read_embedding(source)[0] for source in sources))
        words = {word for corpus in corpora for word in counts(corpus)}
        write_embedding(both.of(file.stem, sorted(words)), file)
        return {"shares": [asdict(row) for row in shares(both, counts(tested))]}

    told = bench.told(*corpora, tested, sources=[path.name for path in sources])
    return Step(name, "vectors", told, work, needs, (file,))


def training_text(bench: Bench) -> tuple[Corpus, ...]:
    """Return the training notes, and those whose annotations nobody reads."""
    return (bench.data.train, *([] if bench.text is None else [bench.text]))


def text_of(corpora: Sequence[Corpus], spelling: Spelling) -> Text:
    """Return the words of notes."""
    documents = [note.document for corpus in corpora for note in corpus.notes]
    return Text.of(get_tokenizer(spelling.tokenizer).tokenize(documents), spelling.normalise)


def counts(corpus: Corpus, tokenizer: str = "treebank") -> Counter[str]:
    """Count the words of notes."""
    notes = get_tokenizer(tokenizer).tokenize([note.document for note in corpus.notes])
    return Counter(word for note in notes for word in note.tokens.words())
