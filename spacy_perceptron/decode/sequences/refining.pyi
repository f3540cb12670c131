from collections.abc import Sequence

import numpy as np

from ..search.control import Control
from .scorer import TaggingScorer

# Feature ids, parts and counts.
Difference = tuple[np.ndarray, np.ndarray, np.ndarray]

class Refining:
    scorer: TaggingScorer
    control: Control
    n_tags: int
    n_labels: int
    def __init__(
        self,
        scorer: TaggingScorer,
        tag_of: Sequence[int] | np.ndarray,
        parts: Sequence[Sequence[int]],
        n_tags: int,
        control: Control | None = ...,
    ) -> None: ...
    def refine(
        self,
        rows: np.ndarray,
        starts: np.ndarray,
        tags: np.ndarray,
        *,
        fixed: np.ndarray | None = ...,
        groups: np.ndarray | None = ...,
        temperature: float = ...,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def alternatives(
        self, rows: np.ndarray, tags: np.ndarray, *, fixed: np.ndarray | None = ...
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def decide(
        self, rows: np.ndarray, tags: np.ndarray, i: int, *, fixed: np.ndarray | None = ...
    ) -> tuple[int, tuple[int, int, int, int], dict[int, float]]: ...
    def learn(
        self, rows: np.ndarray, gold: np.ndarray, time: float, *, margin: float = ...
    ) -> int: ...
    def violation(
        self,
        rows: np.ndarray,
        tags: np.ndarray,
        gold: np.ndarray,
        *,
        fixed: np.ndarray | None = ...,
    ) -> tuple[float, Difference] | None: ...
    def parts_of(self, label: int) -> list[int]: ...
    def feature_ids(self, i: int) -> list[int]: ...
