"""A network that another training begins with."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Self

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.manifest import FILE, Manifest, read_manifest
from phiscrub.detect.tagging.network import KIND
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.architectures import Network, architecture
from phiscrub.train.schedule import WEIGHTS
from phiscrub.train.thaw import thawed
from phiscrub.train.trained import Trained


@dataclass(frozen=True, slots=True, eq=False)
class NetworkBegun:
    """A network whose weights are begun with; its manifest names the notes that it learned from."""

    trained: Trained = field(repr=False)
    manifest: Manifest

    @classmethod
    def load(cls, folder: Path, asked: Network, tokenizer: str, language: str) -> Self:
        """Load weights: those beside a model, a folder of them, or a model's own.

        A model that ships is known by its name. Raises `SettingsError` where it is another
        network than the one asked for, or reads other notes.
        """
        where = str(folder)
        model: Traversable
        beside = folder.with_name(folder.name + WEIGHTS)
        if beside.is_dir():
            trained = Trained.load(beside)
            model = folder if (folder / FILE).is_file() else beside
        else:
            model = folder if folder.exists() else Shelf(language, None).folder("models", where)
            is_model = read_manifest(model, where).kind == KIND
            trained = thawed(model) if is_model else Trained.load(folder)
        if architecture(trained.settings) != architecture(asked):
            raise SettingsError(
                f"is of architecture {architecture(trained.settings)}, and the recipe of "
                f"{architecture(asked)}",
                where=where,
                hint="take the recipe that it was trained by",
            )
        for what, there, wanted in (
            ("language", trained.language, language),
            ("tokenizer", trained.tokenizer, tokenizer),
        ):
            if there != wanted:
                raise SettingsError(
                    f"is for {what} {there!r}, and this is {wanted!r}",
                    where=where,
                    hint="take a model of that",
                )
        return cls(trained, read_manifest(model, where))

    def give(self, own: Trained) -> None:
        """Copy what fits: all, or all but the last layers where there are other tags."""
        weights, given = own.network.state_dict(), self.trained.network.state_dict()
        same = own.tags == self.trained.tags
        last = ("context.output.", "crf.", "context.recurrent.")  # what has a size by tags
        for name, weight in given.items():
            fits = name in weights and weights[name].shape == weight.shape
            if fits and (same or not name.startswith(last)):
                weights[name] = weight.clone()
        own.network.load_state_dict(weights)
