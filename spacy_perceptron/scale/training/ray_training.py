"""Shards as actors of Ray: in a round, each has an epoch of its shard and mixes a range of weights.

Weights go from actor to actor through Ray's store of objects: each cuts its weights into ranges,
and mixes its own range of all actors' weights. The driver has references to them, and takes the
mixed weights for evaluation and checkpoints, but never those of all shards. References are the
driver's own, so that a worker's death takes nothing with it.

A worker that dies is replaced by a new one, which starts from the last mixed weights and repeats
the round: it ends with the weights that the other one would have had.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.util import load_model_from_config
from thinc.api import Config

from ...errors import Errors
from ...learn.shards import Bounds
from .shard import PipelineState, RoundReport, Shard, join_ranges

# A shard whose workers die more often than this in one round would kill any number of them.
MOST_DEATHS = 3


@dataclass(frozen=True)
class Setup:
    """All that a worker needs to make its shard.

    config (str): The pipeline's config.
    data (bytes): The initialized pipeline.
    n_shards (int): The number of shards.
    code (Optional[Path]): A Python file to import first.
    """

    config: str
    data: bytes
    n_shards: int
    code: Path | None = None

    def load(self) -> Language:
        """RETURNS (Language): A copy of the pipeline."""
        from spacy.cli._util import import_code

        import_code(self.code)
        config = Config().from_str(self.config, interpolate=False)
        return load_model_from_config(config, auto_fill=True).from_bytes(self.data)


class Worker:
    """A shard in a process of its own. Its methods return a number first, for the driver: what
    follows stays in the store.

    setup (Setup): How to make the shard.
    number (int): Its number.
    """

    def __init__(self, setup: Setup, number: int) -> None:
        self._setup, self._number = setup, number

    def open(self) -> int:
        """Read the shard. What fails here is reported; what fails before is taken for a death."""
        setup = self._setup
        self._shard = Shard(setup.load(), self._number, setup.n_shards)
        return self._number

    def take(self, *ranges: PipelineState) -> int:
        self._shard.take(ranges)
        return self._number

    def learn(self, round_: int) -> RoundReport:
        return self._shard.learn(round_)

    def cut(self, bounds: Mapping[str, Bounds]) -> tuple:
        return (self._number, *self._shard.cut(bounds))

    def mix(self, bounds: Mapping[str, Bounds], *shards: PipelineState) -> tuple:
        return self._number, self._shard.mix(bounds, *shards)

    def process_id(self) -> int:
        return os.getpid()


class RayShards:
    """The shards of a corpus on a cluster.

    ray (Any): The module, connected.
    setup (Setup): How to make shards.
    """

    def __init__(self, ray: Any, setup: Setup) -> None:
        self._ray = ray
        self._numbers = range(setup.n_shards)
        self._setup = ray.put(setup)
        self._actor = ray.remote(num_cpus=1, max_restarts=0)(Worker)
        # References to the last mixed weights, by range.
        self._ranges: list[Any] = []
        self._round: int | None = None
        self._deaths: dict[int, int] = {}
        self._workers = [self._actor.remote(self._setup, number) for number in self._numbers]
        self._ask(lambda worker, number: [worker.open.remote()])

    def take(self, state: PipelineState) -> None:
        self._ranges = [self._ray.put(state)]
        self._ask(lambda worker, number: [worker.take.remote(*self._ranges)])

    def run(self, round_: int) -> tuple[RoundReport, PipelineState]:
        self._deaths = {}
        asked = self._ask(lambda worker, number: [worker.learn.remote(round_)])
        report = RoundReport.sum([self._ray.get(refs[0]) for refs in asked])
        # From here on, a new worker has to catch up.
        self._round = round_
        bounds = self._ray.put(report.bounds)
        n_returned = 1 + len(self._numbers)
        cuts = self._ask(
            lambda worker, number: worker.cut.options(num_returns=n_returned).remote(bounds)
        )
        self._round = None
        mixed = self._ask(
            lambda worker, number: worker.mix.options(num_returns=2).remote(
                bounds, *(cut[1 + number] for cut in cuts)
            )
        )
        ranges = [refs[1] for refs in mixed]
        self._ask(lambda worker, number: [worker.take.remote(*ranges)])
        self._ranges = ranges
        return report, join_ranges(self._ray.get(ranges))

    def _ask(self, call: Callable[[Any, int], list[Any]]) -> list[list[Any]]:
        """Let all workers do something; those that die, their successors.

        call (Callable): Calls a method of the worker with a number.
        RETURNS (list[list[ObjectRef]]): What each returned.
        """
        asked = [call(worker, number) for number, worker in enumerate(self._workers)]
        waiting = {refs[0]: number for number, refs in enumerate(asked)}
        while waiting:
            (done,), _ = self._ray.wait(list(waiting), num_returns=1)
            number = waiting.pop(done)
            if not self._is_done([done], number):
                self._replace(number)
                asked[number] = call(self._workers[number], number)
                waiting[asked[number][0]] = number
        return asked

    def _is_done(self, refs: list[Any], number: int) -> bool:
        """Whether a worker has done what it was asked for, and is alive."""
        try:
            self._ray.get(refs)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayActorError as error:
            self._deaths[number] = self._deaths.get(number, 0) + 1
            if self._deaths[number] > MOST_DEATHS:
                n = self._deaths[number]
                raise RuntimeError(Errors.MIXING_DEATHS.format(number=number + 1, n=n)) from error
            return False
        return True

    def _replace(self, number: int) -> None:
        """Start a new worker, and bring it to where the dead one was."""
        while True:
            worker = self._workers[number] = self._actor.remote(self._setup, number)
            calls = [worker.open.remote()]
            if self._ranges:
                calls.append(worker.take.remote(*self._ranges))
            if self._round is not None:
                calls.append(worker.learn.remote(self._round))
            if self._is_done(calls, number):
                return

    def process_ids(self) -> list[int]:
        """RETURNS (list[int]): The processes of the workers."""
        found: list[int] = self._ray.get([worker.process_id.remote() for worker in self._workers])
        return found
