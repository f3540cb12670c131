"""What a benchmark asks of a system: train it, load it, run it.

A `System` is a small picklable description; the loaded model is a `Runner` and lives in a child
process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..corpora.sentences import Sentence
from ..processes.records import TrainingRecord

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
        """Drop what was remembered of the texts seen so far, if the system keeps any."""
        return None

    @abstractmethod
    def annotations(self, outputs: list[Any]) -> list[Any]:
        """Read off the outputs what the benchmark judges, one item per sentence."""


class SplitRunner(Runner):
    """A loaded model of two parts, of which the last can be timed alone."""

    @abstractmethod
    def run_first(self, inputs: list[Any]) -> list[Any]:
        """Annotate the inputs with all that the last part needs."""

    @abstractmethod
    def run_last(self, inputs: list[Any]) -> list[Any]:
        """Annotate the outputs of `run_first`."""

    def run(self, inputs: list[Any]) -> list[Any]:
        return self.run_last(self.run_first(inputs))


class System(ABC):
    """A way to make a model.

    key (str): short name for files and options, unique in a run.
    name (str): name in tables and plots.
    setting (str): what sets it apart from others of the same name, if there are any.
    library (str): module to import before loading, so that only the model's own time and memory
        are counted.
    has_parts (bool): whether its runner is a `SplitRunner`.
    """

    key: str
    name: str
    setting: str = ""
    library: str = "spacy"
    has_parts: bool = False

    @property
    def home(self) -> str:
        """Name of the directory it is trained in: that of another key for a mere way of loading."""
        return self.key

    @property
    def label(self) -> str:
        """Name and setting."""
        return f"{self.name}, {self.setting}" if self.setting else self.name

    @property
    def group(self) -> str:
        """What `--only` selects by; systems of a group differ in settings alone."""
        return self.key

    @abstractmethod
    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        """Train on a corpus and save everything under the directory; runs in a child process."""

    @abstractmethod
    def load(self, directory: Path) -> Runner:
        """Load what `train` saved."""

    @abstractmethod
    def blank(self) -> Runner:
        """A runner without a model, for the memory that is not the model's."""

    @abstractmethod
    def model_path(self, directory: Path) -> Path:
        """The file or directory of the model, without logs and checkpoints."""
