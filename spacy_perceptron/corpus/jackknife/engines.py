"""Who trains folds: this process, others on this machine, or an engine that was chosen."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from .fold import FoldResult, FoldTask

# Folds, and modules and files to import first -> fold numbers and results as they become ready.
Engine = Callable[[Sequence[FoldTask], list[tuple[str, str]]], Iterator[tuple[int, FoldResult]]]

_engine: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def folds_run_by(engine: Engine) -> Iterator[None]:
    """Let an engine train the folds of all corpora that are jackknifed inside this block.

    engine (Callable): Runs folds. Their number of processes is for the engine to decide.
    """
    token = _engine.set(engine)
    try:
        yield
    finally:
        _engine.reset(token)


def current_engine() -> Engine | None:
    """RETURNS (Optional[Callable]): The engine of the innermost block, if there is one."""
    return _engine.get()
