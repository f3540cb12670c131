import math

import numpy as np
import pytest
from scipy import stats

from spacy_perceptron.evaluation.significance import EXACT_LIMIT, mcnemar, paired_bootstrap


def outcomes(both: int, only_a: int, only_b: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    a = [True] * both + [True] * only_a + [False] * only_b + [False] * neither
    b = [True] * both + [False] * only_a + [True] * only_b + [False] * neither
    return np.array(a), np.array(b)


def accuracy(counts: np.ndarray) -> np.ndarray:
    return counts[:, 0] / counts[:, 1]


def f1(counts: np.ndarray) -> np.ndarray:
    return 2 * counts[:, 0] / (counts[:, 1] + counts[:, 2])


def test_mcnemar_by_hand():
    # Discordant 1 : 5. Two-sided: 2 * (C(6,0) + C(6,1)) / 2^6 = 14 / 64.
    result = mcnemar(*outcomes(10, 1, 5, 3))
    assert (result.only_a, result.only_b, result.exact) == (1, 5, True)
    assert result.p_value == pytest.approx(14 / 64)


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (3, 3), (0, 9), (40, 61), (480, 520)])
def test_mcnemar_exact_equals_scipy(only_a: int, only_b: int):
    expected = 1.0
    if only_a + only_b:
        expected = stats.binomtest(only_a, only_a + only_b, 0.5).pvalue
    result = mcnemar(*outcomes(5, only_a, only_b, 5))
    assert result.exact
    assert result.p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("only_a", "only_b"), [(560, 640), (601, 600), (700, 700), (900, 1300)])
def test_mcnemar_chi_square_equals_scipy(only_a: int, only_b: int):
    assert only_a + only_b > EXACT_LIMIT
    statistic = max(0, abs(only_a - only_b) - 1) ** 2 / (only_a + only_b)
    result = mcnemar(*outcomes(0, only_a, only_b, 0))
    assert not result.exact
    assert result.p_value == pytest.approx(stats.chi2.sf(statistic, 1), rel=1e-9)


def test_mcnemar_is_symmetric_and_continuous_at_the_switch():
    a, b = outcomes(0, 450, 550, 0)
    assert mcnemar(a, b).p_value == mcnemar(b, a).p_value
    beyond = mcnemar(*outcomes(0, 451, 551, 0))
    assert not beyond.exact
    assert beyond.p_value == pytest.approx(mcnemar(a, b).p_value, rel=0.03)


def test_mcnemar_refuses_unpaired():
    with pytest.raises(ValueError, match="same shape"):
        mcnemar(np.ones(3), np.ones(4))


def test_bootstrap_equals_slow_loop():
    rng = np.random.default_rng(3)
    gold = rng.integers(5, 20, size=12)
    table_a = np.stack([rng.binomial(gold, 0.7), gold, gold], axis=1)
    table_b = np.stack([rng.binomial(gold, 0.8), gold - 1, gold], axis=1)
    n_samples = 400
    result = paired_bootstrap(table_a, table_b, f1, n_samples=n_samples, seed=11)
    draws = np.random.default_rng(11).multinomial(12, np.full(12, 1 / 12), size=n_samples)
    deltas = []
    for draw in draws:
        sums = {"a": [0, 0, 0], "b": [0, 0, 0]}
        for doc, times in enumerate(draw):
            for _ in range(times):
                for key, table in (("a", table_a), ("b", table_b)):
                    sums[key] = [s + int(v) for s, v in zip(sums[key], table[doc], strict=True)]
        score = {k: 2 * tp / (pred + gold) for k, (tp, pred, gold) in sums.items()}
        deltas.append(score["b"] - score["a"])
    whole = {k: t.sum(axis=0) for k, t in (("a", table_a), ("b", table_b))}
    value = {k: 2 * w[0] / (w[1] + w[2]) for k, w in whole.items()}
    delta = value["b"] - value["a"]
    extreme = sum(abs(d - delta) >= abs(delta) for d in deltas)
    assert result.value_a == pytest.approx(value["a"])
    assert result.value_b == pytest.approx(value["b"])
    assert result.delta == pytest.approx(delta)
    assert result.p_value == pytest.approx((1 + extreme) / (1 + n_samples))
    assert result.low == pytest.approx(np.percentile(deltas, 2.5))
    assert result.high == pytest.approx(np.percentile(deltas, 97.5))


def test_bootstrap_extremes():
    counts = np.array([[5, 10], [7, 10], [2, 10], [9, 10]])
    same = paired_bootstrap(counts, counts, accuracy, n_samples=200)
    assert (same.delta, same.p_value, same.low, same.high) == (0.0, 1.0, 0.0, 0.0)
    # B is right once more in every document: each draw gives the same difference.
    better = paired_bootstrap(counts, counts + np.array([1, 0]), accuracy, n_samples=200)
    assert better.delta == pytest.approx(0.1)
    assert better.p_value == pytest.approx(1 / 201)
    assert (better.low, better.high) == (pytest.approx(0.1), pytest.approx(0.1))


def test_bootstrap_p_value_is_near_the_normal_one():
    # Many documents of one decision each: the difference of means is about normal.
    rng = np.random.default_rng(0)
    right_a, right_b = rng.random(2000) < 0.80, rng.random(2000) < 0.82
    tables = [np.stack([r, np.ones(2000)], axis=1) for r in (right_a, right_b)]
    result = paired_bootstrap(*tables, accuracy, n_samples=4000, seed=1)
    difference = right_b.astype(float) - right_a
    z = difference.mean() / (difference.std() / math.sqrt(2000))
    assert result.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.03)


def test_bootstrap_is_deterministic_and_seeded():
    rng = np.random.default_rng(5)
    a, b = (np.stack([rng.integers(0, 9, 30), np.full(30, 10)], axis=1) for _ in range(2))
    first = paired_bootstrap(a, b, accuracy, n_samples=300, seed=1)
    assert first == paired_bootstrap(a, b, accuracy, n_samples=300, seed=1)
    assert first != paired_bootstrap(a, b, accuracy, n_samples=300, seed=2)


def test_bootstrap_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(5)
    a, b = (np.stack([rng.integers(0, 9, 30), np.full(30, 10)], axis=1) for _ in range(2))
    whole = paired_bootstrap(a, b, accuracy, n_samples=100)
    monkeypatch.setattr("spacy_perceptron.evaluation.significance._BLOCK_CELLS", 90)
    assert paired_bootstrap(a, b, accuracy, n_samples=100) == whole


def test_bootstrap_refuses_bad_input():
    one = np.array([[1, 2]])
    with pytest.raises(ValueError, match="at least 2"):
        paired_bootstrap(one, one, accuracy)
    two = np.array([[1, 2], [1, 2]])
    with pytest.raises(ValueError, match="same shape"):
        paired_bootstrap(two, one, accuracy)
    with pytest.raises(ValueError, match="`n_samples` must be between 1 and 10000000, not"):
        paired_bootstrap(two, two, accuracy, n_samples=0)
