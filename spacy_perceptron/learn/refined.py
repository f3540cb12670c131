"""The weights of a tagger that searches over some labels and refines them in a second step."""

from .perceptron import AveragedPerceptron, SavedWeights
from .states import LearnerState, part_of, put_under
from .weights import WeightTable


class RefinedPerceptron(AveragedPerceptron):
    """Two tables with a common clock.

    n_classes (int): Number of classes of the first step.
    n_parts (int): Number of classes of the second step.
    start, start_parts (SavedWeights): Weights to continue from.
    adaptive (bool): Make each weight's steps smaller the more it has moved.
    """

    def __init__(
        self,
        n_classes: int,
        n_parts: int,
        *,
        start: SavedWeights,
        start_parts: SavedWeights,
        adaptive: bool = False,
    ):
        super().__init__(n_classes, start=start, adaptive=adaptive)
        self.refinement = WeightTable.from_arrays(
            n_parts, **start_parts, trainable=True, adaptive=adaptive
        )

    def state(self) -> LearnerState:
        return {**super().state(), **put_under("refinement", self.refinement.state())}

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        self.refinement = WeightTable.from_state(
            self.refinement.n_classes,
            part_of(state, "refinement"),
            adaptive=self.refinement.adaptive,
        )

    def average_refinement(self, *, min_weight: float = 0.0) -> SavedWeights:
        """The mean of the weights of the second step after each example so far.

        min_weight (float): Averages smaller than this are dropped.
        RETURNS (SavedWeights): The averages.
        """
        return self.refinement.averaged(self.n_examples, min_weight=min_weight)
