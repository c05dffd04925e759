"""A trained network with all that it needs to read notes; on disk, what training goes on from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.scores import TokenScores
from phiscrub.core.tensors import pack_tensors, unpack_tensors
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging import stated
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.inputs import Encoder, Inputs, Shown
from phiscrub.detect.tagging.manifest import Manifest, TrainedOn, read_folder, write_folder
from phiscrub.detect.tagging.readout import Readout
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.apply import Applied, apply
from phiscrub.train.architectures import Network, architecture, network_from
from phiscrub.train.networks.tagger import TaggerNetwork

KIND = "network-weights"
WEIGHTS, WORDS, CHARACTERS = "weights.safetensors", "words.txt", "characters.txt"


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A network in torch. `detectors` are the tables of those that the traits ``found`` hear.

    `word_shown` and `note_shown` are the traits of `inputs` in the order of their columns.
    """

    name: str
    language: str
    label_set: str
    tokenizer: str
    scheme: str
    sequence: str
    tags: tuple[str, ...]
    detectors: tuple[Mapping[str, Any], ...]
    settings: Network
    inputs: Inputs
    word_shown: tuple[Shown, ...]
    note_shown: tuple[Shown, ...]
    network: TaggerNetwork = field(repr=False)

    @classmethod
    def fresh(
        cls,
        *,
        name: str,
        language: str,
        label_set: str,
        tokenizer: str,
        style: str,
        sequence: str,
        tags: tuple[str, ...],
        detectors: tuple[Mapping[str, Any], ...],
        settings: Network,
        encoder: Encoder,
    ) -> Self:
        """Make a network whose weights are drawn by torch's generator as it stands."""
        network = TaggerNetwork(
            settings,
            encoder.inputs,
            word_shown=encoder.word_shown,
            note_shown=encoder.note_shown,
            tags=tags,
            style=style,
        )
        return cls(
            name=name,
            language=language,
            label_set=label_set,
            tokenizer=tokenizer,
            scheme=style,
            sequence=sequence,
            tags=tags,
            detectors=detectors,
            settings=settings,
            inputs=encoder.inputs,
            word_shown=encoder.word_shown,
            note_shown=encoder.note_shown,
            network=network,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that its tags speak of, sorted."""
        return stated.labels_of(self.tags, scheme(self.scheme))

    @property
    def outside(self) -> int:
        """The number of the tag O."""
        return self.tags.index(OUTSIDE)

    @property
    def weights(self) -> int:
        """How many numbers were learnt."""
        return sum(weight.numel() for weight in self.network.parameters())

    def traits(self, tools: Toolbox) -> Traits:
        """Return the traits that it asks for."""
        return Traits.of(self.inputs.trait_names, tools, self.detectors)

    def tagger(self) -> TorchTagger:
        """Return the network ready to tag, in torch, on the CPU."""
        return TorchTagger(self)

    def save(self, folder: Path, created: str = "", data: Sequence[TrainedOn] = ()) -> None:
        """Write what training can go on from, in torch's own terms; no model to be run.

        `data` is what it was trained on. Raises `OutputError` where it cannot be written.
        """
        tensors = {n: w.detach().cpu().numpy() for n, w in self.network.state_dict().items()}
        files = {
            WEIGHTS: pack_tensors(tensors),
            WORDS: stated.write_lines(self.inputs.words),
            CHARACTERS: stated.write_lines(self.inputs.characters),
        }
        write_folder(folder, self._manifest(created, data), files)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote; raise as `read_folder`, `SettingsError` for other weights."""
        where = str(folder)
        manifest, files = read_folder(folder, KIND, (WEIGHTS, WORDS, CHARACTERS))
        own = manifest.settings
        try:
            inputs = Inputs.read(
                stated.table(own, "inputs"),
                stated.read_lines(files[WORDS], "words", f"{where}/{WORDS}"),
                stated.read_lines(files[CHARACTERS], "characters", f"{where}/{CHARACTERS}"),
            )
            settings = network_from(stated.table(own, "network"), where)
            detectors = stated.tables(own, "detectors")
            traits = Traits.of(inputs.trait_names, Shelf(manifest.language, None), detectors)
            trained = cls.fresh(
                name=manifest.name,
                language=manifest.language,
                label_set=manifest.label_set,
                tokenizer=manifest.tokenizer,
                style=stated.text(own, "scheme"),
                sequence=stated.text(own, "sequence"),
                tags=stated.texts(own, "tags"),
                detectors=detectors,
                settings=settings,
                encoder=Encoder(inputs, traits),
            )
        except KeyError as error:
            raise SettingsError(f"does not state {error}", where=where, hint=AGAIN) from None
        except SettingsError as error:
            raise error.at(Place(where)) from None
        load_weights(trained.network, files[WEIGHTS], f"{where}/{WEIGHTS}")
        return trained

    def named(self, name: str) -> Self:
        """Return it under another name."""
        return replace(self, name=name)

    def _manifest(self, created: str, data: Sequence[TrainedOn]) -> Manifest:
        settings = {
            "tags": self.tags,
            "scheme": self.scheme,
            "sequence": self.sequence,
            "detectors": self.detectors,
            "network": {"architecture": architecture(self.settings), **asdict(self.settings)},
            "inputs": self.inputs.stated(),
        }
        return Manifest.of(KIND, self, settings, data=data, created=created)


def load_weights(network: TaggerNetwork, data: bytes, where: str) -> None:
    """Put weights into a network; raise `SettingsError` where they are another one's."""
    own = network.state_dict()
    tensors = unpack_tensors(data, dict.fromkeys(own, "F32"), where)
    for name, tensor in tensors.items():
        if tensor.shape != tuple(own[name].shape):
            raise SettingsError(f"has weights '{name}' of another shape", where=where, hint=AGAIN)
    network.load_state_dict({name: torch.from_numpy(t.copy()) for name, t in tensors.items()})


class TorchTagger:
    """Finds mentions by a network in torch: for figures right after training, and for teaching."""

    def __init__(self, trained: Trained) -> None:
        """Load the traits."""
        self._trained = trained
        self._encoder = Encoder(trained.inputs, trained.traits(Shelf(trained.language, None)))
        self._readout = Readout(trained, f"neural:{trained.name}")
        self.labels = self._readout.labels

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions; a score is the label's lowest probability among the tokens."""
        frame, applied = self._apply(notes)
        return self._readout.by_note(applied.tags, frame, applied.proba)

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each label, and of `O`, which stands first."""
        frame, applied = self._apply(notes)
        return self._readout.scores(applied.proba, frame)

    def tag_scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each tag."""
        frame, applied = self._apply(notes)
        return self._readout.tag_scores(applied.proba, frame)

    def _apply(self, notes: Sequence[Note]) -> tuple[Frame, Applied]:
        """Return what the network says of the first position of each token."""
        self._readout.check(notes)
        own = self._trained
        frame = Frame.of(notes, own.sequence)
        encoded = self._encoder.encode(frame)
        applied = apply(
            own.network,
            self._encoder.numbers(encoded.types),
            encoded.type,
            encoded.notes,
            encoded.starts,
            window=(own.settings.windows.length, own.settings.windows.stride),
            outside=own.outside,
        )
        firsts = encoded.firsts
        if not len(firsts):
            return frame, Applied(np.zeros((0, len(own.tags))), np.zeros(0, dtype=np.int64))
        return frame, Applied(applied.proba[firsts], applied.tags[firsts])
