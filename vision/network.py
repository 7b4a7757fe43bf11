"""An ONNX file run on the CPU, with the metadata that our exports carry."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import ModelError, WeightsError

THREADS: Final = 2
"""Threads per model run. More gain little on the small models and take the cores from the rest."""


class Network:
    """A loaded model: ``meta`` is its metadata (JSON values decoded), ``inputs`` the shapes of its inputs by name.

    Raises :class:`~vision.errors.WeightsError` for a file that is missing or no model.
    """

    def __init__(self, path: Path, threads: int = THREADS) -> None:
        if not path.is_file():
            raise WeightsError(f"The weights {path} are missing: install brisca-table again, or give another file.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # Between two frames the threads sleep instead of spinning: the other core belongs to the rest of the program.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises classes of its own that share no public base
            raise WeightsError(
                f"{path} cannot be loaded as a model ({type(error).__name__}): install brisca-table again."
            ) from error
        self.path = path
        self.inputs = {entry.name: tuple(entry.shape) for entry in self._session.get_inputs()}
        self.outputs = tuple(entry.name for entry in self._session.get_outputs())
        self.meta = {key: _value(text) for key, text in self._session.get_modelmeta().custom_metadata_map.items()}

    def run(self, inputs: dict[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """The outputs in the order of ``outputs``."""
        return [np.asarray(output, np.float32) for output in self._session.run(None, inputs)]

    def size(self, name: str) -> tuple[int, int]:
        """(height, width) of the pictures at input ``name``, from the metadata ``input`` or ``imgsz``, or the shape.

        Raises :class:`~vision.errors.ModelError` where none of them says it.
        """
        if name not in self.inputs:
            raise ModelError(f"{self.path} has no input {name!r}: it is a model for another task.")
        for value in (self.meta.get("input"), self.meta.get("imgsz"), list(self.inputs[name])[-2:]):
            if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int) and n > 0 for n in value):
                return value[0], value[1]
        raise ModelError(f"{self.path} does not say the size of its input: export it again.")


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
