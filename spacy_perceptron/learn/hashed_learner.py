"""Hashed weights in training, with the clock that averaging needs."""

from .hashed import HashedWeights, SavedHashedWeights
from .perceptron import OnlineLearner
from .states import LearnerState, part_of, put_under


class HashedLearner(OnlineLearner):
    """A trainable table.

    n_bits (int): The table has 2 ** n_bits weights.
    start (SavedHashedWeights): Weights to continue from.
    adaptive (bool): Make each weight's steps smaller the more it has moved.
    """

    def __init__(self, n_bits: int, *, start: SavedHashedWeights, adaptive: bool = False):
        super().__init__()
        self.weights = HashedWeights.from_arrays(n_bits, **start, trainable=True, adaptive=adaptive)

    def state(self) -> LearnerState:
        return {**super().state(), **put_under("weights", self.weights.state())}

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        self.weights = HashedWeights.from_state(
            self.weights.n_bits, part_of(state, "weights"), adaptive=self.weights.adaptive
        )

    def average(self, *, min_weight: float = 0.0) -> SavedHashedWeights:
        """The mean of the weights after each example so far.

        min_weight (float): Smaller averages are dropped.
        RETURNS (SavedHashedWeights): The averages.
        """
        return self.weights.averaged(self.n_examples, min_weight=min_weight)
