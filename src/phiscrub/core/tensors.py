"""Named arrays as bytes, in the safetensors format; what is read is trusted in nothing.

Format: https://huggingface.co/docs/safetensors (8 bytes of header length, little-endian; a JSON
header; the arrays, little-endian, in C order, without gaps).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import AGAIN, strict_json

LENGTH_BYTES = 8
LONGEST_HEADER = 10_000_000
MOST_AXES = 8
TYPES = MappingProxyType(
    {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1"}
)
# Numbers may lie in a file as any of these that holds them exactly, and are widened when read.
NARROWER = MappingProxyType({"I64": ("U8", "I16", "I32"), "I32": ("U8", "I16"), "F64": ("F32",)})


def narrowed(tensor: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in the smallest type that holds all of them exactly."""
    kinds = {np.dtype(TYPES[name]): names for name, names in NARROWER.items()}
    for name in kinds.get(tensor.dtype, ()):
        with np.errstate(over="ignore"):  # what is too large comes back as something else
            small = tensor.astype(TYPES[name])
        if np.array_equal(small.astype(tensor.dtype), tensor):
            return small
    return tensor


def pack_tensors(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the arrays as the bytes of a safetensors file, in order of name."""
    names = {np.dtype(kind): name for name, kind in TYPES.items()}
    header: dict[str, Any] = {}
    done, bodies = 0, []
    for name, tensor in sorted(tensors.items()):
        kind = tensor.dtype.newbyteorder("<")
        body = tensor.astype(kind, copy=False).tobytes()
        header[name] = {
            "dtype": names[kind],
            "shape": list(tensor.shape),
            "data_offsets": [done, done + len(body)],
        }
        done += len(body)
        bodies.append(body)
    told = json.dumps(header, separators=(",", ":")).encode()
    told += b" " * (-len(told) % LENGTH_BYTES)  # so that the arrays are aligned
    return b"".join((len(told).to_bytes(LENGTH_BYTES, "little"), told, *bodies))


def unpack_tensors(data: bytes, kinds: Mapping[str, str], where: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a safetensors file, read-only; it must hold those named and no others.

    `kinds` gives each name's type, such as ``F64``; numbers may be `narrowed`. Raises
    `SettingsError` where the bytes are anything else.
    """
    size = int.from_bytes(data[:LENGTH_BYTES], "little")
    if len(data) < LENGTH_BYTES or size > min(LONGEST_HEADER, len(data) - LENGTH_BYTES):
        _refuse(where, "is cut short or no safetensors file")
    try:
        text = data[LENGTH_BYTES : LENGTH_BYTES + size].decode()
    except UnicodeDecodeError:
        _refuse(where, "has a header that is not UTF-8")
    header = strict_json(text, Place(where))
    header.pop("__metadata__", None)
    if set(header) != set(kinds):
        _refuse(where, f"does not hold just the arrays {', '.join(sorted(kinds))}")
    body = memoryview(data)[LENGTH_BYTES + size :]
    tensors, spans = {}, []
    for name, entry in header.items():
        own, shape, (start, end) = _entry(entry, kinds[name], name, where)
        if end > len(body):
            _refuse(where, f"is cut short: array '{name}' ends behind it")
        kind = np.dtype(TYPES[own])
        if math.prod(shape) * kind.itemsize != end - start:
            _refuse(where, f"gives array '{name}' a shape that does not fit its bytes")
        tensor = np.frombuffer(body[start:end], kind).reshape(shape)
        tensors[name] = tensor.astype(TYPES[kinds[name]], copy=False)
        tensors[name].flags.writeable = False
        spans.append((start, end))
    edges = [0, *(edge for span in sorted(spans) for edge in span), len(body)]
    if edges[::2] != edges[1::2]:
        _refuse(where, "has gaps or overlaps between its arrays")
    return tensors


def _entry(
    entry: object, kind: str, name: str, where: str
) -> tuple[str, list[int], tuple[int, int]]:
    """Return the type, shape and place that a header gives an array."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        _refuse(where, f"does not describe array '{name}' as the format asks")
    if entry["dtype"] not in (kind, *NARROWER.get(kind, ())):
        _refuse(where, f"has array '{name}' of another type than {kind}")
    shape, offsets = entry["shape"], entry["data_offsets"]
    for numbers in (shape, offsets):
        if (
            not isinstance(numbers, list)
            or len(numbers) > MOST_AXES
            or not all(type(n) is int and 0 <= n < 1 << 48 for n in numbers)
        ):
            _refuse(where, f"gives array '{name}' a shape or place that is none")
    if len(offsets) != len(("start", "end")) or offsets[0] > offsets[1]:
        _refuse(where, f"gives array '{name}' a place that is none")
    return entry["dtype"], shape, (offsets[0], offsets[1])


def _refuse(where: str, what: str) -> NoReturn:
    raise SettingsError(what, where=where, hint=AGAIN)
