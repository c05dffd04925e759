"""A trained network: what it reads, its two halves in ONNX, on disk and off.

The half `words` turns a word type into a vector, the half `top` scores the tags of sequences of
such vectors; what depends on the word alone thus is worked out once a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

import numpy as np

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.tensors import pack_tensors, unpack_tensors
from phiscrub.detect.tagging.frame import SEQUENCES
from phiscrub.detect.tagging.inputs import Inputs
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
    read_lines,
    table,
    tables,
    text,
    texts,
    whole,
    write_lines,
)
from phiscrub.detect.tagging.weights import Floats

KIND = "network"
WORDS_HALF, TOP_HALF = "words.onnx", "top.onnx"
TRANSITIONS = "transitions.safetensors"
WORDS, CHARACTERS = "words.txt", "characters.txt"
FILES = (WORDS_HALF, TOP_HALF, TRANSITIONS, WORDS, CHARACTERS)
SETTINGS = {"tags", "scheme", "sequence", "detectors", "inputs", "window", "stride", "output"}
OUTPUTS = ("softmax", "sigmoid", "crf")
LONGEST_WINDOW = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class NetworkModel:
    """A neural tagger; the halves are ONNX models.

    `words` takes int64 ``word [types]``, ``characters [types, longest]`` and ``shown [types,
    columns]``, as in `TypeNumbers`, as far as it reads them, and gives float32 ``vectors [types,
    width]``. `top` takes float32 ``vectors [batch, time, width]``, int64 ``notes [batch, time,
    columns]``, as in `Encoded`, and bool ``mask [batch, time]``, and gives float32 ``scores
    [batch, time, tags]``. `output` says what scores are: ``softmax`` logarithms of probabilities
    up to a constant, ``sigmoid`` of odds, ``crf`` such that `transitions`, float64 ``[tags,
    tags]`` from row to column, count too; otherwise those are zero. With a `window` of so many
    positions, `stride` apart, windows are read instead of whole sequences, and merged.
    `detectors` are the tables of those that the traits ``found`` hear. Raises `SettingsError`
    where the parts do not fit together.
    """

    name: str
    language: str
    label_set: str
    tokenizer: str
    scheme: str
    sequence: str
    tags: tuple[str, ...]
    detectors: tuple[Mapping[str, Any], ...]
    inputs: Inputs
    output: str
    words: bytes = field(repr=False)
    top: bytes = field(repr=False)
    transitions: Floats = field(repr=False)
    window: int = 0
    stride: int = 1

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise SettingsError(fault, hint=AGAIN)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that its tags speak of, sorted."""
        return labels_of(self.tags, scheme(self.scheme))

    def save(
        self,
        folder: Path,
        *,
        data: Sequence[TrainedOn],
        training: Mapping[str, Any],
        created: str,
    ) -> None:
        """Write the model's folder; `training` says how it came about and what was cut from it.

        Raises `OutputError` where it cannot be written.
        """
        settings = {
            "tags": self.tags,
            "scheme": self.scheme,
            "sequence": self.sequence,
            "detectors": self.detectors,
            "inputs": self.inputs.stated(),
            "window": self.window,
            "stride": self.stride,
            "output": self.output,
        }
        manifest = Manifest.of(KIND, self, settings, data=data, training=training, created=created)
        files = {
            WORDS_HALF: self.words,
            TOP_HALF: self.top,
            TRANSITIONS: pack_tensors({"transitions": self.transitions}),
            WORDS: write_lines(self.inputs.words),
            CHARACTERS: write_lines(self.inputs.characters),
        }
        write_folder(folder, manifest, files)

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """Read a model's folder: manifest, hashes, settings, weights, in this order.

        Raises `MissingError` where there is none, `SettingsError` where anything does not fit.
        """
        where = str(folder)
        manifest, files = read_folder(folder, KIND, FILES)
        settings = manifest.settings
        if set(settings) != SETTINGS:
            keys = ", ".join(sorted(SETTINGS))
            raise SettingsError(f"its settings are not {keys}", where=where, hint=AGAIN)
        kinds = {"transitions": "F64"}
        tensors = unpack_tensors(files[TRANSITIONS], kinds, f"{where}/{TRANSITIONS}")
        words = read_lines(files[WORDS], "words", f"{where}/{WORDS}")
        characters = read_lines(files[CHARACTERS], "characters", f"{where}/{CHARACTERS}")
        try:
            model = cls(
                name=manifest.name,
                language=manifest.language,
                label_set=manifest.label_set,
                tokenizer=manifest.tokenizer,
                scheme=text(settings, "scheme"),
                sequence=text(settings, "sequence"),
                tags=texts(settings, "tags"),
                detectors=tables(settings, "detectors"),
                inputs=Inputs.read(table(settings, "inputs"), words, characters),
                output=text(settings, "output"),
                words=files[WORDS_HALF],
                top=files[TOP_HALF],
                transitions=tensors["transitions"],
                window=whole(settings, "window"),
                stride=whole(settings, "stride"),
            )
        except SettingsError as error:
            raise error.at(Place(where)) from None
        if model.labels != manifest.labels:
            raise SettingsError("its labels are not those of its tags", where=where, hint=AGAIN)
        return model


def _faults(model: NetworkModel) -> Iterator[str]:
    """Yield what does not fit, in an order in which each check relies on those before it."""
    chunks = scheme(model.scheme)
    if model.sequence not in SEQUENCES:
        yield f"its sequence is none of {', '.join(SEQUENCES)}"
    if not are_tags(model.tags, chunks):
        yield f"its tags are not distinct tags of scheme {chunks.name} with {OUTSIDE}"
    if model.output not in OUTPUTS:
        yield f"its output is none of {', '.join(OUTPUTS)}"
    if not 0 <= model.window <= LONGEST_WINDOW or not 1 <= model.stride <= max(1, model.window):
        yield "its windows leave words out, or are too long"
    if model.window and model.output == "crf":
        yield "it has windows, which know no transitions"
    if model.transitions.shape != (len(model.tags), len(model.tags)):
        yield "its transitions are not between its tags"
    if not (np.abs(model.transitions) <= HEAVIEST_TRANSITION).all():  # a NaN is not, either
        yield f"a transition's weight is not within {HEAVIEST_TRANSITION:g} of 0"
    if model.output != "crf" and model.transitions.any():
        yield "it has transitions that its output does not know"
