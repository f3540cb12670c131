import numpy as np

from ..incremental.input import IncrementalInput
from .scorer import SpanScorer

class FlatSpans:
    scorer: SpanScorer
    def __init__(self, scorer: SpanScorer) -> None: ...
    def predict(self, sentence: IncrementalInput) -> np.ndarray: ...
    def learn(
        self, sentence: IncrementalInput, phrases: np.ndarray, step: float, time: float
    ) -> int: ...
