"""Child processes: every system is trained and measured in a fresh, single-threaded one.

Processes are spawned, not forked, so that a child's memory and load time are its own. A `Worker`
keeps its child alive between calls: several systems can take turns, and each stays isolated from
the objects, caches and garbage collector of the others.
"""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class ChildError(RuntimeError):
    """An exception in a child process; its message is the child's traceback."""


def use_one_thread() -> None:
    """Make every process started from now on use one thread for arithmetic."""
    for name in THREAD_VARIABLES:
        os.environ[name] = "1"


def _serve(connection: Connection, make: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Build the served object, then answer method calls until None arrives."""
    target = None
    request: tuple[str, tuple[Any, ...]] | None = ("", args)
    while request is not None:
        method, arguments = request
        try:
            if target is None:
                target, result = make(*arguments), None
            else:
                result = getattr(target, method)(*arguments)
            connection.send((True, result))
        except Exception:
            connection.send((False, traceback.format_exc()))
        request = connection.recv()


class Worker:
    """An object living in a child process, whose methods are called by name.

    make (Callable): importable class or function that builds the object in the child.
    args (Any): its arguments; they and all results must pickle.
    has_children (bool): whether the child starts processes by `multiprocessing` itself. It then
        ends when this process does because its connection breaks, not at once.
    """

    def __init__(self, make: Callable[..., Any], *args: Any, has_children: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make, args))
        # A daemon may not have children.
        self._process.daemon = not has_children
        self._process.start()
        theirs.close()
        self._receive()

    def call(self, method: str, *args: Any) -> Any:
        """Call a method of the served object and return its result."""
        self._connection.send((method, args))
        return self._receive()

    def _receive(self) -> Any:
        try:
            succeeded, result = self._connection.recv()
        except EOFError:
            self._process.join()
            raise ChildError(f"the child process exited with {self._process.exitcode}") from None
        if not succeeded:
            raise ChildError(result)
        return result

    def close(self) -> None:
        """End the child process."""
        if self._process.is_alive():
            self._connection.send(None)
            self._process.join()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Call:
    """Serves one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def run(self, *args: Any) -> Any:
        return self.function(*args)


def run_in_child(function: Callable[..., Any], *args: Any, has_children: bool = False) -> Any:
    """Call an importable function in a fresh process and return its result.

    function (Callable): the function.
    args (Any): its arguments.
    has_children (bool): whether it starts processes by `multiprocessing`.
    RETURNS (Any): its result.
    """
    with Worker(_Call, function, has_children=has_children) as worker:
        return worker.call("run", *args)
