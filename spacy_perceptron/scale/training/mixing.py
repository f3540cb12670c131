"""Training by iterative parameter mixing: rounds of learning on shards, with spaCy's bookkeeping.

How [training] is read: a step is a batch of any shard, and a round is an epoch. So `patience` and
`max_steps`, which count steps, mean about as many epochs as in serial training; they are looked at
after each round. Each round is evaluated, whatever `eval_frequency` says.
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.training.loop import (
    DIR_MODEL_BEST,
    DIR_MODEL_LAST,
    create_before_to_disk_callback,
    create_evaluation_callback,
    update_meta,
)
from spacy.util import registry, resolve_dot_names

from ...files import replacing_folder
from .shard import NO_DOCS, PipelineState, RoundReport, Shard, join_ranges, trained_pipes


class Shards(Protocol):
    """The shards of a corpus, wherever they are."""

    def take(self, state: PipelineState) -> None:
        """Let all shards start from a state.

        state (PipelineState): The state.
        """

    def run(self, round_: int) -> tuple[RoundReport, PipelineState]:
        """Train for a round and mix the weights, which the next round starts from.

        round_ (int): The number of the round.
        RETURNS (tuple[RoundReport, PipelineState]): What was done, and the mixed state.
        """


class LocalShards:
    """Shards in this process, one after the other.

    pipelines (Sequence[Language]): The initialized pipeline, once for each shard.
    """

    def __init__(self, pipelines: Sequence[Language]) -> None:
        n_shards = len(pipelines)
        self._shards = [Shard(nlp, number, n_shards) for number, nlp in enumerate(pipelines)]

    def take(self, state: PipelineState) -> None:
        for shard in self._shards:
            shard.take([state])

    def run(self, round_: int) -> tuple[RoundReport, PipelineState]:
        report = RoundReport.sum([shard.learn(round_) for shard in self._shards])
        cuts = [shard.cut(report.bounds) for shard in self._shards]
        ranges = [
            shard.mix(report.bounds, *(cut[number] for cut in cuts))
            for number, shard in enumerate(self._shards)
        ]
        state = join_ranges(ranges)
        self.take(state)
        return report, state


@dataclass
class Progress:
    """How far training has come.

    n_rounds (int): Rounds completed.
    n_steps (int): Batches of all shards.
    n_words (int): Words of all shards.
    seconds (int): How long it took.
    results (list[tuple[float, int]]): The score after each round, and the steps by then.
    """

    n_rounds: int = 0
    n_steps: int = 0
    n_words: int = 0
    seconds: int = 0
    results: list[tuple[float, int]] = field(default_factory=list)

    def add(self, report: RoundReport, score: float) -> None:
        """Count a round.

        report (RoundReport): What all shards have done.
        score (float): How good the mixed weights are.
        """
        self.n_rounds += 1
        self.n_steps += report.n_steps
        self.n_words += report.n_words
        self.results.append((score, self.n_steps))

    @property
    def is_best(self) -> bool:
        """RETURNS (bool): Whether no round was better than the last one."""
        return self.results[-1][0] == max(self.results)[0]

    def is_over(self, training: Mapping[str, Any]) -> bool:
        """Whether training ends here.

        training (Mapping): The section [training] of the config.
        RETURNS (bool): Whether one of its limits is reached. 0 is no limit.
        """
        since_best = 0
        if self.results:
            # Of equal scores, the earliest counts.
            since_best = self.n_steps + max((score, -step) for score, step in self.results)[1]
        return (
            0 < training["max_epochs"] <= self.n_rounds
            or 0 < training["max_steps"] <= self.n_steps
            or 0 < training["patience"] <= since_best
        )


class MixedTraining:
    """Trains a pipeline.

    nlp (Language): The initialized pipeline.
    shards (Shards): What learns.
    output_path (Path): Where pipelines go.
    keep (Callable): Keeps the state and the progress after each round.
    progress (Optional[Progress]): How far training has come.
    stdout, stderr (IO): Where the logger writes.
    """

    def __init__(
        self,
        nlp: Language,
        shards: Shards,
        output_path: Path,
        *,
        keep: Callable[[PipelineState, Progress], None],
        progress: Progress | None = None,
        stdout: IO = sys.stdout,
        stderr: IO = sys.stderr,
    ) -> None:
        self._nlp, self._shards, self._path = nlp, shards, output_path
        self._keep = keep
        self.progress = progress or Progress()
        self._streams = stdout, stderr
        config = nlp.config.interpolate()
        self._training = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        self._pipes = trained_pipes(nlp)
        (dev_corpus,) = resolve_dot_names(config, [self._training["dev_corpus"]])
        weights = self._training["score_weights"]
        self._evaluate = create_evaluation_callback(nlp, dev_corpus, weights)

    def run(self) -> Language:
        """Train until [training] says that it is enough.

        RETURNS (Language): The pipeline, with the weights after the last round.
        """
        with self._nlp.select_pipes(disable=self._training["frozen_components"]):
            log_step, finalize = self._training["logger"](self._nlp, *self._streams)
        try:
            while not self.progress.is_over(self._training):
                log_step(self._run_round())
        finally:
            finalize()
        return self._nlp

    def _run_round(self) -> dict[str, Any]:
        """RETURNS (dict): What a logger is told about a step of spaCy's loop."""
        began = time.perf_counter()
        progress = self.progress
        report, state = self._shards.run(progress.n_rounds)
        for name, pipe in self._pipes.items():
            pipe.set_state(state[name], NO_DOCS)
        score, scores = self._evaluate()
        progress.add(report, score)
        progress.seconds += round(time.perf_counter() - began)
        info = {
            "epoch": progress.n_rounds - 1,
            "step": progress.n_steps,
            "score": score,
            "other_scores": scores,
            "losses": report.losses,
            "checkpoints": progress.results,
            "seconds": progress.seconds,
            "words": progress.n_words,
            "output_path": str(self._path / DIR_MODEL_LAST),
        }
        with self._nlp.select_pipes(disable=self._training["frozen_components"]):
            update_meta(self._training, self._nlp, info)
        self._save(DIR_MODEL_LAST)
        if progress.is_best:
            self._save(DIR_MODEL_BEST)
        # The last thing: a round that is not kept is done again, and writes the same pipelines.
        self._keep(state, progress)
        return info

    def _save(self, name: str) -> None:
        nlp = create_before_to_disk_callback(self._training["before_to_disk"])(self._nlp)
        with replacing_folder(self._path / name, keep_others=False) as folder:
            nlp.to_disk(folder)
