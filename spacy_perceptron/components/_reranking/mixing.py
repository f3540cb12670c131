"""How much the base's scores count beside the kernel's: found on lists that were not learned from.

A perceptron that has the base's score as a feature leans on it while it learns, and its fragments
then say little else. Learned without it, they know other things than the base does, and a mixture
is best. Its weight is found by trying some.
"""

from collections.abc import Sequence

import numpy as np

# Weights to try, in units of the kernel's usual difference between two candidates.
RATIOS = (0.0, *(0.25 * 2 ** (step / 2) for step in range(17)))


def find_mixture(
    scores: Sequence[np.ndarray], base_scores: Sequence[np.ndarray], losses: Sequence[np.ndarray]
) -> float:
    """The weight of the base's scores with the smallest loss.

    scores (Sequence[np.ndarray]): The kernel's scores of the candidates of some lists.
    base_scores (Sequence[np.ndarray]): The base's scores of them, the best first.
    losses (Sequence[np.ndarray]): How wrong each candidate is.
    RETURNS (float): The weight. Of equally good ones the largest: trust the base.
    """
    gaps = [np.abs(row - row[0])[1:] for row in scores if len(row) > 1]
    unit = float(np.concatenate([np.zeros(0), *gaps]).mean()) if gaps else 0.0
    if unit == 0.0:
        return 0.0
    rows = list(zip(scores, base_scores, losses, strict=True))

    def total_loss(weight: float) -> float:
        return sum(float(loss[np.argmax(own + weight * base)]) for own, base, loss in rows)

    weights = [unit * ratio for ratio in RATIOS]
    return min(reversed(weights), key=total_loss)
