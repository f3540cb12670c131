"""What is left out before parts of higher order, against enumeration of all trees of arcs."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.narrowing import ArcNarrowing
from spacy_perceptron.learn.hashed import HashedWeights

from .reference import Arc, Sentence
from .world import (
    Tree,
    World,
    examples,
    make_input,
    parse_sentence,
    random_table,
    random_world,
    reachable,
)

SEEDS = st.integers(0, 2**32 - 1)
orders = st.sampled_from([2, 3])
thresholds = st.sampled_from([0.01, 0.2, 1.0])


def first_order_trees(world: World, sentence: Sentence, arcs: list[Arc]) -> list[Tree]:
    of_arcs = World(order=1)
    of_arcs.weights, of_arcs.label_weights = world.weights, world.label_weights
    return of_arcs.trees(sentence, arcs)


def shares(trees: list[Tree]) -> dict[Arc, float]:
    """By how much each arc falls short of the probability of its child's best head."""
    masses: dict[Arc, float] = {}
    for score, heads, _ in trees:
        for child, head in enumerate(heads, 1):
            mass = masses.get((head, child), 0.0)
            masses[head, child] = mass + float(np.exp(score - trees[0][0]))
    best = {child: max(m for arc, m in masses.items() if arc[1] == child) for _, child in masses}
    return {arc: mass / best[arc[1]] for arc, mass in masses.items()}


@examples(60)
@given(SEEDS, st.integers(1, 5), orders, thresholds)
def test_probable_arcs_stay(seed, n, order, threshold):
    """And those of the best tree of arcs, whatever their probability."""
    world, sentence = random_world(seed, n, size=64, order=order)
    parsing = world.parsing(narrowing=threshold)
    arcs = parsing.allowed(make_input(parsing, sentence), narrowed=False)
    assert len(arcs) == n * n
    trees = first_order_trees(world, sentence, arcs)
    assume(len(trees) < 2 or trees[0][0] > trees[1][0])
    share = shares(trees)
    assume(all(abs(s - threshold) > 1e-6 or s == 1 for s in share.values()))
    probable = {arc for arc, s in share.items() if s >= threshold}
    best = {(head, child) for child, head in enumerate(trees[0][1], 1)}
    assert set(parsing.allowed(make_input(parsing, sentence))) == probable | best


@examples(60)
@given(SEEDS, st.integers(1, 5), orders, thresholds, st.sampled_from([0, 1, 2]))
def test_trees_of_the_arcs_that_stay(seed, n, order, threshold, max_heads):
    """Exact over them, labels and scores included; without a tree arcs are added as ever."""
    world, sentence = random_world(seed, n, size=64, order=order)
    pruner: HashedWeights = random_table(seed)
    parsing = world.parsing(pruner, max_heads=max_heads, narrowing=threshold)
    words = make_input(parsing, sentence)
    trees = world.trees(sentence, parsing.allowed(words))
    if not trees:
        assert not first_order_trees(world, sentence, parsing.allowed(words, narrowed=False))
        wide = world.parsing(pruner, max_heads=max_heads)
        trees = world.trees(sentence, reachable(wide, sentence))
    best = {(heads, labels) for score, heads, labels in trees if score == trees[0][0]}
    assert parse_sentence(parsing, sentence)[:2] in best
    heads, _, scores = parsing.nbest(words, 1000)
    assert scores.tolist() == [score for score, _, _ in trees]
    assert {tuple(row) for row in heads.tolist()} == {heads for _, heads, _ in trees}


@examples(40)
@given(SEEDS, st.integers(2, 5), st.data())
def test_another_head_among_all_arcs(seed, n, data):
    """Where narrowing leaves a word no other head, those that pruning leaves are looked at."""
    world, sentence = random_world(seed, n, size=64, order=2)
    parsing = world.parsing(narrowing=1.0)
    words = make_input(parsing, sentence)
    word = data.draw(st.integers(1, n))
    head = parse_sentence(parsing, sentence)[0][word - 1]
    others: list[Tree] = []
    for narrowed in (True, False):
        trees = world.trees(sentence, parsing.allowed(words, narrowed=narrowed))
        others = others or [tree for tree in trees if tree[1][word - 1] != head]
    heads, labels, score = parsing.without(words, word, head)
    assert (score, tuple(heads.tolist()), tuple(labels.tolist())) in others
    assert score == others[0][0]


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_no_such_threshold(threshold: float):
    with pytest.raises(ValueError, match="narrowing"):
        ArcNarrowing(threshold)
