from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy import registry
from thinc.api import Model

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.hashed import HashedWeights, SavedHashedWeights, bit_indices
from spacy_perceptron.learn.parser_weights import SavedParserWeights, empty_weights
from spacy_perceptron.learn.perceptron import SavedWeights
from spacy_perceptron.models.hashed import (
    HashedModel,
    check_hashed,
    hashed_table,
    pack_indices,
    saved_hashed_weights,
    set_hashed_weights,
    unpack_indices,
)
from spacy_perceptron.models.linear import saved_weights, set_weights, weight_table
from spacy_perceptron.models.parser import (
    EasyFirstModel,
    ParserModel,
    find_part,
    parser_tables,
    saved_parser_weights,
    set_parser_weights,
    table_bits,
)

N_BITS = 12
# Ids whose low 12 bits are 0, 5, 4095.
IDS = {0: 7 << 12, 5: (1 << 63) + 5, 4095: 2**64 - 1}
LABEL_WEIGHTS: SavedWeights = {
    "keys": np.array([5, 6], np.uint64),
    "lengths": np.array([2, 1], np.uint16),
    "labels": np.array([0, 2, 1], np.uint16),
    "values": np.array([1.0, 0.5, -2.0], np.float32),
}


def weights(indices: list[int], values: list[float]) -> SavedHashedWeights:
    return {"indices": np.array(indices, np.uint32), "values": np.array(values, np.float32)}


def random_weights(n: int, n_bits: int = N_BITS, scale: float = 1.0) -> SavedHashedWeights:
    rng = np.random.default_rng(n)
    return {
        "indices": np.sort(rng.choice(1 << n_bits, n, replace=False)).astype(np.uint32),
        "values": (scale * rng.normal(size=n)).astype(np.float32),
    }


def filled(saved: SavedHashedWeights, n_bits: int = N_BITS) -> Model:
    model = HashedModel(n_bits)
    set_hashed_weights(model, saved)
    return model


Architecture = Callable[..., Model]
# With a pruner and without.
both = pytest.mark.parametrize("architecture", [ParserModel, EasyFirstModel])


def parser(n: int = 200, architecture: Architecture = ParserModel) -> Model:
    model = architecture(N_BITS)
    set_hashed_weights(model.layers[0], random_weights(n))
    set_weights(model.layers[1], 3, LABEL_WEIGHTS)
    return model


@pytest.mark.parametrize("n", [0, 1, 200, 511, 512, 513, 3000, 4096])
@pytest.mark.parametrize("scale", [1e-30, 1e-12, 1e-4, 1.0, 1e7, 1e29])
def test_weights_round_trip(n: int, scale: float):
    """Equal to 11 significant bits, whatever the size of the learner's steps."""
    saved = random_weights(n, scale=scale)
    model = filled(saved)
    assert model.get_param("weights").dtype == np.float16
    assert np.isfinite(model.get_param("weights")).all()
    found = saved_hashed_weights(model)
    assert np.array_equal(found["indices"], saved["indices"])
    assert np.allclose(found["values"], saved["values"], rtol=2**-11, atol=0)
    assert (found["indices"].dtype, found["values"].dtype) == (np.uint32, np.float32)
    # What was rounded once stays: setting the loaded weights again changes nothing.
    again = filled(hashed_table(model).averaged(0))
    assert again.to_bytes() == model.to_bytes()


def test_weights_far_apart():
    """2 ** -28 of the largest still has 11 bits, and 2 ** -45 rounds to nothing and is dropped."""
    values = [2.0, 2**-27 * (1 + 2**-10), -(2**-30), 2**-44]
    found = saved_hashed_weights(filled(weights([0, 5, 6, 4095], values)))
    assert found["indices"].tolist() == [0, 5, 6]
    assert found["values"].tolist() == values[:3]


@pytest.mark.parametrize("largest", [1.9999, 2.0, 0.99999, 65504.0, 65520.0, 3.4e38, 1e-30])
def test_rounding_across_a_power_of_two(largest: float):
    saved = weights([0, 5, 4095], [largest / 3, -largest, largest / 1e4])
    model = filled(saved)
    found = saved_hashed_weights(model)
    assert np.allclose(found["values"], saved["values"], rtol=2**-11, atol=0)
    assert filled(found).to_bytes() == model.to_bytes()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(value: float):
    with pytest.raises(ValueError, match="some are infinite or not a number"):
        filled(weights([0, 5], [1.0, value]))


@settings(deadline=None)
@given(st.sets(st.integers(0, 2**14 - 1), max_size=60), st.integers(0, 2**14 - 1), st.booleans())
def test_indices_round_trip(some: set[int], start: int, dense: bool):
    """Runs, gaps around multiples of 255, both ends; few indices as gaps and many as bits."""
    indices = some | {start} | (set(range(start, 2**14, 3)) if dense else set())
    array = np.array(sorted(indices), np.uint32)
    packed = pack_indices(array, 14)
    assert packed.dtype == np.uint8
    assert len(packed) == 2048 if len(indices) >= 2048 else len(packed) <= len(indices) + 64
    found = unpack_indices(packed, len(array), 14)
    assert (found.dtype, found.tolist()) == (np.uint32, array.tolist())


@pytest.mark.parametrize("gap", [1, 2, 254, 255, 256, 510, 511, 765, 1023])
def test_gaps(gap: int):
    """A gap of g is (g - 1) // 255 zeros and a rest of 1 to 255."""
    packed = pack_indices(np.array([0, gap], np.uint32), 10)
    n_zeros = (gap - 1) // 255
    assert packed.tolist() == [1, *[0] * n_zeros, gap - 255 * n_zeros]
    assert unpack_indices(packed, 2, 10).tolist() == [0, gap]


@pytest.mark.parametrize("n", [0, 1, 5, 1000])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_bit_indices(n: int, share: float):
    bits = np.random.default_rng(n).random(8 * n) < share
    found = bit_indices(np.packbits(bits))
    assert (found.dtype, found.tolist()) == (np.uint32, np.flatnonzero(bits).tolist())


@pytest.mark.parametrize(("n_bits", "n", "limit"), [(16, 40_000, 2.3), (16, 5_000, 3.1)])
def test_size(n_bits: int, n: int, limit: float):
    """Two bytes a weight, and 1/8 byte per slot or a byte per weight; 500 bytes for the rest."""
    data = filled(random_weights(n, n_bits), n_bits).to_bytes()
    assert len(data) < limit * n + 500


def test_table_and_forward():
    model = filled(weights(list(IDS), [0.5, -1.0, 2.0]))
    table = hashed_table(model)
    assert [table.weight(id_) for id_ in IDS.values()] == [0.5, -1.0, 2.0]
    lists = [[IDS[0]], [IDS[5], IDS[4095], IDS[5]], [], [(3 << 40) + 9, IDS[0]]]
    features = [np.array(ids, np.uint64) for ids in lists]
    scores, backprop = model(features, is_train=True)
    assert scores.tolist() == [0.5, 0.0, 0.0, 0.5]
    assert scores.dtype == np.float32
    with pytest.raises(ValueError, match="not trained by backpropagation"):
        backprop(scores)


@pytest.mark.parametrize("adaptive", [False, True])
def test_trainable_table(adaptive: bool):
    model = filled(weights(list(IDS), [0.5, -1.0, 2.0]))
    assert not hashed_table(model).trainable
    table = hashed_table(model, trainable=True, adaptive=adaptive)
    assert (table.trainable, table.adaptive) == (True, adaptive)
    table.update(np.array([IDS[5]], np.uint64), np.array([2.0], np.float32), 0)
    # Adaptive: 2 / (1 + 2).
    assert table.weight(IDS[5]) == pytest.approx(-1 + (2 / 3 if adaptive else 2))
    assert hashed_table(model).weight(IDS[5]) == -1.0, "the model's own weights have not moved"


@both
def test_parser_scores(architecture: Architecture):
    model = architecture(N_BITS)
    set_hashed_weights(model.layers[0], weights(list(IDS), [0.5, -1.0, 2.0]))
    set_weights(model.layers[1], 3, LABEL_WEIGHTS)
    parts = [np.array([IDS[0], IDS[4095]], np.uint64), np.zeros(0, np.uint64)]
    arcs = [np.array([5, 6], np.uint64)]
    (part_scores, label_scores), backprop = model((parts, arcs), is_train=True)
    assert part_scores.tolist() == [2.5, 0.0]
    assert label_scores.tolist() == [[1.0, -2.0, 0.5]]
    with pytest.raises(ValueError, match="not trained by backpropagation"):
        backprop((part_scores, label_scores))


def from_disk(model: Model, empty: Model, folder: Path) -> Model:
    model.to_disk(folder / "model")
    return empty.from_disk(folder / "model")


def from_bytes(model: Model, empty: Model, folder: Path) -> Model:
    return empty.from_bytes(model.to_bytes())


def copied(model: Model, empty: Model, folder: Path) -> Model:
    copy = model.copy()
    # thinc copies layers, but not refs: they come back when a part is first asked for.
    assert find_part(copy, "labels") is copy.layers[1]
    return copy


Load = Callable[[Model, Model, Path], Model]


@both
@pytest.mark.parametrize("load", [from_disk, from_bytes, copied])
@pytest.mark.parametrize("n", [0, 200, 2000])
def test_parser_round_trip(load: Load, n: int, architecture: Architecture, tmp_path: Path):
    """The size of the table comes with the weights."""
    model = parser(n, architecture)
    again = load(model, architecture(), tmp_path)
    assert again.to_bytes() == model.to_bytes()
    assert again.layers[0].attrs["n_bits"] == N_BITS
    first, second = (saved_hashed_weights(m.layers[0]) for m in (model, again))
    assert first["indices"].tobytes() == second["indices"].tobytes()
    assert first["values"].tobytes() == second["values"].tobytes()
    assert len(second["values"]) == n
    labels = saved_weights(again.layers[1])
    for name, array in saved_weights(model.layers[1]).items():
        assert array.tobytes() == labels[name].tobytes()
    assert weight_table(again.layers[1]).row(5) == {0: 1.0, 2: 0.5}


@both
@pytest.mark.parametrize("n", [200, 2000])
def test_cut_off_bytes(n: int, architecture: Architecture):
    data = parser(n, architecture).to_bytes()
    for share in np.linspace(0, 0.999, 40):
        with pytest.raises(Exception, match=r".+"):
            architecture(N_BITS).from_bytes(data[: int(share * len(data))])


def parser_weights(*, pruner: bool) -> SavedParserWeights:
    return {
        "parts": weights([0, 5], [0.5, -1.0]),
        "labels": LABEL_WEIGHTS,
        "pruner": weights([7], [2.0]) if pruner else None,
    }


@pytest.mark.parametrize(
    ("architecture", "bits"), [(ParserModel, (14, 18)), (EasyFirstModel, (14, None))]
)
@pytest.mark.parametrize("pruner", [True, False])
def test_weights_of_all_layers(
    architecture: Architecture, bits: tuple[int, int | None], pruner: bool
):
    """A model without a pruner leaves its weights out; one with a pruner can start without them."""
    model = architecture(14)
    assert table_bits(model) == bits
    set_parser_weights(model, 3, parser_weights(pruner=pruner))
    assert all(layer.has_param("weights") for layer in model.layers)
    found = saved_parser_weights(model)
    tables = parser_tables(model)
    assert found["parts"]["values"].tolist() == [0.5, -1.0]
    assert found["labels"]["values"].tolist() == [1.0, 0.5, -2.0]
    assert (tables.parts.n_bits, tables.labels.n_classes) == (14, 3)
    assert tables.labels.row(5) == {0: 1.0, 2: 0.5}
    if architecture is EasyFirstModel:
        assert found["pruner"] is tables.pruner is None
    else:
        assert found["pruner"]["values"].tolist() == ([2.0] if pruner else [])
        assert tables.pruner.n_bits == 18
    again = architecture(14)
    set_parser_weights(again, 3, found)
    assert again.to_bytes() == model.to_bytes()


@both
def test_trainable_tables(architecture: Architecture):
    """What they learn is not in the model before it is put there."""
    model = architecture(N_BITS)
    set_parser_weights(model, 3, empty_weights())
    assert not any(table.trainable for table in parser_tables(model) if table is not None)
    tables = parser_tables(model, trainable=True)
    assert all(table.trainable for table in tables if table is not None)
    tables.parts.update(np.array([IDS[5]], np.uint64), np.array([2.0], np.float32), 0)
    before = model.to_bytes()
    assert parser_tables(model).parts.weight(IDS[5]) == 0
    set_parser_weights(model, 3, tables.averaged(0))
    assert parser_tables(model).parts.weight(IDS[5]) == 2
    assert model.to_bytes() != before


def test_bytes_of_the_other_architecture():
    pair = parser(), parser(architecture=EasyFirstModel)
    for one, other in (pair, pair[::-1]):
        with pytest.raises(ValueError, match=r".+"):
            one.copy().from_bytes(other.to_bytes())


DAMAGES: dict[str, Callable[[Model], None]] = {
    "a weight missing": lambda m: m.set_param("weights", m.get_param("weights")[:-1]),
    "weights of another type": lambda m: m.set_param(
        "weights", m.get_param("weights").astype(np.float32)
    ),
    "weights in rows": lambda m: m.set_param("weights", m.get_param("weights").reshape(2, -1)),
    "not a number": lambda m: m.set_param("weights", m.get_param("weights") * np.float16(np.nan)),
    "indices cut off": lambda m: m.attrs.update(indices=m.attrs["indices"][:-1]),
    "an index too many": lambda m: m.attrs.update(
        indices=np.append(m.attrs["indices"], np.uint8(1))
    ),
    "indices of another type": lambda m: m.attrs.update(
        indices=m.attrs["indices"].astype(np.uint32)
    ),
    "other indices": lambda m: m.attrs.update(indices=m.attrs["indices"] * np.uint8(0)),
    "a smaller table": lambda m: m.attrs.update(n_bits=N_BITS - 1),
    "a scale out of range": lambda m: m.attrs.update(exponent=200),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
@pytest.mark.parametrize("n", [200, 2000])
def test_damaged_models(damage: Callable[[Model], None], n: int):
    model = filled(random_weights(n))
    damage(model)
    loaded = HashedModel().from_bytes(model.to_bytes())
    with pytest.raises(ValueError) as error:  # noqa: PT011
        hashed_table(loaded)
    assert str(error.value) == Errors.TABLE_DAMAGED


def test_gaps_beyond_the_table():
    model = filled(weights([0, 4095], [1.0, 2.0]))
    model.attrs["indices"] = np.append(np.zeros(3, np.uint8), model.attrs["indices"])
    with pytest.raises(ValueError) as error:  # noqa: PT011
        hashed_table(model)
    assert str(error.value) == Errors.TABLE_DAMAGED


def test_another_kind_of_model():
    linear = ParserModel(N_BITS).layers[1]
    set_weights(linear, 3, LABEL_WEIGHTS)
    with pytest.raises(ValueError, match=r".+"):
        ParserModel(N_BITS).from_bytes(linear.to_bytes())


def test_settings():
    model = ParserModel(16, 12, 0.25)
    assert [layer.name for layer in model.layers] == ["hashed_linear", "linear", "hashed_linear"]
    assert [model.layers[i].attrs["n_bits"] for i in (0, 2)] == [16, 12]
    # The pruner keeps all its weights.
    assert [layer.attrs["min_weight"] for layer in model.layers] == [0.25, 0.25, 0.0]
    with pytest.raises(ValueError, match="`min_weight` must be 0 or more, not -1"):
        ParserModel(16, 12, -1.0)
    with pytest.raises(ValueError, match="`min_weight` must be 0 or more, not -1"):
        HashedModel(16, -1.0)
    for n_bits in (9, 29):
        with pytest.raises(ValueError, match=f"`n_bits` must be between 10 and 28, not {n_bits}"):
            ParserModel(n_bits)
        with pytest.raises(ValueError, match="`pruner_bits` must be between 10 and 28"):
            ParserModel(16, n_bits)
    with pytest.raises(ValueError, match="`min_weight` must be a finite number"):
        ParserModel(16, 12, float("nan"))


def test_settings_without_a_pruner():
    model = EasyFirstModel(16, 0.25)
    assert [layer.name for layer in model.layers] == ["hashed_linear", "linear"]
    assert model.layers[0].attrs["n_bits"] == 16
    assert [layer.attrs["min_weight"] for layer in model.layers] == [0.25, 0.25]
    with pytest.raises(ValueError, match="`min_weight` must be 0 or more, not -1"):
        EasyFirstModel(16, -1.0)
    with pytest.raises(ValueError, match="`n_bits` must be between 10 and 28, not 29"):
        EasyFirstModel(29)


def test_registered_without_a_pruner():
    config = {
        "@architectures": "spacy_perceptron.EasyFirstModel.v1",
        "n_bits": 14,
        "min_weight": 0.5,
    }
    model = registry.resolve({"model": config})["model"]
    assert [layer.attrs["min_weight"] for layer in model.layers] == [0.5, 0.5]
    assert table_bits(model) == (14, None)


def test_registered():
    config = {"@architectures": "spacy_perceptron.ParserModel.v1", "n_bits": 14}
    model = registry.resolve({"model": config})["model"]
    assert model.layers[0].attrs["n_bits"] == 14


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_weights_are_not_rounded_up(sign: int):
    """Otherwise they would be refused."""
    table = HashedWeights(N_BITS, trainable=True)
    for time in range(3):
        table.update(np.array([IDS[5]], np.uint64), np.array([sign * 1e38], np.float32), time)
    model = filled(table.averaged(3))
    check_hashed(model)
    assert abs(hashed_table(model).weight(IDS[5])) > 1e29


def test_average_of_a_table_through_the_model():
    """A hundred thousand weights, trained, averaged, saved and loaded."""
    rng = np.random.default_rng(0)
    table = HashedWeights(18, trainable=True)
    ids = rng.integers(0, 2**64, 100_000, dtype=np.uint64)
    table.update(ids, rng.normal(size=len(ids)).astype(np.float32) * np.float32(1e-3), 0)
    table.update(ids[::2].copy(), np.full(len(ids[::2]), 1e-3, np.float32), 1)
    loaded = HashedModel().from_bytes(filled(table.averaged(2), 18).to_bytes())
    expected = HashedWeights.from_arrays(18, **table.averaged(2))
    found = hashed_table(loaded)
    for id_ in ids[::1000].tolist():
        assert found.weight(id_) == pytest.approx(expected.weight(id_), rel=2**-11)
