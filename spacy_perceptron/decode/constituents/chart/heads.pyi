from collections.abc import Sequence

import numpy as np

from ....features.role_hashes import RoleHashes
from ....learn.hashed import HashedWeights

class HeadScorer:
    def __init__(
        self,
        weights: HashedWeights,
        hashes: RoleHashes,
        role: int,
        templates: Sequence[tuple[int, int, int, bool]],
        is_right: np.ndarray | Sequence[int],
        outcomes: np.ndarray | Sequence[int],
    ) -> None: ...
