import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.hashed_learner import HashedLearner
from spacy_perceptron.learn.parser_weights import ParserLearner, empty_weights, no_weights
from spacy_perceptron.learn.perceptron import AveragedPerceptron
from spacy_perceptron.learn.refined import RefinedPerceptron
from spacy_perceptron.learn.span_learner import SpanLearner
from spacy_perceptron.learn.states import (
    LearnerState,
    part_of,
    put_under,
    random_state,
    read_number,
    read_numbers,
    read_text,
    restore_random,
    text_state,
)
from spacy_perceptron.learn.weights import WeightTable

from .updates import add, examples

N_CLASSES = 4
BITS = 10
ROW = {"keys", "lengths", "labels", "values", "totals"}
HASHED = {"indices", "values", "totals"}


def equal(one: LearnerState, other: LearnerState) -> bool:
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()
        for name in one
    )


@settings(deadline=None)
@given(examples(N_CLASSES), examples(N_CLASSES), st.booleans())
def test_a_restored_table_goes_on_as_if_nothing_had_happened(first, second, adaptive):
    straight = WeightTable(N_CLASSES, trainable=True, adaptive=adaptive)
    for time, updates in enumerate(first):
        add(straight, updates, time)
    restored = WeightTable.from_state(N_CLASSES, straight.state(), adaptive=adaptive)
    for time, updates in enumerate(second, len(first)):
        add(straight, updates, time)
        add(restored, updates, time)
    assert equal(straight.state(), restored.state())
    n = len(first) + len(second)
    assert equal({**straight.averaged(n)}, {**restored.averaged(n)})


@settings(deadline=None)
@given(examples(N_CLASSES), examples(N_CLASSES), st.booleans())
def test_a_restored_hashed_table_goes_on_as_if_nothing_had_happened(first, second, adaptive):
    def move(table: HashedWeights, updates: list, time: int) -> None:
        ids = np.array([key + label for key, label, _ in updates if key + label < 2**64], np.uint64)
        deltas = np.array([x for key, label, x in updates if key + label < 2**64], np.float32)
        table.update(ids, deltas, time)

    straight = HashedWeights(BITS, trainable=True, adaptive=adaptive)
    for time, updates in enumerate(first):
        move(straight, updates, time)
    restored = HashedWeights.from_state(BITS, straight.state(), adaptive=adaptive)
    for time, updates in enumerate(second, len(first)):
        move(straight, updates, time)
        move(restored, updates, time)
    assert equal(straight.state(), restored.state())
    n = len(first) + len(second)
    assert equal({**straight.averaged(n)}, {**restored.averaged(n)})


@pytest.mark.parametrize("adaptive", [False, True])
def test_the_arrays_of_a_table(adaptive: bool):
    table = WeightTable(N_CLASSES, trainable=True, adaptive=adaptive)
    # Key 7 gets classes 3 and 1, in this order; the weight of class 3 comes back to 0.
    add(table, [(7, 3, 1.0), (7, 1, 0.5), (5, 0, 2.0)], 0)
    add(table, [(7, 3, -1.0)], 4)
    state = table.state()
    assert state.keys() == ROW | ({"squares"} if adaptive else set())
    assert [array.dtype for array in state.values()][:5] == ["u8", "i4", "u2", "f4", "f8"]
    assert state["keys"].tolist() == [5, 7]
    assert state["lengths"].tolist() == [1, 2]
    assert state["labels"].tolist() == [0, 3, 1]
    if adaptive:
        # A step is delta / (1 + sqrt(sum of squares)): 2 / 3, then 1 / 2 - 1 / (1 + sqrt(2)).
        assert state["squares"].tolist() == [4.0, 2.0, 0.25]
        second = 1 / (1 + 2**0.5)
        np.testing.assert_allclose(state["values"], [2 / 3, 0.5 - second, 0.5 / 1.5], rtol=1e-6)
        np.testing.assert_allclose(state["totals"], [0, -4 * second, 0], rtol=1e-6)
    else:
        # The weight of 0 has a sum: 0 * 1 + 4 * -1.
        assert state["values"].tolist() == [2.0, 0.0, 0.5]
        assert state["totals"].tolist() == [0.0, -4.0, 0.0]


@pytest.mark.parametrize("adaptive", [False, True])
def test_the_arrays_of_a_hashed_table(adaptive: bool):
    table = HashedWeights(BITS, trainable=True, adaptive=adaptive)
    # Ids 3 and 1027 share a place; the weight at place 9 comes back to 0.
    table.update(np.array([1027, 9, 3], np.uint64), np.array([1, 1, 1], np.float32), 0)
    table.update(np.array([9], np.uint64), np.array([-1], np.float32), 2)
    state = table.state()
    assert state.keys() == HASHED | ({"squares"} if adaptive else set())
    assert [array.dtype for array in state.values()][:3] == ["u4", "f4", "f8"]
    assert state["indices"].tolist() == [3, 9]
    if adaptive:
        assert state["squares"].tolist() == [2.0, 2.0]
    else:
        assert state["values"].tolist() == [2.0, 0.0]
        assert state["totals"].tolist() == [0.0, -2.0]


def test_frozen_tables_have_no_state():
    for table in (WeightTable(2), HashedWeights(BITS)):
        with pytest.raises(ValueError, match="frozen"):
            table.state()


def row_state() -> LearnerState:
    table = WeightTable(N_CLASSES, trainable=True, adaptive=True)
    add(table, [(7, 3, 1.0), (7, 1, 0.5), (5, 0, 2.0)], 1)
    return table.state()


def hashed_state() -> LearnerState:
    table = HashedWeights(BITS, trainable=True, adaptive=True)
    table.update(np.array([3, 9], np.uint64), np.array([1, 1], np.float32), 1)
    return table.state()


NUMBERS = {"totals": [np.inf, np.nan], "squares": [-1.0, np.nan], "values": [np.nan, 1e38]}
DAMAGE: list[tuple[Callable, str, Callable]] = [
    (row_state, "keys", lambda x: x[::-1]),
    (row_state, "keys", lambda x: x * 0),
    (row_state, "keys", lambda x: x.astype(np.int64)),
    (row_state, "keys", lambda x: x[:1]),
    (row_state, "lengths", lambda x: x * 0 - 1),
    (row_state, "lengths", lambda x: np.array([2**31 - 1, 2**31 - 1], np.int32)),
    (row_state, "lengths", lambda x: x.astype(np.float64)),
    (row_state, "labels", lambda x: x + np.uint16(N_CLASSES)),
    (row_state, "labels", lambda x: x * 0),
    (row_state, "labels", lambda x: x[1:]),
    (row_state, "totals", lambda x: x[1:]),
    (row_state, "totals", lambda x: x.reshape(1, -1)),
    (row_state, "squares", lambda x: x[1:]),
    (hashed_state, "indices", lambda x: x + np.uint32(2**BITS)),
    (hashed_state, "indices", lambda x: x[::-1]),
    (hashed_state, "indices", lambda x: x.astype(np.int32)),
    (hashed_state, "indices", lambda x: x * 0),
    (hashed_state, "values", lambda x: x[1:]),
    (hashed_state, "totals", lambda x: x[1:]),
    (hashed_state, "totals", lambda x: x.astype(np.float32)),
    (hashed_state, "squares", lambda x: x[1:]),
]
for make in (row_state, hashed_state):
    for array, values in NUMBERS.items():
        DAMAGE += [(make, array, lambda x, value=value: np.full_like(x, value)) for value in values]


@pytest.mark.parametrize(("make", "name", "change"), DAMAGE)
def test_damaged_tables_are_refused(make: Callable, name: str, change: Callable):
    def restore(state: LearnerState) -> None:
        if make is row_state:
            WeightTable.from_state(N_CLASSES, state, adaptive=True)
        else:
            HashedWeights.from_state(BITS, state, adaptive=True)

    state = make()
    restore(state)
    for damaged in (
        {**state, name: change(state[name])},
        {x: state[x] for x in state if x != name},
    ):
        with pytest.raises(ValueError, match=r"damaged|state"):
            restore(damaged)


def test_states_with_and_without_squares_are_told_apart():
    for adaptive in (False, True):
        state = WeightTable(2, trainable=True, adaptive=adaptive).state()
        with pytest.raises(ValueError, match=f"adaptive = {str(not adaptive).lower()}"):
            WeightTable.from_state(2, state, adaptive=not adaptive)


def test_a_full_table_says_so():
    table = WeightTable(4, trainable=True)
    table.max_entries = 4
    # A row has room for two classes at first.
    add(table, [(1, 0, 1.0), (2, 0, 1.0)], 0)
    before = table.state()
    with pytest.raises(OverflowError, match="holds 4 weights"):
        add(table, [(3, 0, 1.0)], 0)
    assert table.row(1) == table.row(2) == {0: 1.0}
    assert table.state()["values"].tolist() == before["values"].tolist()
    # What has room can still move.
    add(table, [(1, 2, 1.0)], 0)
    assert table.row(1) == {0: 1.0, 2: 1.0}


LEARNERS: dict[str, Callable] = {
    "perceptron": lambda: AveragedPerceptron(3, adaptive=True),
    "refined": lambda: RefinedPerceptron(
        3, 5, start=empty_weights()["labels"], start_parts=empty_weights()["labels"]
    ),
    "hashed": lambda: HashedLearner(BITS, start=no_weights()),
    "parser": lambda: ParserLearner(3, BITS, BITS, start=empty_weights(), adaptive=True),
    "parser without pruner": lambda: ParserLearner(3, BITS, start=empty_weights()),
    "spans": lambda: SpanLearner(
        BITS, start=no_weights(), pruner=HashedWeights(BITS, trainable=True, adaptive=True)
    ),
}
TABLES = {
    "perceptron": {"weights"},
    "refined": {"weights", "refinement"},
    "hashed": {"weights"},
    "parser": {"parts", "labels", "pruner"},
    "parser without pruner": {"parts", "labels"},
    "spans": {"weights", "pruner"},
}


def tables_of(learner) -> list:
    if isinstance(learner, ParserLearner):
        return [table for table in learner.tables if table is not None]
    others = [getattr(learner, name, None) for name in ("refinement", "pruner")]
    return [learner.weights, *(table for table in others if table is not None)]


def take_steps(learner, source: random.Random) -> None:
    for _ in range(20):
        learner.next_example()
        for table in tables_of(learner):
            ids = np.array([source.randrange(1, 50)], np.uint64)
            deltas = np.array([source.choice([-1, 1])], np.float32)
            if isinstance(table, WeightTable):
                label = np.array([source.randrange(table.n_classes)], np.int32)
                table.update(ids, label, deltas, learner.time)
            else:
                table.update(ids, deltas, learner.time)


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_go_on(name: str):
    straight, restored = LEARNERS[name](), LEARNERS[name]()
    take_steps(straight, random.Random(1))
    state = straight.state()
    tables = {key.rpartition("/")[0] for key in state if key.endswith(("/keys", "/indices"))}
    assert tables == TABLES[name]
    assert state["n_examples"].shape == ()
    assert state["n_examples"] == 20
    restored.set_state(state)
    for learner in (straight, restored):
        take_steps(learner, random.Random(2))
    assert equal(straight.state(), restored.state())
    assert restored.n_examples == 40


@pytest.mark.parametrize("value", [np.array(-1), np.array(1.0), np.array([1]), 3])
def test_counters_are_checked(value):
    with pytest.raises(ValueError, match="n_examples"):
        AveragedPerceptron(3).set_state({"n_examples": value})


def test_parts_of_states():
    state = {"a/b": np.zeros(1), "a/c/d": np.ones(1), "ab": np.zeros(2)}
    part = part_of(state, "a")
    assert part.keys() == {"b", "c/d"}
    assert put_under("x", part).keys() == {"x/b", "x/c/d"}


@given(st.integers(0, 2**64), st.integers(0, 700))
def test_random_numbers_go_on(seed: int, n: int):
    source, other = random.Random(seed), random.Random(0)
    for _ in range(n):
        source.getrandbits(32)
    restore_random(other, random_state(source))
    assert [source.getrandbits(64) for _ in range(5)] == [other.getrandbits(64) for _ in range(5)]


@pytest.mark.parametrize(("place", "value"), [(0, -1), (3, 2**32), (624, -1), (624, 625)])
def test_damaged_random_numbers(place: int, value: int):
    state = random_state(random.Random(0))
    state["random"][place] = value
    with pytest.raises(ValueError, match=Errors.STATE_RANDOM[:20]):
        restore_random(random.Random(0), state)
    with pytest.raises(ValueError, match="624 numbers, not 625"):
        restore_random(random.Random(0), {"random": np.ones(624, np.int64)})


def test_texts_in_states():
    value = {"labels": ["NP", "ä"], "n": [1, None]}
    assert read_text({"x": text_state(value)}, "x") == value
    for broken in (np.array([255], np.uint8), np.zeros(0, np.uint8), text_state(1)[:0]):
        with pytest.raises(ValueError, match="not JSON"):
            read_text({"x": broken}, "x")


def test_numbers_are_not_converted():
    with pytest.raises(ValueError, match="`x` is missing, or is not a list of uint32"):
        read_numbers({}, "x", np.uint32)
    with pytest.raises(ValueError, match="can't be -2"):
        read_number({"x": np.array(-2)}, "x")
