import numpy as np

from ....features.lexemes import LexemeTable
from ....learn.hashed import HashedWeights
from .generative import GenerativeModel
from .program import IncrementalProgram

OUTCOMES: tuple[str, ...]
FIRST_OPENING: int

class EventScorer:
    lexemes: LexemeTable
    weights: HashedWeights
    n_columns: int
    scores_words: bool
    scores_readings: bool
    log_weight: float
    def __init__(
        self,
        lexemes: LexemeTable,
        weights: HashedWeights,
        program: IncrementalProgram,
        n_tokens: int,
        n_phrases: int,
        symbol_values: np.ndarray,
        *,
        generative: GenerativeModel | None = ...,
        log_weight: float = ...,
    ) -> None: ...
    def set_dropout(self, rate: float, seed: int) -> None: ...
