from typing import TypedDict

import numpy as np

class SavedBackoff(TypedDict):
    depth: int
    floor: float
    keys: np.ndarray
    lengths: np.ndarray
    remainders: np.ndarray
    outcomes: np.ndarray
    probabilities: np.ndarray

class BackoffModel:
    depth: int
    floor: float
    def __init__(
        self,
        depth: int,
        floor: float,
        keys: np.ndarray,
        lengths: np.ndarray,
        remainders: np.ndarray,
        outcomes: np.ndarray,
        probabilities: np.ndarray,
    ) -> None: ...
    def log_probabilities(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray: ...
    def to_arrays(self) -> SavedBackoff: ...

def prefix_keys(contexts: np.ndarray) -> np.ndarray: ...
