"""What every benchmark measures of every system, as plain data for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..corpora.sentences import Sentence
from ..processes.records import TrainingRecord
from ..processes.stages import Timing, footprint, model_size, speed, speed_ratio
from ..systems.base import System

CLOCKS = ("wall", "cpu")


def training_result(record: TrainingRecord, target: float) -> dict[str, Any]:
    """A training record with its best checkpoint and the first one that reached the target."""
    best, reached = record.best(), record.first_above(target)
    return {
        **asdict(record),
        "best": asdict(best) if best else None,
        "target": target,
        "to_target": asdict(reached) if reached else None,
    }


def footprint_result(
    system: System, directory: Path, sentences: Sequence[Sentence], repetitions: int
) -> dict[str, Any]:
    """Size, load time and memory of a trained system, beside those of its blank counterpart."""
    trained = footprint(system, directory, sentences, repetitions)
    blank = footprint(system, None, sentences, repetitions)
    memory = {name: trained[name] for name in ("resident", "peak")}
    memory.update({f"{name}_above_blank": trained[name] - blank[name] for name in memory})
    load = {clock: trained[clock] for clock in CLOCKS}
    load.update({f"blank_{clock}": blank[clock] for clock in CLOCKS})
    return {"size": model_size(system.model_path(directory)), "load": load, "memory": memory}


def speed_result(
    timings: Mapping[str, Sequence[Timing]], key: str, base: str | None
) -> dict[str, Any]:
    """Words per second by both clocks and their ratios to the base system's, with all timings."""
    result: dict[str, Any] = {clock: speed(timings[key], clock) for clock in CLOCKS}
    for clock in CLOCKS:
        ratio = speed_ratio(timings, key, base, clock) if base else None
        result[f"ratio_{clock}"] = ratio
    result["timings"] = list(timings[key])
    return result
