import numpy as np

from .difference import TreeDifference
from .input import ParsingInput
from .parsing import DependencyParsing

class DependencyTraining:
    parsing: DependencyParsing
    difference: TreeDifference
    def __init__(self, parsing: DependencyParsing) -> None: ...
    label_mistakes: int
    def learn(
        self,
        sentence: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        time: float,
        *,
        k: int = ...,
        limit: float = ...,
        augmented: bool = ...,
        mira: bool = ...,
        margin: float = ...,
        pruner_rate: float = ...,
    ) -> int: ...
    def gold_tree(self) -> np.ndarray: ...
