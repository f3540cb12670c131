"""Systems that run side by side, each in its own process.

Speeds are taken in turns (A B C A B C ...), so that a machine that slows down for a while slows all
systems down alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ..corpora.sentences import Sentence
from ..systems.base import System
from .children import Worker
from .probe import Probe

Timing = dict[str, float]


class Race:
    """Loaded systems, each in its own process, that are timed in turns.

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
        """Time systems in turns; the n-th timing of every system belongs to the same turn.

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
    """What a trained system answers, in a process of its own."""
    with Worker(Probe, system, directory) as worker:
        worker.call("add", "sentences", sentences)
        worker.call("load")
        answer: list[Any] = worker.call("annotate", "sentences")
        return answer
