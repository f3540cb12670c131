"""CPU time of a process and of those that it has started."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.processes.family import PROCESSES, family_seconds

# Its child works for half a second of CPU time, says so, and waits for the end of its input.
WORK = """
import subprocess, sys, time
inner = "import sys, time\\n" \\
    "while time.process_time() < 0.5: pass\\n" \\
    "print('done', flush=True); sys.stdin.read()"
sys.exit(subprocess.run([sys.executable, "-c", inner]).returncode)
"""


@pytest.mark.skipif(not PROCESSES.exists(), reason="no table of processes")
def test_descendants_count_while_they_live_and_when_they_have_ended() -> None:
    before = family_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        during, alone = family_seconds(), family_seconds(process.pid)
    after = family_seconds()
    assert before is not None
    assert during is not None
    assert alone is not None
    assert after is not None
    assert 0.5 <= alone < 2
    assert during - before >= 0.5
    assert after >= during
    assert family_seconds(process.pid) == 0


@pytest.mark.skipif(not PROCESSES.exists(), reason="no table of processes")
def test_other_processes_do_not_count() -> None:
    whole, own = family_seconds(os.getppid()), family_seconds()
    assert whole is not None
    assert own is not None
    assert whole >= own > 0


def test_without_a_table_of_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr("benchmarks.processes.family.PROCESSES", tmp_path)
    assert family_seconds() is None
