from collections.abc import Sequence

import numpy as np

class IncrementalInput:
    n_words: int
    def __init__(
        self,
        rows: np.ndarray | Sequence[int],
        starts: np.ndarray | Sequence[int],
        tags: np.ndarray | Sequence[int],
        tokens: np.ndarray,
        scores: np.ndarray | Sequence[float] | None = ...,
        brackets: np.ndarray | Sequence[Sequence[int]] | None = ...,
    ) -> None: ...
    def cut(self, start: int, end: int) -> IncrementalInput: ...
    def cut_sentences(
        self, starts: np.ndarray, first: int, last: int
    ) -> tuple[IncrementalInput, np.ndarray]: ...
