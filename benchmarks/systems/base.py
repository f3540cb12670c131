"""What a benchmark asks of a system: train, load and run it.

A `System` is a small picklable description. The loaded model is a `Runner`, which lives in a child
process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..corpora.sentences import Sentence
from .records import TrainingRecord

if TYPE_CHECKING:
    from ..corpora.corpus import Corpus


class Runner(ABC):
    """A loaded model. Only `run` is timed."""

    @abstractmethod
    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        """Fresh inputs without annotation."""

    @abstractmethod
    def run(self, inputs: list[Any]) -> list[Any]:
        """Annotate the inputs, feature extraction included."""

    def forget(self) -> None:
        """Drop whatever the system remembers of the texts it has seen."""
        return None

    @abstractmethod
    def annotations(self, outputs: list[Any]) -> list[Any]:
        """What the benchmark judges, read from the outputs; one item per sentence."""


class SplitRunner(Runner):
    """A loaded model of two parts, the last of which can be timed alone."""

    @abstractmethod
    def run_first(self, inputs: list[Any]) -> list[Any]:
        """Annotate the inputs with everything that the last part needs."""

    @abstractmethod
    def run_last(self, inputs: list[Any]) -> list[Any]:
        """Annotate the outputs of `run_first`."""

    def run(self, inputs: list[Any]) -> list[Any]:
        return self.run_last(self.run_first(inputs))


class System(ABC):
    """A way to make a model.

    key (str): short name for files and options, unique in a run.
    name (str): name in tables and plots.
    setting (str): what distinguishes it from others of the same name, if there are any.
    library (str): module to import before loading, so that only the time and memory of the model
        itself count.
    has_parts (bool): whether its runner is a `SplitRunner`.
    """

    key: str
    name: str
    setting: str = ""
    library: str = "spacy"
    has_parts: bool = False

    @property
    def home(self) -> str:
        """Name of the directory it is trained in, which may be that of another system."""
        return self.key

    @property
    def label(self) -> str:
        """Name and setting."""
        return f"{self.name}, {self.setting}" if self.setting else self.name

    @property
    def group(self) -> str:
        """What `--only` selects by; systems of a group differ only in their settings."""
        return self.key

    @abstractmethod
    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        """Train on a corpus and save everything under the directory; runs in a child process."""

    @abstractmethod
    def load(self, directory: Path) -> Runner:
        """Load what `train` saved."""

    @abstractmethod
    def blank(self) -> Runner:
        """A runner without a model, to tell its memory from the model's."""

    @abstractmethod
    def model_path(self, directory: Path) -> Path:
        """The file or directory of the model, without logs and checkpoints."""
