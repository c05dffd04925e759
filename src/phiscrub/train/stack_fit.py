"""What several detectors say of annotated notes to a learned combination of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.core.labels import HUB, UNNAMED, label_set, renaming
from phiscrub.core.mention import Annotated
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.detect.carried import changed, gathered, placed
from phiscrub.detect.stacked import Rows, StackedTagger, Witnesses
from phiscrub.detect.stacked_model import StackModel
from phiscrub.detect.tagging.manifest import name_of
from phiscrub.evaluate.sample import Sample
from phiscrub.pipeline.models import manifests
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.known import known_notices
from phiscrub.train.reading import read, tried
from phiscrub.train.recipe import Recipe
from phiscrub.train.stack_learners import learn
from phiscrub.train.steps import Step


@dataclass(frozen=True, slots=True, eq=False)
class StackFitted:
    """A trained combination; members are as in `fit.Fitted`."""

    model: StackModel
    recipe: Recipe
    data: tuple[Corpus, ...]
    stopped: str = "trained"

    @property
    def steps(self) -> tuple[Step, ...]:
        """None: scikit-learn tells none."""
        return ()

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers the model has, and from how many columns."""
        numbers = sum(tensor.size for tensor in self.model.tensors.values())
        return {"numbers": numbers, "columns": len(self.model.columns)}

    @property
    def told(self) -> str:
        """How large it is, in words."""
        return f"{self.sizes['numbers']:,} numbers, {self.sizes['columns']:,} columns"

    @property
    def facts(self) -> dict[str, str]:
        """What a report tells of the training."""
        asked = ", ".join(str(table["use"]) for table in self.model.detectors)
        return {"learner": self.model.learner, "detectors": asked}

    def tagger(self) -> Tagger:
        """Return the model ready to tag."""
        return StackedTagger(self.model, Shelf(self.model.language, None))

    def samples(self, notes: Sequence[Annotated]) -> list[Sample]:
        """Return annotated notes with what the model finds in them."""
        return tried(notes, get_tokenizer(self.model.tokenizer), self.tagger())

    def save(self, folder: Path) -> None:
        """Write the model's folder, which names the model and has all that it asks."""
        recipe = replace(self.recipe, detectors=gathered(self.recipe.detectors)[0])
        replace(self.model, name=name_of(folder)).save(
            folder,
            data=[corpus.stated for corpus in self.data],
            training={**recipe.stated(), "cut": "numbers only: no word of a note"},
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )


@dataclass(frozen=True, slots=True, eq=False)
class StackMaterial:
    """What the detectors tell of every token, and its gold label; to be learned from."""

    recipe: Recipe
    language: str
    data: tuple[Corpus, ...]
    columns: tuple[str, ...]
    rows: Rows = field(repr=False)
    gold: NDArray[np.int64] = field(repr=False)
    classes: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, recipe: Recipe, language: str, data: Sequence[Corpus], dev: Corpus | None = None
    ) -> StackMaterial:
        """Ask a recipe's detectors about the notes of all corpora.

        A model among the detectors should not have learned from these notes, or it is believed
        too much, nor from those of `dev`, or figures on them are too good; a notice says where it
        did. Raises `InputError` for notes without mentions.
        """
        spoken = recipe.spoken(language)
        if spoken.stack is None or not spoken.detectors:
            raise SettingsError(f"{recipe.name} names no detectors for {language}")
        tables = changed(spoken.detectors, placed)
        asked = Witnesses.of(tables, spoken.stack.lists, data[0].label_set, Shelf(language, None))
        parts = [examples(corpus, asked, spoken.tokenizer) for corpus in data]
        tags = [name for _, own in parts for name in own]
        if spoken.stack.binary:
            label = renaming(label_set(HUB), label_set(data[0].label_set))[UNNAMED]
            tags = [name if name == OUTSIDE else label for name in tags]
        classes = (OUTSIDE, *sorted(set(tags) - {OUTSIDE}))
        if len(classes) == 1:
            raise InputError("no annotated notes to learn from", hint="give more notes")
        number = {name: at for at, name in enumerate(classes)}
        return cls(
            replace(spoken, detectors=tables),
            language,
            tuple(data),
            asked.columns,
            np.concatenate([rows for rows, _ in parts]),
            np.array([number[name] for name in tags]),
            classes,
            tuple(known_notices(manifests(tables, Shelf(language, None)), data, dev)),
        )

    def fit(self, recipe: Recipe, tick: Callable[[Step], None]) -> StackFitted:  # noqa: ARG002
        """Learn a combination; raise `SettingsError` where the recipe is of none."""
        how = recipe.stack
        if how is None:
            raise SettingsError(f"{recipe.name} is no recipe of a combination")
        tensors, depth = learn(self.rows, self.gold, len(self.classes), how)
        model = StackModel(
            name=recipe.name,
            language=self.language,
            label_set=self.data[0].label_set,
            tokenizer=recipe.tokenizer,
            learner=how.learner,
            classes=self.classes,
            columns=self.columns,
            detectors=recipe.detectors,
            lists=how.lists,
            depth=depth,
            tensors=tensors,
        )
        return StackFitted(model, recipe, self.data)


def examples(corpus: Corpus, asked: Witnesses, tokenizer: str) -> tuple[Rows, list[str]]:
    """Return what witnesses tell of each token of a corpus, and the token's gold label or `O`."""
    readings = read(corpus.notes, get_tokenizer(tokenizer))
    notes = [reading.note for reading in readings]
    style = scheme("IO")
    tags = [tag for r in readings for tag in style.encode(r.note.tokens, r.gold)]
    return asked.rows(notes), tags
