import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.perceptron import SavedWeights
from spacy_perceptron.learn.weights import WeightTable

from .updates import KEYS, Update, add, examples


def dense(saved: SavedWeights, n_classes: int) -> dict[int, list[float]]:
    """Saved weights as key -> row of all classes."""
    rows = {}
    start = 0
    for key, length in zip(saved["keys"].tolist(), saved["lengths"].tolist(), strict=True):
        row = [0.0] * n_classes
        for label, value in zip(
            saved["labels"][start : start + length].tolist(),
            saved["values"][start : start + length].tolist(),
            strict=True,
        ):
            row[label] = value
        rows[key] = row
        start += length
    assert start == len(saved["labels"]) == len(saved["values"])
    return rows


@settings(deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), examples(n))))
def test_average_is_the_mean_of_snapshots(case: tuple[int, list[list[Update]]]):
    n_classes, sequence = case
    table = WeightTable(n_classes, trainable=True)
    weights = np.zeros((len(KEYS), n_classes))
    snapshots = []
    for time, updates in enumerate(sequence):
        add(table, updates, time)
        for key, label, delta in updates:
            weights[KEYS.index(key), label] += delta
        snapshots.append(weights.copy())
    for k, key in enumerate(KEYS):
        row = table.row(key)
        assert [row.get(label, 0.0) for label in range(n_classes)] == weights[k].tolist()
        scores = table.scores(np.array([key], np.uint64))
        assert scores.tolist() == weights[k].tolist()
    total = table.scores(np.array(KEYS, np.uint64))
    assert total.tolist() == weights.sum(axis=0).tolist()
    assert table.n_features == len({key for updates in sequence for key, _, _ in updates})
    mean = np.mean(snapshots, axis=0) if snapshots else weights
    saved = dense(table.averaged(len(sequence)), n_classes)
    found = np.array([saved.get(key, [0.0] * n_classes) for key in KEYS])
    assert np.allclose(found, mean, atol=1e-5)
    assert list(saved) == sorted(saved)
    current = dense(table.averaged(0), n_classes)
    found = np.array([current.get(key, [0.0] * n_classes) for key in KEYS])
    assert np.array_equal(found, weights)


@settings(deadline=None)
@given(examples(4), st.booleans())
def test_arrays_round_trip(sequence: list[list[Update]], trainable: bool):
    table = WeightTable(4, trainable=True)
    for time, updates in enumerate(sequence):
        add(table, updates, time)
    saved = table.averaged(len(sequence) + 1)
    again = WeightTable.from_arrays(4, **saved, trainable=trainable)
    assert again.trainable == trainable
    assert again.n_features == len(saved["keys"])
    for name, array in again.averaged(0).items():
        assert array.dtype == saved[name].dtype
        assert array.tobytes() == saved[name].tobytes()
    rows = dense(saved, 4)
    for key in KEYS:
        expected = {label: w for label, w in enumerate(rows.get(key, ())) if w}
        assert again.row(key) == expected
    copy = pickle.loads(pickle.dumps(again))
    assert (copy.n_classes, copy.trainable) == (4, trainable)
    assert all(np.array_equal(copy.averaged(0)[name], saved[name]) for name in saved)


def test_loaded_weights_stay_in_the_average():
    """2 at the start, +3 in the second of three examples: (2 + 5 + 5) / 3."""
    saved = {"keys": [7], "lengths": [1], "labels": [1], "values": [2.0]}
    table = WeightTable.from_arrays(3, **saved, trainable=True)
    add(table, [(7, 1, 3.0), (7, 2, 1.5)], 1)
    assert dense(table.averaged(3), 3) == {7: [0.0, 4.0, 1.0]}


@settings(deadline=None)
@given(examples(3))
def test_adaptive_steps(sequence: list[list[Update]]):
    """delta / (1 + sqrt(sum of squared deltas so far)), and the average of that."""
    table = WeightTable(3, trainable=True, adaptive=True)
    weights, squares = np.zeros((2, len(KEYS), 3))
    snapshots = [weights.copy()]
    for time, updates in enumerate(sequence):
        add(table, updates, time)
        for key, label, delta in updates:
            at = KEYS.index(key), label
            squares[at] += delta**2
            weights[at] += delta / (1 + np.sqrt(squares[at]))
        snapshots.append(weights.copy())
    mean = np.mean(snapshots[1:], axis=0) if sequence else weights
    for time, expected in ((0, weights), (len(sequence), mean)):
        saved = dense(table.averaged(time), 3)
        found = np.array([saved.get(key, [0.0] * 3) for key in KEYS])
        assert np.allclose(found, expected, atol=1e-5)
    assert pickle.loads(pickle.dumps(table)).adaptive


def test_growth_over_many_keys():
    n = 50_000
    rng = np.random.default_rng(0)
    # Consecutive keys among random ones.
    keys = np.unique(rng.integers(2**33, 2**63, n, dtype=np.uint64))
    assert len(keys) == n
    keys = rng.permutation(np.concatenate([np.arange(1, n + 1, dtype=np.uint64), keys]))
    labels = rng.integers(0, 3, 2 * n).astype(np.int32)
    values = rng.integers(1, 100, 2 * n).astype(np.float32)
    table = WeightTable(3, trainable=True)
    table.update(keys, labels, values, 0)
    table.update(keys[::-1].copy(), labels[::-1].copy(), values[::-1].copy(), 1)
    assert table.n_features == 2 * n
    order = np.argsort(keys)
    for time, factor in ((0, 2.0), (2, 1.5)):
        saved = table.averaged(time)
        assert np.array_equal(saved["keys"], keys[order])
        assert np.array_equal(saved["labels"], labels[order])
        assert np.array_equal(saved["values"], factor * values[order])
    again = WeightTable.from_arrays(3, **saved)
    for k in range(0, 2 * n, 997):
        assert again.row(int(keys[k])) == {labels[k]: 1.5 * values[k]}
    assert again.row(n + 7) == table.row(n + 7) == {}


@pytest.mark.parametrize("n_classes", [1, 2, 3, 255, 256, 257, 65535])
def test_rows_of_all_classes(n_classes: int):
    table = WeightTable(n_classes, trainable=True)
    labels = np.random.default_rng(1).permutation(n_classes)[:2000].astype(np.int32)
    for key in (9, 10):
        keys = np.full(len(labels), key, np.uint64)
        table.update(keys, labels, (labels + key).astype(np.float32), 0)
    for key in (9, 10):
        assert table.row(key) == {int(label): float(label + key) for label in labels}
    scores = table.scores(np.array([9, 10, 11, 9], np.uint64))
    expected = np.zeros(n_classes)
    expected[labels] = 3 * labels + 28
    assert np.array_equal(scores, expected)
    again = WeightTable.from_arrays(n_classes, **table.averaged(0), trainable=True)
    assert again.row(10) == table.row(10)
    # A loaded row has no room left: one more class must move it.
    missing = sorted(set(range(n_classes)) - set(labels.tolist()))[:1]
    add(again, [(9, label, 1.0) for label in missing] + [(10, int(labels[0]), 1.0)], 0)
    assert again.row(10)[int(labels[0])] == float(labels[0] + 11)
    assert again.row(9) == table.row(9) | dict.fromkeys(missing, 1.0)


def test_scalar_table():
    table = WeightTable(1, trainable=True)
    add(table, [(5, 0, 1.5), (6, 0, -0.5), (5, 0, 1.0)], 0)
    assert table.scores(np.array([5, 6, 7], np.uint64)).tolist() == [2.0]
    saved = table.averaged(0)
    assert saved["keys"].tolist() == [5, 6]
    assert saved["lengths"].tolist() == [1, 1]
    assert saved["values"].tolist() == [2.5, -0.5]


def test_scores_of_more_features_than_a_group():
    """Features are looked up in groups of 16; every number of them must be summed."""
    table = WeightTable(2, trainable=True)
    add(table, [(key, key % 2, float(key)) for key in range(1, 60)], 0)
    for n in range(60):
        keys = np.arange(1, n + 1, dtype=np.uint64)
        even, odd = sum(range(2, n + 1, 2)), sum(range(1, n + 1, 2))
        assert table.scores(keys).tolist() == [even, odd]


def test_min_weight_drops_small_averages():
    table = WeightTable(3, trainable=True)
    add(table, [(4, 0, 0.25), (4, 1, -0.5), (4, 2, -0.125), (8, 1, 0.125), (9, 2, 0.75)], 0)
    assert dense(table.averaged(1, min_weight=0.25), 3) == {
        4: [0.25, -0.5, 0.0],
        9: [0.0, 0.0, 0.75],
    }
    assert dense(table.averaged(1, min_weight=1.0), 3) == {}


def test_weights_that_cancel_are_not_saved():
    table = WeightTable(2, trainable=True)
    add(table, [(4, 0, 1.0), (5, 1, 2.0), (4, 0, -1.0)], 0)
    assert dense(table.averaged(1), 2) == {5: [0.0, 2.0]}
    assert table.n_features == 2


def test_step_scales_an_update():
    table = WeightTable(2, trainable=True)
    add(table, [(4, 0, 1.0), (4, 1, -2.0)], 1, step=0.25)
    assert table.row(4) == {0: 0.25, 1: -0.5}
    assert dense(table.averaged(4), 2) == {4: [0.1875, -0.375]}


def test_empty_table():
    table = WeightTable(3)
    assert table.scores(np.array([1, 2], np.uint64)).tolist() == [0.0] * 3
    assert table.scores(np.zeros(0, np.uint64)).tolist() == [0.0] * 3
    saved = table.averaged(10)
    assert all(len(array) == 0 for array in saved.values())
    assert WeightTable.from_arrays(3, **saved).n_features == 0
    assert table.row(0) == {}


@pytest.mark.parametrize("n_classes", [-1, 0, 65536])
def test_number_of_classes(n_classes: int):
    with pytest.raises(ValueError, match="1 to 65,535 classes"):
        WeightTable(n_classes)


def test_frozen_table_refuses_updates():
    table = WeightTable.from_arrays(2, keys=[3], lengths=[1], labels=[0], values=[1.0])
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_FROZEN)):
        add(table, [(3, 0, 1.0)], 0)
    assert table.row(3) == {0: 1.0}


@pytest.mark.parametrize("update", [(0, 0, 1.0), (5, 2, 1.0), (5, -1, 1.0)])
def test_wrong_updates(update: Update):
    with pytest.raises(
        ValueError, match=f"Feature {update[0]} with class {update[1]} is not valid"
    ):
        add(WeightTable(2, trainable=True), [update], 0)


@pytest.mark.parametrize(("n_labels", "n_deltas"), [(1, 2), (2, 1), (3, 2), (2, 0)])
def test_updates_of_different_lengths(n_labels: int, n_deltas: int):
    table = WeightTable(2, trainable=True)
    with pytest.raises(ValueError, match="as many classes and changes as features"):
        table.update(
            np.array([3, 4], np.uint64),
            np.zeros(n_labels, np.int32),
            np.ones(n_deltas, np.float32),
            0,
        )
    assert table.n_features == 0


GOOD = {"keys": [3, 9], "lengths": [2, 1], "labels": [0, 2, 1], "values": [0.5, 1.0, 2.0]}
DAMAGED = {
    "a key too many": {"keys": [3, 9, 11]},
    "a length too many": {"lengths": [2, 1, 0]},
    "lengths too small": {"lengths": [1, 1]},
    "lengths too large": {"lengths": [2, 2]},
    "negative length": {"lengths": [4, -1]},
    "length that wraps around": {"lengths": [65536 + 2, 1 - 65536]},
    "labels cut off": {"labels": [0, 2]},
    "values cut off": {"values": [0.5, 1.0]},
    "label out of range": {"labels": [0, 3, 1]},
    "label that wraps around": {"labels": [0, 65536, 1]},
    "negative label": {"labels": [0, -1, 1]},
    "a label twice in a row": {"labels": [2, 2, 1]},
    "key zero": {"keys": [0, 9]},
    "key zero without weights": {"keys": [0], "lengths": [0], "labels": [], "values": []},
    "a key twice": {"keys": [9, 9]},
    "not a number": {"values": [0.5, np.nan, 2.0]},
    "infinite": {"values": [0.5, 1.0, -np.inf]},
    "nothing but keys": {"lengths": [], "labels": [], "values": []},
    "so large that sums overflow": {"values": [2e30, 1.0, 2.0]},
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED.keys())
@pytest.mark.parametrize("trainable", [False, True])
def test_damaged_arrays(change: dict, trainable: bool):
    types = {"keys": np.uint64, "lengths": np.int64, "labels": np.int64, "values": np.float32}
    arrays = {name: np.array(values, types[name]) for name, values in (GOOD | change).items()}
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_DAMAGED)):
        WeightTable.from_arrays(3, **arrays, trainable=trainable)


def test_undamaged_arrays():
    table = WeightTable.from_arrays(3, **GOOD)
    assert (table.row(3), table.row(9)) == ({0: 0.5, 2: 1.0}, {1: 2.0})


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("delta", [3e38, -3e38, np.inf, -np.inf, np.nan])
def test_weights_stay_finite(delta: float, adaptive: bool):
    """Sums of weights too, and what is saved can be loaded."""
    table = WeightTable(2, trainable=True, adaptive=adaptive)
    for time in range(20):
        add(table, [(3, 0, delta), (3, 1, -delta), (9, 1, 1.0)], time, step=2.0)
    assert all(abs(weight) <= 2.0**99 for weight in table.row(3).values())
    assert np.isfinite(table.scores(np.full(100_000, 3, np.uint64))).all()
    saved = table.averaged(20)
    assert np.isfinite(saved["values"]).all()
    assert WeightTable.from_arrays(2, **saved).row(9)[1] > 0
