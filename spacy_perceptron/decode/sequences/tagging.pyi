import numpy as np

from ..search.control import Control
from .refining import Refining
from .scorer import TaggingScorer
from .search import TaggingSearch

# Position, tag and packed context.
Action = tuple[int, int, int]
# Position, tag, tag codes of the context, score of every tag.
Trace = tuple[int, int, tuple[int, int, int, int], np.ndarray]
# Taggings, best first, and their scores.
Ranked = tuple[np.ndarray, np.ndarray]

class Tagging:
    search: TaggingSearch
    scorer: TaggingScorer
    control: Control
    longest: int
    refining: Refining | None
    def __init__(
        self,
        search: TaggingSearch,
        *,
        max_violation: bool = ...,
        refining: Refining | None = ...,
    ) -> None: ...
    def tag(
        self,
        rows: np.ndarray,
        starts: np.ndarray,
        width: int,
        *,
        temperature: float = ...,
        fixed: np.ndarray | None = ...,
        nbest_width: int = ...,
        groups: np.ndarray | None = ...,
    ) -> tuple[np.ndarray, np.ndarray, list[Ranked]]: ...
    def nbest(self, rows: np.ndarray, width: int, *, fixed: np.ndarray | None = ...) -> Ranked: ...
    def trace(
        self, rows: np.ndarray, width: int, *, fixed: np.ndarray | None = ...
    ) -> list[Trace]: ...
    def violation(
        self,
        rows: np.ndarray,
        gold: np.ndarray,
        width: int,
        *,
        margin: float = ...,
        fixed: np.ndarray | None = ...,
    ) -> tuple[list[Action], list[Action], float, float] | None: ...
    def difference(
        self, correct: list[Action], predicted: list[Action]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def learn(
        self,
        rows: np.ndarray,
        gold: np.ndarray,
        width: int,
        time: float,
        *,
        resume: bool = ...,
        margin: float = ...,
        fixed: np.ndarray | None = ...,
    ) -> int: ...
