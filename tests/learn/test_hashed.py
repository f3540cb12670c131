import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.hashed import HashedWeights, SavedHashedWeights

N_BITS = 10
# Index 0, 1, 1, 2, 512 and 1023 of a table of 10 bits.
IDS = [0, 1, (5 << 10) + 1, 2, (7 << 60) + 512, 2**64 - 1]
INDEX = [0, 1, 1, 2, 512, 1023]
Update = tuple[int, float]


def add(table: HashedWeights, updates: list[Update], time: float, **settings: float) -> None:
    ids, deltas = zip(*updates, strict=True) if updates else ((), ())
    table.update(np.array(ids, np.uint64), np.array(deltas, np.float32), time, **settings)


def dense(saved: SavedHashedWeights, n_bits: int = N_BITS) -> np.ndarray:
    values = np.zeros(1 << n_bits)
    values[saved["indices"]] = saved["values"]
    return values


def examples() -> st.SearchStrategy[list[list[Update]]]:
    """Updates of one example after another; some have none. Deltas are exact in float32."""
    update = st.tuples(st.sampled_from(IDS), st.integers(-8, 8).map(lambda n: n / 4))
    return st.lists(st.lists(update, max_size=6), max_size=12)


def one_weight(deltas: np.ndarray, **settings: bool) -> tuple[float, np.ndarray]:
    """The average of a weight that moves in every example, and the weight after each of them."""
    table = HashedWeights(N_BITS, trainable=True, **settings)
    ids = np.array([IDS[4]], np.uint64)
    snapshots = np.empty(len(deltas), np.float32)
    for time in range(len(deltas)):
        table.update(ids, deltas[time : time + 1], time)
        snapshots[time] = table.weight(IDS[4])
    return float(dense(table.averaged(len(deltas)))[512]), snapshots


@settings(deadline=None)
@given(examples())
def test_average_is_the_mean_of_snapshots(sequence: list[list[Update]]):
    table = HashedWeights(N_BITS, trainable=True)
    weights = np.zeros(1 << N_BITS)
    snapshots = []
    for time, updates in enumerate(sequence):
        add(table, updates, time)
        for id_, delta in updates:
            weights[INDEX[IDS.index(id_)]] += delta
        snapshots.append(weights.copy())
    for id_, index in zip(IDS, INDEX, strict=True):
        assert table.weight(id_) == weights[index]
    assert table.scores(np.array(IDS, np.uint64)) == weights[INDEX].sum()
    mean = np.mean(snapshots, axis=0) if snapshots else weights
    assert np.allclose(dense(table.averaged(len(sequence))), mean, atol=1e-6)
    assert np.array_equal(dense(table.averaged(0)), weights)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("scale", [1e-3, 1.0])
def test_average_over_many_examples(adaptive: bool, scale: float):
    """The average is the mean of what the weight was, not of what it would be without rounding,
    after as many examples as ten epochs of a treebank have."""
    n = 400_000
    rng = np.random.default_rng(3)
    drift = np.where(np.arange(n) < n // 2, 1.0, -1.0)
    deltas = (scale * (rng.normal(size=n) + drift)).astype(np.float32)
    average, snapshots = one_weight(deltas, adaptive=adaptive)
    assert average == pytest.approx(float(np.mean(snapshots, dtype=np.float64)), rel=1e-6)
    # The test means something: float32 rounding has moved the weight off the exact sum.
    if not adaptive:
        exact = np.cumsum(deltas.astype(np.float64))
        assert np.abs(snapshots - exact).max() > 1e-6 * np.abs(exact).max()


@settings(deadline=None)
@given(examples())
def test_adaptive_steps(sequence: list[list[Update]]):
    """delta / (1 + sqrt(sum of squared deltas so far)), and the average of that."""
    table = HashedWeights(N_BITS, trainable=True, adaptive=True)
    weights, squares = np.zeros((2, 1 << N_BITS))
    snapshots = [weights.copy()]
    for time, updates in enumerate(sequence):
        add(table, updates, time)
        for id_, delta in updates:
            at = INDEX[IDS.index(id_)]
            squares[at] += delta**2
            weights[at] += delta / (1 + np.sqrt(squares[at]))
        snapshots.append(weights.copy())
    mean = np.mean(snapshots[1:], axis=0) if sequence else weights
    assert np.allclose(dense(table.averaged(0)), weights, atol=1e-5)
    assert np.allclose(dense(table.averaged(len(sequence))), mean, atol=1e-5)


@settings(deadline=None)
@given(examples(), st.booleans(), st.booleans())
def test_arrays_round_trip(sequence: list[list[Update]], trainable: bool, adaptive: bool):
    table = HashedWeights(N_BITS, trainable=True)
    for time, updates in enumerate(sequence):
        add(table, updates, time)
    saved = table.averaged(len(sequence) + 1)
    assert (saved["indices"].dtype, saved["values"].dtype) == (np.uint32, np.float32)
    assert saved["indices"].tolist() == sorted(set(saved["indices"].tolist()))
    assert saved["values"].all()
    again = HashedWeights.from_arrays(N_BITS, **saved, trainable=trainable, adaptive=adaptive)
    copy = pickle.loads(pickle.dumps(again))
    for loaded in (again, copy):
        assert (loaded.n_bits, loaded.trainable, loaded.adaptive) == (N_BITS, trainable, adaptive)
        for name, array in loaded.averaged(0).items():
            assert array.dtype == saved[name].dtype
            assert array.tobytes() == saved[name].tobytes()


def test_loaded_weights_stay_in_the_average():
    """2 at the start, +3 in the second of three examples: (2 + 5 + 5) / 3."""
    table = HashedWeights.from_arrays(N_BITS, [1, 512], [1.5, 2.0], trainable=True)
    add(table, [(IDS[4], 3.0)], 1)
    saved = table.averaged(3)
    assert saved["indices"].tolist() == [1, 512]
    assert saved["values"].tolist() == [1.5, 4.0]


@pytest.mark.parametrize("n_bits", [10, 11, 16, 20])
def test_index_is_the_low_bits(n_bits: int):
    table = HashedWeights(n_bits, trainable=True)
    rng = np.random.default_rng(n_bits)
    ids = rng.integers(0, 2**64, 500, dtype=np.uint64)
    expected = np.zeros(1 << n_bits)
    for id_ in ids.tolist():
        expected[int(bin((1 << 64) + id_)[-n_bits:], 2)] += 1
    table.update(ids, np.ones(len(ids), np.float32), 0)
    assert np.array_equal(dense(table.averaged(0), n_bits), expected)


def test_average_without_a_weight():
    """+1, then -1: the weight is 0 again, its average over two examples is 1/2."""
    table = HashedWeights(N_BITS, trainable=True)
    add(table, [(IDS[4], 1.0)], 0)
    add(table, [(IDS[4], -1.0)], 1)
    assert table.averaged(0)["indices"].tolist() == []
    saved = table.averaged(2)
    assert (saved["indices"].tolist(), saved["values"].tolist()) == ([512], [0.5])


def test_weight_without_an_average():
    """-1 over one example, then 1 over the other."""
    table = HashedWeights(N_BITS, trainable=True)
    add(table, [(IDS[4], -1.0), (IDS[0], 0.5)], 0)
    add(table, [(IDS[4], 2.0)], 1)
    saved = table.averaged(2)
    assert (saved["indices"].tolist(), saved["values"].tolist()) == ([0], [0.5])


def test_min_weight_drops_small_averages():
    table = HashedWeights(N_BITS, trainable=True)
    add(table, [(IDS[0], 0.25), (IDS[1], -0.5), (IDS[3], -0.125), (IDS[5], 0.75)], 0)
    saved = table.averaged(1, min_weight=0.25)
    assert saved["indices"].tolist() == [0, 1, 1023]
    assert saved["values"].tolist() == [0.25, -0.5, 0.75]
    assert len(table.averaged(1, min_weight=1.0)["indices"]) == 0


def test_step_scales_an_update():
    table = HashedWeights(N_BITS, trainable=True)
    add(table, [(IDS[0], 1.0), (IDS[5], -2.0)], 1, step=0.25)
    assert (table.weight(IDS[0]), table.weight(IDS[5])) == (0.25, -0.5)
    assert table.averaged(4)["values"].tolist() == [0.1875, -0.375]


def test_empty_table():
    table = HashedWeights(N_BITS)
    assert table.scores(np.array(IDS, np.uint64)) == 0.0
    assert table.scores(np.zeros(0, np.uint64)) == 0.0
    saved = table.averaged(10)
    assert all(len(array) == 0 for array in saved.values())
    assert HashedWeights.from_arrays(N_BITS, **saved).weight(IDS[4]) == 0.0


@pytest.mark.parametrize("n_bits", [-1, 0, 9, 29, 64])
def test_number_of_bits(n_bits: int):
    with pytest.raises(ValueError, match=f"10 to 28 bits, not {n_bits}"):
        HashedWeights(n_bits)


def test_frozen_table_refuses_updates():
    table = HashedWeights.from_arrays(N_BITS, [512], [1.0])
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_FROZEN)):
        add(table, [(IDS[4], 1.0)], 0)
    assert table.weight(IDS[4]) == 1.0


def test_updates_of_different_lengths():
    table = HashedWeights(N_BITS, trainable=True)
    with pytest.raises(ValueError, match="2 features and 1 changes"):
        table.update(np.array(IDS[:2], np.uint64), np.ones(1, np.float32), 0)
    assert len(table.averaged(0)["indices"]) == 0


DAMAGED = {
    "an index too many": ([1, 2, 3], [0.5, 1.0]),
    "a value too many": ([1, 2], [0.5, 1.0, 2.0]),
    "no indices": ([], [0.5]),
    "index out of range": ([1, 1024], [0.5, 1.0]),
    "index that wraps around": ([1, 2**32 + 2], [0.5, 1.0]),
    "negative index": ([-1, 2], [0.5, 1.0]),
    "an index twice": ([2, 2], [0.5, 1.0]),
    "not sorted": ([3, 2], [0.5, 1.0]),
    "two dimensions": ([[1, 2]], [[0.5, 1.0]]),
    "not a number": ([1, 2], [0.5, np.nan]),
    "infinite": ([1, 2], [-np.inf, 0.5]),
    "so large that sums overflow": ([1, 2], [2e30, 0.5]),
}


@pytest.mark.parametrize(("indices", "values"), DAMAGED.values(), ids=DAMAGED.keys())
@pytest.mark.parametrize("trainable", [False, True])
def test_damaged_arrays(indices: list, values: list, trainable: bool):
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_DAMAGED)):
        HashedWeights.from_arrays(
            N_BITS, np.array(indices, np.int64), np.array(values), trainable=trainable
        )


def test_undamaged_arrays():
    table = HashedWeights.from_arrays(N_BITS, [0, 1023], [0.5, -1.0])
    assert (table.weight(IDS[0]), table.weight(IDS[5])) == (0.5, -1.0)


def test_compact_table_rounds_to_a_unit():
    """The largest weight is 32767 units; others are off by half a unit at most."""
    rng = np.random.default_rng(4)
    values = rng.normal(0, 0.05, 300).astype(np.float32)
    values[7] = -0.9
    indices = np.sort(rng.choice(1 << N_BITS, 300, replace=False)).astype(np.uint32)
    table = HashedWeights.from_arrays(N_BITS, indices, values, compact=True)
    unit = 0.9 / 32767
    found = np.array([table.weight(int(index)) for index in indices])
    assert np.abs(found - values).max() <= 0.5001 * unit
    assert found[7] == pytest.approx(-0.9, rel=1e-6)
    assert table.scores(indices.astype(np.uint64)) == pytest.approx(values.sum(), abs=300 * unit)
    assert {table.weight(i) for i in range(1 << N_BITS) if i not in indices} == {0.0}


def test_compact_table_is_copied_as_it_is():
    values = np.array([0.3, -0.0001, 0.123], np.float32)
    table = HashedWeights.from_arrays(N_BITS, [1, 5, 900], values, compact=True)
    copy = pickle.loads(pickle.dumps(table))
    assert [copy.weight(i) for i in (0, 1, 5, 900)] == [table.weight(i) for i in (0, 1, 5, 900)]
    assert copy.weight(5) == pytest.approx(-0.0001, abs=1e-5)


@pytest.mark.parametrize("values", [[], [0.0], [1e-38]])
def test_compact_table_of_next_to_nothing(values: list[float]):
    table = HashedWeights.from_arrays(N_BITS, list(range(len(values))), values, compact=True)
    assert table.weight(0) == pytest.approx(0.0, abs=1e-30)
    assert table.scores(np.zeros(0, np.uint64)) == 0.0


def test_compact_table_cannot_be_trained():
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_COMPACT)):
        HashedWeights(N_BITS, trainable=True, compact=True)
    table = HashedWeights.from_arrays(N_BITS, [1], [2.0], compact=True)
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_FROZEN)):
        add(table, [(1, 1.0)], 0)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("delta", [3e38, -3e38, np.inf, -np.inf, np.nan])
def test_weights_stay_finite(delta: float, adaptive: bool):
    """Sums of weights too, and what is saved can be loaded."""
    table = HashedWeights(N_BITS, trainable=True, adaptive=adaptive)
    for time in range(20):
        add(table, [(1, delta), (2, -delta), (3, 1.0)], time, step=2.0)
    assert all(abs(table.weight(i)) <= 2.0**99 for i in (1, 2, 3))
    assert np.isfinite(table.scores(np.ones(100_000, np.uint64)))
    saved = table.averaged(20)
    assert np.isfinite(saved["values"]).all()
    assert HashedWeights.from_arrays(N_BITS, **saved).weight(3) > 0
