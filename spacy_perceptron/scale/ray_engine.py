"""Units on Ray: an actor a worker, which loads the pipeline once and does one unit at a time.

Ray starts workers and notices when they die; which unit is to be done again, and what to leave out,
units know themselves. The driver holds no documents, only the names of units.
"""

import os
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import Errors
from .annotate import Work
from .journal import MOST_DEATHS
from .outputs import ErrorFile
from .plan import Unit
from .units import UnitReport, annotate_unit, keep_nbest

# A worker's share of a core is one thread: components decide on threads of their own.
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
# Nothing but names and reports goes through Ray's store of objects; this is the least it takes.
STORE_BYTES = 80 * 1024 * 1024
# Seconds until a worker that is being started again is asked again.
_PATIENCE = 0.5


class Annotator:
    """A worker.

    work (Work): How to annotate.
    """

    def __init__(self, work: Work) -> None:
        from spacy.cli._util import import_code
        from spacy.util import load_model

        import_code(work.code)
        self._work = work
        self._nlp = load_model(work.pipeline)
        if work.nbest is not None:
            keep_nbest(self._nlp, work.nbest)

    def identify(self) -> int:
        """RETURNS (int): The process: it is ready."""
        return os.getpid()

    def annotate(self, unit: Unit) -> UnitReport:
        """Annotate a unit.

        unit (Unit): The unit.
        RETURNS (UnitReport): What has become of it.
        """
        return annotate_unit(self._nlp, unit.source, unit.target, batch_size=self._work.batch_size)


def run_on_ray(
    units: Iterable[Unit], work: Work, *, ray: Any, n_workers: int
) -> Iterator[tuple[Unit, UnitReport]]:
    """Annotate units on Ray.

    units (Iterable[Unit]): The units.
    work (Work): How.
    ray (Any): The module, connected.
    n_workers (int): How many workers to ask for. Work begins with those that are there.
    YIELDS (tuple[Unit, UnitReport]): Each unit, and what has become of it.
    """
    run = _Run(ray, units, work, n_workers)
    while run.n_left:
        yield from run.step()


class _Run:
    """The state of a run: who does what.

    ray (Any): The module, connected.
    units (Iterable[Unit]): The units.
    work (Work): How.
    n_workers (int): How many workers to ask for.
    """

    def __init__(self, ray: Any, units: Iterable[Unit], work: Work, n_workers: int) -> None:
        self._ray = ray
        self._waiting = deque(units)
        self.n_left = len(self._waiting)
        remote = ray.remote(num_cpus=1, max_restarts=-1, runtime_env={"env_vars": _ENVIRONMENT})
        actor = remote(Annotator)
        # What each worker is asked for: a unit, or None for whether it is there.
        self._asked: dict[Any, tuple[Any, Unit | None]] = {}
        self._idle: list[Any] = []
        self._deaths: Counter[str] = Counter()
        self._has_met_workers = False
        for _ in range(min(n_workers, self.n_left)):
            self._greet(actor.remote(work))

    def _greet(self, worker: Any) -> None:
        """Ask a worker whether it is there. Units are for those that are."""
        self._asked[worker.identify.remote()] = worker, None

    def step(self) -> Iterator[tuple[Unit, UnitReport]]:
        """Wait for an answer, and hand out what waits.

        YIELDS (tuple[Unit, UnitReport]): A unit that is done, if one is.
        """
        (done,), _ = self._ray.wait(list(self._asked), num_returns=1)
        worker, unit = self._asked.pop(done)
        try:
            answer = self._ray.get(done)
        except self._ray.exceptions.RayActorError as error:
            answer = self._bury(worker, unit, error)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        else:
            self._has_met_workers = True
            self._idle.append(worker)
        if unit is not None and answer is not None:
            self.n_left -= 1
            yield unit, answer
        while self._waiting and self._idle:
            worker, unit = self._idle.pop(), self._waiting.popleft()
            self._asked[worker.annotate.remote(unit)] = worker, unit

    def _bury(self, worker: Any, unit: Unit | None, error: Exception) -> UnitReport | None:
        """A worker has died. Ray starts it again; somebody else may do its unit before."""
        if not self._has_met_workers and "creation task" in str(error):
            raise ValueError(Errors.SCALE_WORKER.format(error=error)) from error
        if unit is None:
            # It is being started.
            time.sleep(_PATIENCE)
        self._greet(worker)
        if unit is None:
            return None
        self._deaths[unit.target] += 1
        if self._deaths[unit.target] <= MOST_DEATHS:
            self._waiting.appendleft(unit)
            return None
        # Units count deaths themselves, but not of workers that die before they begin.
        reason = Errors.SCALE_DEATHS.format(n=self._deaths[unit.target])
        errors = ErrorFile(unit.source, Path(unit.target))
        errors.add(None, reason)
        errors.publish()
        return UnitReport(unit.target, n_errors=1, failure=reason)
