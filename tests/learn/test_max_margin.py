"""Against general QP solvers: over trees, and over marginals of the parts of a toy grammar."""

import pickle
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.max_margin import MaxMargin

N_BITS = 10
N = 1 << N_BITS

# Per sentence the differences of its trees (rows) and their losses, without the correct tree.
Problem = list[tuple[np.ndarray, np.ndarray]]


def make(c: float = 1.0, **settings) -> MaxMargin:
    return MaxMargin(HashedWeights(N_BITS, trainable=True), c, **settings)


def arrays(features: dict[int, float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(features), np.uint64), np.array(list(features.values()), np.float32)


def table(learner: MaxMargin) -> np.ndarray:
    saved = learner.weights.averaged(0)
    weights = np.zeros(1 << learner.weights.n_bits)
    weights[saved["indices"]] = saved["values"]
    return weights


def table_of_alphas(learner: MaxMargin, c: float) -> tuple[np.ndarray, float]:
    """C * sum of alpha * D, and the dual objective, in plain numpy."""
    state = learner.get_state()
    weights = np.zeros(1 << learner.weights.n_bits)
    alphas = np.repeat(state["alphas"], state["n_features"])
    np.add.at(weights, state["indices"], c * alphas * state["values"])
    return weights, float(c * state["alphas"] @ state["losses"] - weights @ weights / 2)


def solve(
    linear: np.ndarray,
    constant: np.ndarray,
    matrix: np.ndarray,
    equalities: np.ndarray,
    sides: np.ndarray,
) -> tuple[float, np.ndarray]:
    """Maximize linear . x - 1/2 |w|^2 with w = constant + matrix x, x >= 0, equalities x = sides.

    RETURNS (tuple): The maximum and w.
    """
    # Dependent constraints would be too much for SLSQP.
    u, sizes, vt = np.linalg.svd(equalities, full_matrices=False)
    rank = int((sizes > 1e-9).sum())
    equalities, sides = vt[:rank], (u.T @ sides)[:rank] / sizes[:rank]

    def objective(x: np.ndarray) -> float:
        w = constant + matrix @ x
        return float(w @ w / 2 - linear @ x)

    found = minimize(
        objective,
        np.linalg.lstsq(equalities, sides, rcond=None)[0].clip(0),
        jac=lambda x: matrix.T @ (constant + matrix @ x) - linear,
        bounds=[(0, None)] * len(linear),
        constraints={
            "type": "eq",
            "fun": lambda x: equalities @ x - sides,
            "jac": lambda x: equalities,
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 2000},
    )
    assert np.abs(equalities @ found.x - sides).max() < 1e-6
    return -float(found.fun), constant + matrix @ found.x


def optimum(problem: Problem, c: float) -> tuple[float, np.ndarray]:
    """The QP over all trees. Its value is certified by the primal objective of its weights."""
    n_dims = problem[0][0].shape[1]
    rows, losses, owners = [], [], []
    for i, (differences, tree_losses) in enumerate(problem):
        rows.append(np.vstack([np.zeros(n_dims), differences]))
        losses.append(np.concatenate([[0.0], tree_losses]))
        owners.extend([i] * (len(tree_losses) + 1))
    one_hot = (np.array(owners) == np.arange(len(problem))[:, None]).astype(float)
    value, weights = solve(
        c * np.concatenate(losses),
        np.zeros(n_dims),
        c * np.vstack(rows).T,
        one_hot,
        np.ones(len(problem)),
    )
    primal = weights @ weights / 2 + c * slacks(problem, weights).sum()
    assert primal - value < 1e-3 * max(1, primal)
    return value, weights


def slacks(problem: Problem, weights: np.ndarray) -> np.ndarray:
    return np.array([max(0.0, (losses - rows @ weights).max()) for rows, losses in problem])


def random_problem(seed: int, n_sentences: int = 5, n_dims: int = 8) -> Problem:
    """Small counts, as those of trees; losses less what fixed weights make up for, so that some are
    negative."""
    rng = np.random.default_rng(seed)
    problem = []
    for _ in range(n_sentences):
        n = rng.integers(1, 7)
        offsets = rng.normal(size=n)
        losses = rng.integers(1, 6, n)
        problem.append((rng.integers(-2, 3, (n, n_dims)).astype(float), losses - offsets))
    return problem


def random_ids(n: int, seed: int = 0) -> np.ndarray:
    """Ids with different table indices."""
    rng = np.random.default_rng(seed)
    high = rng.integers(0, 2**54, n, dtype=np.uint64) << np.uint64(N_BITS)
    return high + rng.permutation(N)[:n].astype(np.uint64)


def train(
    learner: MaxMargin, problem: Problem, ids: np.ndarray, n_rounds: int = 1000
) -> Iterator[float]:
    """Offer all trees of each sentence, round after round. Yields the increase of each visit."""
    time = 0
    for _ in range(n_rounds):
        for i, (differences, losses) in enumerate(problem):
            for row, loss in zip(differences, losses, strict=True):
                yield learner.learn(i, ids, row.astype(np.float32), loss, time)
                time += 1


def visit_most_violating(
    learner: MaxMargin, problem: Problem, ids: np.ndarray, n_rounds: int
) -> None:
    """What a decoder does."""
    for time in range(n_rounds):
        for i, (rows, losses) in enumerate(problem):
            best = int((losses - rows @ weights_of(learner, ids)).argmax())
            learner.learn(i, ids, rows[best].astype(np.float32), losses[best], time)


def weights_of(learner: MaxMargin, ids: np.ndarray) -> np.ndarray:
    return np.array([learner.weights.weight(int(id_)) for id_ in ids])


@pytest.mark.parametrize("c", [0.01, 0.1, 1.0, 30.0])
@pytest.mark.parametrize("seed", range(6))
def test_equals_a_general_solver(seed: int, c: float):
    problem, ids = random_problem(seed), random_ids(8, seed)
    value, weights = optimum(problem, c)
    learner = make(c, tolerance=1e-6)
    for _ in range(50):
        for _ in train(learner, problem, ids, 100):
            pass
        found_slacks = slacks(problem, weights_of(learner, ids))
        if learner.gap(found_slacks) < 1e-5:
            break
    assert learner.dual() == pytest.approx(value, rel=1e-4, abs=1e-4)
    # The weights are unique, the dual weights need not be.
    assert weights_of(learner, ids) == pytest.approx(weights, abs=1e-3)
    assert learner.gap(found_slacks) < 1e-3
    assert learner.primal(found_slacks) == pytest.approx(value, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("max_trees", [2, 50])
def test_every_visit(seed: int, max_trees: int):
    """The dual objective rises by what a visit returns and never falls, the primal one is never
    lower, and the table is what the dual weights make it."""
    c = 0.7
    problem, ids = random_problem(seed), random_ids(8, seed)
    learner = make(c, max_trees=max_trees, tolerance=1e-5)
    before, gaps = 0.0, []
    assert learner.dual() == 0
    for increase in train(learner, problem, ids, 40):
        assert increase >= 0
        assert learner.dual() == pytest.approx(before + increase, abs=1e-9)
        assert learner.dual() >= before - 1e-9
        before = learner.dual()
        current = table(learner)
        expected, dual = table_of_alphas(learner, c)
        assert np.abs(current - expected).max() < 1e-5
        assert learner.dual() == pytest.approx(dual, abs=1e-5)
        found_slacks = slacks(problem, weights_of(learner, ids))
        # By hand, from the weights that a decoder would use.
        primal = current @ current / 2 + c * found_slacks.sum()
        assert learner.primal(found_slacks) == pytest.approx(primal, abs=1e-4)
        assert primal >= learner.dual() - 1e-6
        gaps.append(learner.gap(found_slacks))
        for i in range(len(problem)):
            assert learner.alpha(i).min() >= 0
            assert learner.alpha(i).sum() == pytest.approx(1)
            assert learner.n_trees(i) <= max_trees
    assert gaps[0] > 0.1
    assert gaps[-1] < (0.01 if max_trees == 50 else 0.05)


@pytest.mark.parametrize("seed", range(4))
def test_merging_trees_does_not_move_the_optimum(seed: int):
    """Sentences that need more trees than there is room for get there as well, only later."""
    rng = np.random.default_rng(seed)
    problem = [(rng.normal(size=(6, 12)), rng.uniform(1, 2, 6)) for _ in range(3)]
    ids = random_ids(12)
    value, _ = optimum(problem, 5.0)
    roomy, narrow = (make(5.0, tolerance=1e-6, max_trees=n) for n in (6, 2))
    visit_most_violating(roomy, problem, ids, 50)
    assert roomy.dual() == pytest.approx(value, rel=1e-4)
    assert max((roomy.alpha(i)[1:] > 0).sum() for i in range(3)) > 2, "two trees are enough"
    visit_most_violating(narrow, problem, ids, 3000)
    assert max(narrow.n_trees(i) for i in range(3)) == 2
    assert narrow.dual() == pytest.approx(value, rel=0.01)
    assert narrow.gap(slacks(problem, weights_of(narrow, ids))) < 0.02


def test_one_tree_by_hand():
    """C a L - C^2 a^2 |D|^2 / 2 is largest at a = L / (C |D|^2), here 3 / (C * 6), or at 1."""
    features = arrays({5: 1, 9: -2, 700: 1})
    for c, alpha in [(1.0, 0.5), (10.0, 0.05), (0.5, 1.0), (0.1, 1.0)]:
        learner = make(c)
        increase = learner.learn(3, *features, 3.0, 0)
        assert learner.alpha(3) == pytest.approx([1 - alpha, alpha])
        assert learner.weights.weight(9) == pytest.approx(-2 * c * alpha)
        dual = c * alpha * 3 - (c * alpha) ** 2 * 6 / 2
        assert [increase, learner.dual()] == pytest.approx([dual, dual])
        assert learner.revisit(3, 1) == pytest.approx(0, abs=1e-6)
        # Sentences that were skipped or never seen.
        for other in (0, 17):
            assert learner.n_trees(other) == 0
            assert learner.alpha(other).tolist() == [1]
            assert learner.revisit(other, 1) == 0


def test_small_c_takes_the_largest_loss():
    """The quadratic term vanishes: all dual weight goes to the tree with the largest loss."""
    learner = make(1e-4)
    for loss, id_ in [(1.0, 11), (4.0, 12), (2.0, 13)]:
        learner.learn(0, *arrays({id_: 1, 14: -1}), loss, 0)
    assert {id_: learner.weights.weight(id_) for id_ in (11, 12, 13, 14)} == pytest.approx(
        {11: 0, 12: 1e-4, 13: 0, 14: -1e-4}, abs=1e-9
    )


def test_large_c_meets_all_margins():
    """Orthogonal differences: each margin is met exactly, w = sum of L D / |D|^2."""
    learner = make(1e6, tolerance=1e-7)
    trees = [({1: 2}, 1.0), ({2: 1, 3: 1}, 4.0), ({4: -1}, 3.0)]
    for time in range(20):
        for i, (features, loss) in enumerate(trees):
            learner.learn(i // 2, *arrays(features), loss, time)
    found = [learner.weights.weight(id_) for id_ in (1, 2, 3, 4)]
    assert found == pytest.approx([0.5, 2, 2, -3], abs=1e-4)
    assert learner.gap(np.zeros(2)) < 1e-3


def test_fixed_weights_count():
    """A tree that fixed weights keep behind by more than its loss needs nothing; one that they
    prefer needs more than its loss."""
    behind, preferred = make(), make()
    assert behind.learn(0, *arrays({1: 1}), 2.0 - 2.5, 0) == 0
    assert behind.n_trees(0) == 0
    assert behind.dual() == behind.weights.weight(1) == 0
    preferred.learn(0, *arrays({1: 2}), 2.0 + 1.0, 0)
    # min(C, 3 / |D|^2) * D
    assert preferred.weights.weight(1) == pytest.approx(1.5)


def test_shared_table_index():
    """Two features in one place are one: 1 + 1 = 2 there, or nothing at all."""
    first, second = 77, 77 + (5 << N_BITS)
    learner = make(tolerance=1e-6)
    learner.learn(0, *arrays({first: 1, second: 1}), 2.0, 0)
    # |D|^2 = 4, not 2: alpha = 2 / 4.
    assert learner.alpha(0) == pytest.approx([0.5, 0.5])
    assert learner.weights.weight(first) == learner.weights.weight(second) == pytest.approx(1)
    assert learner.dual() == pytest.approx(0.5)
    learner = make()
    learner.learn(0, *arrays({first: 1, second: -1}), 2.0, 0)
    # Nothing can tell the trees apart: the slack is 2, the dual objective C * 2.
    assert learner.alpha(0).tolist() == [0, 1]
    assert learner.weights.weight(first) == 0
    assert learner.dual() == 2
    assert learner.gap([2.0]) == 0


def test_equal_trees_are_kept_once():
    learner = make(0.1)
    learner.learn(0, *arrays({1: 1, 2: -1, 3: 0}), 2.0, 0)
    assert learner.n_trees(0) == 1
    again = np.array([2, 1, 1, 2 + N], np.uint64), np.array([-2, 3, -2, 1], np.float32)
    learner.learn(0, *again, 2.0, 1)
    assert learner.n_trees(0) == 1
    learner.learn(0, *arrays({1: 1, 2: -1}), 2.5, 2)
    assert learner.n_trees(0) == 2
    learner.learn(1, *again, 2.0, 3)
    assert learner.n_trees(1) == 1
    # The correct tree itself.
    learner.learn(2, *arrays({}), 0.0, 4)
    learner.learn(2, *arrays({8: 0}), 0.0, 4)
    assert learner.n_trees(2) == 0


def test_equal_trees_that_violate_again():
    """Other sentences have moved the weights since. The second value does not fit a byte."""
    for value in (2.0, 2.5):
        learner = make()
        learner.learn(0, *arrays({1: value}), 0.5, 0)
        assert learner.alpha(0)[1] == pytest.approx(0.5 / value**2)
        learner.learn(1, *arrays({1: -value}), 9.0, 1)
        assert learner.learn(0, *arrays({1: value}), 0.5, 2) > 0.1
        assert learner.n_trees(0) == 1
        # Another tree with the same loss and the same feature.
        learner.learn(2, *arrays({1: -value}), 9.0, 3)
        assert learner.learn(0, *arrays({1: value + 1}), 0.5, 4) > 0.1
        assert learner.n_trees(0) == 2


def test_weights_that_cancel_out():
    """One sentence adds C, the other takes it away again, each in many parts: nothing is left that
    would have to be saved."""
    rng = np.random.default_rng(0)
    ids, learner = random_ids(13), make(3.0)
    # Each tree has a feature of its own, and all have the first one.
    own = np.diag(rng.uniform(1, 2, 12))
    rows = np.column_stack([np.repeat([1.0, -1.0], 6), own])
    problem = [(rows[:6], np.full(6, 50.0)), (rows[6:], np.full(6, 50.0))]
    for _ in train(learner, problem, ids, 20):
        pass
    for i in range(2):
        assert learner.alpha(i)[0] == 0
        assert (learner.alpha(i)[1:] > 0).all()
    assert learner.weights.weight(int(ids[0])) == 0
    assert len(learner.weights.averaged(0)["indices"]) == 12


def test_only_violating_trees_are_kept():
    learner = make()
    learner.learn(0, *arrays({1: 1}), 1.0, 0)
    assert learner.weights.weight(1) == pytest.approx(1)
    # A margin of 2 where 0.5 is wanted.
    assert learner.learn(0, *arrays({1: 2}), 0.5, 1) == 0
    assert learner.n_trees(0) == 1


def test_a_tree_without_weight_makes_room():
    learner = make(0.1, max_trees=2)
    learner.learn(0, *arrays({1: 1}), 2.0, 0)
    # The same with a larger loss takes all dual weight.
    learner.learn(0, *arrays({1: 1}), 5.0, 1)
    assert learner.alpha(0) == pytest.approx([0, 0, 1])
    learner.learn(0, *arrays({2: 1}), 7.0, 2)
    assert learner.alpha(0) == pytest.approx([0, 1, 0])
    assert learner.weights.weight(1) == pytest.approx(0, abs=1e-7)
    assert learner.weights.weight(2) == pytest.approx(0.1)
    assert learner.get_state()["losses"].tolist() == [0, 7, 5]
    # And now that of loss 5 goes.
    learner.learn(0, *arrays({3: 1}), 8.0, 3)
    assert learner.get_state()["losses"].tolist() == [0, 7, 8]


def test_the_least_violating_tree_makes_room():
    """Of two trees without dual weight."""
    for losses in ([2.0, 5.0, 9.0], [5.0, 9.0]):
        learner = make(0.1, max_trees=len(losses))
        for id_, loss in enumerate(losses):
            learner.learn(0, *arrays({id_: 1}), loss, 0)
        assert learner.alpha(0)[-1] == pytest.approx(1)
        learner.learn(0, *arrays({77: 1}), 12.0, 1)
        assert sorted(learner.get_state()["losses"]) == [0, *losses[1:], 12]


def test_values_of_all_sizes():
    """Those that do not fit a byte are kept as well."""
    values = {1: 0.5, 2: 127, 3: -127, 4: -128, 5: 128, 6: 1000.25, 7: -1, 8: 0}
    learner = make(1e-6)
    learner.learn(0, *arrays(values), 3.0, 0)
    state = learner.get_state()
    assert dict(zip(state["indices"].tolist(), state["values"].tolist(), strict=True)) == {
        id_: value for id_, value in values.items() if value
    }
    norm = sum(value**2 for value in values.values())
    alpha = min(1, 3 / (1e-6 * norm))
    assert alpha == 1
    assert learner.dual() == pytest.approx(3e-6 - 1e-12 * norm / 2)
    assert learner.weights.weight(6) == pytest.approx(1e-6 * 1000.25)
    # Two trees whose inner product takes other values from both.
    learner = make(tolerance=1e-9)
    problem = [(np.array([[0.5, 300.0, 1.0], [1.5, 300.0, 0.0]]), np.array([2.0, 3.0]))]
    value, _ = optimum(problem, 1.0)
    for _ in train(learner, problem, random_ids(3), 50):
        pass
    assert learner.dual() == pytest.approx(value, rel=1e-3)


def test_running_average():
    """The table's average is the mean of the weights after every visit."""
    problem, ids = random_problem(3), random_ids(8)
    learner = make(0.5)
    snapshots = [table(learner) for _ in train(learner, problem, ids, 5)]
    saved = learner.weights.averaged(len(snapshots))
    average = np.zeros(N)
    average[saved["indices"]] = saved["values"]
    assert average == pytest.approx(np.mean(snapshots, axis=0), abs=1e-5)


def test_steps_are_limited():
    """One step per visit gets there as well, in more visits."""
    problem, ids = random_problem(1), random_ids(8)
    slow = make(max_steps=1, tolerance=1e-6)
    for _ in train(slow, problem, ids, 1):
        pass
    full = make(tolerance=1e-6)
    for _ in train(full, problem, ids, 1):
        pass
    assert slow.dual() < full.dual()
    for time in range(2000):
        for i in range(len(problem)):
            slow.revisit(i, time)
    for _ in train(slow, problem, ids, 200):
        pass
    assert slow.dual() == pytest.approx(optimum(problem, 1.0)[0], rel=1e-3)


def half_trained(c: float = 1.0) -> tuple[MaxMargin, Problem, np.ndarray]:
    problem, ids = random_problem(2), random_ids(8)
    learner = make(c, max_trees=4, tolerance=1e-5, max_steps=5000)
    for _ in train(learner, problem, ids, 2):
        pass
    return learner, problem, ids


def test_pickling():
    learner, problem, ids = half_trained()
    assert learner.gap(slacks(problem, weights_of(learner, ids))) > 1e-5, "nothing left to learn"
    weights, copy = pickle.loads(pickle.dumps((learner.weights, learner)))
    assert copy.weights is weights
    for name in ("c", "max_trees", "tolerance", "max_steps"):
        assert getattr(copy, name) == getattr(learner, name)
    assert copy.dual() == pytest.approx(learner.dual(), abs=1e-6)
    assert table(copy) == pytest.approx(table(learner), abs=1e-6)
    for i in range(len(problem)):
        assert np.array_equal(copy.alpha(i), learner.alpha(i))
    for one, other in zip(
        train(learner, problem, ids, 5), train(copy, problem, ids, 5), strict=True
    ):
        assert one == pytest.approx(other, abs=1e-5)
    assert copy.dual() == pytest.approx(learner.dual(), abs=1e-5)


def test_warm_restart():
    """In a new table, with another C: w = C sum of alpha D for the same dual weights."""
    learner, problem, ids = half_trained()
    state = learner.get_state()
    same = MaxMargin(HashedWeights(N_BITS, trainable=True), 1.0, state=state)
    assert same.dual() == pytest.approx(learner.dual(), abs=1e-5)
    assert table(same) == pytest.approx(table(learner), abs=1e-5)
    for name, array in same.get_state().items():
        assert np.array_equal(array, state[name]), name
    other = make(2.0, tolerance=1e-6)
    other.set_state(state)
    assert table(other) == pytest.approx(2 * table(learner), abs=1e-5)
    assert other.dual() == pytest.approx(table_of_alphas(learner, 2.0)[1], abs=1e-5)
    for _ in train(other, problem, ids):
        pass
    assert other.dual() == pytest.approx(optimum(problem, 2.0)[0], rel=1e-3)


def test_forgetting():
    learner, *_ = half_trained()
    learner.forget()
    assert not table(learner).any()
    assert learner.dual() == 0
    assert learner.n_trees(0) == 0
    assert learner.get_state()["indices"].tolist() == []
    assert learner.learn(0, *arrays({1: 1}), 1.0, 0) == pytest.approx(0.5)


def test_small_steps_are_not_lost():
    """Thousands of steps that float32 weights alone would round away."""
    problem, ids = random_problem(3), random_ids(8, 3)
    learner = make(30.0, tolerance=1e-8)
    for _ in train(learner, problem, ids, 4000):
        pass
    weights, dual = table_of_alphas(learner, 30.0)
    assert table(learner) == pytest.approx(weights, abs=1e-6)
    assert learner.dual() == pytest.approx(dual, rel=1e-9)
    assert abs(learner.gap(slacks(problem, weights[ids & np.uint64(N - 1)]))) < 1e-8


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("n_bits", lambda a: a[:0]),
        ("n_trees", lambda a: a + 1),
        ("n_trees", lambda a: -a),
        ("n_features", lambda a: a[::-1]),
        ("n_features", lambda a: a[:-1]),
        ("losses", lambda a: a * np.nan),
        ("losses", lambda a: a + 1),
        ("alphas", lambda a: a * 2),
        ("alphas", lambda a: 1 - a),
        ("alphas", lambda a: a.reshape(1, -1)),
        ("indices", lambda a: a + N),
        ("indices", lambda a: a[::-1]),
        ("values", lambda a: a * np.float32("inf")),
        ("values", lambda a: a[1:]),
        ("values", lambda a: a.astype(str)),
    ],
)
def test_damaged_state(name: str, change):
    learner, *_ = half_trained()
    state = learner.get_state()
    dual = learner.dual()
    with pytest.raises(ValueError, match="saved trees contradict themselves"):
        learner.set_state({**state, name: change(state[name])})
    assert learner.dual() == dual, "unchanged"
    del state[name]
    with pytest.raises(ValueError, match="saved trees contradict themselves"):
        learner.set_state(state)


def test_wrong_arguments():
    weights = HashedWeights(N_BITS, trainable=True)
    for c in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=r"`c` must be above 0, and finite, not"):
            MaxMargin(weights, c)
    with pytest.raises(ValueError, match="`max_trees` must be 2 or more, not 1"):
        MaxMargin(weights, 1.0, max_trees=1)
    with pytest.raises(ValueError, match=r"`tolerance` must be 0 or more, and finite, not nan"):
        MaxMargin(weights, 1.0, tolerance=float("nan"))
    with pytest.raises(ValueError, match="`max_steps` must be 1 or more, not 0"):
        MaxMargin(weights, 1.0, max_steps=0)
    with pytest.raises(ValueError, match="frozen"):
        MaxMargin(HashedWeights(N_BITS), 1.0)
    with pytest.raises(ValueError, match="without adaptive steps"):
        MaxMargin(HashedWeights(N_BITS, trainable=True, adaptive=True), 1.0)
    used = HashedWeights(N_BITS, trainable=True)
    used.update(np.array([3], np.uint64), np.array([0.25], np.float32), 0)
    with pytest.raises(ValueError, match="starts from weights of 0"):
        MaxMargin(used, 1.0)
    learner = MaxMargin(weights, 1.0)
    for sentence in (-1, 10_000_000):
        with pytest.raises(ValueError, match=f"from 0 to 9,999,999; there is no number {sentence}"):
            learner.learn(sentence, *arrays({1: 1}), 1.0, 0)
        for method in (learner.n_trees, learner.alpha, lambda i: learner.revisit(i, 0)):
            with pytest.raises(ValueError, match="Sentences are numbered"):
                method(sentence)
    with pytest.raises(ValueError, match="2 features and 1 changes"):
        learner.learn(0, np.ones(2, np.uint64), np.ones(1, np.float32), 1.0, 0)
    nan = float("nan")
    for value, loss, time in [(nan, 1.0, 0.0), (1.0, nan, 0.0), (1.0, 1.0, nan)]:
        with pytest.raises(ValueError, match="must be finite numbers"):
            learner.learn(0, *arrays({1: value}), loss, time)
    for slack in ([nan], [[1.0]], 1.0):
        with pytest.raises(ValueError, match="Slacks are a list of finite numbers"):
            learner.primal(slack)
    other = MaxMargin(HashedWeights(N_BITS + 1, trainable=True), 1.0)
    with pytest.raises(ValueError, match="table of 11 bits, but this one has 10"):
        learner.set_state(other.get_state())
    assert not table(learner).any()


# A toy grammar: all symbols can be the root, and words have several tags with fixed scores.
RULES = [("S", "A", "S"), ("S", "A", "A"), ("A", "A", "A"), ("A", "S", "A"), ("S", "S", "A")]
TAGS = {"x": {"A": -0.2, "S": -1.5}, "y": {"A": -0.7}, "z": {"S": -0.4, "A": -0.9}}
# A span is (symbol, start, end), an anchored rule (rule, start, split, end).
Part = tuple
Tree = tuple[Part, ...]


class ToySentence:
    """All trees of a sentence, and its parts with their features, losses and fixed scores."""

    def __init__(self, words: str, gold: int) -> None:
        self.words = words
        self.roots = [("S", 0, len(words)), ("A", 0, len(words))]
        self.trees = [tree for root in self.roots for tree in self._trees(*root)]
        self.gold = self.trees[gold]
        self.parts = sorted({part for tree in self.trees for part in tree}, key=repr)

    @cache  # noqa: B019
    def _trees(self, symbol: str, start: int, end: int) -> list[Tree]:
        span = (symbol, start, end)
        if end - start == 1:
            return [(span,)] if symbol in TAGS[self.words[start]] else []
        return [
            (span, (rule, start, split, end), *left, *right)
            for rule in RULES
            if rule[0] == symbol
            for split in range(start + 1, end)
            for left in self._trees(rule[1], start, split)
            for right in self._trees(rule[2], split, end)
        ]

    def features(self, part: Part) -> np.ndarray:
        """Of a rule its identity, of a span its symbol with its first and with its last word."""
        found = np.zeros(len(RULES) + 12)
        if len(part) == 4:
            found[RULES.index(part[0])] = 1
        else:
            symbol, start, end = part
            for k, word in enumerate((self.words[start], self.words[end - 1])):
                found[len(RULES) + 6 * k + 2 * "xyz".index(word) + "SA".index(symbol)] = 1
        return found

    def loss(self, part: Part) -> float:
        """Wrong spans count."""
        return float(len(part) == 3 and part not in self.gold)

    def fixed(self, part: Part) -> float:
        is_tag = len(part) == 3 and part[2] - part[1] == 1
        return TAGS[self.words[part[1]]][part[0]] if is_tag else 0.0

    def tree_problem(self) -> tuple[np.ndarray, np.ndarray]:
        """D and L - offset of all wrong trees."""
        gold = sum(map(self.features, self.gold))
        gold_fixed = sum(map(self.fixed, self.gold))
        wrong = [tree for tree in self.trees if tree != self.gold]
        rows = [gold - sum(map(self.features, tree)) for tree in wrong]
        losses = [
            sum(map(self.loss, tree)) - (gold_fixed - sum(map(self.fixed, tree))) for tree in wrong
        ]
        return np.array(rows), np.array(losses)

    def consistency(self) -> np.ndarray:
        """The paper's constraints on marginals, one row each; the last one is to be 1."""
        place = {part: k for k, part in enumerate(self.parts)}
        rows = []
        for span in (part for part in self.parts if len(part) == 3):
            _, start, end = span
            inside, outside = np.zeros(len(place)), np.zeros(len(place))
            inside[place[span]] = outside[place[span]] = -1
            for part in (part for part in self.parts if len(part) == 4):
                (parent, left, right), first, split, last = part
                inside[place[part]] = (parent, first, last) == span
                outside[place[part]] = span in ((left, first, split), (right, split, last))
            if end - start > 1:
                rows.append(inside)
            if end - start < len(self.words):
                rows.append(outside)
        rows.append(np.array([float(part in self.roots) for part in self.parts]))
        return np.array(rows)


def marginal_optimum(sentences: list[ToySentence], c: float) -> tuple[float, np.ndarray]:
    """The factored dual: the same objective in marginals of parts."""
    parts = [(sentence, part) for sentence in sentences for part in sentence.parts]
    blocks = [sentence.consistency() for sentence in sentences]
    equalities = np.zeros((sum(map(len, blocks)), len(parts)))
    sides, row, column = np.zeros(len(equalities)), 0, 0
    for block in blocks:
        n_rows, n_columns = block.shape
        equalities[row : row + n_rows, column : column + n_columns] = block
        row, column = row + n_rows, column + n_columns
        sides[row - 1] = 1
    gold = sum(sentence.features(part) for sentence in sentences for part in sentence.gold)
    gold_fixed = sum(sentence.fixed(part) for sentence in sentences for part in sentence.gold)
    value, weights = solve(
        c * np.array([sentence.loss(part) + sentence.fixed(part) for sentence, part in parts]),
        c * gold,
        -c * np.array([sentence.features(part) for sentence, part in parts]).T,
        equalities,
        sides,
    )
    return value - c * gold_fixed, weights


@pytest.mark.parametrize("c", [0.1, 1.0])
def test_factored_dual_of_a_grammar(c: float):
    """The QP over trees, the QP over marginals and SMO, which meets but a few trees, agree."""
    sentences = [ToySentence("xyz", 1), ToySentence("zxyx", 7), ToySentence("yzx", 0)]
    assert [len(sentence.trees) for sentence in sentences] == [
        n_trees(s) for s in ("xyz", "zxyx", "yzx")
    ]
    problem = [sentence.tree_problem() for sentence in sentences]
    value, weights = optimum(problem, c)
    marginal_value, marginal_weights = marginal_optimum(sentences, c)
    assert marginal_value == pytest.approx(value, rel=1e-3)
    assert marginal_weights == pytest.approx(weights, abs=5e-3)

    ids = random_ids(len(weights))
    learner = make(c, tolerance=1e-6)
    visit_most_violating(learner, problem, ids, 500)
    assert learner.dual() == pytest.approx(value, rel=1e-3)
    assert weights_of(learner, ids) == pytest.approx(weights, abs=5e-3)
    assert learner.gap(slacks(problem, weights_of(learner, ids))) < 1e-3
    assert learner.n_trees(1) < len(sentences[1].trees) // 2


def n_trees(words: str) -> int:
    """The number of trees, counted bottom up in a chart."""
    chart: dict[Part, int] = {}
    for i, word in enumerate(words):
        chart.update({(tag, i, i + 1): 1 for tag in TAGS[word]})
    for length in range(2, len(words) + 1):
        for start in range(len(words) - length + 1):
            for parent, left, right in RULES:
                for split in range(start + 1, start + length):
                    key = (parent, start, start + length)
                    chart[key] = chart.get(key, 0) + chart.get((left, start, split), 0) * chart.get(
                        (right, split, start + length), 0
                    )
    return sum(chart.get((symbol, 0, len(words)), 0) for symbol in "SA")
