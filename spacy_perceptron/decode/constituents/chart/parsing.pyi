from collections.abc import Sequence

import numpy as np

from ...search.control import Control
from ...search.forest import Forest
from .grammar import Grammar
from .pruner import CoarsePruner
from .sentence import TaggedWords

class ChartParsing:
    control: Control
    grammar: Grammar
    pruner: CoarsePruner
    forest: Forest
    threshold: float
    max_edges: int
    def __init__(
        self,
        grammar: Grammar,
        pruner: CoarsePruner,
        classes: np.ndarray | Sequence[int],
        *,
        threshold: float,
        max_edges: int = ...,
    ) -> None: ...
    def parse(self, words: TaggedWords) -> tuple[np.ndarray, float, bool]: ...
    def nbest(self, words: TaggedWords, k: int) -> tuple[list[np.ndarray], list[float], bool]: ...
    def marginals(
        self, words: TaggedWords, scale: float = ...
    ) -> tuple[np.ndarray, np.ndarray, float, bool]: ...
