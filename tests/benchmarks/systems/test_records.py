"""Records of trainings."""

from __future__ import annotations

from pathlib import Path

from benchmarks.systems.records import Checkpoint, TrainingRecord


def test_record_finds_best_and_target(tmp_path: Path) -> None:
    scores = [0.5, 0.9, 0.93, 0.93, 0.91]
    points = [
        Checkpoint(i, 0, score, 10.0 * i, 9.0 * i, {"parser": 1.0 / (i + 1)})
        for i, score in enumerate(scores)
    ]
    record = TrainingRecord(wall=50.0, cpu=45.0, date="2024-01-01", checkpoints=points)
    assert record.best() == points[2]
    assert record.first_above(0.9) == points[1]
    assert record.first_above(0.99) is None
    record.to_disk(tmp_path / "record.json")
    loaded = TrainingRecord.from_disk(tmp_path / "record.json")
    assert loaded.checkpoints == points
    assert (record.reused, loaded.reused) == (False, True)
