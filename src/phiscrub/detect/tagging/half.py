"""One half of a network at work: ONNX Runtime, with as many threads as the user gave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.jsontext import AGAIN

# A key of an ONNX tensor that stands in a file of its own; such a file could be any on the disk.
ELSEWHERE = b"\x0a\x08location"
FATAL = 4  # what ONNX Runtime has to say is said once, by our error


class Half:
    """Runs an ONNX model that takes some of the arrays `inputs` names and gives one, `output`.

    Raises `MissingError` where onnxruntime is not there, `SettingsError` where the bytes are no
    such model.
    """

    def __init__(
        self, data: bytes, inputs: Mapping[str, str], output: str, *, name: str, threads: int
    ) -> None:
        self._name = name
        self._output = output
        self._session = _session(data, name, threads)
        given = {one.name: one.type for one in self._session.get_inputs()}
        told = [(one.name, one.type) for one in self._session.get_outputs()]
        if not given.items() <= inputs.items() or told != [(output, "tensor(float)")]:
            raise SettingsError(f"'{name}' is no half of a network", hint=AGAIN)
        self._inputs = frozenset(given)

    def run(self, width: int | None = None, **arrays: NDArray[Any]) -> NDArray[np.float32]:
        """Return what the model gives for the arrays; its last axis must be `width` wide.

        Raises `SettingsError` where the model cannot read them, or gives another shape.
        """
        wanted = {key: array for key, array in arrays.items() if key in self._inputs}
        try:
            (found,) = self._session.run([self._output], wanted)
        except Exception:  # noqa: BLE001 - its errors are many, and quote what they were given
            raise SettingsError(f"'{self._name}' cannot read its inputs", hint=AGAIN) from None
        if width is not None and found.shape[-1:] != (width,):
            raise SettingsError(f"'{self._name}' gives no {width} numbers a token", hint=AGAIN)
        own: NDArray[np.float32] = found
        return own


def _session(data: bytes, name: str, threads: int) -> Any:
    try:
        import onnxruntime  # noqa: PLC0415  # slow to import, and only networks need it
    except ImportError:
        raise MissingError(
            "a network needs the package onnxruntime", hint="pip install onnxruntime"
        ) from None
    if ELSEWHERE in data:
        raise SettingsError(f"'{name}' has weights in files of their own", hint=AGAIN)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = FATAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - its errors are many, and their text is its own
        raise SettingsError(f"'{name}' is no ONNX model that can be run", hint=AGAIN) from None
