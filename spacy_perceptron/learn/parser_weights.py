"""The weights of a dependency parser in training: parts of trees, labels of arcs, the pruner."""

from typing import TypedDict

import numpy as np

from .hashed import HashedWeights, SavedHashedWeights
from .perceptron import OnlineLearner, SavedWeights
from .weights import WeightTable


class SavedParserWeights(TypedDict):
    """A parser's weights as plain arrays."""

    parts: SavedHashedWeights
    labels: SavedWeights
    pruner: SavedHashedWeights


def empty_weights() -> SavedParserWeights:
    """RETURNS (SavedParserWeights): No weights at all."""
    none: SavedHashedWeights = {
        "indices": np.zeros(0, np.uint32),
        "values": np.zeros(0, np.float32),
    }
    labels: SavedWeights = {
        "keys": np.zeros(0, np.uint64),
        "lengths": np.zeros(0, np.uint16),
        "labels": np.zeros(0, np.uint16),
        "values": np.zeros(0, np.float32),
    }
    return {"parts": none, "labels": labels, "pruner": none}


class ParserLearner(OnlineLearner):
    """Trainable tables with a common clock.

    n_labels (int): Number of labels.
    n_bits (int): The table of parts has 2 ** n_bits weights.
    pruner_bits (int): The same for the pruner.
    start (SavedParserWeights): Weights to go on from.
    adaptive (bool): Make each weight's steps smaller the more it has moved. The pruner's always do.
    """

    def __init__(
        self,
        n_labels: int,
        n_bits: int,
        pruner_bits: int,
        *,
        start: SavedParserWeights,
        adaptive: bool = False,
    ):
        super().__init__()
        self.parts = HashedWeights.from_arrays(
            n_bits, **start["parts"], trainable=True, adaptive=adaptive
        )
        self.labels = WeightTable.from_arrays(
            n_labels, **start["labels"], trainable=True, adaptive=adaptive
        )
        self.pruner = HashedWeights.from_arrays(
            pruner_bits, **start["pruner"], trainable=True, adaptive=True
        )

    def average(self, *, min_weight: float = 0.0) -> SavedParserWeights:
        """The mean of the weights as they were after each example so far.

        min_weight (float): Averages of parts and labels smaller than this are dropped.
        RETURNS (SavedParserWeights): The averages.
        """
        time = self.n_examples
        return {
            "parts": self.parts.averaged(time, min_weight=min_weight),
            "labels": self.labels.averaged(time, min_weight=min_weight),
            "pruner": self.pruner.averaged(time),
        }
