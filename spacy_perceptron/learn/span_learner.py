"""What training changes of a span parser: its weights, those of its pruner and, for SMO, the trees
that the weights are made of."""

from typing import cast

import numpy as np

from .active_trees import SavedTrees
from .hashed import HashedWeights, SavedHashedWeights
from .hashed_learner import HashedLearner
from .max_margin import MaxMargin
from .parser_weights import no_weights
from .states import LearnerState, part_of, put_under, read_number, read_numbers

# In states of learners, `indices` are those of hashed tables.
_SAVED_AS = {"indices": "features", "values": "feature_values"}


class SpanLearner(HashedLearner):
    """Weights in training.

    n_bits (int): The table has 2 ** n_bits weights.
    start (SavedHashedWeights): Weights to continue from.
    pruner (HashedWeights): The trainable weights of the pruner.
    adaptive (bool): Make each weight's steps smaller the more it has moved.
    """

    def __init__(
        self,
        n_bits: int,
        *,
        start: SavedHashedWeights,
        pruner: HashedWeights,
        adaptive: bool = False,
    ):
        super().__init__(n_bits, start=start, adaptive=adaptive)
        self.pruner = pruner
        # Whether the pruner has learned.
        self.has_pruned = False

    def state(self) -> LearnerState:
        own = {"has_pruned": np.array(self.has_pruned, np.int64)}
        return {**super().state(), **own, **put_under("pruner", self.pruner.state())}

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        self.pruner = HashedWeights.from_state(
            self.pruner.n_bits, part_of(state, "pruner"), adaptive=self.pruner.adaptive
        )
        self.has_pruned = bool(read_number(state, "has_pruned"))


class MarginLearner(SpanLearner):
    """Weights trained by SMO. They start at 0, because they are the sum of what trees contribute.

    n_bits (int): The table has 2 ** n_bits weights.
    pruner (HashedWeights): The trainable weights of the pruner.
    c (float): How much a violated margin costs, compared with the size of the weights.
    """

    def __init__(self, n_bits: int, *, pruner: HashedWeights, c: float):
        super().__init__(n_bits, start=no_weights(), pruner=pruner)
        self.margin = MaxMargin(self.weights, c)
        # By how much each sentence violated its margin when it was last visited.
        self._slacks: dict[int, float] = {}

    def learn(
        self, sentence: int, ids: np.ndarray, values: np.ndarray, loss: float, slack: float
    ) -> None:
        """Visit a sentence with the tree that violates its margin most.

        sentence (int): The number of the sentence.
        ids, values (np.ndarray): The features of the correct tree minus those of the tree.
        loss (float): The loss of the tree, minus what fixed scores add to the difference.
        slack (float): By how much it violates the margin.
        """
        self.set_slack(sentence, slack)
        if len(ids):
            self.margin.learn(sentence, ids, values, loss, self.time)
        else:
            self.margin.revisit(sentence, self.time)

    def set_slack(self, sentence: int, slack: float) -> None:
        """Note by how much a sentence violates its margin.

        sentence (int): The number of the sentence.
        slack (float): By how much.
        """
        self._slacks[sentence] = slack

    def state(self) -> LearnerState:
        trees = cast(LearnerState, self.margin.get_state())
        return {
            **super().state(),
            **put_under("trees", {_SAVED_AS.get(name, name): trees[name] for name in trees}),
            **put_under("sums", self.margin.get_sums()),
            # Their sum depends on their order.
            "visited": np.array([*self._slacks], np.int64),
            "slacks": np.array([*self._slacks.values()], np.float64),
        }

    def set_state(self, state: LearnerState) -> None:
        super().set_state(state)
        names = {saved: name for name, saved in _SAVED_AS.items()}
        trees = {names.get(name, name): array for name, array in part_of(state, "trees").items()}
        sums = part_of(state, "sums")
        self.margin = MaxMargin(
            self.weights, self.margin.c, state=cast(SavedTrees, trees), sums=sums
        )
        visited = read_numbers(state, "visited", np.int64)
        slacks = read_numbers(state, "slacks", np.float64, n=len(visited))
        self._slacks = dict(zip(visited.tolist(), slacks.tolist(), strict=True))

    def gap(self) -> float:
        """RETURNS (float): The duality gap, as a share of the primal objective. Slacks are those of
        each sentence's last visit, since when weights have moved."""
        return float(self.margin.gap(np.array([*self._slacks.values()])))

    def average(self, *, min_weight: float = 0.0) -> SavedHashedWeights:
        """RETURNS (SavedHashedWeights): The weights as they are: it is these that are optimal.

        min_weight (float): Smaller ones are dropped.
        """
        return self.weights.averaged(0, min_weight=min_weight)
