import pytest

from spacy_perceptron.trees.pcfg.backoff import Backoff


def make_backoff(strength: float = 2.0) -> Backoff:
    backoff = Backoff(strength)
    for outcome, long, short in ["ax1", "ax1", "bx1", "ay1", "cz2"]:
        backoff.add(outcome, [(long, short), short])
    return backoff


@pytest.mark.parametrize(
    ("outcome", "contexts", "expected"),
    [
        # Three outcomes; context 2 has one of them once: (0 + 2 * 1/3) / (1 + 2).
        ("a", [("q", "2"), "2"], 2 / 9),
        # Context 1: a three times, b once, so a weight of 4: (3 + 4 * 1/3) / 8 = 13/24.
        ("a", [("q", "1"), "1"], 13 / 24),
        # Context x1: a twice, b once: (2 + 4 * 13/24) / 7.
        ("a", [("x", "1"), "1"], (2 + 4 * 13 / 24) / 7),
        ("b", [("x", "1"), "1"], (1 + 4 * (1 + 4 / 3) / 8) / 7),
        ("c", [("q", "9"), "9"], 1 / 3),
    ],
)
def test_probabilities_worked_out_by_hand(outcome: str, contexts: list, expected: float):
    assert make_backoff().probability(outcome, contexts) == pytest.approx(expected)


@pytest.mark.parametrize("strength", [0.5, 3.0])
@pytest.mark.parametrize("contexts", [[("x", "1"), "1"], [("y", "1"), "1"], [("q", "2"), "2"]])
def test_probabilities_sum_to_one(strength: float, contexts: list):
    backoff = make_backoff(strength)
    assert sum(backoff.probability(outcome, contexts) for outcome in "abc") == pytest.approx(1)


def test_outcomes_of_a_context():
    assert make_backoff().outcomes(0, ("x", "1")) == ["a", "b"]
    assert make_backoff().outcomes(1, "2") == ["c"]
    assert make_backoff().outcomes(1, "9") == []
