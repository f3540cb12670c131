from collections.abc import Sequence

import numpy as np

# Form, smallest and greatest length, places and the characters there.
Condition = tuple[int, int, int | None, Sequence[tuple[int, str]]]

class Candidates:
    n_forms: int
    conditions: list[Condition]
    def __init__(self, n_forms: int, conditions: Sequence[Condition]) -> None: ...
    def find(self, words: Sequence[tuple[str | None, ...]]) -> tuple[np.ndarray, np.ndarray]: ...
