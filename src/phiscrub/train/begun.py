"""A CRF that another training begins with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.manifest import Manifest, read_manifest
from phiscrub.detect.tagging.model import KIND, CrfModel
from phiscrub.detect.tagging.templates import parse_templates
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.chain import Tables
from phiscrub.train.recipe import Recipe


@dataclass(frozen=True, slots=True, eq=False)
class Begun:
    """A CRF whose weights are begun with; its manifest names the notes that it was trained on."""

    model: CrfModel
    manifest: Manifest

    @classmethod
    def load(cls, folder: Path, recipe: Recipe, language: str, label_set: str) -> Self:
        """Load a model from its folder, or one that ships by its name.

        Raises `SettingsError` where it does not read notes as the recipe does.
        """
        where = str(folder)
        own = folder if folder.exists() else Shelf(language, None).folder("models", where)
        manifest = read_manifest(own, where)
        if manifest.kind != KIND:
            hint = "give a CRF, or take a recipe of its kind"
            raise SettingsError(f"is of kind {manifest.kind!r}", where=where, hint=hint)
        model = CrfModel.load(own)
        for what, there, wanted in (
            ("language", model.language, language),
            ("label set", model.label_set, label_set),
            ("tokenizer", model.tokenizer, recipe.tokenizer),
            ("scheme", model.scheme, recipe.scheme),
            ("sequence", model.sequence, recipe.sequence),
        ):
            if there != wanted:
                raise SettingsError(
                    f"is for {what} {there!r}, and this is {wanted!r}",
                    where=where,
                    hint="take a model of that",
                )
        read = {template.name for template in parse_templates(recipe.templates)}
        detectors = [json.dumps(one, sort_keys=True) for one in model.detectors]
        asked = [json.dumps(one, sort_keys=True) for one in recipe.detectors]
        if not read.issuperset(model.templates) or detectors != asked:
            raise SettingsError(
                f"has features or detectors that recipe {recipe.name} has not",
                where=where,
                hint="take the recipe that it was trained by",
            )
        return cls(model, manifest)

    def tables(self, attributes: tuple[str, ...], tags: tuple[str, ...]) -> Tables:
        """Return its weights, ``[attributes, tags]`` and ``[tags, tags]``, all 0 but its own."""
        model = self.model
        place = {text: at for at, text in enumerate(attributes)}
        column = np.array([tags.index(tag) for tag in model.tags])
        rows = np.array([place[text] for text in model.attributes], dtype=np.int64)
        states = np.zeros((len(attributes), len(tags)))
        states[np.repeat(rows, np.diff(model.pointers)), column[model.columns]] = model.weights
        turns = np.zeros((len(tags), len(tags)))
        turns[np.ix_(column, column)] = model.transitions
        return states, turns
