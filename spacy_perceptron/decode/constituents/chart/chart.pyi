from collections.abc import Sequence

import numpy as np

from ...search.control import Control
from .grammar import Grammar

class Chart:
    def __init__(
        self, grammar: Grammar, classes: np.ndarray | Sequence[int], control: Control
    ) -> None: ...
