"""A shard of a training corpus: trains a pipeline on its examples, and mixes a part of its weights.

A round is an epoch over the shard. The order of examples and dropout depend on the seed, the number
of the shard and that of the round alone: a round that is repeated from the same weights ends with
the same ones.
"""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.loop import subdivide_batch
from spacy.util import registry, resolve_dot_names
from thinc.api import fix_random_seed

from ...components._shared.base import StructuredPipe
from ...errors import Errors
from ...learn.shards import Bounds, cut_state, join_states, mix_states, range_bounds
from ...learn.states import LearnerState, random_state
from .loop import find_trained

# What training keeps for single sentences, such as hypotheses to use again, is kept for a round: it
# goes with the weights that it was made with.
NO_DOCS: tuple[Doc, ...] = ()
# The state of each component in training, by its name.
PipelineState = dict[str, LearnerState]


@dataclass
class RoundReport:
    """What a shard says about a round.

    bounds (dict[str, Bounds]): Ranges of keys of about equal size, for each component.
    losses (dict[str, float]): The losses of its components.
    n_steps (int): The number of batches.
    n_words (int): The number of words.
    learn_seconds (float): How long the batches took, in the slowest shard: the rest of a round is
        for mixing.
    """

    bounds: dict[str, Bounds] = field(default_factory=dict)
    losses: dict[str, float] = field(default_factory=dict)
    n_steps: int = 0
    n_words: int = 0
    learn_seconds: float = 0.0

    @classmethod
    def sum(cls, reports: Sequence["RoundReport"]) -> "RoundReport":
        """RETURNS (RoundReport): What all shards have done, with the bounds of the first."""
        total = cls(reports[0].bounds)
        for report in reports:
            for name, loss in report.losses.items():
                total.losses[name] = total.losses.get(name, 0.0) + loss
            total.n_steps += report.n_steps
            total.n_words += report.n_words
            total.learn_seconds = max(total.learn_seconds, report.learn_seconds)
        return total


class Shard:
    """A pipeline in training on some of the examples of its corpus.

    nlp (Language): The initialized pipeline, for this shard alone.
    number (int): The number of the shard, from 0.
    n_shards (int): How many there are. Example i of the corpus is in shard i modulo `n_shards`.
    """

    def __init__(self, nlp: Language, number: int, n_shards: int) -> None:
        self.number, self.n_shards = number, n_shards
        self._nlp = nlp
        config = nlp.config.interpolate()
        self._training = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        self._seed = self._training["seed"] or 0
        (self._corpus,) = resolve_dot_names(config, [self._training["train_corpus"]])
        self._pipes = trained_pipes(nlp)
        self._before: PipelineState = {}
        self._after: PipelineState = {}
        # With max_epochs = -1, the corpus is too large to be kept.
        self._examples: list[Example] | None = None
        if self._training["max_epochs"] >= 0:
            self._examples = list(self._read())
            if not self._examples:
                raise ValueError(Errors.MIXING_EMPTY_SHARD.format(n=n_shards, number=number + 1))

    def _read(self) -> Iterator[Example]:
        return islice(self._corpus(self._nlp), self.number, None, self.n_shards)

    def take(self, ranges: Sequence[PipelineState]) -> None:
        """Take over the mixed weights that the next round starts from.

        ranges (Sequence[PipelineState]): All ranges of them.
        """
        self._before = join_ranges(ranges)
        self._after = {}

    def learn(self, round_: int) -> RoundReport:
        """Train for an epoch from the weights taken last.

        round_ (int): The number of the round.
        RETURNS (RoundReport): What was done.
        """
        source = random.Random(f"{self._seed}/{self.number}/{round_}")
        fix_random_seed(source.getrandbits(32))
        for name, pipe in self._pipes.items():
            numbers = random_state(random.Random(source.getrandbits(64)))
            pipe.set_state({**self._before[name], **numbers}, NO_DOCS)
        report = RoundReport()
        began = time.perf_counter()
        for batch in self._training["batcher"](self._order(source)):
            self._step(list(batch), round_, report)
        report.learn_seconds = time.perf_counter() - began
        self._after = {name: pipe.get_state(NO_DOCS) for name, pipe in self._pipes.items()}
        for name, state in self._after.items():
            report.bounds[name] = range_bounds(state, self.n_shards)
        return report

    def _order(self, source: random.Random) -> Iterable[Example]:
        """The examples in the order of a round."""
        if self._examples is None:
            return self._read()
        return source.sample(self._examples, len(self._examples))

    def _step(self, batch: list[Example], round_: int, report: RoundReport) -> None:
        """Learn from a batch as spaCy's loop does."""
        training = self._training
        if training["before_update"]:
            training["before_update"](self._nlp, {"step": report.n_steps, "epoch": round_})
        for part in subdivide_batch(batch, training["accumulate_gradient"]):
            self._nlp.update(
                part,
                drop=training["dropout"],
                losses=report.losses,
                sgd=False,  # type: ignore[arg-type]
                exclude=training["frozen_components"],
                annotates=training["annotating_components"],
            )
        report.n_steps += 1
        report.n_words += sum(len(example) for example in batch)

    def cut(self, bounds: Mapping[str, Bounds]) -> list[PipelineState]:
        """Cut the weights after the round into ranges, one for each shard to mix.

        bounds (Mapping[str, Bounds]): Where ranges begin, the same for all shards.
        RETURNS (list[PipelineState]): The ranges.
        """
        return cut_ranges(self._after, bounds, self.n_shards)

    def mix(self, bounds: Mapping[str, Bounds], *shards: PipelineState) -> PipelineState:
        """Mix one range of the weights of all shards: the one that has this shard's number.

        bounds (Mapping[str, Bounds]): Where ranges begin.
        shards (PipelineState): The range as each shard has it, in order.
        RETURNS (PipelineState): The mixed range.
        """
        before = cut_ranges(self._before, bounds, self.n_shards)[self.number]
        return {
            name: mix_states(state, [shard[name] for shard in shards])
            for name, state in before.items()
        }


def cut_ranges(
    state: PipelineState, bounds: Mapping[str, Bounds], n_ranges: int
) -> list[PipelineState]:
    """Cut the states of all components into ranges.

    state (PipelineState): The states.
    bounds (Mapping[str, Bounds]): Where ranges begin.
    n_ranges (int): How many.
    RETURNS (list[PipelineState]): The ranges.
    """
    cuts = {name: cut_state(part, bounds[name], n_ranges) for name, part in state.items()}
    return [{name: cut[number] for name, cut in cuts.items()} for number in range(n_ranges)]


def join_ranges(ranges: Sequence[PipelineState]) -> PipelineState:
    """RETURNS (PipelineState): All ranges together."""
    return {name: join_states([part[name] for part in ranges]) for name in ranges[0]}


def trained_pipes(nlp: Language) -> dict[str, StructuredPipe]:
    """The components that learn.

    nlp (Language): The pipeline.
    RETURNS (dict[str, StructuredPipe]): The components by name. Raises ValueError if the weights of
        one of them can't be mixed.
    """
    pipes = {name: cast(StructuredPipe, nlp.get_pipe(name)) for name in find_trained(nlp)}
    for name, pipe in pipes.items():
        if not pipe.is_mixable:
            raise ValueError(Errors.MIXING_DUAL.format(name=name))
    if not pipes:
        raise ValueError(Errors.MIXING_NOTHING)
    return pipes
