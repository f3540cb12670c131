import numpy as np

from .search import TaggingSearch

# Position, tag and packed context.
Action = tuple[int, int, int]

class TaggingTraining(TaggingSearch):
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
