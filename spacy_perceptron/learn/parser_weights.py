"""The weights of a dependency parser in training: for parts of trees, labels of arcs and, in some
parsers, the pruner."""

from typing import NamedTuple, TypedDict

import numpy as np

from .hashed import HashedWeights, SavedHashedWeights
from .perceptron import OnlineLearner, SavedWeights
from .states import LearnerState, part_of, put_under
from .weights import WeightTable


class SavedParserWeights(TypedDict):
    """A parser's weights as plain arrays; `pruner` is None for a parser without one."""

    parts: SavedHashedWeights
    labels: SavedWeights
    pruner: SavedHashedWeights | None


class ParserTables(NamedTuple):
    """The tables in which a parser looks up its weights.

    parts (HashedWeights): Weights of the parts of trees, or of the actions that build them.
    labels (WeightTable): A class per label.
    pruner (Optional[HashedWeights]): Weights of the first pass, if there is one.
    """

    parts: HashedWeights
    labels: WeightTable
    pruner: HashedWeights | None = None

    def averaged(self, n_examples: int, *, min_weight: float = 0.0) -> SavedParserWeights:
        """The mean of the weights after each example so far.

        n_examples (int): Number of examples; 0 for the current weights.
        min_weight (float): Averages of parts and labels smaller than this are dropped.
        RETURNS (SavedParserWeights): The averages.
        """
        return {
            "parts": self.parts.averaged(n_examples, min_weight=min_weight),
            "labels": self.labels.averaged(n_examples, min_weight=min_weight),
            "pruner": None if self.pruner is None else self.pruner.averaged(n_examples),
        }

    def state(self) -> LearnerState:
        """RETURNS (LearnerState): All that learning goes on from."""
        tables = {**self._asdict()}
        known = [put_under(name, table.state()) for name, table in tables.items() if table]
        return {name: array for part in known for name, array in part.items()}

    def from_state(self, state: LearnerState) -> "ParserTables":
        """Make tables like these of a state.

        state (LearnerState): What `state` returned. Raises ValueError if it is something else.
        RETURNS (ParserTables): The tables.
        """
        pruner = None
        if self.pruner is not None:
            pruner = _hashed_from_state(self.pruner, part_of(state, "pruner"))
        labels = WeightTable.from_state(
            self.labels.n_classes, part_of(state, "labels"), adaptive=self.labels.adaptive
        )
        return ParserTables(_hashed_from_state(self.parts, part_of(state, "parts")), labels, pruner)


def _hashed_from_state(table: HashedWeights, state: LearnerState) -> HashedWeights:
    return HashedWeights.from_state(table.n_bits, state, adaptive=table.adaptive)


def no_weights() -> SavedHashedWeights:
    """RETURNS (SavedHashedWeights): An empty hashed table."""
    return {"indices": np.zeros(0, np.uint32), "values": np.zeros(0, np.float32)}


def empty_weights() -> SavedParserWeights:
    """RETURNS (SavedParserWeights): No weights at all."""
    labels: SavedWeights = {
        "keys": np.zeros(0, np.uint64),
        "lengths": np.zeros(0, np.uint16),
        "labels": np.zeros(0, np.uint16),
        "values": np.zeros(0, np.float32),
    }
    return {"parts": no_weights(), "labels": labels, "pruner": no_weights()}


class ParserLearner(OnlineLearner):
    """Trainable tables with a common clock.

    n_labels (int): Number of labels.
    n_bits (int): The table of parts has 2 ** n_bits weights.
    pruner_bits (Optional[int]): The same for the pruner; None for no pruner.
    start (SavedParserWeights): Weights to continue from; a pruner without weights starts empty.
    adaptive (bool): Make each weight's steps smaller the more it has moved. Always for the pruner.
    """

    def __init__(
        self,
        n_labels: int,
        n_bits: int,
        pruner_bits: int | None = None,
        *,
        start: SavedParserWeights,
        adaptive: bool = False,
    ):
        super().__init__()
        pruner = None
        if pruner_bits is not None:
            weights = start["pruner"] or no_weights()
            pruner = HashedWeights.from_arrays(
                pruner_bits, **weights, trainable=True, adaptive=True
            )
        self.tables = ParserTables(
            HashedWeights.from_arrays(n_bits, **start["parts"], trainable=True, adaptive=adaptive),
            WeightTable.from_arrays(n_labels, **start["labels"], trainable=True, adaptive=adaptive),
            pruner,
        )

    def average(self, *, min_weight: float = 0.0) -> SavedParserWeights:
        """The mean of the weights after each example so far.

        min_weight (float): Averages of parts and labels smaller than this are dropped.
        RETURNS (SavedParserWeights): The averages.
        """
        return self.tables.averaged(self.n_examples, min_weight=min_weight)

    def state(self) -> LearnerState:
        return {**super().state(), **self.tables.state()}

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        self.tables = self.tables.from_state(state)
