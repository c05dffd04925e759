"""Vectors on disk, in every format."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from phiscrub.core.errors import InputError, MissingError, OutputError, Place, SettingsError
from phiscrub.core.jsontext import strict_json
from phiscrub.core.tensors import pack_tensors, unpack_tensors
from phiscrub.embeddings.binaryfile import read_binary, write_binary
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.subwords import Subwords
from phiscrub.embeddings.textfile import Read, read_text, write_text
from phiscrub.embeddings.vectors import Vectors

OWN = "phiscrub"
WRITERS: Mapping[str, Callable[[Vectors], Iterator[bytes]]] = MappingProxyType(
    {
        "word2vec": lambda vectors: write_text(vectors, header=True),
        "word2vec-binary": write_binary,
        "glove": lambda vectors: write_text(vectors, header=False),
        "fasttext": lambda vectors: write_text(vectors, header=True, trailing=True),
    }
)
FORMATS = (OWN, *WRITERS)
SUFFIXES = MappingProxyType(
    {
        ".safetensors": OWN,
        ".bin": "word2vec-binary",
        ".vec": "fasttext",
        ".txt": "word2vec",
        ".glove": "glove",
    }
)
KINDS = MappingProxyType({"about": "U8", "words": "U8", "vectors": "F32"})
HEAD = 4096
NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
UNWRITABLE = re.compile(r"[ \t\r\n]")
SURROGATE = re.compile("[\ud800-\udfff]")


def read_embedding(path: Path, most: int | None = None) -> tuple[Embedding, tuple[str, ...]]:
    """Read a file of any of the formats, at most so many words of it, and what was mended.

    The format is told from the bytes, and binary from text by the suffix ``.bin`` too. Raises
    `MissingError` where there is no file, `InputError` with the line where it is broken, and
    `SettingsError` where a file of ours is not as we write it.
    """
    if most is not None and most < 1:
        raise SettingsError("no words are to be read", hint="give 1 or more")
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            file.seek(0)
            if head[7:9] == b"\0{":  # a safetensors header and its length
                return _read_own(file.read(), path, most), ()
            binary = path.suffix == ".bin" or NO_TEXT.search(head) is not None
            read: Read = (read_binary if binary else read_text)(file, str(path), most)
    except FileNotFoundError:
        raise MissingError("no such file", where=str(path), hint="check the path") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    return Embedding(path.name, read.vectors), read.notices


def write_embedding(embedding: Embedding, path: Path, write_as: str | None = None) -> None:
    """Write a file, whole or not at all, readable by its owner only: its words are of notes.

    Only our own format keeps how words are spelt, subwords, and how the vectors came about. The
    suffix tells the format where none is named. Raises `SettingsError` for an unknown one, and
    `OutputError` where a word cannot be written in it, or the file cannot be written.
    """
    name = format_of(path, write_as)
    if name == OWN:
        pieces: Iterator[bytes] = iter([_own(embedding)])
    else:
        for number, word in enumerate(embedding.vectors.words, 1):
            if UNWRITABLE.search(word) or SURROGATE.search(word) or not word:
                raise OutputError(
                    f"word {number} holds a blank or half a character, which {name} has no way "
                    "to write",
                    where=str(path),
                    hint="write a .safetensors file",
                )
        pieces = WRITERS[name](embedding.vectors)
    _write(path, pieces)


def format_of(path: Path, named: str | None) -> str:
    """Return the format to write; raises `SettingsError` where there is no such one."""
    name = named or SUFFIXES.get(path.suffix)
    if name not in FORMATS:
        raise SettingsError(
            f"no format of vectors {named!r}" if named else "has no suffix of vectors",
            where=str(path),
            hint=f"suffixes: {', '.join(SUFFIXES)}; formats: {', '.join(FORMATS)}",
        )
    return name


def _own(embedding: Embedding) -> bytes:
    """Return our own format: one safetensors file with words and settings as bytes."""
    about = {
        "format": 1,
        "name": embedding.name,
        "normalise": asdict(embedding.normalise),
        "subwords": embedding.subwords is not None,
        "about": dict(embedding.about),
    }
    tensors: dict[str, Any] = {
        "about": _bytes(json.dumps(about, ensure_ascii=False, allow_nan=False)),
        "words": _bytes(json.dumps(embedding.vectors.words, ensure_ascii=False)),
        "vectors": embedding.vectors.matrix,
    }
    if embedding.subwords is not None:
        tensors["subwords"] = embedding.subwords.table
    return pack_tensors(tensors)


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _read_own(data: bytes, path: Path, most: int | None) -> Embedding:
    where = str(path)
    kinds = dict(KINDS)
    if b'"subwords"' in data[: 8 + int.from_bytes(data[:8], "little")]:
        kinds["subwords"] = "F32"
    tensors = unpack_tensors(data, kinds, where)
    table = strict_json(_text(tensors["about"], where), Place(where))
    words = strict_json(f'{{"words": {_text(tensors["words"], where)}}}', Place(where))["words"]
    spelt = table.get("normalise")
    if (
        table.get("format") != 1
        or not isinstance(table.get("name"), str)
        or not isinstance(table.get("about"), dict)
        or not isinstance(spelt, dict)
        or set(spelt) != {"digits", "lower"}
        or not isinstance(spelt["digits"], str)
        or not isinstance(spelt["lower"], bool)
        or not isinstance(words, list)
        or not all(isinstance(word, str) for word in words)
    ):
        raise SettingsError("is no file of vectors", where=where, hint="train or fetch it again")
    try:
        vectors = Vectors(tuple(words), tensors["vectors"])
        grown = Subwords(tensors["subwords"]) if "subwords" in tensors else None
    except InputError as error:
        raise error.at(Place(where)) from None
    if grown is not None and grown.table.shape[1:] != (vectors.dimensions,):
        raise SettingsError("has subwords of other dimensions", where=where)
    if most is not None:
        vectors = Vectors(vectors.words[:most], vectors.matrix[:most])
    return Embedding(table["name"], vectors, Normalise(**spelt), grown, table["about"])


def _text(array: np.ndarray, where: str) -> str:
    try:
        return array.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise SettingsError("holds words that are no UTF-8", where=where) from None


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    staged = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, staged = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        Path(staged).replace(path)
    except OSError as error:
        if staged is not None:
            with suppress(OSError):
                Path(staged).unlink()
        raise OutputError(f"cannot be written: {error.strerror}", where=str(path)) from None
