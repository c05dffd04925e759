"""A network's recipe and annotated notes to a model that runs without torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.core.note import Note
from phiscrub.core.schemes import scheme
from phiscrub.core.wording import counted
from phiscrub.detect.tagging.ensemble import EnsembleTagger
from phiscrub.detect.tagging.inputs import UNKNOWN, Encoder, Inputs
from phiscrub.detect.tagging.manifest import Manifest, TrainedOn, name_of, read_manifest
from phiscrub.detect.tagging.network import NetworkModel
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.detect.tagging.traits import Traits
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.files import read_embedding
from phiscrub.evaluate.sample import Sample
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.architectures import Network, architecture, parse_traits
from phiscrub.train.augment import augmented
from phiscrub.train.corpus import Corpus
from phiscrub.train.distil import check_student, load_teachers
from phiscrub.train.distil import lessons as lessons_of
from phiscrub.train.export import export
from phiscrub.train.known import known_notices
from phiscrub.train.network_begun import NetworkBegun
from phiscrub.train.network_fit import Ended, Task, train_network
from phiscrub.train.reading import Reading, read, reading_notices, tried
from phiscrub.train.recipe import Recipe
from phiscrub.train.rows import Positions, lay_out, learn_inputs
from phiscrub.train.schedule import WEIGHTS, Run
from phiscrub.train.sources import sources_of
from phiscrub.train.steps import Step
from phiscrub.train.trained import Trained

MOST_VECTORS = 400_000  # words of a file of vectors that are read, the most frequent
WORD_VECTORS = "words.vectors."


@dataclass(frozen=True, slots=True, eq=False)
class NetworkFitted:
    """A trained network, how it came about, and what it was trained on.

    `model` is what runs, proved on notes against `trained`, which is what was trained. `known` are
    the notes of the network that it began with, and of its teachers.
    """

    model: NetworkModel
    trained: Trained
    recipe: Recipe
    data: tuple[Corpus, ...]
    ended: Ended
    run: Run
    known: tuple[TrainedOn, ...]
    proof: dict[str, Any] = field(repr=False)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The epochs."""
        return self.ended.steps

    @property
    def stopped(self) -> str:
        """Why training ended."""
        return self.ended.stopped

    @property
    def sizes(self) -> dict[str, int]:
        """How large the network is."""
        inputs = self.trained.inputs
        return {"weights": self.trained.weights, "words": len(inputs.words)}

    @property
    def told(self) -> str:
        """How large the network is, in words."""
        own = self.sizes
        return f"{counted(own['weights'], 'weight')}, {counted(own['words'], 'word')}"

    @property
    def facts(self) -> dict[str, str]:
        """What a report tells of the training."""
        own, inputs = self.recipe.schedule, self.trained.inputs
        return {
            "network": f"{architecture(self.trained.settings)}, {self.trained.settings.output}: "
            f"{counted(self.trained.weights, 'weight')}",
            "reads": f"{counted(len(inputs.words), 'word')} and "
            f"{counted(len(inputs.characters), 'character')} of {own.min_count} notes or more; "
            f"traits {', '.join(inputs.trait_names) or 'none'}",
            "optimiser": f"{own.optimiser}, rate {own.rate:g}, batches of {own.batch}, "
            f"seed {self.run.seed}",
            "export": ", ".join(f"{key} {value}" for key, value in self.proof.items()),
        }

    def tagger(self) -> Tagger:
        """Return the model ready to tag, as it will run."""
        return NeuralTagger.of(self.model, Shelf(self.model.language, None))

    def samples(self, notes: Sequence[Annotated]) -> list[Sample]:
        """Return annotated notes with what the model finds in them."""
        return tried(notes, get_tokenizer(self.model.tokenizer), self.tagger())

    def save(self, folder: Path) -> None:
        """Write the model's folder, which names it, and one beside it to go on training from."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        least = self.recipe.schedule.min_count
        name = name_of(folder)
        data = [corpus.stated for corpus in self.data]
        data += [one for one in self.known if one not in data]
        init = self.run.init
        replace(self.model, name=name).save(
            folder,
            data=data,
            training={
                **self.recipe.stated(),
                **({} if init is None else {"begun_with": init.name}),
                "seed": self.run.seed,
                "teachers": [path.name for path in self.run.teachers],
                "epochs": len(self.steps),
                "stopped": self.stopped,
                "export": self.proof,
                "cut": f"words, characters and values of fewer than {counted(least, 'note')} "
                "of different patients or texts are in no list, but for words of given vectors",
            },
            created=created,
        )
        self.trained.named(name).save(folder.with_name(folder.name + WEIGHTS), created, data)


@dataclass(frozen=True, slots=True, eq=False)
class NetworkMaterial:
    """Notes that are read once, to be trained on several times."""

    recipe: Recipe
    language: str
    data: tuple[Corpus, ...]
    dev_hash: str
    run: Run
    train: tuple[Reading, ...] = field(repr=False)
    each: int = 1  # readings of one note: itself, and copies that follow it
    dev: tuple[Reading, ...] | None = field(default=None, repr=False)
    embedding: Embedding | None = field(default=None, repr=False)
    begun: NetworkBegun | None = field(default=None, repr=False)
    teachers: EnsembleTagger | None = field(default=None, repr=False)
    sources: tuple[Manifest, ...] = ()  # of what is begun with, and of teachers
    notices: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        language: str,
        data: Sequence[Corpus],
        dev: Corpus | None,
        run: Run,
    ) -> NetworkMaterial:
        """Read the notes of all corpora, vectors, teachers, and weights to begin with.

        A student takes its teachers' scheme. Raises `SettingsError` for vectors, weights or
        teachers that do not fit the recipe, `InputError` for notes without mentions.
        """
        spoken = recipe.spoken(language)
        tokenizer = get_tokenizer(spoken.tokenizer)
        notes = [note for corpus in data for note in corpus.notes]
        grown = augmented(notes, spoken.augment, language, data[0].label_set)
        readings = read(grown.notes, tokenizer)
        if not any(reading.gold for reading in readings):
            raise InputError("no annotated notes to learn from", hint="give more notes")
        held = None if dev is None else tuple(read(dev.notes, tokenizer))
        notices = list(reading_notices(spoken, language, readings))
        teachers = load_teachers(run.teachers, language) if run.teachers else None
        if teachers is not None and teachers.model.scheme != spoken.scheme:
            spoken = replace(spoken, scheme=teachers.model.scheme)
            notices.append(f"tags are of scheme {spoken.scheme}, as the teachers' are")
        embedding = None
        if run.vectors is not None:
            embedding, mended = read_embedding(run.vectors, MOST_VECTORS)
            notices += mended
            _check_vectors(embedding, _network(spoken), str(run.vectors))
        begun = None
        if run.init is not None:
            own = _network(spoken)
            begun = NetworkBegun.load(run.init, own, spoken.tokenizer, language)
        taught = [read_manifest(path, str(path)) for path in run.teachers]
        sources = (*(() if begun is None else (begun.manifest,)), *taught)
        notices += known_notices(sources, (), dev)
        return cls(
            recipe=spoken,
            language=language,
            data=tuple(data),
            dev_hash="" if dev is None else dev.sha256,
            run=run,
            train=tuple(readings),
            each=grown.each,
            dev=held,
            embedding=embedding,
            begun=begun,
            teachers=teachers,
            sources=sources,
            notices=tuple(notices),
        )

    def fit(self, recipe: Recipe, tick: Callable[[Step], None]) -> NetworkFitted:
        """Train a recipe of the material's kind; the model is held against torch on notes."""
        trained, encoder = self._fresh(recipe)
        style = scheme(recipe.scheme)
        train, dev = (
            None
            if readings is None
            else lay_out(readings, encoder, style, trained.tags, recipe.sequence)
            for readings in (self.train, self.dev)
        )
        assert train is not None  # noqa: S101 - there are always notes to train on
        network, frozen = _network(recipe), self.run.frozen
        if self.embedding is not None and network.words.frozen:
            frozen = (*frozen, WORD_VECTORS)
        lessons = self._lessons(trained, train)
        task = Task(train, dev, self._identity(recipe), frozen, lessons)
        ended = train_network(trained, task, recipe.schedule, self.run, tick)
        proved_on: Sequence[Note] = [one.note for one in self.dev or self.train]
        exported = export(trained, proved_on)
        return NetworkFitted(
            model=exported.model,
            trained=trained,
            recipe=recipe,
            data=self.data,
            ended=ended,
            run=self.run,
            known=tuple(dict.fromkeys(one for told in self.sources for one in told.data)),
            proof=dict(exported.proof),
        )

    def _lessons(self, student: Trained, train: Positions) -> NDArray[np.float32] | None:
        if self.teachers is None:
            return None
        check_student(
            self.teachers.model,
            tokenizer=student.tokenizer,
            label_set=student.label_set,
            tags=student.tags,
        )
        return lessons_of(self.teachers, self.train, train.is_first, student.tags)

    def _fresh(self, recipe: Recipe) -> tuple[Trained, Encoder]:
        """Return a network to be trained, with weights of its own or those to begin with."""
        begun = None if self.begun is None else self.begun.trained
        network = _network(recipe) if begun is None else begun.settings
        tools = Shelf(self.language, None)
        shown = parse_traits(recipe.templates)
        if begun is not None:
            shown = begun.inputs.traits
        traits = Traits.of([one.trait for one in shown], tools, recipe.detectors)
        inputs = self._inputs(recipe, traits) if begun is None else begun.inputs
        labels = {m.label for reading in self.train for m in reading.gold}
        encoder = Encoder(inputs, traits)
        torch.manual_seed(self.run.seed)
        trained = Trained.fresh(
            name=recipe.name,
            language=self.language,
            label_set=self.data[0].label_set,
            tokenizer=recipe.tokenizer,
            style=recipe.scheme,
            sequence=recipe.sequence,
            tags=scheme(recipe.scheme).tags(labels),
            detectors=recipe.detectors,
            settings=network,
            encoder=encoder,
        )
        if self.embedding is not None and self.begun is None:
            _take_vectors(trained, self.embedding)
        if self.begun is not None:
            self.begun.give(trained)
        return trained, encoder

    def _inputs(self, recipe: Recipe, traits: Traits) -> Inputs:
        network = _network(recipe)
        given = () if self.embedding is None else self.embedding.vectors.words
        inputs = learn_inputs(
            self.train[:: self.each],  # a rare word must not be seen often for its copies
            parse_traits(recipe.templates),
            traits,
            network,
            sequence=recipe.sequence,
            min_count=recipe.schedule.min_count,
            sources=sources_of(self.data),
            given=given,
        )
        if network.words.frozen and self.embedding is not None:
            inputs = replace(inputs, words=given)  # another word's vector would stay as drawn
        if network.words.dimension and not inputs.words:
            raise InputError(
                "an empty vocabulary: no word is in enough notes",
                hint="give more notes, or a smaller training.min_count",
            )
        return inputs

    def _identity(self, recipe: Recipe) -> str:
        told = [
            recipe.stated(),
            (recipe.tokenizer, recipe.scheme, recipe.sequence, self.language),
            [corpus.sha256 for corpus in self.data],
            self.dev_hash,
            self.run.identity,
        ]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _network(recipe: Recipe) -> Network:
    if recipe.network is None:
        raise SettingsError(f"recipe {recipe.name} is no network", hint='kind = "network"')
    return recipe.network


def _check_vectors(embedding: Embedding, network: Network, where: str) -> None:
    wanted = network.words.dimension
    if embedding.dimensions != wanted:
        raise SettingsError(
            f"has vectors of {embedding.dimensions} dimensions, and the recipe reads {wanted}",
            where=where,
            hint=f"set network.words.dimension = {embedding.dimensions}, or take other vectors",
        )


def _take_vectors(trained: Trained, embedding: Embedding) -> None:
    """Write vectors over random ones, where there are any for a word."""
    table = trained.network.words.vectors
    if table is None:
        return
    rows, known = embedding.rows(trained.inputs.words)
    with torch.no_grad():
        first = len(table.weight) - len(rows)
        own = torch.from_numpy(rows)
        is_known = torch.from_numpy(known | rows.any(axis=1))
        table.weight[first:][is_known] = own[is_known]
        table.weight[UNKNOWN] = torch.from_numpy(embedding.otherwise().copy())
