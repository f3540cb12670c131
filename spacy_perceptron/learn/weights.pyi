import numpy as np

from .perceptron import SavedWeights
from .states import LearnerState

class WeightTable:
    n_classes: int
    trainable: bool
    adaptive: bool
    n_features: int
    max_entries: int
    def __init__(self, n_classes: int, *, trainable: bool = ..., adaptive: bool = ...) -> None: ...
    def update(
        self,
        keys: np.ndarray,
        labels: np.ndarray,
        deltas: np.ndarray,
        time: float,
        *,
        step: float = ...,
    ) -> None: ...
    def scores(self, keys: np.ndarray) -> np.ndarray: ...
    def row(self, key: int) -> dict[int, float]: ...
    def averaged(self, time: float, *, min_weight: float = ...) -> SavedWeights: ...
    @classmethod
    def from_arrays(
        cls,
        n_classes: int,
        keys: np.ndarray,
        lengths: np.ndarray,
        labels: np.ndarray,
        values: np.ndarray,
        *,
        trainable: bool = ...,
        adaptive: bool = ...,
    ) -> WeightTable: ...
    def state(self) -> LearnerState: ...
    @classmethod
    def from_state(
        cls, n_classes: int, state: LearnerState, *, adaptive: bool = ...
    ) -> WeightTable: ...
