from collections.abc import Iterable
from typing import Any

import numpy as np

class Parts:
    n_words: int
    def __init__(
        self,
        n_words: int = 0,
        heads: Iterable[int] = (),
        children: Iterable[int] = (),
        *,
        order: int = 2,
    ) -> None: ...
    def arcs(self) -> list[tuple[int, int]]: ...
    def get_scores(self) -> dict[str, np.ndarray]: ...
    def set_scores(self, **scores: Any) -> None: ...
    def ids(self) -> dict[str, dict[tuple, int]]: ...
