from typing import TypedDict

import numpy as np

class SavedTrees(TypedDict):
    n_bits: np.ndarray
    n_trees: np.ndarray
    n_features: np.ndarray
    losses: np.ndarray
    alphas: np.ndarray
    indices: np.ndarray
    values: np.ndarray
