import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parts import Parts
from spacy_perceptron.decode.arcs.projective.decoder import ProjectiveDecoder
from tests.decode.arcs.projective.reference import (
    Reference,
    all_arcs,
    all_trees,
    is_tree,
    make_parts,
    near_parts,
    random_parts,
    random_tree,
)

SEEDS = st.integers(0, 2**32)
ORDERS = [1, 2, 3]
DENSITIES = st.sampled_from([0.3, 0.5, 0.8, 1.0])
# Scores of -1, 0 and 1 make nearly every decision a tie; 0 stands for real numbers.
SIZES = st.sampled_from([0, 1, 5])


def n_trees(n: int) -> int:
    """How many projective trees with one root n words have (OEIS A006013)."""
    return math.comb(3 * n - 2, n - 1) // n


@pytest.mark.parametrize("n", range(1, 7))
def test_reference_has_all_trees(n: int):
    assert len(all_trees(n)) == n_trees(n)


@settings(max_examples=250, deadline=None)
@given(SEEDS, st.integers(1, 6), st.sampled_from(ORDERS), DENSITIES, SIZES)
def test_equals_brute_force(seed, n, order, density, size):
    parts = random_parts(np.random.default_rng(seed), n, order, density=density, size=size)
    reference = Reference(parts, order)
    decoder = ProjectiveDecoder(order)
    heads, score = decoder.decode(parts)
    trees = reference.trees()
    if not trees:
        assert score == -math.inf
        assert heads.tolist() == [-1] * n
        assert len(decoder.forest) == 0
        return
    assert score == pytest.approx(trees[0][0], abs=1e-4)
    assert tuple(heads.tolist()) in {tree for other, tree in trees if other > score - 1e-4}
    for expected, tree in trees[:: len(trees) // 10 + 1]:
        assert decoder.tree_score(parts, tree) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_every_tree_has_one_derivation(n: int, order: int):
    parts = make_parts(n, all_arcs(n), order)
    assert ProjectiveDecoder(order).log_z(parts) == pytest.approx(math.log(n_trees(n)), abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_one_decoder_for_sentences_of_all_lengths(order: int):
    rng = np.random.default_rng(order)
    decoder = ProjectiveDecoder(order)
    for n in (3, 40, 1, 12, 0, 5, 60, 2):
        parts = near_parts(rng, n, order)[0] if n else Parts(0, order=order)
        heads, score = decoder.decode(parts)
        fresh_heads, fresh_score = ProjectiveDecoder(order).decode(parts)
        assert heads.tolist() == fresh_heads.tolist()
        assert score == fresh_score
        if n:
            assert is_tree(tuple(heads.tolist()))
            assert score == pytest.approx(decoder.tree_score(parts, heads), rel=1e-5, abs=1e-4)


@pytest.mark.parametrize("order", ORDERS)
def test_a_good_tree_is_found_among_others(order: int):
    """A bonus of 100 for each arc of a tree outweighs all other scores."""
    for n in (10, 30, 80):
        parts, tree = near_parts(np.random.default_rng(n), n, order)
        arc_scores = parts.get_scores()["arc"]
        for child, head in enumerate(tree, 1):
            arc_scores[parts.ids()["arc"][head, child]] += 100
        parts.set_scores(arc=arc_scores)
        heads, score = ProjectiveDecoder(order).decode(parts)
        assert tuple(heads.tolist()) == tree
        assert score == pytest.approx(ProjectiveDecoder(order).tree_score(parts, tree), rel=1e-5)


@pytest.mark.parametrize("order", ORDERS)
def test_thousand_words(order: int):
    parts, tree = near_parts(np.random.default_rng(7), 1000, order)
    decoder = ProjectiveDecoder(order)
    heads, score = decoder.decode(parts)
    assert is_tree_of_any_length(heads.tolist())
    assert score == pytest.approx(decoder.tree_score(parts, heads), rel=1e-5)
    assert score > decoder.tree_score(parts, tree)
    # About 5000 arcs: far from the 1000^2 spans there could be for each of them.
    assert decoder.forest.n_edges < 2_000_000


def is_tree_of_any_length(heads: list[int]) -> bool:
    """As `is_tree`, in linear time: with one root and no word above itself, arcs do not cross if
    those seen from left to right nest like brackets."""
    n = len(heads)
    opening: list[list[tuple[int, int]]] = [[] for _ in range(n + 1)]
    for child, head in enumerate(heads, 1):
        opening[min(child, head)].append((min(child, head), max(child, head)))
    stack: list[int] = []
    for at in range(n + 1):
        while stack and stack[-1] == at:
            stack.pop()
        for _, end in sorted(opening[at], reverse=True):
            if stack and stack[-1] < end:
                return False
            stack.append(end)
    above = {0}
    for word in range(1, n + 1):
        path = []
        while word not in above:
            if word in path:
                return False
            path.append(word)
            word = heads[word - 1]
        above.update(path)
    return heads.count(0) == 1


def test_long_check_agrees_with_the_short_one():
    assert all(is_tree_of_any_length(list(tree)) for tree in all_trees(5))
    rng = np.random.default_rng(0)
    for _ in range(300):
        heads = rng.integers(0, 6, 5).tolist()
        if all(head != child for child, head in enumerate(heads, 1)):
            assert is_tree_of_any_length(heads) == is_tree(tuple(heads))


@pytest.mark.parametrize("order", ORDERS)
def test_one_head_a_word_leaves_one_tree(order: int):
    tree = random_tree(np.random.default_rng(3), 50)
    parts = make_parts(50, [(h, c) for c, h in enumerate(tree, 1)], order)
    decoder = ProjectiveDecoder(order)
    assert tuple(decoder.decode(parts)[0].tolist()) == tree
    heads, _ = decoder.nbest(parts, 3)
    assert [tuple(row) for row in heads.tolist()] == [tree]


@pytest.mark.parametrize("order", ORDERS)
def test_one_word(order: int):
    parts = Parts(1, [0], [1], order=order)
    scores = {kind: np.full(len(old), 2.0) for kind, old in parts.get_scores().items()}
    parts.set_scores(**scores)
    heads, score = ProjectiveDecoder(order).decode(parts)
    assert heads.tolist() == [0]
    # The arc; and, beyond first order, no children to the left and none to the right.
    assert score == (2.0 if order == 1 else 6.0)


@pytest.mark.parametrize("order", ORDERS)
def test_no_words_have_no_tree(order: int):
    decoder = ProjectiveDecoder(order)
    parts = Parts(0, order=order)
    heads, score = decoder.decode(parts)
    assert heads.shape == (0,)
    assert score == -math.inf
    assert decoder.nbest(parts, 2)[0].shape == (0, 0)
    assert decoder.marginals(parts).shape == (0,)


def test_the_root_has_one_child():
    """Two words that only the root may govern have no tree."""
    assert ProjectiveDecoder(1).decode(Parts(2, [0, 0], [1, 2], order=1))[1] == -math.inf


def test_first_order_decoder_looks_at_arcs_alone():
    rng = np.random.default_rng(5)
    parts = random_parts(rng, 6, 3)
    arcs_only = make_parts(6, all_arcs(6), 1)
    arcs_only.set_scores(arc=parts.get_scores()["arc"])
    decoder = ProjectiveDecoder(1)
    heads, score = decoder.decode(parts)
    assert (heads.tolist(), score) == (decoder.decode(arcs_only)[0].tolist(), score)
    assert decoder.tree_score(parts, heads) == pytest.approx(score)


def test_tree_score_of_other_arcs():
    parts = Parts(2, [0, 1], [1, 2])
    assert ProjectiveDecoder(2).tree_score(parts, [0, 1]) == 0.0
    assert ProjectiveDecoder(2).tree_score(parts, [2, 0]) == -math.inf


def test_refuses_wrong_arguments():
    with pytest.raises(ValueError, match="order"):
        ProjectiveDecoder(0)
    decoder = ProjectiveDecoder(2)
    with pytest.raises(ValueError, match="order 2"):
        decoder.decode(Parts(1, [0], [1], order=1))
    with pytest.raises(ValueError, match="3 heads"):
        decoder.tree_score(Parts(1, [0], [1]), [0, 0, 0])
    with pytest.raises(ValueError, match="1 or more"):
        decoder.nbest(Parts(1, [0], [1]), 0)
    with pytest.raises(TypeError):
        decoder.decode(None)
