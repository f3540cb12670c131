import numpy as np

from .candidate_dag import CandidateDag
from .settings import KernelSettings

class SupportDag:
    kind: int
    n_nodes: int
    n_holes: int
    def __init__(self, settings: KernelSettings) -> None: ...
    def __len__(self) -> int: ...
    def add_mistake(
        self,
        candidates: CandidateDag,
        target: int,
        chosen: int,
        *,
        target_factor: float,
        chosen_factor: float,
        base_delta: float,
        example: int,
    ) -> None: ...
    def drop_oldest(self) -> tuple[int, float]: ...
    def mistake_arrays(self) -> tuple[np.ndarray, np.ndarray]: ...
