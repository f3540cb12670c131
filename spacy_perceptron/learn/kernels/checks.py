"""Checks of what a kernel perceptron is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import Errors


def check_scores(name: str, scores: Any, n: int) -> np.ndarray:
    """RETURNS (float64 array): The scores of n candidates; raises ValueError if they do not fit."""
    array = np.asarray(scores, dtype=np.float64)
    if array.shape != (n,) or not np.isfinite(array).all():
        more = "" if np.isfinite(array).all() else " with infinite or missing numbers"
        raise ValueError(Errors.KERNEL_SCORES.format(name=name, n=n, shape=array.shape, more=more))
    return array


def check_counters(state: dict[str, np.ndarray]) -> tuple[list[int], list[float]]:
    """RETURNS (tuple[list[int], list[float]]): The counters and the base model's weights."""
    found = []
    for name, dtype, n in (("counters", np.int64, 6), ("base", np.float64, 2)):
        array = state.get(name)
        if array is None or array.shape != (n,) or array.dtype != dtype:
            raise ValueError(Errors.KERNEL_STATE.format(why=f"`{name}` is missing or wrong"))
        found.append(array)
    if not np.isfinite(found[1]).all():
        raise ValueError(Errors.KERNEL_STATE.format(why="`base` is not finite"))
    return found[0].tolist(), found[1].tolist()


def check_candidate(i: int, n: int) -> None:
    """Raise ValueError if there is no candidate i."""
    if not 0 <= i < n:
        raise ValueError(Errors.KERNEL_CANDIDATE.format(i=i, n=n))
