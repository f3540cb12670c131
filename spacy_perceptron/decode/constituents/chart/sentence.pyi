from collections.abc import Sequence

import numpy as np

class TaggedWords:
    n_words: int
    def __init__(
        self,
        starts: np.ndarray | Sequence[int] = ...,
        symbols: np.ndarray | Sequence[int] = ...,
        scores: np.ndarray | Sequence[float] = ...,
    ) -> None: ...
    def check(self, n_symbols: int) -> None: ...
