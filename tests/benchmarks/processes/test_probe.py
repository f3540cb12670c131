"""What is timed."""

from __future__ import annotations

from pathlib import Path

from benchmarks.processes.probe import Probe

from ..samples import GOLD, PERFECT, FixedRunner, FixedSystem


def test_the_last_part_is_timed_alone() -> None:
    probe = Probe(FixedSystem("fixed", PERFECT), Path())
    probe.add("gold", GOLD)
    probe.load()
    runner = probe.runner
    assert isinstance(runner, FixedRunner)
    timing = probe.time("gold", "gold", last_only=True)
    # The untimed pass runs both parts; then the first is run before the clock starts.
    assert runner.log == ["first", "last", "first", "last"]
    assert timing["words"] == 5
