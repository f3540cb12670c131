"""Training under a work directory: each system once in a run, in a child process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wasabi import msg

from ..corpora.corpus import Corpus
from ..systems.base import System
from ..systems.records import TrainingRecord
from .children import run_in_child

RECORD = "training.json"
Make = Callable[[Corpus, Path], TrainingRecord]


def make_or_reuse(
    label: str, make: Make, corpus: Corpus, directory: Path, *, reuse: bool
) -> TrainingRecord:
    """Make something in a child process, unless an earlier run has made it and it may be reused.

    label (str): what it is, for messages.
    make (Callable): makes it from the corpus in the directory and says what that took.
    corpus (Corpus): the corpus.
    directory (Path): where it is kept, with its record.
    reuse (bool): whether a finished one may be reused.
    RETURNS (TrainingRecord): its record.
    """
    path = directory / RECORD
    if reuse and path.exists():
        msg.info(f"{label}: reused")
        return TrainingRecord.from_disk(path)
    path.unlink(missing_ok=True)
    msg.text(f"{label}: training ...")
    record: TrainingRecord = run_in_child(make, corpus, directory)
    record.to_disk(path)
    msg.good(f"{label}: trained in {record.wall:.0f} s ({record.cpu:.0f} s CPU)")
    return record


class Workshop:
    """Trains systems under a work directory, each of them once in a run.

    corpus (Corpus): what to train on.
    work (Path): the work directory.
    reuse (bool): whether to keep what an earlier run has trained.
    """

    def __init__(self, corpus: Corpus, work: Path, *, reuse: bool) -> None:
        self.corpus = corpus
        self.work = work
        self.reuse = reuse
        self._records: dict[str, TrainingRecord] = {}

    def directory(self, system: System) -> Path:
        """Where a system is trained."""
        return self.work / system.home

    def make(self, name: str, label: str, make: Make) -> Path:
        """Make what several systems need; returns the directory it is kept in."""
        directory = self.work / name
        if name not in self._records:
            self._records[name] = make_or_reuse(
                label, make, self.corpus, directory, reuse=self.reuse
            )
        return directory

    def train(self, system: System) -> TrainingRecord:
        """Train a system unless this run has done so; returns the record of its training."""
        self.make(system.home, system.label, system.train)
        return self._records[system.home]

    def record(self, name: str) -> TrainingRecord:
        """What it took to make what is kept under a name."""
        return self._records[name]
