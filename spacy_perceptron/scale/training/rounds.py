"""The checkpoint after a round: the mixed weights with all that training goes on from."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import Errors
from ...files import replacing_folder
from .checkpoint import load_arrays
from .fingerprint import check_fingerprint
from .mixing import Progress
from .shard import PipelineState

FOLDER = "last-round"
_ABOUT = "round.json"


class RoundCheckpoint:
    """The last complete round of a training.

    output_path (Path): Where the training puts its pipelines.
    fingerprint (dict): What the training depends on.
    """

    def __init__(self, output_path: Path, fingerprint: dict[str, Any]) -> None:
        self.path = output_path / FOLDER
        self._fingerprint = fingerprint

    @property
    def exists(self) -> bool:
        """RETURNS (bool): Whether there is a complete round."""
        return (self.path / _ABOUT).exists()

    def save(self, state: PipelineState, progress: Progress) -> None:
        """Keep a round in place of the one before.

        state (PipelineState): The mixed state.
        progress (Progress): How far training has come.
        """
        with replacing_folder(self.path, keep_others=False) as folder:
            for number, name in enumerate(state):
                # An array's name can have slashes: they are no folders.
                np.savez(folder / f"{number}.npz", **state[name])  # type: ignore[arg-type]
            about = {
                "fingerprint": self._fingerprint,
                "components": [*state],
                "progress": asdict(progress),
            }
            (folder / _ABOUT).write_text(json.dumps(about), encoding="utf8")

    def remove(self) -> None:
        """Remove what another training has left."""
        shutil.rmtree(self.path, ignore_errors=True)

    def load(self) -> tuple[PipelineState, Progress]:
        """Read the last round. Raises ValueError if it is of another training, or damaged.

        RETURNS (tuple[PipelineState, Progress]): The mixed state, and how far training had come.
        """
        try:
            about = json.loads((self.path / _ABOUT).read_text(encoding="utf8"))
            check_fingerprint(about["fingerprint"], self._fingerprint, self.path)
            state = {}
            for number, name in enumerate(about["components"]):
                state[name] = load_arrays(self.path / f"{number}.npz")
            progress = Progress(**about["progress"])
        except (KeyError, OSError, TypeError, json.JSONDecodeError) as error:
            message = Errors.MIXING_CHECKPOINT_DAMAGED.format(path=self.path, error=error)
            raise ValueError(message) from error
        progress.results = [(score, step) for score, step in progress.results]
        return state, progress
