"""A network in torch to a model that runs without: two halves in ONNX, proved on notes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phiscrub.core.errors import PhiscrubError
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.scores import TokenScores
from phiscrub.detect.tagging.network import NetworkModel
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.networks.tagger import TaggerNetwork
from phiscrub.train.quantise import products, quantise_products, quantise_tables, ranges
from phiscrub.train.trained import Trained

OPSET = 17
CLOSE = 1e-5  # of probabilities, between torch and ONNX Runtime
AGREED = 0.999  # of tokens whose tag whole numbers leave as it is
WATCHED_TOKENS = 50_000  # whose ranges are looked at, and on which tags are compared
DIGITS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Exported:
    """A model that runs without torch, and what was found when it was held against torch.

    `proof` is plain data for the manifest: tokens compared, the largest difference of a
    probability in floats, how many products are in whole numbers, and the share of tokens whose
    tag they leave as it is, of all tokens and of those that either calls identifying.
    """

    model: NetworkModel
    proof: Mapping[str, Any] = field(repr=False)


def export(trained: Trained, notes: Sequence[Note], *, whole: bool = True) -> Exported:
    """Write a network as ONNX, and compare on notes, best such as it was not trained on.

    With `whole`, tables and products are made of whole numbers as far as at least `AGREED` of
    the tags stay as they are. Raises `PhiscrubError` where ONNX Runtime gives other
    probabilities than torch.
    """
    notes = _some(notes)
    model = _in_floats(trained)
    tagger = _tagger(model)
    by_torch = trained.tagger().tag_scores(notes)
    apart = _apart(by_torch, tagger.tag_scores(notes))
    if not apart <= CLOSE:
        raise PhiscrubError(
            f"network {trained.name} gives other probabilities in ONNX Runtime than in torch: "
            f"{apart:.1e} apart",
            hint="this is a fault of phiscrub or of its versions of torch and onnxruntime",
        )
    proof: dict[str, Any] = {
        "tokens": sum(len(note.tokens) for note in notes),
        "apart": float(f"{apart:.1e}"),
    }
    if whole and proof["tokens"]:
        model, told = _in_whole_numbers(model, tagger, notes)
        proof |= told
    return Exported(model, proof)


class _WordsHalf(nn.Module):
    """Word types to vectors."""

    def __init__(self, network: TaggerNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, word: Tensor, characters: Tensor, shown: Tensor) -> Tensor:
        vectors: Tensor = self.network.words(word, characters, shown)
        return vectors


class _TopHalf(nn.Module):
    """Vectors of word types and note traits to scores."""

    def __init__(self, network: TaggerNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, vectors: Tensor, notes: Tensor, mask: Tensor) -> Tensor:
        scores: Tensor = self.network(torch.cat((vectors, self.network.places(notes)), -1), mask)
        return scores


def halves(trained: Trained) -> tuple[bytes, bytes]:
    """Return the halves `words` and `top` as ONNX, with the network's numbers as they are."""
    network = trained.network.eval()
    columns = [
        sum(one.hashes for one in shown) for shown in (trained.word_shown, trained.note_shown)
    ]
    some = torch.ones(3, 4, dtype=torch.int64)
    words = _written(
        _WordsHalf(network),
        {
            "word": (some[:, 0], ("types",)),
            "characters": (some, ("types", "longest")),
            "shown": (torch.ones(3, columns[0], dtype=torch.int64), ("types",)),
        },
        {"vectors": ("types",)},
    )
    mask = torch.tensor([[True, True, True, True], [True, True, True, False]])
    moving = ("batch", "time")
    top = _written(
        _TopHalf(network),
        {
            "vectors": (torch.zeros(2, 4, network.words.width), moving),
            "notes": (torch.ones(2, 4, columns[1], dtype=torch.int64), moving),
            "mask": (mask, moving),
        },
        {"scores": moving},
    )
    return words, top


def _in_floats(trained: Trained) -> NetworkModel:
    words, top = halves(trained)
    steps, count = trained.network.transitions(), len(trained.tags)
    windows = trained.settings.windows
    return NetworkModel(
        name=trained.name,
        language=trained.language,
        label_set=trained.label_set,
        tokenizer=trained.tokenizer,
        scheme=trained.scheme,
        sequence=trained.sequence,
        tags=trained.tags,
        detectors=trained.detectors,
        inputs=trained.inputs,
        output=trained.network.output,
        words=words,
        top=top,
        transitions=np.zeros((count, count)) if steps is None else steps.detach().double().numpy(),
        window=windows.length,
        stride=windows.stride,
    )


def _written(
    half: nn.Module,
    given: Mapping[str, tuple[Tensor, tuple[str, ...]]],
    told: Mapping[str, tuple[str, ...]],
) -> bytes:
    """Return a half as ONNX; axes that are named are of any size."""
    axes = {name: dict(enumerate(names)) for name, (_, names) in given.items()}
    axes |= {name: dict(enumerate(names)) for name, names in told.items()}
    written = io.BytesIO()
    with _quiet(), torch.no_grad():
        torch.onnx.export(
            half,
            tuple(tensor for tensor, _ in given.values()),
            written,  # type: ignore[arg-type]  # a file is taken, and the types say a path
            input_names=list(given),
            output_names=list(told),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
    return written.getvalue()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporter's advice to itself: what it warns of is checked on notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _in_whole_numbers(
    model: NetworkModel, tagger: NeuralTagger, notes: Sequence[Note]
) -> tuple[NetworkModel, dict[str, Any]]:
    """Quantise what can be: the tables first, then all products or, one by one, those that may.

    Tables of what stands in notes are small, and read for every token: they stay as they are.
    """
    before = _tags(tagger, notes)
    tables = replace(model, words=quantise_tables(model.words))
    kept = tables if _agreement(before, tables, notes)[0] >= AGREED else model
    names = products(kept.top)
    known = ranges(kept.top, _tagger(kept).fed(notes))

    def tried(chosen: Sequence[str]) -> NetworkModel:
        return replace(kept, top=quantise_products(kept.top, {n: known[n] for n in chosen}))

    chosen = names
    if names and _agreement(before, tried(names), notes)[0] < AGREED:
        chosen = []
        for name in names:
            if _agreement(before, tried([*chosen, name]), notes)[0] >= AGREED:
                chosen.append(name)
    final = tried(chosen) if chosen else kept
    all_, inside = _agreement(before, final, notes)
    return final, {
        "tables": "int8" if kept is tables else "float32",
        "products": f"{len(chosen)} of {len(names)} int8",
        "agreement": round(all_, DIGITS),
        "agreement_inside": round(inside, DIGITS),
    }


def _agreement(
    before: NDArray[np.str_], model: NetworkModel, notes: Sequence[Note]
) -> tuple[float, float]:
    """Return the share of tokens whose tag is as before, of all and of those not O in both."""
    after = _tags(_tagger(model), notes)
    same = before == after
    inside = (before != OUTSIDE) | (after != OUTSIDE)
    return float(same.mean()), float(same[inside].mean()) if inside.any() else 1.0


def _tags(tagger: NeuralTagger, notes: Sequence[Note]) -> NDArray[np.str_]:
    return np.array([tag for own in tagger.tags(notes) for tag in own], dtype=np.str_)


def _tagger(model: NetworkModel) -> NeuralTagger:
    return NeuralTagger.of(model, Shelf(model.language, None))


def _some(notes: Sequence[Note]) -> list[Note]:
    """Return the first notes, up to about `WATCHED_TOKENS`."""
    chosen, tokens = list[Note](), 0
    for note in notes:
        if tokens >= WATCHED_TOKENS:
            break
        chosen.append(note)
        tokens += len(note.tokens)
    return chosen


def _apart(left: Sequence[TokenScores], right: Sequence[TokenScores]) -> float:
    """Return the largest difference of a probability."""
    pairs = zip(left, right, strict=True)
    return max((float(np.abs(a.proba - b.proba).max(initial=0.0)) for a, b in pairs), default=0.0)
