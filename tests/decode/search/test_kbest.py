import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.projective.decoder import ProjectiveDecoder
from tests.decode.arcs.projective.reference import Reference, near_parts, random_parts, restrict

ORDERS = [1, 2, 3]


@settings(max_examples=250, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 6),
    st.sampled_from(ORDERS),
    st.integers(1, 20),
    st.sampled_from([0.4, 0.7, 1.0]),
    st.sampled_from([0, 1, 5]),
)
def test_equals_brute_force(seed, n, order, k, density, size):
    parts = random_parts(np.random.default_rng(seed), n, order, density=density, size=size)
    reference = Reference(parts, order)
    expected = reference.trees()
    rows, scores = ProjectiveDecoder(order).nbest(parts, k)
    trees = [tuple(row) for row in rows.tolist()]
    assert scores.tolist() == pytest.approx([score for score, _ in expected[:k]], abs=1e-4)
    assert [reference.score(tree) for tree in trees] == pytest.approx(scores.tolist(), abs=1e-4)
    assert len(set(trees)) == len(trees) == min(k, len(expected))
    # Ties at the end of the list may be cut anywhere; whatever is better than the last is there.
    worst = min(scores, default=0.0)
    assert {tree for score, tree in expected if score > worst + 1e-4} <= set(trees)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [0, 1])
def test_all_trees_once(order: int, size: int):
    parts = random_parts(np.random.default_rng(1), 6, order, size=size)
    rows, scores = ProjectiveDecoder(order).nbest(parts, 1000)
    assert {tuple(row) for row in rows.tolist()} == {
        tree for _, tree in Reference(parts, order).trees()
    }
    assert len(rows) == len(scores) == 728
    assert (np.diff(scores) <= 0).all()


@pytest.mark.parametrize("order", ORDERS)
def test_shorter_lists_are_the_start_of_longer_ones(order: int):
    """Also with ties, and whatever the decoder has done before."""
    decoder = ProjectiveDecoder(order)
    parts = random_parts(np.random.default_rng(2), 6, order, size=1)
    rows, scores = decoder.nbest(parts, 40)
    for k in (1, 2, 7, 39):
        shorter, _ = decoder.nbest(parts, k)
        assert shorter.tolist() == rows[:k].tolist()
        decoder.nbest(random_parts(np.random.default_rng(k), 5, order), k)
    heads, score = decoder.decode(parts)
    assert (heads.tolist(), score) == (rows[0].tolist(), scores[0])


@pytest.mark.parametrize("order", ORDERS)
def test_second_best_lacks_an_arc_of_the_best(order: int):
    """The second-best tree is the best one that is found when some arc of the best is forbidden."""
    parts, _ = near_parts(np.random.default_rng(4), 25, order)
    decoder = ProjectiveDecoder(order)
    rows, scores = decoder.nbest(parts, 2)
    others = []
    for child, head in enumerate(rows[0].tolist(), 1):
        fewer = restrict(parts, set(parts.arcs()) - {(head, child)}, order)
        others.append(decoder.decode(fewer)[1])
    assert max(others) == pytest.approx(scores[1], abs=1e-4)
    assert scores[1] < scores[0]


@pytest.mark.parametrize("order", ORDERS)
def test_long_sentence(order: int):
    parts, _ = near_parts(np.random.default_rng(6), 400, order)
    decoder = ProjectiveDecoder(order)
    rows, scores = decoder.nbest(parts, 200)
    assert rows.shape == (200, 400)
    assert len({tuple(row) for row in rows.tolist()}) == 200
    assert (np.diff(scores) <= 0).all()
    for row, score in zip(rows[::20], scores[::20], strict=True):
        assert decoder.tree_score(parts, row) == pytest.approx(score, rel=1e-5)
