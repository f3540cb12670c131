"""The stages of a benchmark, as seen from the parent process: train, footprint, speed.

Speeds of several systems are taken in turns (A B C A B C ...), so that a machine that slows down
for a while does so for all of them; ratios are formed within a turn before taking their median.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

from wasabi import msg

from ..corpora.corpus import Corpus
from ..corpora.sentences import Sentence
from ..systems.base import System
from .children import Worker, run_in_child
from .probe import Probe
from .records import TrainingRecord

RECORD = "training.json"
Timing = dict[str, float]


def make_or_reuse(
    label: str,
    make: Callable[[Corpus, Path], TrainingRecord],
    corpus: Corpus,
    directory: Path,
    *,
    reuse: bool,
) -> TrainingRecord:
    """Make something in a child process unless what an earlier run made may be reused.

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

    def make(self, name: str, label: str, make: Callable[[Corpus, Path], TrainingRecord]) -> Path:
        """Make what several systems need; returns the directory it is kept in."""
        directory = self.work / name
        if name not in self._records:
            self._records[name] = make_or_reuse(
                label, make, self.corpus, directory, reuse=self.reuse
            )
        return directory

    def train(self, system: System) -> TrainingRecord:
        """Train a system unless that is done; returns the record of its training."""
        self.make(system.home, system.label, system.train)
        return self._records[system.home]

    def record(self, name: str) -> TrainingRecord:
        """What it took to make what is kept under a name."""
        return self._records[name]


def model_size(path: Path) -> int:
    """The bytes of a file or of all files in a directory."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


def footprint(
    system: System, directory: Path | None, sentences: Sequence[Sentence], repetitions: int
) -> dict[str, float]:
    """Load time and memory, each from fresh processes.

    system (System): the system to measure.
    directory (Path | None): its model; None for its blank counterpart.
    sentences (Sequence[Sentence]): what to annotate before reading the memory.
    repetitions (int): processes to start; medians are returned.
    RETURNS (dict[str, float]): seconds to load (wall, cpu), MB of memory (resident, peak).
    """
    runs: list[Timing] = []
    for _ in range(repetitions):
        with Worker(Probe, system, directory) as worker:
            worker.call("add", "test", sentences)
            runs.append({**worker.call("load"), **worker.call("memory", "test")})
    return {key: median(run[key] for run in runs) for key in runs[0]}


class Race:
    """Loaded systems, one process each, that are timed in turns.

    systems (Sequence[System]): the systems.
    work (Path): directory under which they were trained.
    """

    def __init__(self, systems: Sequence[System], work: Path) -> None:
        self._systems = systems
        self._work = work
        self._stack = ExitStack()
        self._workers: dict[str, Worker] = {}

    def __enter__(self) -> Race:
        for system in self._systems:
            worker = Worker(Probe, system, self._work / system.home)
            self._workers[system.key] = self._stack.enter_context(worker)
            worker.call("load")
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.close()

    def add(self, name: str, sentences: Sequence[Sentence]) -> None:
        """Give every system sentences to annotate, under a name."""
        for worker in self._workers.values():
            worker.call("add", name, sentences)

    def annotate(self, key: str, name: str) -> list[Any]:
        """What one system answers; also its warm-up."""
        answer: list[Any] = self._workers[key].call("annotate", name)
        return answer

    def run(
        self,
        name: str,
        repetitions: int,
        keys: Sequence[str],
        *,
        before: str,
        last_only: bool = False,
    ) -> dict[str, list[Timing]]:
        """Time systems in turns; the n-th timings of all systems belong to the same turn.

        name (str): the sentences to time on.
        repetitions (int): number of turns.
        keys (Sequence[str]): the systems.
        before (str): the sentences of the untimed pass before each timing.
        last_only (bool): time only the last part of each system.
        RETURNS (dict[str, list[Timing]]): timings by system.
        """
        timings: dict[str, list[Timing]] = {key: [] for key in keys}
        for _ in range(repetitions):
            for key in keys:
                timings[key].append(self._workers[key].call("time", name, before, last_only))
        return timings


def annotate_alone(system: System, directory: Path, sentences: Sequence[Sentence]) -> list[Any]:
    """What a trained system answers, from a process of its own."""
    with Worker(Probe, system, directory) as worker:
        worker.call("add", "sentences", sentences)
        worker.call("load")
        answer: list[Any] = worker.call("annotate", "sentences")
        return answer


def speed(timings: Sequence[Timing], clock: str) -> float:
    """Median words per second by a clock (wall or cpu)."""
    return median(timing["words"] / timing[clock] for timing in timings)


def speed_ratio(timings: Mapping[str, Sequence[Timing]], key: str, base: str, clock: str) -> float:
    """Median over the turns of how many times faster one system is than another."""
    pairs = zip(timings[key], timings[base], strict=True)
    return median(theirs[clock] / ours[clock] for ours, theirs in pairs)


def seconds_per_word(timings: Sequence[Timing], clock: str) -> float:
    """Median seconds per word by a clock."""
    return median(timing[clock] / timing["words"] for timing in timings)


def fitted_exponent(by_length: Mapping[str, Sequence[Timing]], low: int, high: int) -> float:
    """The power of its length with which the CPU time of a sentence grows.

    by_length (Mapping[str, Sequence[Timing]]): timings by sentence length.
    low (int): the least length to fit.
    high (int): the greatest.
    RETURNS (float): slope of the least-squares line through the logarithms.
    """
    points = [
        (math.log(int(length)), math.log(int(length) * seconds_per_word(timings, "cpu")))
        for length, timings in by_length.items()
        if low <= int(length) <= high
    ]
    x, y = zip(*points, strict=True)
    return linear_regression(x, y).slope
