import numpy as np
import pytest
from thinc.api import Model

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.perceptron import SavedWeights
from spacy_perceptron.learn.weights import WeightTable
from spacy_perceptron.models.linear import (
    LinearModel,
    saved_weights,
    set_weights,
    weight_table,
)


def random_weights(n_classes: int, n_features: int, *, seed: int = 0) -> SavedWeights:
    """Rows of random lengths; the first one has all classes."""
    rng = np.random.default_rng(seed)
    lengths = [n_classes, *rng.integers(1, n_classes + 1, n_features - 1)]
    labels = [rng.permutation(n_classes)[:length] for length in lengths]
    return {
        "keys": np.sort(rng.integers(2, 2**63, n_features, dtype=np.uint64)),
        "lengths": np.array(lengths, np.uint16),
        "labels": np.concatenate(labels).astype(np.uint16),
        "values": rng.normal(size=sum(lengths)).astype(np.float32),
    }


def filled(n_classes: int, weights: SavedWeights) -> Model:
    model = LinearModel()
    set_weights(model, n_classes, weights)
    return model


@pytest.mark.parametrize("n_classes", [1, 2, 45, 255, 256, 257, 700])
def test_weights_round_trip(n_classes: int):
    weights = random_weights(n_classes, 30)
    model = filled(n_classes, weights)
    assert model.attrs["n_classes"] == n_classes
    saved = saved_weights(model)
    for name in ("keys", "lengths", "labels"):
        assert np.array_equal(saved[name], weights[name])
    # float16 has 11 significant bits.
    assert np.allclose(saved["values"], weights["values"], rtol=2**-11, atol=2**-24)
    table = weight_table(model)
    start = 0
    for key, length in zip(weights["keys"].tolist(), weights["lengths"].tolist(), strict=True):
        part = slice(start, start + length)
        values = weights["values"][part].astype(np.float16).astype(float).tolist()
        assert table.row(key) == dict(zip(weights["labels"][part].tolist(), values, strict=True))
        start += length


@pytest.mark.parametrize("n_classes", [1, 45, 255, 256, 257])
def test_bytes_round_trip(n_classes: int):
    model = filled(n_classes, random_weights(n_classes, 20))
    data = model.to_bytes()
    copy = LinearModel().from_bytes(data)
    assert copy.to_bytes() == data
    saved = saved_weights(model)
    for name, array in saved_weights(copy).items():
        assert array.dtype == saved[name].dtype
        assert array.tobytes() == saved[name].tobytes()
    # What was rounded once stays: setting the loaded weights again changes nothing.
    again = filled(n_classes, weight_table(copy).averaged(0))
    assert np.array_equal(saved_weights(again)["values"], saved["values"])
    assert again.to_bytes() == data


def test_labels_take_one_byte_where_they_can():
    for n_classes, itemsize in ((255, 1), (256, 2), (257, 2)):
        saved = saved_weights(filled(n_classes, random_weights(n_classes, 3)))
        assert (saved["labels"].itemsize, saved["lengths"].itemsize) == (itemsize, itemsize)
        assert saved["values"].dtype == np.float16


def test_weights_that_round_to_nothing_are_dropped():
    # The smallest float16 is 2^-24, about 6e-8.
    weights: SavedWeights = {
        "keys": np.array([5, 6, 7], np.uint64),
        "lengths": np.array([2, 1, 2], np.uint16),
        "labels": np.array([0, 2, 1, 1, 0], np.uint16),
        "values": np.array([1e-9, 0.5, -1e-9, 2.0, 1e-12], np.float32),
    }
    table = weight_table(filled(3, weights))
    assert [table.row(key) for key in (5, 6, 7)] == [{2: 0.5}, {}, {1: 2.0}]
    saved = saved_weights(filled(3, weights))
    assert saved["keys"].tolist() == [5, 7]
    assert saved["lengths"].tolist() == [1, 1]


def test_large_weights_stay_finite():
    """The largest float16 is 65,504."""
    weights: SavedWeights = {
        "keys": np.array([5, 6], np.uint64),
        "lengths": np.array([1, 1], np.uint16),
        "labels": np.array([0, 1], np.uint16),
        "values": np.array([1e6, -7e4], np.float32),
    }
    table = weight_table(filled(2, weights))
    assert (table.row(5), table.row(6)) == ({0: 65504.0}, {1: -65504.0})


def test_empty_weights():
    model = filled(4, WeightTable(4).averaged(0))
    assert weight_table(model).scores(np.array([9], np.uint64)).tolist() == [0.0] * 4
    data = model.to_bytes()
    assert LinearModel().from_bytes(data).to_bytes() == data


def test_trainable_table():
    model = filled(4, random_weights(4, 5))
    assert not weight_table(model).trainable
    table = weight_table(model, trainable=True)
    key = int(saved_weights(model)["keys"][0])
    before = table.row(key)
    update = np.array([key], np.uint64), np.array([2], np.int32), np.array([1.0], np.float32)
    table.update(*update, 0)
    assert table.row(key) == before | {2: before[2] + 1.0}
    assert weight_table(model).row(key) == before, "the model's own weights have not moved"


def test_forward_sums_rows():
    weights: SavedWeights = {
        "keys": np.array([5, 6], np.uint64),
        "lengths": np.array([2, 1], np.uint16),
        "labels": np.array([0, 2, 1], np.uint16),
        "values": np.array([1.0, 0.5, -2.0], np.float32),
    }
    model = filled(3, weights)
    features = [np.array(ids, np.uint64) for ids in ([5], [5, 6, 5], [], [7, 6])]
    expected = [[1.0, 0.0, 0.5], [2.0, -2.0, 1.0], [0.0, 0.0, 0.0], [0.0, -2.0, 0.0]]
    assert model.predict(features).tolist() == expected
    scores, backprop = model(features, is_train=True)
    assert scores.tolist() == expected
    with pytest.raises(ValueError, match="not trained by backpropagation") as error:
        backprop(scores)
    assert str(error.value) == Errors.NO_BACKPROP
    assert model.predict([]).shape == (0, 3)


def test_min_weight():
    assert LinearModel(0.25).attrs["min_weight"] == 0.25
    with pytest.raises(ValueError, match="`min_weight` must be 0 or more, not -1"):
        LinearModel(-1.0)


def test_weights_that_are_no_numbers():
    weights = random_weights(3, 5)
    weights["values"][2] = np.nan
    with pytest.raises(ValueError, match="can't be saved: some are infinite or not a number"):
        filled(3, weights)
