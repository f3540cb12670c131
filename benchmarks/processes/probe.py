"""Measurements inside a child process: load a model, run it, read the clock and the memory."""

from __future__ import annotations

import gc
import importlib
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..corpora.sentences import Sentence, count_words
from ..systems.base import Runner, SplitRunner, System
from ..systems.records import Stopwatch

STATUS = Path("/proc/self/status")


def process_memory() -> dict[str, float]:
    """Resident memory of this process in MiB: now and at its peak.

    On Linux `ru_maxrss` starts at the parent's size after a spawn, so the kernel's own high-water
    mark is preferred where there is one.
    """
    if STATUS.exists():
        fields = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
        return {
            name: int(fields[key].split()[0]) / 1024
            for name, key in (("resident", "VmRSS"), ("peak", "VmHWM"))
        }
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return {"resident": peak, "peak": peak}


class Probe:
    """Serves measurements of one system.

    system (System): the system; its library is imported at once.
    directory (Path | None): where it was trained; None measures its blank counterpart.
    """

    def __init__(self, system: System, directory: Path | None) -> None:
        importlib.import_module(system.library)
        self.system = system
        self.directory = directory
        self.runner: Runner | None = None
        self.material: dict[str, list[Sentence]] = {}

    def add(self, name: str, sentences: Sequence[Sentence]) -> None:
        """Keep sentences under a name."""
        self.material[name] = list(sentences)

    def load(self) -> dict[str, float]:
        """Load the model and return the seconds it took."""
        watch = Stopwatch()
        if self.directory is None:
            self.runner = self.system.blank()
        else:
            self.runner = self.system.load(self.directory)
        wall, cpu = watch.read()
        return {"wall": wall, "cpu": cpu}

    def annotate(self, name: str) -> list[Any]:
        """The annotations of the sentences kept under a name, one item per sentence."""
        runner = self._loaded()
        return runner.annotations(runner.run(runner.prepare(self.material[name])))

    def time(self, name: str, before: str, last_only: bool = False) -> dict[str, float]:
        """Annotate the sentences kept under a name and return the seconds it took.

        An untimed pass over other sentences comes first: a process that waited for its turn may
        have lost memory pages to the system, and getting them back would count against systems
        that need many. What the system remembers of texts is dropped before that pass.

        name (str): what to annotate.
        before (str): what to annotate before it, untimed.
        last_only (bool): time only the last part of a system that has parts.
        RETURNS (dict[str, float]): seconds by both clocks and the number of words.
        """
        runner = self._loaded()
        runner.forget()
        runner.run(runner.prepare(self.material[before]))
        inputs = runner.prepare(self.material[name])
        run = runner.run
        if last_only:
            if not isinstance(runner, SplitRunner):
                raise ValueError(f"{self.system.label} has no parts to time alone")
            inputs, run = runner.run_first(inputs), runner.run_last
        gc.collect()
        watch = Stopwatch()
        outputs = run(inputs)
        wall, cpu = watch.read()
        del outputs
        return {"wall": wall, "cpu": cpu, "words": count_words(self.material[name])}

    def memory(self, name: str) -> dict[str, float]:
        """Annotate the sentences kept under a name and return the memory of the process."""
        self.annotate(name)
        return process_memory()

    def _loaded(self) -> Runner:
        if self.runner is None:
            raise RuntimeError("call load() before measuring")
        return self.runner
