import numpy as np

from .tagging_scorer import TaggingScorer

Action = tuple[int, int, int]
Trace = tuple[int, int, tuple[int, int, int, int], np.ndarray]

class EasyFirstTagging:
    scorer: TaggingScorer
    def __init__(self, scorer: TaggingScorer) -> None: ...
    def tag(
        self,
        rows: np.ndarray,
        starts: np.ndarray,
        width: int,
        *,
        temperature: float = ...,
        fixed: np.ndarray | None = ...,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def nbest(
        self, rows: np.ndarray, width: int, *, fixed: np.ndarray | None = ...
    ) -> tuple[np.ndarray, np.ndarray]: ...
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
