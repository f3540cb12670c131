"""Child processes."""

from __future__ import annotations

import multiprocessing

import pytest

from benchmarks.processes.children import ChildError, Worker, run_in_child


def test_child_returns_results_and_errors() -> None:
    assert run_in_child(divmod, 7, 3) == (2, 1)
    with pytest.raises(ChildError, match="ZeroDivisionError"):
        run_in_child(divmod, 7, 0)
    with Worker(list, (3, 1, 2)) as worker:
        worker.call("sort")
        assert worker.call("pop") == 3


def start_a_process() -> bool:
    process = multiprocessing.Process(target=list)
    process.start()
    process.join()
    return process.exitcode == 0


def test_a_child_may_have_children() -> None:
    assert run_in_child(start_a_process, has_children=True)
    with pytest.raises(ChildError, match="daemonic"):
        run_in_child(start_a_process)
