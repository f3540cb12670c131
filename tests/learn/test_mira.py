from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.mira import MAX_PASSES, hildreth, merged, mira_step

INF = float("inf")
Sparse = tuple[np.ndarray, np.ndarray]


def sparse(row: np.ndarray, ids: np.ndarray) -> Sparse:
    return ids, row.astype(np.float32)


def objective(gram: np.ndarray, violations: np.ndarray, alphas: np.ndarray) -> float:
    return float(alphas @ violations - 0.5 * alphas @ gram @ alphas)


def best_alphas(differences: np.ndarray, violations: np.ndarray, cap: float) -> np.ndarray | None:
    """The exact maximum, by trying which alphas are 0, which are at the cap, and which lie between.

    Those between can be taken to be linearly independent: along a dependent direction the objective
    does not change, so one can go on to a bound. None when there is no maximum.
    """
    n = len(violations)
    gram = differences @ differences.T
    states = "0C-" if cap < INF else "0-"
    for assignment in product(states, repeat=n):
        free = np.array([state == "-" for state in assignment], bool)
        alphas = np.array([cap if state == "C" else 0.0 for state in assignment])
        if np.linalg.matrix_rank(differences[free]) < free.sum():
            continue
        rest = violations - gram @ alphas
        alphas[free] = np.linalg.solve(gram[np.ix_(free, free)], rest[free])
        slope = violations - gram @ alphas
        at_zero = np.array([state == "0" for state in assignment], bool)
        inside = ((alphas >= -1e-9) & (alphas <= cap + 1e-9)).all()
        if inside and (slope[at_zero] <= 1e-9).all() and (slope[~free & ~at_zero] >= -1e-9).all():
            return alphas
    return None


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Differences and violations: small counts, as those of trees; often dependent or zero."""
    n, dim = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    counts = st.lists(st.integers(-2, 2), min_size=dim, max_size=dim)
    differences = draw(st.lists(counts, min_size=n, max_size=n))
    violations = draw(st.lists(st.integers(-8, 16).map(lambda b: b / 4), min_size=n, max_size=n))
    return np.array(differences, float), np.array(violations)


@settings(deadline=None, max_examples=300)
@given(problems(), st.sampled_from([0.01, 0.1, 0.25, 1.0, 3.0, INF]))
def test_maximum(problem: tuple[np.ndarray, np.ndarray], cap: float):
    """The same change of the weights as by enumeration; alphas themselves may not be unique."""
    differences, violations = problem
    # A difference without features changes nothing, whatever its alpha.
    used = differences.any(axis=1)
    expected = best_alphas(differences[used], violations[used], cap)
    gram = differences @ differences.T
    alphas = hildreth(gram, violations, cap)
    assert ((alphas >= 0) & (alphas <= cap)).all()
    assert not alphas[~used].any()
    if expected is None:
        assert cap == INF, "with a cap there is a maximum"
        return
    change = alphas @ differences
    assert np.allclose(change, expected @ differences[used], atol=1e-4)
    found = objective(gram, violations, alphas)
    assert found == pytest.approx(
        objective(gram[np.ix_(used, used)], violations[used], expected), abs=1e-4
    )
    # Complementary slackness: an alpha is 0 where the margin is exceeded, and C where it is missed.
    slack = violations - differences @ change
    for alpha, missing in zip(alphas[used], slack[used], strict=True):
        assert missing <= 1e-4 or alpha == cap
        assert missing >= -1e-4 or alpha == 0


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_margins_are_met_by_the_smallest_change(seed: int, n: int):
    """As many independent differences as one likes can be met, and equality holds where alpha > 0:
    then no smaller change meets them (the multipliers prove it)."""
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(n, n + 4))
    violations = rng.normal(size=n) + 1
    alphas = hildreth(differences @ differences.T, violations)
    slack = violations - differences @ (alphas @ differences)
    assert slack.max() <= 1e-5
    assert (alphas >= 0).all()
    assert np.abs(slack[alphas > 0]).max(initial=0) <= 1e-5


@settings(deadline=None)
@given(problems(), st.sampled_from([0.1, 1.0, INF]))
def test_objective_never_falls(problem: tuple[np.ndarray, np.ndarray], cap: float):
    differences, violations = problem
    gram = differences @ differences.T
    values = [
        objective(gram, violations, hildreth(gram, violations, cap, max_passes=n, tolerance=0.0))
        for n in range(12)
    ]
    assert values[0] == 0
    assert (np.diff(values) >= -1e-9).all()


@pytest.mark.parametrize(
    ("violation", "cap", "expected"),
    # b / |d|^2 with |d|^2 = 1 + 4 + 4.
    [(4.5, INF, 0.5), (4.5, 0.2, 0.2), (-1.0, INF, 0.0), (0.0, INF, 0.0), (4.5, 0.0, 0.0)],
)
def test_one_constraint(violation: float, cap: float, expected: float):
    difference = sparse(np.array([1, -2, 2]), np.array([9, 5, 2**64 - 1], np.uint64))
    assert mira_step([difference], [violation], cap) == pytest.approx([expected])
    assert hildreth([[9.0]], [violation], cap) == pytest.approx([expected])


def test_two_constraints_by_hand():
    gram = [[1, 1], [1, 2]]
    # Both met exactly: a1 + a2 = 2, a1 + 2 a2 = 3.
    assert hildreth(gram, [2, 3]) == pytest.approx([1, 1])
    # That would be a1 = -1 here; the second alone, 2 a2 = 3, gives the first more than it needs.
    assert hildreth(gram, [1, 3]) == pytest.approx([0, 1.5])
    # 2 a1 + a2 = 4, a1 + 4 a2 = 3 has a1 = 13/7; capped at 1 it leaves 4 a2 = 2.
    gram = [[2, 1], [1, 4]]
    assert hildreth(gram, [4, 3]) == pytest.approx([13 / 7, 2 / 7])
    assert hildreth(gram, [4, 3], 1.0) == pytest.approx([1, 0.5])


def test_equal_differences():
    """The larger violation decides; how it is shared between the two does not matter."""
    alphas = hildreth(np.full((2, 2), 4.0), [2.0, 6.0])
    assert alphas.sum() == pytest.approx(1.5)
    assert alphas[0] == pytest.approx(0)
    same = hildreth(np.full((3, 3), 4.0), [6.0, 6.0, 6.0])
    assert same.sum() == pytest.approx(1.5)


def test_opposite_differences():
    """They contradict each other: with a cap both reach it and cancel, without one all stays finite
    and the change that remains is no larger than each of them asks for."""
    gram = np.array([[4.0, -4.0], [-4.0, 4.0]])
    assert hildreth(gram, [1.0, 1.0], 0.5) == pytest.approx([0.5, 0.5])
    alphas = hildreth(gram, [1.0, 1.0])
    assert np.isfinite(alphas).all()
    assert abs(alphas[0] - alphas[1]) <= 0.25 + 1e-6
    # One can be met: -1 <= 4 (a - b) is what the second asks for.
    assert hildreth(gram, [1.0, -1.0]) == pytest.approx([0.25, 0])


def test_nothing_to_do():
    assert hildreth(np.eye(3), [-1.0, 0.0, -2.0]).tolist() == [0, 0, 0]
    assert hildreth(np.zeros((2, 2)), [1.0, 1.0]).tolist() == [0, 0]
    assert hildreth(np.zeros((0, 0)), []).tolist() == []
    assert mira_step([], []).tolist() == []


def test_differences_without_features():
    empty = sparse(np.zeros(0), np.zeros(0, np.uint64))
    cancelling = sparse(np.array([1, -1]), np.array([7, 7], np.uint64))
    useful = sparse(np.array([1, 1]), np.array([7, 7], np.uint64))
    assert mira_step([empty, cancelling, useful], [1.0, 1.0, 1.0]) == pytest.approx([0, 0, 0.25])
    assert mira_step([empty], [1.0]).tolist() == [0]


@settings(deadline=None)
@given(problems(), st.sampled_from([0.1, 1.0]), st.integers(0, 1000))
def test_sparse_differences(problem: tuple[np.ndarray, np.ndarray], cap: float, seed: int):
    """Shuffled ids in pieces give the same alphas as the matrix of their dot products."""
    differences, violations = problem
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, 2**64, differences.shape[1], dtype=np.uint64)
    pieces = []
    for row in differences:
        order = rng.permutation(2 * len(row))
        noise = rng.integers(-3, 4, len(row))
        values = np.concatenate([row - noise, noise])
        pieces.append(sparse(values[order], np.concatenate([ids, ids])[order]))
    expected = hildreth(differences @ differences.T, violations, cap)
    assert np.allclose(mira_step(pieces, violations, cap), expected, atol=1e-6)


def test_step_meets_the_margins_of_a_parser():
    """Five differences of a few hundred shared and own features."""
    rng = np.random.default_rng(5)
    ids = rng.integers(0, 2**64, 400, dtype=np.uint64)
    differences = np.where(rng.random((5, 400)) < 0.3, rng.integers(-1, 3, (5, 400)), 0)
    differences[:, :100] = 1
    weights = rng.normal(size=400) * 0.1
    losses = np.array([1.0, 2.0, 2.0, 3.0, 5.0])
    violations = losses - differences @ weights
    alphas = mira_step([sparse(row, ids) for row in differences], violations)
    weights += alphas @ differences
    assert (differences @ weights >= losses - 1e-5).all()
    assert np.allclose((differences @ weights)[alphas > 0], losses[alphas > 0], atol=1e-5)
    assert alphas.any()


# Small ids share all their top bits; random ones hardly any.
ID_RANGES = [(0, 3), (0, 40), (2**64 - 50, 2**64 - 1), (0, 2**64 - 1)]


@settings(deadline=None)
@given(
    st.sampled_from(ID_RANGES).flatmap(
        lambda bounds: st.lists(st.tuples(st.integers(*bounds), st.integers(-2, 2)), max_size=80)
    )
)
def test_merging(features: list[tuple[int, int]]):
    totals: dict[int, int] = {}
    for id_, value in features:
        totals[id_] = totals.get(id_, 0) + value
    expected = sorted((id_, value) for id_, value in totals.items() if value)
    ids, values = merged(
        np.array([id_ for id_, _ in features], np.uint64),
        np.array([value for _, value in features], np.float32),
    )
    assert list(zip(ids.tolist(), values.tolist(), strict=True)) == expected


@pytest.mark.parametrize("n", [1000, 4097])
def test_merging_many(n: int):
    rng = np.random.default_rng(n)
    # Half of them in one bucket.
    ids = np.concatenate(
        [rng.integers(0, 2**64, n, dtype=np.uint64), np.arange(n, dtype=np.uint64)]
    )
    ids = rng.permutation(np.concatenate([ids, ids[::3]]))
    found, values = merged(ids, np.ones(len(ids), np.float32))
    expected, counts = np.unique(ids, return_counts=True)
    assert np.array_equal(found, expected)
    assert np.array_equal(values, counts)


def test_wrong_arguments():
    with pytest.raises(ValueError, match=r"matrix of 2 x 2, not one of shape \(2, 3\)"):
        hildreth(np.zeros((2, 3)), [1.0, 1.0])
    with pytest.raises(ValueError, match="0 or more, not -1"):
        hildreth(np.eye(2), [1.0, 1.0], -1.0)
    with pytest.raises(ValueError, match="0 or more, not nan"):
        mira_step([], [], float("nan"))
    with pytest.raises(ValueError, match="got 2 for 1"):
        mira_step([sparse(np.ones(1), np.ones(1, np.uint64))], [1.0, 1.0])
    with pytest.raises(ValueError, match="2 features and 1 changes"):
        merged(np.ones(2, np.uint64), np.ones(1, np.float32))


def test_passes_are_limited():
    """Nearly opposite differences would need more passes; the alphas so far are still in bounds."""
    gram = np.array([[1.0, -1.0], [-1.0, 1.0 + 1e-12]])
    alphas = hildreth(gram, [1.0, 1.0], 1e9)
    assert ((alphas >= 0) & (alphas <= 2 * MAX_PASSES + 2)).all()
    assert alphas.min() > 1
