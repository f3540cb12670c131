import numpy as np

from .forest import Forest

class Marginals:
    def __init__(self) -> None: ...
    def probabilities(self, forest: Forest, scale: float = ...) -> tuple[np.ndarray, float]: ...
