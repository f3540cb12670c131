from collections.abc import Sequence

import numpy as np

from .grammar import Grammar
from .spans import Spans

class Orphans:
    def __init__(self, grammar: Grammar, classes: np.ndarray | Sequence[int]) -> None: ...
    def apply(self, spans: Spans) -> None: ...
