import numpy as np

from ...features.lexemes import LexemeTable
from ...learn.weights import WeightTable
from ..search.control import Control
from .program import ChoiceProgram

class Choosing:
    lexemes: LexemeTable
    weights: WeightTable
    control: Control
    longest: int
    def __init__(
        self, lexemes: LexemeTable, weights: WeightTable, program: ChoiceProgram
    ) -> None: ...
    def set_dropout(self, share: float, salt: int) -> None: ...
    def choose(
        self,
        rows: np.ndarray,
        starts: np.ndarray,
        candidates: np.ndarray,
        *,
        temperature: float = ...,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def score(self, row: int, candidates: np.ndarray) -> np.ndarray: ...
    def feature_ids(self, row: int) -> np.ndarray: ...
    def learn(
        self,
        rows: np.ndarray,
        starts: np.ndarray,
        candidates: np.ndarray,
        time: float,
        *,
        margin: float = ...,
        hiding: np.ndarray | None = ...,
        seed: int = ...,
    ) -> int: ...
