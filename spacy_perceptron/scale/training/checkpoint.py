"""Checkpoints of a training: all that it takes to go on exactly, in a folder that is replaced as a
whole. Whatever happens, there is the old checkpoint or the new one.

`pipeline` is the pipeline, with averaged weights; `states/NAME.npz` the state of each component in
training; `random.npz` the state of the global sources of random numbers at the start, after each
epoch and at the checkpoint; `progress.json` the rest.
"""

import json
import random
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from ...errors import Errors
from ...files import replacing_folder
from ...learn.states import LearnerState

FOLDER = "checkpoint"
PIPELINE, STATES, RANDOM, PROGRESS = "pipeline", "states", "random.npz", "progress.json"


@dataclass
class Progress:
    """How far a training is.

    fingerprint (dict): What it depends on.
    step (int): The last step that is done; -1: none.
    batches (int): A checksum of all batches so far.
    history (list[dict]): The evaluations so far: step, score, other scores and losses.
    losses (dict[str, float]): The losses since the last one.
    is_finished (bool): Whether it has come to its end.
    """

    fingerprint: dict[str, Any]
    step: int = -1
    batches: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    losses: dict[str, float] = field(default_factory=dict)
    is_finished: bool = False


@dataclass
class RandomStates:
    """States of Python's and numpy's global sources of random numbers.

    states (list[LearnerState]): At the start of training, and after each epoch.
    """

    states: list[LearnerState] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Save these states, and the present one."""
        states = [*self.states, read_random()]
        with path.open("wb") as file:
            _save_arrays(file, {x: np.stack([s[x] for s in states]) for x in states[0]})

    @classmethod
    def load(cls, path: Path) -> "RandomStates":
        """RETURNS (RandomStates): Saved states; the last one is that of the checkpoint."""
        arrays = load_arrays(path)
        return cls(
            [dict(zip(arrays, rows, strict=True)) for rows in zip(*arrays.values(), strict=True)]
        )


def read_random() -> LearnerState:
    """RETURNS (LearnerState): The state of Python's and numpy's global random numbers."""
    _, numbers, gauss = random.getstate()
    _, words, place, has_gauss, cached = np.random.get_state(legacy=True)
    return {
        "python": np.array(numbers, np.int64),
        "python_gauss": np.array(np.nan if gauss is None else gauss),
        "numpy": np.array([*words, place, has_gauss], np.int64),
        "numpy_gauss": np.array(cached, np.float64),
    }


def restore_random(state: Mapping[str, np.ndarray]) -> None:
    """Let Python's and numpy's global random numbers go on from a state."""
    gauss = float(state["python_gauss"])
    numbers = tuple(state["python"].tolist())
    random.setstate((3, numbers, None if np.isnan(gauss) else gauss))
    *words, place, has_gauss = state["numpy"].tolist()
    cached = float(state["numpy_gauss"])
    np.random.set_state(("MT19937", np.array(words, np.uint32), place, has_gauss, cached))


def _save_arrays(file: IO[bytes], arrays: LearnerState) -> None:
    np.savez(file, **arrays)  # type: ignore[arg-type]


def load_arrays(path: Path) -> LearnerState:
    """RETURNS (LearnerState): The arrays of a file."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(Errors.TRAIN_CHECKPOINT.format(path=path, error=error)) from error


class Checkpoints:
    """The checkpoint of a training, the last one only.

    output_path (Path): The folder of the training's pipelines.
    """

    def __init__(self, output_path: Path) -> None:
        self.path = output_path / FOLDER

    def read_progress(self) -> Progress | None:
        """RETURNS (Optional[Progress]): How far the training was; None without a checkpoint."""
        path = self.path / PROGRESS
        if not path.exists():
            return None
        try:
            return Progress(**json.loads(path.read_text(encoding="utf8")))
        except (TypeError, ValueError) as error:
            raise ValueError(Errors.TRAIN_CHECKPOINT.format(path=path, error=error)) from error

    def save(
        self,
        nlp: Language,
        trained: Sequence[str],
        progress: Progress,
        random_states: RandomStates,
        references: Sequence[Doc] | None,
    ) -> None:
        """Replace the checkpoint.

        nlp (Language): The pipeline.
        trained (Sequence[str]): The components in training.
        progress (Progress): How far it is.
        random_states (RandomStates): Random numbers so far.
        references (Optional[Sequence[Doc]]): The gold Docs, in the order of the corpus.
        """
        with replacing_folder(self.path, keep_others=False) as folder:
            nlp.to_disk(folder / PIPELINE)
            (folder / STATES).mkdir()
            for i, name in enumerate(trained):
                pipe: Any = nlp.get_pipe(name)
                # Names of components need not be names of files.
                with (folder / STATES / f"{i}.npz").open("wb") as file:
                    _save_arrays(file, pipe.get_state(references))
            random_states.save(folder / RANDOM)
            self._write(folder, progress)

    def restore(
        self, nlp: Language, trained: Sequence[str], references: Sequence[Doc] | None
    ) -> None:
        """Give components the states that they had.

        nlp (Language): The pipeline of the checkpoint.
        trained (Sequence[str]): The components in training.
        references (Optional[Sequence[Doc]]): The gold Docs, in the order of the corpus.
        """
        for i, name in enumerate(trained):
            pipe: Any = nlp.get_pipe(name)
            pipe.set_state(load_arrays(self.path / STATES / f"{i}.npz"), references)

    def read_random_states(self) -> RandomStates:
        """RETURNS (RandomStates): Random numbers so far, the last ones of all at the end."""
        return RandomStates.load(self.path / RANDOM)

    def remove(self) -> None:
        """Remove the checkpoint; what is left after a kill does not count as one."""
        (self.path / PROGRESS).unlink(missing_ok=True)
        if self.path.exists():
            shutil.rmtree(self.path)

    def finish(self, progress: Progress) -> None:
        """Note that the training has come to its end; nothing else of it is needed.

        progress (Progress): How far it is.
        """
        progress.is_finished = True
        with replacing_folder(self.path, keep_others=False) as folder:
            self._write(folder, progress)

    def _write(self, folder: Path, progress: Progress) -> None:
        # Scores may be numbers of numpy. All are read as the very same ones.
        text = json.dumps(asdict(progress), default=float)
        (folder / PROGRESS).write_text(text, encoding="utf8")
