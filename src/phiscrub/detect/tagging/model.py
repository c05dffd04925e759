"""A trained CRF: what its tags, attributes and weights are, on disk and off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from itertools import compress
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.tensors import narrowed, pack_tensors, unpack_tensors
from phiscrub.detect.tagging.attributes import read_attributes, template_of, write_attributes
from phiscrub.detect.tagging.frame import SEQUENCES
from phiscrub.detect.tagging.manifest import (
    Manifest,
    TrainedOn,
    read_folder,
    write_folder,
)
from phiscrub.detect.tagging.stated import (
    HEAVIEST_TRANSITION,
    are_tags,
    labels_of,
    tables,
    text,
    texts,
)
from phiscrub.detect.tagging.templates import Template, parse_templates

KIND = "crf"
WEIGHTS, ATTRIBUTES = "weights.safetensors", "attributes.txt"
KINDS = {"pointers": "I64", "columns": "I32", "weights": "F64", "transitions": "F64"}
SETTINGS = {"tags", "scheme", "sequence", "templates", "detectors"}
HEAVIEST = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """A linear-chain CRF over attributes of tokens.

    The state weights of attribute ``a`` are ``weights[pointers[a] : pointers[a + 1]]`` (float64),
    for the tags ``columns[…]`` (int32, rising); `transitions` is float64 of shape ``[tags,
    tags]``, from row to column. `templates` are single templates, as `Template.name` writes them,
    and each attribute is of one of them; `detectors` are the tables of the detectors that the
    traits ``found`` hear. Raises `SettingsError` where the parts do not fit together.
    """

    name: str
    language: str
    label_set: str
    tokenizer: str
    scheme: str
    sequence: str
    tags: tuple[str, ...]
    templates: tuple[str, ...]
    detectors: tuple[Mapping[str, Any], ...]
    attributes: tuple[str, ...] = field(repr=False)
    pointers: NDArray[np.int64] = field(repr=False)
    columns: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)
    transitions: NDArray[np.float64] = field(repr=False)

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise SettingsError(fault, hint=AGAIN)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that its tags speak of, sorted."""
        return labels_of(self.tags, scheme(self.scheme))

    def trimmed(self, least: float) -> Self:
        """Return the model without weights below `least`, and attributes that have none left."""
        kept = np.abs(self.weights) >= least
        before = np.concatenate([[0], np.cumsum(kept)])  # kept ones before each weight
        counts = np.diff(before[self.pointers])
        return replace(
            self,
            attributes=tuple(compress(self.attributes, counts)),
            pointers=np.concatenate([[0], np.cumsum(counts[counts > 0])]),
            columns=self.columns[kept],
            weights=self.weights[kept],
        )

    def rounded(self) -> Self:
        """Return the model with weights that single precision holds: they take half the room."""
        return replace(self, weights=self.weights.astype(np.float32).astype(np.float64))

    def grouped(self) -> Self:
        """Return the same model, its attributes in the order of their templates, else as before."""
        places = {name: place for place, name in enumerate(self.templates)}
        own = np.array([places[template_of(text)[0]] for text in self.attributes], dtype=np.int64)
        order = np.argsort(own, kind="stable")
        sizes = np.diff(self.pointers)[order]
        ends = np.cumsum(sizes)
        kept = np.arange(len(self.weights)) + np.repeat(self.pointers[order] - ends + sizes, sizes)
        return replace(
            self,
            attributes=tuple(self.attributes[attribute] for attribute in order.tolist()),
            pointers=np.concatenate([[0], ends]),
            columns=self.columns[kept],
            weights=self.weights[kept],
        )

    def save(
        self,
        folder: Path,
        *,
        data: Sequence[TrainedOn],
        training: Mapping[str, Any],
        created: str,
    ) -> None:
        """Write the model's folder; `training` says how it came about and what was cut from it.

        Its attributes come back in the order of `grouped`. Raises `OutputError` where it cannot be
        written.
        """
        settings = {
            "tags": self.tags,
            "scheme": self.scheme,
            "sequence": self.sequence,
            "templates": self.templates,
            "detectors": self.detectors,
        }
        manifest = Manifest.of(KIND, self, settings, data=data, training=training, created=created)
        own = self.grouped()
        tensors = {name: narrowed(getattr(own, name)) for name in KINDS}
        files = {WEIGHTS: pack_tensors(tensors), ATTRIBUTES: write_attributes(own.attributes)}
        write_folder(folder, manifest, files)

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """Read a model's folder: manifest, hashes, settings, weights, in this order.

        Raises `MissingError` where there is none, `SettingsError` where anything does not fit.
        """
        where = str(folder)
        manifest, files = read_folder(folder, KIND, (WEIGHTS, ATTRIBUTES))
        settings = manifest.settings
        if set(settings) != SETTINGS:
            keys = ", ".join(sorted(SETTINGS))
            raise SettingsError(f"its settings are not {keys}", where=where, hint=AGAIN)
        tensors = unpack_tensors(files[WEIGHTS], KINDS, f"{where}/{WEIGHTS}")
        attributes = read_attributes(files[ATTRIBUTES], f"{where}/{ATTRIBUTES}")
        try:
            model = cls(
                name=manifest.name,
                language=manifest.language,
                label_set=manifest.label_set,
                tokenizer=manifest.tokenizer,
                scheme=text(settings, "scheme"),
                sequence=text(settings, "sequence"),
                tags=texts(settings, "tags"),
                templates=texts(settings, "templates"),
                detectors=tables(settings, "detectors"),
                attributes=attributes,
                **tensors,
            )
        except SettingsError as error:
            raise error.at(Place(where)) from None
        if model.labels != manifest.labels:
            raise SettingsError("its labels are not those of its tags", where=where, hint=AGAIN)
        return model

    def parsed_templates(self) -> tuple[Template, ...]:
        """Return the templates in their order."""
        return parse_templates(self.templates)


def _faults(model: CrfModel) -> Iterator[str]:
    """Yield what does not fit, in an order in which each check relies on those before it."""
    chunks = scheme(model.scheme)
    if model.sequence not in SEQUENCES:
        yield f"its sequence is none of {', '.join(SEQUENCES)}"
    if not are_tags(model.tags, chunks):
        yield f"its tags are not distinct tags of scheme {chunks.name} with {OUTSIDE}"
    if tuple(t.name for t in parse_templates(model.templates)) != model.templates:
        yield "its templates are not single, distinct templates"
    if not {template_of(text)[0] for text in model.attributes} <= set(model.templates):
        yield "it has attributes of templates that it does not name"
    if len(set(model.attributes)) < len(model.attributes):
        yield "it has an attribute twice"
    pointers, columns, weights = model.pointers, model.columns, model.weights
    if (
        pointers.shape != (len(model.attributes) + 1,)
        or columns.ndim != 1
        or weights.shape != columns.shape
        or pointers[0] != 0
        or pointers[-1] != len(weights)
        or (np.diff(pointers) < 0).any()
    ):
        yield "its weights are not those of its attributes"
    if len(columns) and not 0 <= columns.min() <= columns.max() < len(model.tags):
        yield "it has weights of tags that it does not name"
    if not (np.abs(weights) <= HEAVIEST).all():  # a NaN is not, either
        yield f"a weight is not within {HEAVIEST:g} of 0"
    if model.transitions.shape != (len(model.tags), len(model.tags)):
        yield "its transitions are not between its tags"
    if not (np.abs(model.transitions) <= HEAVIEST_TRANSITION).all():
        yield f"a transition's weight is not within {HEAVIEST_TRANSITION:g} of 0"
