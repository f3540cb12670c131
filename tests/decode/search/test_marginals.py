import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parts import Parts
from spacy_perceptron.decode.arcs.projective.decoder import ProjectiveDecoder
from tests.decode.arcs.projective.reference import Reference, make_parts, near_parts, random_parts

ORDERS = [1, 2, 3]


def sums_of_heads(parts: Parts, probabilities: np.ndarray) -> np.ndarray:
    sums = np.zeros(parts.n_words)
    for (_, child), probability in zip(parts.arcs(), probabilities, strict=True):
        sums[child - 1] += probability
    return sums


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 6),
    st.sampled_from(ORDERS),
    st.sampled_from([0.4, 0.7, 1.0]),
    st.sampled_from([0.0, 0.3, 1.0, 4.0]),
)
def test_equals_brute_force(seed, n, order, density, scale):
    parts = random_parts(np.random.default_rng(seed), n, order, density=density)
    decoder = ProjectiveDecoder(order)
    reference = Reference(parts, order)
    probabilities = decoder.marginals(parts, scale)
    if not reference.trees():
        assert not probabilities.any()
        assert decoder.log_z(parts, scale) == -math.inf
        return
    expected, log_z = reference.marginals(scale)
    np.testing.assert_allclose(probabilities, expected, atol=1e-5)
    assert decoder.log_z(parts, scale) == pytest.approx(log_z, abs=1e-4)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n", [1, 15, 100])
def test_heads_of_a_word_sum_to_one(n: int, order: int):
    parts, _ = near_parts(np.random.default_rng(n), n, order)
    for scale in (0.1, 1.0, 10.0):
        probabilities = ProjectiveDecoder(order).marginals(parts, scale)
        assert (probabilities >= 0).all()
        np.testing.assert_allclose(sums_of_heads(parts, probabilities), 1, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_are_the_gradient_of_log_z(order: int):
    parts, _ = near_parts(np.random.default_rng(9), 12, order)
    decoder = ProjectiveDecoder(order)
    scale, step = 0.7, 2**-6
    probabilities = decoder.marginals(parts, scale)
    scores = parts.get_scores()["arc"]
    for a in range(0, len(scores), 3):
        log_z = []
        for sign in (-1, 1):
            moved = scores.copy()
            moved[a] += sign * step
            parts.set_scores(arc=moved)
            log_z.append(decoder.log_z(parts, scale))
        assert (log_z[1] - log_z[0]) / (2 * step) == pytest.approx(
            scale * probabilities[a], abs=1e-4
        )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("scale", [1e4, 1e30])
def test_huge_scores_leave_the_best_tree(order: int, scale: float):
    parts, _ = near_parts(np.random.default_rng(11), 40, order)
    decoder = ProjectiveDecoder(order)
    heads, score = decoder.decode(parts)
    probabilities = decoder.marginals(parts, scale)
    expected = [float(heads[child - 1] == head) for head, child in parts.arcs()]
    np.testing.assert_allclose(probabilities, expected, atol=1e-6)
    assert decoder.log_z(parts, scale) == pytest.approx(scale * score, rel=1e-6)


@pytest.mark.parametrize("order", ORDERS)
def test_more_trees_than_a_double_can_count(order: int):
    """Words 1, 21, 41, ... form a chain; any other word hangs on the last of these or on the word
    before it, whatever the others do. With a score x for the latter and 0 for the former, its
    probability is 1 / (1 + exp(-x))."""
    n, step = 1300, 20
    arcs = {(0, 1)}
    for child in range(2, n + 1):
        last = (child - 2) // step * step + 1
        arcs |= {(last, child)} if child % step == 1 else {(last, child), (child - 1, child)}
    parts = make_parts(n, arcs, order)
    free = [a for a, (head, _) in enumerate(parts.arcs()) if head and head % step != 1]
    scores = np.zeros(len(arcs))
    scores[free] = np.random.default_rng(13).integers(-8, 9, len(free)) / 32
    parts.set_scores(arc=scores)
    decoder = ProjectiveDecoder(order)
    log_z = decoder.log_z(parts)
    best = decoder.decode(parts)[1]
    assert log_z - best > 710, "the logarithm of the largest double is 709.8"
    assert log_z == pytest.approx(np.log1p(np.exp(scores[free])).sum())
    probabilities = decoder.marginals(parts)
    np.testing.assert_allclose(probabilities[free], 1 / (1 + np.exp(-scores[free])), atol=1e-9)
    np.testing.assert_allclose(sums_of_heads(parts, probabilities), 1, atol=1e-9)
