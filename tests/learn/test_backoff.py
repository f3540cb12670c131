import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.backoff import BackoffModel, prefix_keys
from spacy_perceptron.learn.interpolation import fit_backoff

N_OUTCOMES = 5


def events(seed, n=300, depth=3):
    """Outcomes that depend on the first two values of their contexts."""
    rng = np.random.default_rng(seed)
    contexts = rng.integers(0, 4, (n, depth)).astype(np.uint64)
    likely = contexts[:, :2].sum(1) % N_OUTCOMES
    noise = rng.integers(0, N_OUTCOMES, n)
    outcomes = np.where(rng.random(n) < 0.7, likely, noise).astype(np.uint64)
    return contexts, outcomes, np.arange(n) * 10 // n


def all_questions(depth, n_values=5):
    """All contexts with values 0 to n_values - 1, each with all outcomes and an unseen one."""
    contexts = np.array(list(itertools.product(range(n_values), repeat=depth)), np.uint64)
    outcomes = np.arange(N_OUTCOMES + 1, dtype=np.uint64)
    return np.repeat(contexts, len(outcomes), axis=0), np.tile(outcomes, len(contexts))


def by_hand(model, contexts, outcomes, events, weights=None):
    """The definition: w f + (1 - w) times the probability in the next shorter context."""
    arrays = model.to_arrays()
    weight_of = dict(zip(arrays["keys"], 1 - arrays["remainders"].astype(float), strict=True))
    seen, together = {}, {}
    for i, (keys, outcome) in enumerate(zip(prefix_keys(events[0]), events[1], strict=True)):
        for key in keys:
            count = 1 if weights is None else weights[i]
            seen[key] = seen.get(key, 0) + count
            together[key, outcome] = together.get((key, outcome), 0) + count
    result = []
    for keys, outcome in zip(prefix_keys(contexts), outcomes, strict=True):
        probability = model.floor
        for key in keys:
            if key in seen:
                own = together.get((key, outcome), 0) / seen[key]
                probability = weight_of[key] * own + (1 - weight_of[key]) * probability
        result.append(np.log(probability))
    return np.array(result)


@given(st.integers(0, 2**32), st.integers(0, 4), st.booleans())
@settings(max_examples=25, deadline=None)
def test_interpolates_all_prefixes(seed, depth, weighted):
    data = events(seed, n=80, depth=max(depth, 2))
    data = (np.ascontiguousarray(data[0][:, :depth]), *data[1:])
    weights = np.random.default_rng(seed).random(80) + 0.1 if weighted else None
    model = fit_backoff(*data, weights)
    contexts, outcomes = all_questions(depth)
    found = model.log_probabilities(contexts, outcomes)
    np.testing.assert_allclose(
        found, by_hand(model, contexts, outcomes, data, weights), rtol=1e-4, atol=1e-5
    )


def test_probabilities_sum_to_one():
    model = fit_backoff(*events(0))
    contexts, outcomes = all_questions(3)
    probabilities = np.exp(model.log_probabilities(contexts, outcomes))
    assert (probabilities > 0).all()
    # All outcomes ever seen, and one that never was: each gets the same floor below.
    sums = probabilities.reshape(-1, N_OUTCOMES + 1).sum(1)
    np.testing.assert_allclose(sums, 1, atol=1e-5)


def test_finds_what_matters():
    """Held-out data are more probable than under a model with less or more context."""
    new = events(2, n=1000, depth=5)
    scores = {}
    for depth in (1, 2, 5):
        contexts, outcomes, folds = events(1, n=1000, depth=5)
        model = fit_backoff(contexts[:, :depth], outcomes, folds)
        questions = np.ascontiguousarray(new[0][:, :depth])
        scores[depth] = model.log_probabilities(questions, new[1]).mean()
    # The best there is: 0.7 + 0.3 / 5 for the likely outcome, 0.3 / 5 for each other.
    best = 0.76 * np.log(0.76) + 4 * 0.06 * np.log(0.06)
    assert scores[1] < scores[2] - 0.2
    assert scores[5] == pytest.approx(scores[2], abs=0.02)
    assert scores[2] == pytest.approx(best, abs=0.06)


def test_weight_zero_does_not_count():
    contexts, outcomes, folds = events(3)
    weights = (np.arange(300) % 3 > 0).astype(float)
    kept = weights > 0
    assert_same(
        fit_backoff(contexts, outcomes, folds, weights),
        fit_backoff(contexts[kept], outcomes[kept], folds[kept]),
    )


def test_integer_weights_repeat_events():
    contexts, outcomes, folds = events(4)
    times = np.arange(300) % 3 + 1
    repeated = [np.repeat(array, times, axis=0) for array in (contexts, outcomes, folds)]
    assert_same(fit_backoff(contexts, outcomes, folds, times), fit_backoff(*repeated))


def assert_same(model, other):
    for name, values in model.to_arrays().items():
        # As exact as sums in another order can be.
        np.testing.assert_allclose(values, other.to_arrays()[name], rtol=1e-6, err_msg=name)


def test_one_event_and_one_fold():
    one = np.ones(1, np.uint64)
    model = fit_backoff(one.reshape(1, 1), one, np.zeros(1, int))
    log_probabilities = model.log_probabilities(np.array([[1], [2]], np.uint64), np.repeat(one, 2))
    assert np.isfinite(log_probabilities).all()
    assert log_probabilities[0] >= log_probabilities[1]


def test_pickle_and_arrays():
    model = fit_backoff(*events(5))
    saved = pickle.dumps(model)
    assert pickle.dumps(BackoffModel(**model.to_arrays())) == saved
    assert pickle.dumps(pickle.loads(saved)) == saved
    assert pickle.dumps(fit_backoff(*events(5))) == saved


def test_owns_its_arrays():
    model = fit_backoff(*events(5))
    arrays = model.to_arrays()
    copy = BackoffModel(**arrays)
    for values in arrays.values():
        if isinstance(values, np.ndarray):
            values[:] = 0
    assert_same(model, copy)


def test_many_threads():
    model = fit_backoff(*events(6))
    questions = all_questions(3)
    expected = model.log_probabilities(*questions)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: model.log_probabilities(*questions), range(20)):
            np.testing.assert_array_equal(found, expected)


def change(name, position, value):
    def damage(arrays):
        arrays[name][position] = value

    return damage


def cut(name):
    def damage(arrays):
        arrays[name] = arrays[name][:-1]

    return damage


def put(name, value):
    def damage(arrays):
        arrays[name] = value

    return damage


DAMAGES = {
    **{f"short {n}": cut(n) for n in ("keys", "lengths", "remainders", "outcomes")},
    "short probabilities": cut("probabilities"),
    "huge length": change("lengths", 0, 2**32 - 1),
    "wrong length": change("lengths", 1, 0),
    "two equal keys": lambda arrays: change("keys", 0, arrays["keys"][1])(arrays),
    "outcomes descend": change("outcomes", 0, 2**64 - 1),
    "no number": change("probabilities", 3, np.nan),
    "zero": change("probabilities", 3, 0),
    "more than one": change("probabilities", 3, 1.5),
    "negative remainder": change("remainders", 0, -0.1),
    "remainder is no number": change("remainders", 0, np.nan),
    "depth": put("depth", 32),
    "negative depth": put("depth", -1),
    "floor": put("floor", 0.0),
    "floor is no number": put("floor", float("nan")),
    "type": lambda arrays: put("lengths", arrays["lengths"].astype(np.int64))(arrays),
    "shape": lambda arrays: put("keys", arrays["keys"][None])(arrays),
    "text": put("outcomes", "abc"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_arrays(damage):
    arrays = fit_backoff(*events(7)).to_arrays()
    damage(arrays)
    with pytest.raises(ValueError, match="contradict"):
        BackoffModel(**arrays)


def test_remainders_of_zero_stay_finite():
    arrays = fit_backoff(*events(7)).to_arrays()
    arrays["remainders"][:] = 0
    found = BackoffModel(**arrays).log_probabilities(*all_questions(3))
    assert np.isfinite(found).all()


def test_empty_model():
    none = np.zeros(0)
    model = BackoffModel(2, 0.5, none, none, none, none, none)
    found = model.log_probabilities(np.zeros((1, 2), np.uint64), np.zeros(1, np.uint64))
    assert found == np.log(0.5)
    assert_same(model, pickle.loads(pickle.dumps(model)))


def test_wrong_questions():
    model = fit_backoff(*events(8))
    with pytest.raises(ValueError, match="depth 3"):
        model.log_probabilities(np.zeros((2, 2), np.uint64), np.zeros(2, np.uint64))
    with pytest.raises(ValueError, match="depth 3"):
        model.log_probabilities(np.zeros((2, 3), np.uint64), np.zeros(1, np.uint64))


@pytest.mark.parametrize(
    "replaced",
    [
        {"contexts": np.zeros((9, 3))},
        {"contexts": np.zeros(10)},
        {"contexts": np.zeros((10, 32))},
        {"outcomes": np.zeros(9)},
        {"folds": np.zeros(9, int)},
        {"folds": np.full(10, -1)},
        {"weights": np.zeros(10)},
        {"weights": np.full(10, np.nan)},
        {"weights": np.full(10, -1)},
    ],
)
def test_wrong_events(replaced):
    contexts, outcomes, folds = events(9, n=10)
    given_events = {"contexts": contexts, "outcomes": outcomes, "folds": folds}
    with pytest.raises(ValueError, match="back-off model needs"):
        fit_backoff(**{**given_events, **replaced})


def test_no_events():
    empty = np.zeros(0)
    with pytest.raises(ValueError, match="back-off model needs"):
        fit_backoff(np.zeros((0, 2)), empty, empty)
