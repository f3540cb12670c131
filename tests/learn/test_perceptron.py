import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.learn.perceptron import AveragedPerceptron, passive_aggressive_step
from spacy_perceptron.learn.weights import WeightTable


def difference(*updates: tuple[int, int, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    keys, labels, deltas = zip(*updates, strict=True) if updates else ((), (), ())
    return np.array(keys, np.uint64), np.array(labels, np.int32), np.array(deltas, np.float32)


def weight(learner: AveragedPerceptron, key: int, label: int) -> float:
    """One averaged weight."""
    table = WeightTable.from_arrays(learner.weights.n_classes, **learner.average())
    return table.row(key).get(label, 0.0)


@given(st.lists(st.lists(st.integers(-3, 3), max_size=3), min_size=1, max_size=20))
def test_average_over_every_example(examples: list[list[int]]):
    """The mean of the weight after each example, with or without updates, is known at any time."""
    learner = AveragedPerceptron(2)
    value, snapshots = 0, []
    for updates in examples:
        learner.next_example()
        for delta in updates:
            learner.update(difference((5, 1, delta)))
            value += delta
        snapshots.append(value)
        assert weight(learner, 5, 1) == pytest.approx(np.mean(snapshots), abs=1e-5)
        assert learner.weights.row(5).get(1, 0) == value


def test_one_example_counts():
    """After one example the average is that example's weights, not those before it."""
    learner = AveragedPerceptron(2)
    learner.next_example()
    learner.update(difference((5, 0, 1.0), (6, 1, -2.0)))
    assert (weight(learner, 5, 0), weight(learner, 6, 1)) == (1.0, -2.0)
    learner.next_example()
    learner.update(difference((5, 0, 2.0)))
    # Snapshots 1 and 3.
    assert weight(learner, 5, 0) == 2.0


def test_goes_on_from_saved_weights():
    first = AveragedPerceptron(3)
    first.next_example()
    first.update(difference((7, 2, 4.0)))
    second = AveragedPerceptron(3, start=first.average())
    assert weight(second, 7, 2) == 4.0
    second.next_example()
    second.next_example()
    second.update(difference((7, 2, 2.0)))
    # Snapshots 4 and 6.
    assert weight(second, 7, 2) == 5.0


def test_min_weight():
    learner = AveragedPerceptron(2)
    learner.next_example()
    learner.update(difference((7, 0, 0.5), (8, 1, 0.25)))
    assert learner.average(min_weight=0.3)["keys"].tolist() == [7]


def test_passive_aggressive_step_by_hand():
    # Summed counts: (5, 0): 2, (5, 1): -1, (6, 0): 0. Norm 5; (0.5 + 1) / 5.
    parts = difference((5, 0, 1.0), (5, 1, -1.0), (6, 0, 1.0), (5, 0, 1.0), (6, 0, -1.0))
    assert passive_aggressive_step(parts, 0.5, margin=1.0) == pytest.approx(0.3)


@given(
    st.lists(
        st.tuples(st.integers(2, 5), st.integers(0, 1), st.integers(-2, 2).map(float)), max_size=8
    ),
    st.integers(0, 4),
)
def test_passive_aggressive_step_meets_the_margin(updates: list, violation: int):
    parts = difference(*updates)
    step = passive_aggressive_step(parts, violation, margin=1.0)
    table = WeightTable(2, trainable=True)
    table.update(*parts, 0, step=step)
    gain = sum(table.row(key).get(label, 0.0) * delta for key, label, delta in updates)
    if step:
        assert gain - violation == pytest.approx(1.0, abs=1e-4)
    else:
        table.update(*parts, 0)
        assert all(value == 0 for key in range(2, 6) for value in table.row(key).values())
