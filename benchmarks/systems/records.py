"""What a training took: total times, and the time of each checkpoint where there are any."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Checkpoint:
    """One evaluation on dev during training; seconds since its start.

    losses (dict[str, float]): what the components report of the steps since the evaluation before.
    """

    step: int
    epoch: int
    score: float
    wall: float
    cpu: float
    losses: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TrainingRecord:
    """What training took, in seconds.

    stopped_early (bool): whether a time limit ended it.
    reused (bool): whether it comes from an earlier run, under that run's conditions.
    """

    wall: float
    cpu: float
    date: str
    stopped_early: bool = False
    reused: bool = False
    checkpoints: list[Checkpoint] = field(default_factory=list)

    def best(self) -> Checkpoint | None:
        """The first checkpoint with the best score."""
        return max(self.checkpoints, key=lambda point: point.score, default=None)

    def first_above(self, target: float) -> Checkpoint | None:
        """The first checkpoint whose score is at least the target."""
        return next((point for point in self.checkpoints if point.score >= target), None)

    def to_disk(self, path: Path) -> None:
        """Save as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf8")

    @classmethod
    def from_disk(cls, path: Path) -> TrainingRecord:
        """Load from JSON; the record of another run counts as reused."""
        data = json.loads(path.read_text(encoding="utf8"))
        data["checkpoints"] = [Checkpoint(**point) for point in data["checkpoints"]]
        return cls(**{**data, "reused": True})


class Stopwatch:
    """Wall and CPU seconds since it was made."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._cpu = time.process_time()

    def read(self) -> tuple[float, float]:
        """Wall and CPU seconds so far."""
        return time.perf_counter() - self._wall, time.process_time() - self._cpu

    def record(self, **more: Any) -> TrainingRecord:
        """The record of a training that ends now."""
        wall, cpu = self.read()
        date = time.strftime("%Y-%m-%d %H:%M:%S")
        return TrainingRecord(wall=wall, cpu=cpu, date=date, **more)
