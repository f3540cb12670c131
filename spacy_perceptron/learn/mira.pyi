from collections.abc import Sequence

import numpy as np

TOLERANCE: float
MAX_PASSES: int

def hildreth(
    gram: np.ndarray,
    violations: np.ndarray,
    C: float = ...,  # noqa: N803
    *,
    tolerance: float = ...,
    max_passes: int = ...,
) -> np.ndarray: ...
def merged(ids: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...
def mira_step(
    differences: Sequence[tuple[np.ndarray, np.ndarray]],
    violations: np.ndarray,
    C: float = ...,  # noqa: N803
) -> np.ndarray: ...

class MiraStep: ...
