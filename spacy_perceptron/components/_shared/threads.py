"""Threads: how many a component uses, where they come from, and the lock that makes its methods
safe to call from any of them.

Compiled code works without the interpreter's lock, so threads are enough to use all cores of one
process.
"""

import functools
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar, cast

from spacy.language import Language

from ...values import N_THREADS

Result = TypeVar("Result")
# How often, in seconds, a waiting thread checks for signals and tells unwanted work to stop.
PATIENCE = 0.1

# One pool for each number of threads that was asked for, shared by all components.
_pools: dict[int, ThreadPoolExecutor] = {}


def n_cores() -> int:
    """RETURNS (int): How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_threads(nlp: Language, n_threads: int) -> None:
    """Let every component of this package in a pipeline use several threads. Answers stay the same.

    nlp (Language): The pipeline; it is changed, and so is its config.
    n_threads (int): How many; 0 for one per core.
    """
    N_THREADS.check("n_threads", n_threads)
    from .saving import SavedPipe

    for name, pipe in nlp.components:
        if isinstance(pipe, SavedPipe):
            pipe.n_threads = n_threads
            nlp.get_pipe_config(name)["n_threads"] = n_threads


def run_parts(
    work: Callable[[Any], Result],
    parts: Sequence[Any],
    n_threads: int,
    *,
    stop: Callable[[], None] = lambda: None,
) -> list[Result]:
    """Work on parts in several threads.

    work (Callable): Part -> result.
    parts (Sequence): The parts.
    n_threads (int): How many threads; with 1, the caller's own does it all.
    stop (Callable): Tells those at work to stop, if one of them fails or the caller gets a signal.
    RETURNS (list): The results, in the order of the parts.
    """
    if n_threads == 1 or len(parts) < 2:
        return [work(part) for part in parts]
    pool = _pools.get(n_threads)
    if pool is None:
        # If two threads get here at once, the second pool starts no thread.
        pool = _pools.setdefault(n_threads, ThreadPoolExecutor(n_threads, "spacy-perceptron"))
    futures: list[Future[Result]] = []
    try:
        futures = [pool.submit(work, part) for part in parts]
        # Waiting without end would not notice signals that another thread got.
        while wait(futures, PATIENCE, FIRST_EXCEPTION).not_done:
            for future in futures:
                if future.done():
                    future.result()
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        while wait(futures, PATIENCE).not_done:
            stop()
        raise


Method = TypeVar("Method", bound=Callable[..., Any])


def locked(method: Method) -> Method:
    """Let a method of a component hold the component's lock."""

    @functools.wraps(method)
    def hold(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast(Method, hold)


class PipeLock:
    """A lock that one thread can take several times, and that is free in new processes and copies.

    Writers hold it: training, corrections, loading, saving. Readers take it only to get hold of the
    present state, which nobody changes any more.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        # The locks taken by the thread that holds them, the last one last: those of a process
        # before a fork and after it can be different ones.
        self._taken: list[Any] = []
        _locks.add(self)

    def renew(self) -> None:
        """Be free, whoever held it: a thread that a fork left behind will not release it."""
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        lock = self._lock
        lock.acquire()
        self._taken.append(lock)

    def __exit__(self, *error: object) -> None:
        self._taken.pop().release()

    def __reduce__(self) -> tuple:
        return PipeLock, ()


_locks: weakref.WeakSet[PipeLock] = weakref.WeakSet()


def _after_fork() -> None:
    """Threads do not survive a fork, nor do those that hold locks."""
    _pools.clear()
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
