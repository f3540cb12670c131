"""Non-projective decoding against enumeration of all trees with one child of the root."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.nonprojective.decoder import SpanningDecoder

from .reference import Arc, all_arcs, all_trees, arc_marginals, brute_force, is_tree, make_parts


@st.composite
def sentences(draw: st.DrawFn, values: st.SearchStrategy[float]) -> tuple[int, dict[Arc, float]]:
    """All arcs of a short sentence or some of them, with or without a tree, and their scores."""
    n = draw(st.integers(1, 4))
    arcs = all_arcs(n)
    chosen = [arc for arc in arcs if not draw(st.booleans())] if draw(st.booleans()) else arcs
    scores = draw(st.lists(values, min_size=len(chosen), max_size=len(chosen)))
    return n, dict(zip(chosen, scores, strict=True))


# Few values make ties, and their sums are exact.
TIED = st.integers(-2, 2).map(float)
# Multiples of 2 ** -16: exact as single precision, and so are sums as double precision. Beside the
# constant that keeps the root to one child, differences below its last digit would be lost.
FLOATS = st.integers(-50 << 16, 50 << 16).map(lambda i: i / (1 << 16))


def test_number_of_trees():
    # Trees over n words with a chosen root: n^(n - 1) (Cayley).
    assert [len(all_trees(n)) for n in range(1, 6)] == [1, 2, 9, 64, 625]


@settings(deadline=None, max_examples=300)
@given(sentences(TIED | FLOATS), st.integers(1, 70))
def test_best_trees(sentence: tuple[int, dict[Arc, float]], k: int):
    n, scores = sentence
    decoder, parts = SpanningDecoder(), make_parts(n, scores)
    expected = brute_force(n, scores)
    heads, found = decoder.nbest(parts, k)
    assert heads.dtype == np.int32
    assert heads.shape == (min(k, len(expected)), n)
    assert found == pytest.approx(list(expected.values())[:k])
    assert (np.diff(found) <= 0).all()
    trees = [tuple(row) for row in heads.tolist()]
    assert len(set(trees)) == len(trees), "no tree comes twice"
    assert found == pytest.approx([expected[tree] for tree in trees])
    best, score = decoder.decode(parts)
    if expected:
        assert (tuple(best), score) == (trees[0], found[0])
        assert decoder.tree_score(parts, best) == score
    else:
        assert (best.tolist(), score) == ([-1] * n, -np.inf)


@pytest.mark.parametrize("seed", range(12))
def test_five_words_and_reused_memory(seed: int):
    rng = np.random.default_rng(seed)
    decoder = SpanningDecoder()
    for n, tied in [(5, True), (2, False), (5, False)]:
        chosen = [arc for arc in all_arcs(n) if rng.random() < (1 if n < 5 else 0.8)]
        values = rng.integers(-1, 2, len(chosen)) if tied else rng.normal(size=len(chosen))
        scores = {arc: float(value) for arc, value in zip(chosen, values, strict=True)}
        expected = brute_force(n, scores)
        heads, found = decoder.nbest(make_parts(n, scores), 1000)
        assert {tuple(row) for row in heads.tolist()} == set(expected)
        assert found == pytest.approx(list(expected.values()))


def test_nested_cycles():
    # 1 and 2 prefer each other, both together prefer 3, and 3 prefers them; 4 hangs on 1, crossing
    # nothing; entering at 3 loses 5, at 1 or 2 loses more than 10.
    scores = dict.fromkeys(all_arcs(4), -20.0)
    scores |= {(1, 2): 10.0, (2, 1): 10.0, (3, 1): 8.0, (1, 3): 6.0, (0, 3): 1.0, (1, 4): 3.0}
    heads, score = SpanningDecoder().decode(make_parts(4, scores))
    assert heads.tolist() == [3, 1, 0, 1]
    assert score == 1 + 8 + 10 + 3


def test_crossing_arcs():
    # "A hearing is scheduled today": the arcs 3 -> 1 and 4 -> 2 cross.
    scores = dict.fromkeys(all_arcs(4), 0.0) | {(0, 4): 1.0, (3, 1): 1.0, (4, 2): 1.0, (4, 3): 1.0}
    assert SpanningDecoder().decode(make_parts(4, scores))[0].tolist() == [3, 4, 4, 0]


def test_one_child_of_the_root_at_any_price():
    scores = {(0, 1): 1e6, (0, 2): 1e6, (0, 3): 1e6, (1, 2): -1e6, (2, 3): -1e6, (1, 3): -2e6}
    heads, found = SpanningDecoder().nbest(make_parts(3, scores), 5)
    assert heads.tolist() == [[0, 1, 2], [0, 1, 1]]
    assert found.tolist() == [-1e6, -2e6]


def test_no_tree():
    decoder = SpanningDecoder()
    # No word at all; a word without heads; a cycle that nothing enters; only with two roots.
    for n, arcs in [
        (0, []),
        (2, [(0, 1)]),
        (3, [(0, 1), (2, 3), (3, 2)]),
        (2, [(0, 1), (0, 2)]),
    ]:
        parts = make_parts(n, dict.fromkeys(arcs, 1.0))
        heads, score = decoder.decode(parts)
        assert (heads.tolist(), score) == ([-1] * n, -np.inf)
        heads, scores = decoder.nbest(parts, 3)
        assert (heads.shape, scores.shape) == ((0, n), (0,))
        assert decoder.marginals(parts).tolist() == [0.0] * len(arcs)


@settings(deadline=None)
@given(sentences(TIED | FLOATS), st.sampled_from([0.0, 0.3, 1.0, 100.0]))
def test_marginals(sentence: tuple[int, dict[Arc, float]], scale: float):
    n, scores = sentence
    decoder, parts = SpanningDecoder(), make_parts(n, scores)
    marginals, log_z = decoder.marginals(parts, scale), decoder.log_z(parts, scale)
    if trees := brute_force(n, scores):
        assert marginals == pytest.approx(arc_marginals(n, scores, scale), abs=1e-10)
        assert log_z == pytest.approx(np.logaddexp.reduce(scale * np.array(list(trees.values()))))
    else:
        assert not marginals.any()
        assert log_z == -np.inf


def test_marginals_where_words_prefer_a_cycle():
    # Two cycles that are left only at a price of hundreds, in which the trees still differ by
    # little: weights of such a size cancel out in the matrix of the textbook formula.
    scores = dict.fromkeys(all_arcs(4), -1000.0)
    scores |= {(1, 2): 500.0, (2, 1): 500.0, (3, 4): 500.0, (4, 3): 500.0}
    scores |= {(0, 1): -300.5, (0, 3): -300.25, (2, 3): -40.0, (4, 1): -41.0, (3, 2): -40.5}
    marginals = SpanningDecoder().marginals(make_parts(4, scores))
    expected = arc_marginals(4, scores, 1.0)
    assert sum(0.01 < m < 0.99 for m in expected) >= 4, "the test would say little"
    assert marginals == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_long_sentences(seed: int):
    rng = np.random.default_rng(seed)
    n = 30
    scores = {arc: float(rng.normal(0, 2)) for arc in all_arcs(n) if rng.random() < 0.5}
    parts, decoder = make_parts(n, scores), SpanningDecoder()
    # Koo et al. (2007): the Laplacian with the weights of root arcs in place of the first row.
    weights = np.zeros((n + 1, n + 1))
    for (h, c), score in scores.items():
        weights[h, c] = np.exp(float(np.float32(score)))
    laplacian = (np.diag(weights.sum(0)) - weights)[1:, 1:]
    laplacian -= np.diag(weights[0, 1:])
    laplacian[0] = weights[0, 1:]
    inverse = np.linalg.inv(laplacian)
    expected = []
    for h, c in parts.arcs():
        if h == 0:
            share = inverse[c - 1, 0]
        else:
            share = (c != 1) * inverse[c - 1, c - 1] - (h != 1) * inverse[c - 1, h - 1]
        expected.append(weights[h, c] * share)
    marginals = decoder.marginals(parts)
    assert marginals == pytest.approx(expected, abs=1e-9)
    children = np.array([c for _, c in parts.arcs()])
    assert np.bincount(children, marginals)[1:] == pytest.approx(np.ones(n))
    # The k best are trees, and changing a head of the best one never gives a better tree.
    heads, found = decoder.nbest(parts, 20)
    assert len({tuple(row) for row in heads.tolist()}) == 20
    assert all(is_tree(tuple(row)) for row in heads.tolist())
    assert found == pytest.approx([decoder.tree_score(parts, row) for row in heads])
    best = tuple(heads[0].tolist())
    neighbours = {
        changed: decoder.tree_score(parts, changed)
        for h, c in scores
        if is_tree(changed := (*best[: c - 1], h, *best[c:])) and changed != best
    }
    assert max(neighbours.values()) <= found[1] + 1e-9
    assert found[1] <= found[0]


def test_ties_are_broken_the_same_way_each_time():
    parts = make_parts(5, dict.fromkeys(all_arcs(5), 0.0))
    heads, scores = SpanningDecoder().nbest(parts, 100)
    decoder = SpanningDecoder()
    decoder.decode(make_parts(3, dict.fromkeys(all_arcs(3), 1.0)))
    assert decoder.nbest(parts, 100)[0].tolist() == heads.tolist()
    assert decoder.nbest(parts, 10)[0].tolist() == heads[:10].tolist()
    assert not scores.any()
    assert decoder.nbest(parts, 10_000)[0].shape == (625, 5)


def test_score_of_a_tree():
    scores = {(0, 2): 1.5, (2, 1): -0.25, (1, 2): 4.0}
    decoder, parts = SpanningDecoder(), make_parts(2, scores)
    assert decoder.tree_score(parts, [2, 0]) == 1.25
    assert decoder.tree_score(parts, [0, 1]) == -np.inf
    with pytest.raises(ValueError, match="3 heads for a sentence of 2"):
        decoder.tree_score(parts, [2, 0, 1])


def test_bad_number_of_trees():
    with pytest.raises(ValueError, match="not 0"):
        SpanningDecoder().nbest(make_parts(1, {(0, 1): 0.0}), 0)


def test_pickles():
    decoder = pickle.loads(pickle.dumps(SpanningDecoder()))
    assert decoder.decode(make_parts(1, {(0, 1): 2.0}))[1] == 2.0
