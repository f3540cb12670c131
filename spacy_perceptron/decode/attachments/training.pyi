import numpy as np

from ..arcs.input import ParsingInput
from .parsing import EasyFirstParsing

UPDATES: tuple[str, ...]

class EasyFirstTraining:
    parsing: EasyFirstParsing
    label_mistakes: int
    def __init__(self, parsing: EasyFirstParsing) -> None: ...
    def learn(
        self,
        sentence: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        time: float,
        *,
        update: str = ...,
        limit: float = ...,
        margin: float = ...,
        augmented: bool = ...,
        mira: bool = ...,
    ) -> int: ...
    def gold_tree(self) -> np.ndarray: ...
    def last_violation(
        self,
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]], float, float] | None: ...
