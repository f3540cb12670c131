from collections.abc import Sequence

import numpy as np

class FeatureProgram:
    n_templates: int
    def __init__(self, seeds: Sequence[int], atoms: Sequence[Sequence[int]]) -> None: ...
    def extract(self, values: np.ndarray) -> np.ndarray: ...
