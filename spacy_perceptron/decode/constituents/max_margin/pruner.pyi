from collections.abc import Sequence

import numpy as np

from ..chart.spans import Spans
from ..incremental.input import IncrementalInput
from .scorer import SpanScorer

class SpanPruner:
    scorer: SpanScorer
    n_phrases: int
    n_classes: int
    def __init__(
        self,
        scorer: SpanScorer,
        n_phrases: int,
        *,
        classes: np.ndarray | Sequence[int] | None = ...,
        full_length: int = ...,
        width: int = ...,
    ) -> None: ...
    def learn(
        self, words: IncrementalInput, nodes: np.ndarray, step: float, time: float
    ) -> float: ...
    def choose(self, words: IncrementalInput, threshold: float, n_symbols: int) -> Spans: ...
