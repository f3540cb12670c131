from collections.abc import Sequence
from typing import Protocol

import numpy as np

class Heads(Protocol):
    @property
    def priorities(self) -> np.ndarray: ...
    @property
    def rivals(self) -> np.ndarray: ...
    @property
    def kinds(self) -> np.ndarray: ...

class Grammar:
    n_phrases: int
    n_symbols: int
    wraps: bool
    def __init__(
        self,
        n_phrases: int,
        n_tags: int,
        triples: np.ndarray,
        chains: Sequence[Sequence[int]],
        endings: np.ndarray,
        *,
        wraps: bool,
        heads: Heads,
    ) -> None: ...
    def allowed(self, parent: int, before: int, symbol: int) -> bool: ...
