"""The weights of a model file that python-crfsuite has just written, to the last bit.

Only training reads one, straight from its own trainer; models travel in our format. The text
dump of crfsuite has six decimals, so that the binary file is read. Source: `crf1d_model.c` and
`cqdb.c` of CRFsuite 0.12: a header, the features (`FEAT`), and two tables of strings (`CQDB`).
"""

from __future__ import annotations

import struct

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.crf_weights import CrfWeights

HEADER = struct.Struct("<4sI4sI3I5I")
CHUNK = struct.Struct("<4sII")
STRINGS = struct.Struct("<4s5I")
RECORD = struct.Struct("<II")
FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
STATE, TRANSITION = 0, 1


def read_crfsuite(data: bytes, where: str) -> CrfWeights:
    """Read the bytes of a model file; raise `SettingsError` where they are none."""
    try:
        return _read(data)
    except (struct.error, ValueError, IndexError):
        raise SettingsError("is no model file of CRFsuite", where=where) from None


def _read(data: bytes) -> CrfWeights:
    magic, _, kind, _, _, tags, attributes, features, at_tags, at_attributes, _, _ = (
        HEADER.unpack_from(data)
    )
    if magic != b"lCRF" or kind != b"FOMC":
        raise ValueError
    chunk, _, count = CHUNK.unpack_from(data, features)
    if chunk != b"FEAT":
        raise ValueError
    rows = np.frombuffer(data, FEATURE, count, features + CHUNK.size)
    state, between = rows[rows["kind"] == STATE], rows[rows["kind"] == TRANSITION]
    transitions = np.zeros((tags, tags))
    transitions[between["source"], between["target"]] = between["weight"]
    order = np.lexsort((state["target"], state["source"]))
    counts = np.bincount(state["source"], minlength=attributes)
    return CrfWeights(
        tags=_strings(data, at_tags, tags),
        attributes=_strings(data, at_attributes, attributes),
        pointers=np.append(0, np.cumsum(counts)).astype(np.int64),
        columns=state["target"][order].astype(np.int32),
        weights=state["weight"][order].astype(np.float64),
        transitions=transitions,
    )


def _strings(data: bytes, start: int, count: int) -> tuple[str, ...]:
    """Return the strings of a table by their numbers; it is sought from its own start."""
    chunk, _, _, _, size, at = STRINGS.unpack_from(data, start)
    if chunk != b"CQDB" or size < count:
        raise ValueError
    found = []
    for offset in np.frombuffer(data, "<u4", count, start + at).tolist():
        _, length = RECORD.unpack_from(data, start + offset)
        first = start + offset + RECORD.size
        found.append(data[first : first + length - 1].decode())  # the last byte is a NUL
    return tuple(found)
