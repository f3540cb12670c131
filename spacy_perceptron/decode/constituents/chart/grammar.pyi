from collections.abc import Sequence

import numpy as np

class Grammar:
    n_symbols: int
    root: int
    def __init__(
        self,
        n_symbols: int,
        root: int,
        binary: np.ndarray | Sequence[tuple[int, int, int]],
        binary_scores: np.ndarray | Sequence[float],
        unary: np.ndarray | Sequence[tuple[int, int]],
        unary_scores: np.ndarray | Sequence[float],
    ) -> None: ...
    @property
    def rule_order(self) -> np.ndarray: ...
