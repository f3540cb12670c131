"""Mixed weights against dictionaries, one weight at a time."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.errors import Errors
from spacy_perceptron.learn.hashed_learner import HashedLearner
from spacy_perceptron.learn.mixing import mix_tables
from spacy_perceptron.learn.parser_weights import no_weights
from spacy_perceptron.learn.perceptron import AveragedPerceptron
from spacy_perceptron.learn.shards import cut_state, join_states, mix_states, range_bounds
from spacy_perceptron.learn.states import LearnerState

N_CLASSES = 4
BITS = 10
KEYS = [1, 2, 700, 2**40, 2**64 - 1]

# Updates of a weight: feature, class and change. An example has several.
Example = list[tuple[int, int, float]]
Learner = AveragedPerceptron | HashedLearner
Make = Callable[[bool], Learner]


def rows(adaptive: bool) -> AveragedPerceptron:
    return AveragedPerceptron(N_CLASSES, adaptive=adaptive)


def hashed(adaptive: bool) -> HashedLearner:
    return HashedLearner(BITS, start=no_weights(), adaptive=adaptive)


def shards(max_size: int = 4) -> st.SearchStrategy[list[list[Example]]]:
    """What each shard learns. Changes are exact in float32."""
    update = st.tuples(
        st.sampled_from(KEYS),
        st.integers(0, N_CLASSES - 1),
        st.integers(-8, 8).map(lambda n: n / 4),
    )
    return st.lists(examples(update), min_size=2, max_size=max_size)


def examples(update: st.SearchStrategy) -> st.SearchStrategy[list[Example]]:
    return st.lists(st.lists(update, max_size=4), max_size=5)


def first_round() -> st.SearchStrategy[list[Example]]:
    return shards().map(lambda found: found[0])


def learn(learner: Learner, sentences: list[Example]) -> LearnerState:
    for sentence in sentences:
        learner.next_example()
        if not sentence:
            continue
        keys, labels, deltas = zip(*sentence, strict=True)
        ids, changes = np.array(keys, np.uint64), np.array(deltas, np.float32)
        if isinstance(learner, HashedLearner):
            learner.weights.update(ids, changes, learner.time)
        else:
            learner.update((ids, np.array(labels, np.int32), changes))
    return learner.state()


def train(make: Make, adaptive: bool, before: list[Example], shards: list[list[Example]]):
    """The state before a round, and that of each shard after it."""
    start = learn(make(adaptive), before)
    after = []
    for sentences in shards:
        learner = make(adaptive)
        learner.set_state(start)
        after.append(learn(learner, sentences))
    return start, after


Entry = tuple[float, float, float]


def entries(state: LearnerState) -> dict[tuple[int, int], Entry]:
    """Value, total and square of each key and class."""
    if "weights/indices" in state:
        places = [(key, 0) for key in state["weights/indices"].tolist()]
    else:
        keys = np.repeat(state["weights/keys"], state["weights/lengths"])
        places = list(zip(keys.tolist(), state["weights/labels"].tolist(), strict=True))
    values, totals = state["weights/values"], state["weights/totals"]
    squares = state.get("weights/squares", np.zeros_like(values))
    numbers = zip(values.tolist(), totals.tolist(), squares.tolist(), strict=True)
    return dict(zip(places, numbers, strict=True))


def average(entry: Entry, n: int) -> float:
    return entry[0] - entry[1] / n if n else entry[0]


def equal(one: LearnerState, other: LearnerState) -> bool:
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()
        for name in one
    )


@pytest.mark.parametrize("make", [rows, hashed])
@settings(deadline=None)
@given(before=first_round(), shards=shards(), adaptive=st.booleans())
def test_mixing_is_what_a_dictionary_says(make: Make, before, shards, adaptive):
    start, after = train(make, adaptive, before, shards)
    mixed = mix_states(start, after)
    n = int(start["n_examples"])
    n_after = [int(state["n_examples"]) for state in after]
    n_mixed = n + sum(count - n for count in n_after)
    assert int(mixed["n_examples"]) == n_mixed
    old, new, found = entries(start), [entries(state) for state in after], entries(mixed)
    assert found.keys() == set().union(*new)
    nothing = (0.0, 0.0, 0.0)
    for place, entry in found.items():
        base = old.get(place, nothing)
        own = [shard.get(place, base) for shard in new]
        moved = [x for x in own if x != base]
        mean = np.mean([x[0] - base[0] for x in moved]) if moved else 0.0
        assert entry[0] == pytest.approx(base[0] + mean, rel=1e-6, abs=1e-6)
        # The sum of the weights after all examples of all shards, and before the round.
        total = n * average(base, n)
        for count, x in zip(n_after, own, strict=True):
            total += count * average(x, count) - n * average(base, n)
        if n_mixed:
            assert average(entry, n_mixed) == pytest.approx(total / n_mixed, rel=1e-6, abs=1e-6)
        growth = sum(x[2] - base[2] for x in own)
        assert entry[2] == pytest.approx(base[2] + growth, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("make", [rows, hashed])
@settings(deadline=None)
@given(first_round(), shards(), st.booleans(), st.integers(1, 5))
def test_ranges_make_the_whole(make: Make, before, shards, adaptive, n_ranges):
    start, after = train(make, adaptive, before, shards)
    bounds = range_bounds(after[0], n_ranges)
    cuts = [cut_state(state, bounds, n_ranges) for state in (start, *after)]
    assert all(
        equal(join_states(cut), state) for cut, state in zip(cuts, (start, *after), strict=True)
    )
    mixed = [mix_states(cuts[0][k], [cut[k] for cut in cuts[1:]]) for k in range(n_ranges)]
    assert equal(join_states(mixed), mix_states(start, after))


@pytest.mark.parametrize("make", [rows, hashed])
@settings(deadline=None)
@given(first_round(), shards(), st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_shards_does_not_matter(make: Make, before, shards, adaptive, source):
    start, after = train(make, adaptive, before, shards)
    mixed = entries(mix_states(start, after))
    source.shuffle(after)
    other = entries(mix_states(start, after))
    assert mixed.keys() == other.keys()
    for place in mixed:
        assert mixed[place] == pytest.approx(other[place], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("make", [rows, hashed])
@given(before=first_round(), sentences=first_round(), adaptive=st.booleans())
@settings(deadline=None)
def test_one_shard_stays_as_it_is(make: Make, before, sentences, adaptive):
    start, after = train(make, adaptive, before, [sentences])
    assert equal(mix_states(start, after), after[0])


@pytest.mark.parametrize("make", [rows, hashed])
@given(before=first_round(), n_shards=st.integers(2, 4), adaptive=st.booleans())
@settings(deadline=None)
def test_without_any_change_nothing_changes(make: Make, before, n_shards, adaptive):
    start, after = train(make, adaptive, before, [[]] * n_shards)
    assert equal(mix_states(start, after), start)


def test_a_round_by_hand():
    # One example before the round moves feature 1. Then shard 1 adds 2 to it in its only example,
    # and shard 2 adds 4 to it in the first of two, and moves feature 2.
    start, after = train(
        rows,
        False,
        [[(1, 0, 1.0)]],
        [[[(1, 0, 2.0)]], [[(1, 0, 4.0)], [(2, 3, 0.5)]]],
    )
    mixed = mix_states(start, after)
    # The means of the changes: 1 + (2 + 4) / 2, and 0.5, because shard 1 did not move it.
    assert mixed["weights/values"].tolist() == [4.0, 0.5]
    assert mixed["weights/labels"].tolist() == [0, 3]
    assert int(mixed["n_examples"]) == 4
    # Feature 1 was 1, 3, 5 and 5 after the four examples; feature 2 was 0, 0, 0 and 0.5.
    averages = mixed["weights/values"] - mixed["weights/totals"] / 4
    assert averages.tolist() == [14 / 4, 0.5 / 4]


def test_weights_that_went_back_have_moved():
    there_and_back = [[(1, 0, 1.0)], [(1, 0, -1.0)]]
    start, after = train(rows, False, [], [there_and_back, [[(1, 0, 3.0)]]])
    # The mean of 0 and 3.
    assert mix_states(start, after)["weights/values"].tolist() == [1.5]


def test_steps_too_large_to_count_stay_so():
    state = learn(rows(True), [[(1, 0, 1e25)]])
    assert np.isinf(state["weights/squares"]).all()
    mixed = mix_states(learn(rows(True), []), [state, state])
    assert np.isinf(mixed["weights/squares"]).all()
    assert np.isinf(mix_states(state, [state, state])["weights/squares"]).all()


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("keys", np.array([2, 1], np.uint64)),
        ("lengths", np.array([1, 2], np.int32)),
        ("lengths", np.array([3, -1], np.int32)),
        ("labels", np.array([0], np.uint16)),
        ("totals", np.zeros(1)),
        ("squares", np.zeros(2, np.float32)),
    ],
)
def test_damaged_tables_are_refused(name: str, array: np.ndarray):
    table = rows(False).weights.state()
    table |= {
        "keys": np.array([1, 2], np.uint64),
        "lengths": np.ones(2, np.int32),
        "labels": np.zeros(2, np.uint16),
        "values": np.zeros(2, np.float32),
        "totals": np.zeros(2),
    }
    assert mix_tables([table, table, table], [0, 1, 1])["keys"].tolist() == [1, 2]
    with pytest.raises(ValueError, match=Errors.TABLE_DAMAGED):
        mix_tables([table, table, {**table, name: array}], [0, 1, 1])
