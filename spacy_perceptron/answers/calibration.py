"""Turn a model's confidence into the probability of being right.

Two maps, alone or one after the other. *Temperature*: the component divides its scores by a
constant before normalising them (Guo et al. 2017), fitted here by golden-section search on the log
of the temperature. *Isotonic*: a non-decreasing map from confidence to accuracy, fitted by pooling
adjacent violators (Ayer et al. 1955) and kept as a few knots with straight lines between them, so
that unequal confidences inside a pooled block keep their order.

A component that can be calibrated offers `pipe.raw_confidences(examples, temperature)`, giving the
confidence of the chosen label and whether it is correct for every token with a gold label, and a
settable `pipe.calibration`. Cost: O(n log n) for n tokens; one decoding of the corpus per
temperature tried.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from spacy.training import Example

from ..errors import Errors
from ..values import TEMPERATURE

MAX_KNOTS = 50
MIN_TEMPERATURE = 0.05
MAX_TEMPERATURE = 20.0
_GOLDEN = (math.sqrt(5) - 1) / 2
_LOG_TOLERANCE = 1e-3
_LOG_LOSS_FLOOR = 1e-12


@dataclass
class Calibration:
    """How a component turns scores into confidences; the default changes nothing.

    temperature (float): What the component divides its scores by.
    knots (Optional[list[list[float]]]): Points (confidence, accuracy) of the isotonic map, or None.
    """

    temperature: float = 1.0
    knots: list[list[float]] | None = None

    def apply(self, confidences: np.ndarray) -> np.ndarray:
        """Map confidences computed at `temperature` through the isotonic map.

        confidences (np.ndarray): Confidences between 0 and 1.
        RETURNS (np.ndarray): Calibrated confidences, float64, of the same shape.
        """
        values = np.asarray(confidences, dtype=np.float64)
        if not self.knots:
            return values.copy()
        points = np.asarray(self.knots, dtype=np.float64)
        return np.interp(values, points[:, 0], points[:, 1])

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The calibration as plain data."""
        knots = None if self.knots is None else [list(knot) for knot in self.knots]
        return {"temperature": self.temperature, "knots": knots}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Calibration":
        """Restore a calibration, checking that it is one.

        data (dict[str, Any]): What `to_dict` gave.
        RETURNS (Calibration): The calibration.
        """
        temperature = float(data.get("temperature", 1.0))
        TEMPERATURE.check("temperature", temperature)
        knots = data.get("knots")
        if knots is not None:
            knots = [[float(x), float(y)] for x, y in knots]
            points = np.asarray(knots).reshape(-1, 2)
            if not np.isfinite(points).all() or (np.diff(points, axis=0) < 0).any():
                raise ValueError(Errors.CALIBRATION_BAD_KNOTS.format(knots=knots))
        return cls(temperature, knots)


class Calibratable(Protocol):
    """What a component offers to be calibrated."""

    calibration: Calibration

    def raw_confidences(
        self, examples: list[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidence of the chosen label, and whether it is correct, per gold-annotated token."""
        ...


@dataclass(frozen=True)
class ReliabilityBin:
    """Tokens whose confidence falls into one interval.

    low (float): Lower end.
    high (float): Upper end.
    count (int): Number of tokens.
    confidence (float): Their mean confidence; NaN without tokens.
    accuracy (float): The share of them that is correct; NaN without tokens.
    """

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def _checked(confidence: np.ndarray, correct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Check a pair of confidences and outcomes.

    confidence (np.ndarray): Confidences.
    correct (np.ndarray): Outcomes.
    RETURNS (tuple[np.ndarray, np.ndarray]): Both as float64.
    """
    confidence = np.asarray(confidence, dtype=np.float64)
    outcome = np.asarray(correct, dtype=np.float64)
    if confidence.shape != outcome.shape or confidence.ndim != 1:
        raise ValueError(
            Errors.CALIBRATION_UNPAIRED.format(confidence=confidence.shape, correct=outcome.shape)
        )
    if not len(confidence):
        raise ValueError(Errors.CALIBRATION_NO_TOKENS)
    if not ((confidence >= 0) & (confidence <= 1)).all():
        raise ValueError(
            Errors.CALIBRATION_BAD_CONFIDENCE.format(low=confidence.min(), high=confidence.max())
        )
    return confidence, outcome


def reliability_bins(
    confidence: np.ndarray, correct: np.ndarray, n_bins: int = 15
) -> list[ReliabilityBin]:
    """Compare confidence with accuracy in bins of equal width; 1.0 belongs to the last one.

    confidence (np.ndarray): Confidences between 0 and 1.
    correct (np.ndarray): Whether each decision is correct.
    n_bins (int): Number of bins.
    RETURNS (list[ReliabilityBin]): The bins, in rising order.
    """
    confidence, outcome = _checked(confidence, correct)
    index = np.minimum((confidence * n_bins).astype(np.int64), n_bins - 1)
    counts = np.bincount(index, minlength=n_bins)
    divisor = np.where(counts > 0, counts, np.nan)
    means = np.bincount(index, weights=confidence, minlength=n_bins) / divisor
    accuracies = np.bincount(index, weights=outcome, minlength=n_bins) / divisor
    return [
        ReliabilityBin(i / n_bins, (i + 1) / n_bins, int(counts[i]), float(m), float(a))
        for i, (m, a) in enumerate(zip(means, accuracies, strict=True))
    ]


def expected_calibration_error(
    confidence: np.ndarray, correct: np.ndarray, n_bins: int = 15
) -> float:
    """Mean distance between confidence and accuracy over equal bins, weighted by size.

    confidence (np.ndarray): Confidences between 0 and 1.
    correct (np.ndarray): Whether each decision is correct.
    n_bins (int): Number of bins.
    RETURNS (float): The error, between 0 and 1.
    """
    bins = [b for b in reliability_bins(confidence, correct, n_bins) if b.count]
    total = sum(b.count for b in bins)
    return sum(b.count * abs(b.confidence - b.accuracy) for b in bins) / total


def log_loss(confidence: np.ndarray, correct: np.ndarray) -> float:
    """Mean negative log-likelihood, in nats, of being right or wrong as often as claimed.

    confidence (np.ndarray): Confidences between 0 and 1.
    correct (np.ndarray): Whether each decision is correct.
    RETURNS (float): The loss.
    """
    confidence, outcome = _checked(confidence, correct)
    likelihood = np.where(outcome > 0, confidence, 1.0 - confidence)
    return float(-np.log(np.maximum(likelihood, _LOG_LOSS_FLOOR)).mean())


def fit_temperature(
    confidences_at: Callable[[float], tuple[np.ndarray, np.ndarray]],
    low: float = MIN_TEMPERATURE,
    high: float = MAX_TEMPERATURE,
) -> float:
    """Find the temperature at which the log loss is least.

    confidences_at (Callable): Gives (confidence, correct) at a temperature.
    low (float): The lowest temperature to consider.
    high (float): The highest.
    RETURNS (float): The temperature; 1.0 if none found is better.
    """

    def loss_at(log_temperature: float) -> float:
        return log_loss(*confidences_at(math.exp(log_temperature)))

    left, right = math.log(low), math.log(high)
    inner_left = right - _GOLDEN * (right - left)
    inner_right = left + _GOLDEN * (right - left)
    loss_left, loss_right = loss_at(inner_left), loss_at(inner_right)
    while right - left > _LOG_TOLERANCE:
        if loss_left <= loss_right:
            right, inner_right, loss_right = inner_right, inner_left, loss_left
            inner_left = right - _GOLDEN * (right - left)
            loss_left = loss_at(inner_left)
        else:
            left, inner_left, loss_left = inner_left, inner_right, loss_right
            inner_right = left + _GOLDEN * (right - left)
            loss_right = loss_at(inner_right)
    best = (left + right) / 2
    return math.exp(best) if loss_at(best) < loss_at(0.0) else 1.0


def fit_isotonic(
    confidence: np.ndarray, correct: np.ndarray, max_knots: int = MAX_KNOTS
) -> list[list[float]]:
    """Fit a non-decreasing map from confidence to accuracy.

    No answer is ever certain: accuracies stay at least 1 / (n + 2) away from 0 and 1.

    confidence (np.ndarray): Confidences between 0 and 1.
    correct (np.ndarray): Whether each decision is correct.
    max_knots (int): The most knots to keep.
    RETURNS (list[list[float]]): Knots (mean confidence, accuracy) in rising order, one per block.
    """
    confidence, outcome = _checked(confidence, correct)
    values, group = np.unique(confidence, return_inverse=True)
    sizes = np.bincount(group).astype(np.float64)
    hits = np.bincount(group, weights=outcome)
    blocks: list[tuple[float, float, float]] = []
    for size, hit, total in zip(sizes, hits, values * sizes, strict=True):
        block = (float(size), float(hit), float(total))
        while blocks and blocks[-1][1] * block[0] >= block[1] * blocks[-1][0]:
            block = _join(blocks.pop(), block)
        blocks.append(block)
    _merge_most_alike(blocks, max_knots)
    margin = 1.0 / (len(confidence) + 2)
    return [
        [total / size, min(max(hit / size, margin), 1.0 - margin)] for size, hit, total in blocks
    ]


def _join(
    left: tuple[float, float, float], right: tuple[float, float, float]
) -> tuple[float, float, float]:
    """RETURNS (tuple[float, float, float]): Size, hits and summed confidence of two blocks."""
    return (left[0] + right[0], left[1] + right[1], left[2] + right[2])


def _merge_most_alike(blocks: list[tuple[float, float, float]], max_blocks: int) -> None:
    """Join neighbours, in place, until few are left, each time at the least squared error.

    blocks (list[tuple[float, float, float]]): Size, hits and summed confidence, accuracies rising.
    max_blocks (int): The most blocks to leave.
    """
    while len(blocks) > max(1, max_blocks):
        costs = [
            a[0] * b[0] / (a[0] + b[0]) * (a[1] / a[0] - b[1] / b[0]) ** 2
            for a, b in pairwise(blocks)
        ]
        i = costs.index(min(costs))
        blocks[i : i + 2] = [_join(blocks[i], blocks[i + 1])]
