import numpy as np

from .training import TaggingTraining

# Position, tag, tag codes of the context, score of every tag.
Trace = tuple[int, int, tuple[int, int, int, int], np.ndarray]

class EasyFirstTagging(TaggingTraining):
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
