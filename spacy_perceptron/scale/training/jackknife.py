"""Folds of a jackknifed corpus as tasks of Ray, which runs as many at once as it has cores."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ...corpus.jackknife.fold import FoldResult, FoldTask, import_code, run_fold
from ...corpus.jackknife.workers import WorkerDiedError
from ...errors import Errors

# Folds are seeded: one that is trained again has the same result.
MOST_DEATHS = 3


class RayFolds:
    """Trains folds on a cluster. All its machines find the corpus under the same path.

    ray (Any): The module, connected.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def __call__(
        self, tasks: Sequence[FoldTask], code: list[tuple[str, str]]
    ) -> Iterator[tuple[int, FoldResult]]:
        """Train folds.

        tasks (Sequence[FoldTask]): The folds.
        code (list[tuple[str, str]]): Modules and files to import first.
        YIELDS (tuple[int, FoldResult]): Fold numbers and results as they become ready.
        """
        remote = self._ray.remote(num_cpus=1, max_retries=MOST_DEATHS - 1)(_work)
        waiting = {remote.remote(task, code): fold for fold, task in enumerate(tasks)}
        try:
            while waiting:
                (done,), _ = self._ray.wait(list(waiting), num_returns=1)
                fold = waiting[done]
                result = self._get(done, fold, len(tasks))
                del waiting[done]
                yield fold, result
        finally:
            for reference in waiting:
                # One that has failed can't be stopped.
                with suppress(self._ray.exceptions.RayError):
                    self._ray.cancel(reference, force=True)

    def _get(self, reference: Any, fold: int, n_folds: int) -> FoldResult:
        """RETURNS (FoldResult): What a task has returned; what it has raised is raised."""
        try:
            result: FoldResult = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayError as error:
            message = Errors.JACKKNIFE_RAY_DIED.format(
                fold=fold + 1, n_folds=n_folds, n=MOST_DEATHS, error=error
            )
            raise WorkerDiedError(message) from error
        return result


def _work(task: FoldTask, code: list[tuple[str, str]]) -> FoldResult:
    import_code(code)
    return run_fold(task)
