"""Is the difference between two systems on the same corpus more than luck?

`mcnemar` asks it of paired right/wrong decisions (McNemar 1947): under the null hypothesis each
decision on which the systems differ is a fair coin. Exact binomial for up to `EXACT_LIMIT` such
decisions, the chi-square approximation with continuity correction beyond.

`paired_bootstrap` asks it of any corpus-level figure (Efron and Tibshirani 1993; Koehn 2004;
Berg-Kirkpatrick et al. 2012): documents are drawn with replacement, the same ones for both
systems, and the figure is computed again from summed counts. The p-value is two-sided: the share of
draws whose distance from the observed difference is at least that difference, the observed corpus
being counted as one more draw.

Cost: O(discordant pairs) and O(n_samples * documents * columns), in vectorised blocks.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import Errors
from ..values import SEED, Values

EXACT_LIMIT = 1000
SAMPLES = Values(int, at_least=1, at_most=10_000_000)
_BLOCK_CELLS = 4_000_000
_ROUNDING = 1e-12


@dataclass(frozen=True)
class McNemarResult:
    """Outcome of McNemar's test.

    only_a (int): Decisions that A alone has right.
    only_b (int): Decisions that B alone has right.
    p_value (float): Two-sided p-value.
    exact (bool): Whether it comes from the binomial distribution itself.
    """

    only_a: int
    only_b: int
    p_value: float
    exact: bool


@dataclass(frozen=True)
class BootstrapResult:
    """Outcome of the paired bootstrap; differences are B minus A.

    value_a (float): The metric of A on the whole corpus.
    value_b (float): The metric of B on the whole corpus.
    delta (float): Their difference.
    p_value (float): Two-sided p-value.
    low (float): Lower end of the 95 % confidence interval of the difference.
    high (float): Upper end of it.
    """

    value_a: float
    value_b: float
    delta: float
    p_value: float
    low: float
    high: float


def mcnemar(correct_a: np.ndarray, correct_b: np.ndarray) -> McNemarResult:
    """Test whether two systems are right equally often on the same decisions.

    correct_a (np.ndarray): Whether A is right, one bool per decision.
    correct_b (np.ndarray): Whether B is right, in the same order.
    RETURNS (McNemarResult): Discordant counts and p-value.
    """
    correct_a = np.asarray(correct_a, dtype=bool)
    correct_b = np.asarray(correct_b, dtype=bool)
    if correct_a.shape != correct_b.shape or correct_a.ndim != 1:
        raise ValueError(Errors.SIGNIFICANCE_UNPAIRED.format(a=correct_a.shape, b=correct_b.shape))
    only_a = int(np.count_nonzero(correct_a & ~correct_b))
    only_b = int(np.count_nonzero(correct_b & ~correct_a))
    n = only_a + only_b
    if n <= EXACT_LIMIT:
        return McNemarResult(only_a, only_b, _binomial_two_sided(min(only_a, only_b), n), True)
    statistic = max(0, abs(only_a - only_b) - 1) ** 2 / n
    # One degree of freedom: P(chi2 > s) = P(|z| > sqrt(s)).
    return McNemarResult(only_a, only_b, math.erfc(math.sqrt(statistic / 2)), False)


def _binomial_two_sided(k: int, n: int) -> float:
    """Twice the lower tail of a fair coin, at most 1.

    k (int): The smaller count.
    n (int): Number of tosses.
    RETURNS (float): The p-value.
    """
    log_choose = [
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(k + 1)
    ]
    tail = math.fsum(math.exp(value - n * math.log(2)) for value in log_choose)
    return min(1.0, 2 * tail)


def paired_bootstrap(
    stats_a: np.ndarray,
    stats_b: np.ndarray,
    metric: Callable[[np.ndarray], np.ndarray],
    *,
    n_samples: int = 10000,
    seed: int = 0,
) -> BootstrapResult:
    """Compare two systems by resampling documents.

    stats_a (np.ndarray): Counts of A, one row per document, e.g. columns tp, predicted, gold.
    stats_b (np.ndarray): Counts of B for the same documents.
    metric (Callable): Maps summed counts of shape (samples, columns) to (samples,) values.
    n_samples (int): Number of draws.
    seed (int): Seed of the draws.
    RETURNS (BootstrapResult): Values, difference, p-value and interval.
    """
    stats_a = np.asarray(stats_a, dtype=np.float64)
    stats_b = np.asarray(stats_b, dtype=np.float64)
    if stats_a.shape != stats_b.shape or stats_a.ndim != 2:
        raise ValueError(Errors.SIGNIFICANCE_UNPAIRED.format(a=stats_a.shape, b=stats_b.shape))
    if len(stats_a) < 2:
        raise ValueError(Errors.BOOTSTRAP_TOO_FEW_DOCS.format(n_docs=len(stats_a)))
    SAMPLES.check("n_samples", n_samples)
    SEED.check("seed", seed)
    value_a = float(metric(stats_a.sum(axis=0, keepdims=True))[0])
    value_b = float(metric(stats_b.sum(axis=0, keepdims=True))[0])
    delta = value_b - value_a
    deltas = _resampled_deltas(stats_a, stats_b, metric, n_samples, seed)
    # Equal distances must count as equal whatever the order of the additions.
    extreme = np.count_nonzero(np.abs(deltas - delta) >= abs(delta) - _ROUNDING)
    low, high = np.quantile(deltas, [0.025, 0.975])
    p_value = (1 + int(extreme)) / (1 + n_samples)
    return BootstrapResult(value_a, value_b, delta, p_value, float(low), float(high))


def _resampled_deltas(
    stats_a: np.ndarray,
    stats_b: np.ndarray,
    metric: Callable[[np.ndarray], np.ndarray],
    n_samples: int,
    seed: int,
) -> np.ndarray:
    """Differences on resampled corpora; how often each document is drawn is multinomial.

    stats_a (np.ndarray): Counts of A.
    stats_b (np.ndarray): Counts of B.
    metric (Callable): Maps summed counts to values.
    n_samples (int): Number of draws.
    seed (int): Seed of the draws.
    RETURNS (np.ndarray): One difference per draw.
    """
    rng = np.random.default_rng(seed)
    n_docs = len(stats_a)
    uniform = np.full(n_docs, 1.0 / n_docs)
    block = max(1, _BLOCK_CELLS // n_docs)
    deltas = np.empty(n_samples)
    for start in range(0, n_samples, block):
        stop = min(start + block, n_samples)
        times_drawn = rng.multinomial(n_docs, uniform, size=stop - start).astype(np.float64)
        deltas[start:stop] = metric(times_drawn @ stats_b) - metric(times_drawn @ stats_a)
    return deltas
