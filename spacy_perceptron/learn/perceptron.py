"""The averaged perceptron (Collins 2002): raw weights, their running sums and the example counter.

The learner knows nothing of the search: it is given feature differences and asked for the average.
`passive_aggressive_step` gives the smallest step that makes the correct structure win by a margin
(Crammer et al. 2006), for corrections.
"""

from typing import TypedDict

import numpy as np

from .states import LearnerState, part_of, put_under, read_number
from .weights import WeightTable

Difference = tuple[np.ndarray, np.ndarray, np.ndarray]


class SavedWeights(TypedDict):
    """A weight table as plain arrays, sorted by key."""

    keys: np.ndarray
    lengths: np.ndarray
    labels: np.ndarray
    values: np.ndarray


class OnlineLearner:
    """Counts examples, for averaging."""

    def __init__(self) -> None:
        self.n_examples = 0

    @property
    def time(self) -> int:
        """The time of updates on the current example: how many examples were finished before it."""
        return max(self.n_examples - 1, 0)

    def next_example(self) -> None:
        """Count one more example, whether or not it leads to an update."""
        self.n_examples += 1

    def state(self) -> LearnerState:
        """RETURNS (LearnerState): All that learning goes on from."""
        return {"n_examples": np.array(self.n_examples, np.int64)}

    def set_state(self, state: LearnerState) -> None:
        """Go on from a state. Its tables replace those that are there.

        state (LearnerState): What `state` of a learner with the same settings returned. Raises
            ValueError if it is something else; the learner can't be used then.
        """
        self.n_examples = read_number(state, "n_examples")


class AveragedPerceptron(OnlineLearner):
    """Weights in training.

    n_classes (int): Number of classes.
    start (Optional[SavedWeights]): Weights to continue from.
    adaptive (bool): Make each weight's steps smaller the more it has moved.
    """

    def __init__(
        self, n_classes: int, *, start: SavedWeights | None = None, adaptive: bool = False
    ):
        super().__init__()
        if start is None:
            self.weights = WeightTable(n_classes, trainable=True, adaptive=adaptive)
        else:
            self.weights = WeightTable.from_arrays(
                n_classes, **start, trainable=True, adaptive=adaptive
            )

    def update(self, difference: Difference) -> None:
        """Move the weights by a feature difference (correct minus predicted).

        difference (Difference): Feature ids, classes and counts.
        """
        self.weights.update(*difference, self.time)

    def state(self) -> LearnerState:
        return {**super().state(), **put_under("weights", self.weights.state())}

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        self.weights = WeightTable.from_state(
            self.weights.n_classes, part_of(state, "weights"), adaptive=self.weights.adaptive
        )

    def average(self, *, min_weight: float = 0.0) -> SavedWeights:
        """The mean of the weights after each example so far.

        min_weight (float): Averages smaller than this are dropped.
        RETURNS (SavedWeights): The averages.
        """
        return self.weights.averaged(self.n_examples, min_weight=min_weight)


def passive_aggressive_step(difference: Difference, violation: float, *, margin: float) -> float:
    """The step size after which the correct structure wins by the margin.

    difference (Difference): Features of the correct structure minus those of the predicted one.
    violation (float): Score of the predicted structure minus that of the correct one.
    margin (float): By how much the correct one should win.
    RETURNS (float): The step; 0 if both have the same features.
    """
    keys, labels, deltas = difference
    _, group = np.unique(np.stack([keys, labels.astype(np.uint64)]), axis=1, return_inverse=True)
    counts = np.bincount(group.ravel(), weights=deltas)
    norm = float(counts @ counts)
    return (violation + margin) / norm if norm > 0 else 0.0
