import itertools
import math

import numpy as np
import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from spacy_perceptron.answers.calibration import (
    Calibration,
    expected_calibration_error,
    fit_isotonic,
    fit_temperature,
    log_loss,
    reliability_bins,
)


def brute_force_isotonic(x: list[float], y: list[int]) -> list[float]:
    """The min-max formula: fit_i = max over j <= i of min over k >= i of mean(y[j..k])."""
    order = np.argsort(x, kind="stable")
    ys = np.asarray(y, dtype=float)[order]
    n = len(ys)
    return [
        max(min(ys[j : k + 1].mean() for k in range(i, n)) for j in range(i + 1)) for i in range(n)
    ]


def test_default_changes_nothing():
    values = np.array([0.0, 0.3, 1.0])
    assert Calibration().apply(values).tolist() == values.tolist()


def test_apply_interpolates_and_is_flat_beyond_the_ends():
    calibration = Calibration(knots=[[0.2, 0.1], [0.6, 0.5], [0.8, 0.9]])
    values = calibration.apply(np.array([0.0, 0.2, 0.4, 0.7, 1.0]))
    assert values == pytest.approx([0.1, 0.1, 0.3, 0.7, 0.9])


@pytest.mark.parametrize("calibration", [Calibration(), Calibration(1.7, [[0.1, 0.2], [0.9, 0.8]])])
def test_dict_round_trip_is_plain_data(calibration: Calibration):
    data = srsly.msgpack_loads(srsly.msgpack_dumps(calibration.to_dict()))
    assert Calibration.from_dict(data) == calibration


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"temperature": 0.0}, "`temperature` must be between 0.001 and 1000"),
        ({"temperature": math.nan}, "`temperature` must be a finite number"),
        ({"temperature": 1e300}, "`temperature` must be between"),
        ({"temperature": 1.0, "knots": [[0.5, 0.5], [0.4, 0.6]]}, "Expected"),
        ({"temperature": 1.0, "knots": [[0.5, 0.5], [0.6, math.nan]]}, "Expected"),
    ],
)
def test_from_dict_refuses_nonsense(data: dict, message: str):
    with pytest.raises(ValueError, match=message):
        Calibration.from_dict(data)


def test_isotonic_by_hand():
    # Outcomes by rising confidence: 0 | 1 0 | 1 1, pooled to 0, 1/2, 1; n = 5: ends 1/7 off.
    knots = fit_isotonic(np.array([0.9, 0.1, 0.4, 0.2, 0.8]), np.array([1, 0, 0, 1, 1]))
    assert np.array(knots) == pytest.approx(np.array([[0.1, 1 / 7], [0.3, 0.5], [0.85, 6 / 7]]))


@given(
    st.lists(
        st.tuples(st.integers(1, 10**6), st.booleans()),
        min_size=1,
        max_size=10,
        unique_by=lambda t: t[0],
    )
)
def test_isotonic_equals_brute_force(pairs: list[tuple[int, bool]]):
    x, y = [p[0] / 10**6 for p in pairs], [int(p[1]) for p in pairs]
    knots = fit_isotonic(np.array(x), np.array(y))
    blocks = [(value, len(list(g))) for value, g in itertools.groupby(brute_force_isotonic(x, y))]
    margin = 1 / (len(x) + 2)
    expected = [min(max(value, margin), 1 - margin) for value, _ in blocks]
    assert [knot[1] for knot in knots] == pytest.approx(expected)
    xs, start = sorted(x), 0
    for knot, (_, size) in zip(knots, blocks, strict=True):
        assert knot[0] == pytest.approx(np.mean(xs[start : start + size]))
        start += size


def test_isotonic_pools_equal_confidences():
    knots = fit_isotonic(np.array([0.5, 0.5, 0.5, 0.5]), np.array([1, 0, 1, 1]))
    assert knots == [[0.5, 0.75]]


def test_isotonic_all_right_is_sure_but_not_certain():
    assert fit_isotonic(np.array([0.7, 0.9]), np.array([1, 1])) == [[pytest.approx(0.8), 0.75]]


def test_isotonic_stays_compact_monotone_and_calibrated():
    rng = np.random.default_rng(0)
    confidence = rng.random(20000)
    correct = rng.random(20000) < confidence**3
    knots = np.array(fit_isotonic(confidence, correct, max_knots=12))
    assert len(knots) == 12
    assert (np.diff(knots, axis=0) > 0).all()
    assert knots[0, 1] > 0
    assert knots[-1, 1] < 1
    fresh = rng.random(20000)
    outcome = rng.random(20000) < fresh**3
    after = Calibration(knots=knots.tolist()).apply(fresh)
    assert expected_calibration_error(fresh, outcome) > 0.2
    assert expected_calibration_error(after, outcome) < 0.03


def test_temperature_recovers_the_true_one():
    # Outcomes follow sigmoid(score / 3): the best temperature is about 3, and scipy agrees.
    rng = np.random.default_rng(1)
    scores = rng.normal(2, 4, size=20000)
    correct = rng.random(20000) < 1 / (1 + np.exp(-scores / 3))

    def at(temperature: float) -> tuple[np.ndarray, np.ndarray]:
        return 1 / (1 + np.exp(-scores / temperature)), correct

    found = fit_temperature(at)
    reference = minimize_scalar(lambda t: log_loss(*at(t)), bounds=(0.5, 10), method="bounded")
    assert found == pytest.approx(3.0, rel=0.05)
    assert found == pytest.approx(reference.x, rel=2e-3)


def test_temperature_keeps_one_when_nothing_is_better():
    confidence, correct = np.full(4, 0.5), np.array([True, False, True, False])
    assert fit_temperature(lambda temperature: (confidence, correct)) == 1.0


def test_reliability_bins_and_error_by_hand():
    confidence = np.array([0.05, 0.15, 0.15, 0.95, 1.0])
    correct = np.array([0, 1, 0, 1, 1])
    bins = reliability_bins(confidence, correct, n_bins=10)
    assert [b.count for b in bins] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (bins[1].low, bins[1].high) == (pytest.approx(0.1), pytest.approx(0.2))
    assert (bins[1].confidence, bins[1].accuracy) == (pytest.approx(0.15), 0.5)
    assert math.isnan(bins[4].accuracy)
    # (1 * |0.05 - 0| + 2 * |0.15 - 0.5| + 2 * |0.975 - 1|) / 5 = (0.05 + 0.7 + 0.05) / 5
    assert expected_calibration_error(confidence, correct, n_bins=10) == pytest.approx(0.16)


def test_log_loss_by_hand():
    loss = log_loss(np.array([0.5, 0.2]), np.array([True, False]))
    assert loss == pytest.approx((math.log(2) - math.log(0.8)) / 2)
    assert math.isfinite(log_loss(np.array([1.0]), np.array([False])))


@pytest.mark.parametrize(
    ("confidence", "correct", "match"),
    [([0.1, 0.2], [1], "same length"), ([], [], "no token"), ([1.2], [1], "from 0 to 1")],
)
def test_bad_input(confidence: list[float], correct: list[int], match: str):
    for function in (fit_isotonic, expected_calibration_error, log_loss):
        with pytest.raises(ValueError, match=match):
            function(np.array(confidence), np.array(correct))
