"""What every benchmark measures of a system apart from its speed: training, size, memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from ..corpora.sentences import Sentence
from ..processes.children import Worker
from ..processes.probe import Probe
from ..systems.base import System
from ..systems.records import TrainingRecord
from .speed import CLOCKS


def training_result(record: TrainingRecord, target: float) -> dict[str, Any]:
    """A training record with its best checkpoint and the first one that reached the target."""
    best, reached = record.best(), record.first_above(target)
    return {
        **asdict(record),
        "best": asdict(best) if best else None,
        "target": target,
        "to_target": asdict(reached) if reached else None,
    }


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
    RETURNS (dict[str, float]): seconds to load (wall, cpu), MiB of memory (resident, peak).
    """
    runs: list[dict[str, float]] = []
    for _ in range(repetitions):
        with Worker(Probe, system, directory) as worker:
            worker.call("add", "test", sentences)
            runs.append({**worker.call("load"), **worker.call("memory", "test")})
    return {key: median(run[key] for run in runs) for key in runs[0]}


def footprint_result(
    system: System, directory: Path, sentences: Sequence[Sentence], repetitions: int
) -> dict[str, Any]:
    """Size, load time and memory of a trained system, and how far they exceed a blank one's."""
    trained = footprint(system, directory, sentences, repetitions)
    blank = footprint(system, None, sentences, repetitions)
    memory = {name: trained[name] for name in ("resident", "peak")}
    memory.update({f"{name}_above_blank": trained[name] - blank[name] for name in memory})
    load = {clock: trained[clock] for clock in CLOCKS}
    load.update({f"blank_{clock}": blank[clock] for clock in CLOCKS})
    return {"size": model_size(system.model_path(directory)), "load": load, "memory": memory}
