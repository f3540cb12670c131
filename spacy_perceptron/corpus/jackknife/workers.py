"""Folds in processes of their own, which end with the process that started them.

Each fold is a new process, and a pipe brings back its steps and its result. The parent ends its
workers when it is interrupted or fails. If it is killed, nobody can end them: each worker watches
the parent and ends itself. A worker that ends early still removes its temporary files.
"""

import os
import pickle
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

from ...errors import Errors
from .fold import FoldResult, FoldTask, import_code, run_fold
from .progress import reporting_to

# How long a worker may take to leave in order.
GRACE_SECONDS = 10.0


class WorkerDiedError(RuntimeError):
    """A worker has ended without a result. The message says what to do."""


def run_in_processes(
    tasks: Sequence[FoldTask],
    code: list[tuple[str, str]],
    n_process: int,
    report: Callable[[int, int, int], None],
) -> Iterator[tuple[int, FoldResult]]:
    """Run folds in other processes.

    tasks (Sequence[FoldTask]): The folds.
    code (list[tuple[str, str]]): Modules and files that define the functions in their configs.
    n_process (int): How many to run at once.
    report (Callable[[int, int, int], None]): Called with fold, epoch and step.
    YIELDS (tuple[int, FoldResult]): Fold numbers and results as they become ready.
    """
    waiting = deque(enumerate(tasks))
    running: dict[Any, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < n_process:
                fold, task = waiting.popleft()
                connection, process = _start(task, code)
                running[connection] = fold, process
            for connection in wait(list(running)):
                fold, process = running[connection]
                message = _receive(connection, process, fold, len(tasks))
                if isinstance(message, FoldResult):
                    process.join()
                    del running[connection]
                    yield fold, message
                else:
                    report(fold, *message)
    finally:
        _end([process for _, process in running.values()])


def _start(task: FoldTask, code: list[tuple[str, str]]) -> tuple[Any, BaseProcess]:
    """RETURNS (tuple[Connection, BaseProcess]): The pipe that a new process writes to, and it."""
    context = get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(writer, task, code))
    process.start()
    # With the worker's end open here too, its death would go unnoticed.
    writer.close()
    return reader, process


def _receive(connection: Any, process: BaseProcess, fold: int, n_folds: int) -> Any:
    """Receive what a worker sends; raise what it failed with.

    connection (Connection): The pipe.
    process (BaseProcess): The worker.
    fold (int): Its fold.
    n_folds (int): Number of folds.
    RETURNS (FoldResult | tuple[int, int]): A result, or epoch and step.
    """
    try:
        message = connection.recv()
    except (EOFError, OSError):
        # It has sent nothing, or half of a message.
        process.join()
        code = process.exitcode
        raise WorkerDiedError(
            Errors.JACKKNIFE_WORKER_DIED.format(fold=fold + 1, n_folds=n_folds, code=code)
        ) from None
    if isinstance(message, _Failure):
        raise message.error from RuntimeError(f"in the process of fold {fold + 1}\n{message.trace}")
    return message


def _end(processes: Sequence[BaseProcess]) -> None:
    """End workers, by force if they do not leave in time.

    processes (Sequence[BaseProcess]): The workers.
    """
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in processes:
        process.join(max(deadline - time.monotonic(), 0.0))
        process.kill()
        process.join()


class _Failure:
    """An error in a worker, in a form that another process can read.

    error (Exception): The error.
    """

    def __init__(self, error: Exception) -> None:
        self.trace = traceback.format_exc()
        try:
            self.error = pickle.loads(pickle.dumps(error))
        except Exception:
            self.error = RuntimeError(f"{type(error).__name__}: {error}")


def _work(connection: Connection, task: FoldTask, code: list[tuple[str, str]]) -> None:
    """Run a fold and send its steps and its result: the life of a worker.

    connection (Connection): Where to send them.
    task (FoldTask): The fold.
    code (list[tuple[str, str]]): What to import.
    """
    _end_with_parent()
    message: FoldResult | _Failure
    # Without a parent there is nobody to tell.
    with suppress(BrokenPipeError):
        try:
            import_code(code)
            with reporting_to(lambda epoch, step: connection.send((epoch, step))):
                message = run_fold(task)
        except Exception as error:
            message = _Failure(error)
        connection.send(message)


def _end_with_parent() -> None:
    """Leave in order when the parent asks for it, and when there is no parent any more."""
    # Ctrl-C reaches all processes of a terminal; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Unlike the default, this unwinds the stack, so that temporary folders are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    """Wait for the end of the parent, by whatever cause, and end this process."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    signal.raise_signal(signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
