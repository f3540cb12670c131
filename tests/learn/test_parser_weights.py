"""The tables of a parser in training, with one clock."""

import numpy as np
import pytest

from spacy_perceptron.learn.parser_weights import ParserLearner, empty_weights

Weights = dict[tuple[str, int, int], float]
PARTS = np.array([(1 << 60) + 7, (1 << 50) + 320], np.uint64)
KEYS = np.array([7, 9], np.uint64)


def make(**settings) -> ParserLearner:
    return ParserLearner(3, 12, 10, **{"start": empty_weights(), **settings})


def flatten(saved: dict) -> Weights:
    """All weights by table, place and label."""
    found: Weights = {}
    for name in ("parts", "pruner"):
        for index, value in zip(saved[name]["indices"], saved[name]["values"], strict=True):
            found[name, int(index), 0] = float(value)
    labels = saved["labels"]
    keys = np.repeat(labels["keys"], labels["lengths"])
    for key, label, value in zip(keys, labels["labels"], labels["values"], strict=True):
        found["labels", int(key), int(label)] = float(value)
    return found


def current(learner: ParserLearner) -> Weights:
    tables = {
        "parts": learner.tables.parts,
        "labels": learner.tables.labels,
        "pruner": learner.tables.pruner,
    }
    return flatten({name: table.averaged(0) for name, table in tables.items()})


def step(learner: ParserLearner, number: int) -> None:
    """Some change of all tables."""
    deltas = np.array([1 + number, -0.5 * number], np.float32)
    learner.tables.parts.update(PARTS, deltas, learner.time)
    learner.tables.labels.update(KEYS, np.array([number % 3, 2], np.int32), deltas, learner.time)
    learner.tables.pruner.update(PARTS, deltas, learner.time)


def test_starts_empty():
    learner = make()
    assert current(learner) == {}
    assert flatten(learner.average()) == {}
    assert (
        learner.tables.parts.n_bits,
        learner.tables.pruner.n_bits,
        learner.tables.labels.n_classes,
    ) == (12, 10, 3)
    assert learner.tables.parts.trainable
    assert learner.tables.labels.trainable
    assert learner.tables.pruner.trainable


@pytest.mark.parametrize("adaptive", [True, False])
def test_average_is_the_mean_of_snapshots(adaptive: bool):
    """Over all examples, those without an update included."""
    learner = make(adaptive=adaptive)
    snapshots = []
    for number in range(7):
        learner.next_example()
        if number not in (0, 3, 4):
            step(learner, number)
        snapshots.append(current(learner))
    average = flatten(learner.average())
    for place in {place for weights in snapshots for place in weights}:
        mean = sum(weights.get(place, 0.0) for weights in snapshots) / 7
        assert average[place] == pytest.approx(mean, rel=1e-5)
    assert len(average) == 2 + 2 + 4
    assert average != snapshots[-1]


@pytest.mark.parametrize("adaptive", [True, False])
def test_steps_of_the_pruner_always_get_smaller(adaptive: bool):
    learner = make(adaptive=adaptive)
    for table in (learner.tables.parts, learner.tables.pruner):
        table.update(PARTS[:1], np.ones(1, np.float32), 0)
        # 1 / (1 + sqrt(1)) if steps get smaller.
        is_adaptive = adaptive or table is learner.tables.pruner
        assert table.weight(int(PARTS[0])) == (0.5 if is_adaptive else 1.0)
    learner.tables.labels.update(KEYS[:1], np.zeros(1, np.int32), np.ones(1, np.float32), 0)
    assert learner.tables.labels.row(int(KEYS[0])) == {0: 0.5 if adaptive else 1.0}


def test_small_weights_are_dropped_but_those_of_the_pruner():
    learner = make()
    learner.next_example()
    step(learner, 1)
    small = flatten(learner.average(min_weight=1.0))
    assert {place for place in flatten(learner.average()) if place not in small} == {
        ("parts", 320, 0),
        ("labels", 9, 2),
    }
    assert min(abs(value) for (name, *_), value in small.items() if name != "pruner") >= 1.0


def test_goes_on_from_an_average():
    """What was saved is where the next training starts; it counts as there from the beginning."""
    learner = make()
    for number in range(3):
        learner.next_example()
        step(learner, number)
    start = learner.average()
    other = make(start=start)
    assert current(other) == flatten(start)
    other.next_example()
    other.next_example()
    assert flatten(other.average()) == flatten(start)
    # The saved arrays are not what is trained.
    step(other, 2)
    assert flatten(start) == flatten(learner.average())


def test_empty_weights_are_not_shared():
    """One model's weights never become another's."""
    one, other = make(), make()
    step(one, 1)
    assert current(one)
    assert current(other) == {}
    assert flatten(empty_weights()) == {}


def test_without_a_pruner():
    """The other two tables are trained and averaged as they are with one."""
    whole = make()
    learner = ParserLearner(3, 12, start=empty_weights())
    assert learner.tables.pruner is None
    for number in range(3):
        for some in (whole, learner):
            some.next_example()
            deltas = np.array([1 + number, -0.5 * number], np.float32)
            labels = np.array([number % 3, 2], np.int32)
            some.tables.parts.update(PARTS, deltas, some.time)
            some.tables.labels.update(KEYS, labels, deltas, some.time)
    average = learner.average(min_weight=0.1)
    assert average["pruner"] is None
    assert len(average["parts"]["values"]) == 2
    same = whole.average(min_weight=0.1)
    assert average["parts"]["values"].tolist() == same["parts"]["values"].tolist()
    assert average["labels"]["values"].tolist() == same["labels"]["values"].tolist()
    # It goes on from there, and so would a parser with a pruner, whose weights start at none.
    other = ParserLearner(3, 12, start=average)
    assert other.average()["parts"]["values"].tolist() == average["parts"]["values"].tolist()
    grown = make(start=average)
    assert grown.tables.pruner is not None
    assert grown.average()["pruner"]["values"].tolist() == []
