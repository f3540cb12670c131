import numpy as np

from ..incremental.input import IncrementalInput
from .parsing import SpanParsing

class SpanTraining:
    parsing: SpanParsing
    offset: float
    def __init__(self, parsing: SpanParsing) -> None: ...
    def learn(
        self,
        sentence: IncrementalInput,
        tree: np.ndarray,
        time: float,
        *,
        limit: float = ...,
        margin: float = ...,
    ) -> int: ...
    def difference(
        self, sentence: IncrementalInput, tree: np.ndarray, *, margin: float = ...
    ) -> tuple[np.ndarray, np.ndarray, int, float]: ...
