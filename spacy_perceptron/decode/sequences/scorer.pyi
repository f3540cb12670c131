from collections.abc import Sequence

import numpy as np

from ...features.lexemes import LexemeTable
from ...learn.weights import WeightTable
from .program import TaggingProgram

class TaggingScorer:
    lexemes: LexemeTable
    weights: WeightTable
    n_tags: int
    def __init__(
        self,
        lexemes: LexemeTable,
        weights: WeightTable,
        program: TaggingProgram,
        *,
        cached: bool = ...,
    ) -> None: ...
    def set_dropout(self, rate: float, seed: int, *, hiding: np.ndarray | None = ...) -> None: ...
    def tag_offsets(self) -> list[int]: ...
    def feature_ids(self, rows: np.ndarray, i: int, context: Sequence[int]) -> np.ndarray: ...

def pad_rows(rows: np.ndarray) -> np.ndarray: ...
