from typing import TypedDict

import numpy as np

from .states import LearnerState

BITS: range

class SavedHashedWeights(TypedDict):
    indices: np.ndarray
    values: np.ndarray

class HashedWeights:
    n_bits: int
    trainable: bool
    adaptive: bool
    def __init__(
        self,
        n_bits: int,
        *,
        trainable: bool = ...,
        adaptive: bool = ...,
        compact: bool = ...,
    ) -> None: ...
    def update(
        self, ids: np.ndarray, deltas: np.ndarray, time: float, *, step: float = ...
    ) -> None: ...
    def scores(self, ids: np.ndarray) -> float: ...
    def weight(self, id: int) -> float: ...
    def averaged(self, time: float, *, min_weight: float = ...) -> SavedHashedWeights: ...
    @classmethod
    def from_arrays(
        cls,
        n_bits: int,
        indices: np.ndarray,
        values: np.ndarray,
        *,
        trainable: bool = ...,
        adaptive: bool = ...,
        compact: bool = ...,
    ) -> HashedWeights: ...
    def state(self) -> LearnerState: ...
    @classmethod
    def from_state(
        cls, n_bits: int, state: LearnerState, *, adaptive: bool = ...
    ) -> HashedWeights: ...

def check_weights(n_bits: int, indices: np.ndarray, values: np.ndarray) -> None: ...
def bit_indices(packed: np.ndarray) -> np.ndarray: ...
