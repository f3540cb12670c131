"""The dual perceptron against the primal one on enumerated fragments."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.kernels.pairwise import kernel_matrix
from spacy_perceptron.learn.kernels.perceptron import COMBINATIONS, KernelPerceptron
from spacy_perceptron.learn.kernels.settings import KernelSettings
from spacy_perceptron.learn.kernels.structures import Sequences, Structures, Trees

from .reference import PrimalPerceptron, make_structures, make_trees
from .strategies import candidate_lists, kernel_settings, training_sets


def train(how: KernelSettings, examples: list[Any], **options: Any) -> KernelPerceptron:
    model = KernelPerceptron(how, **options)
    for candidates, base_scores, target in examples:
        model.learn(make_structures(how, candidates), base_scores, target)
    return model


@settings(deadline=None, max_examples=150)
@given(st.data(), st.sampled_from(COMBINATIONS), st.sampled_from([0, 1, 2]))
def test_primal(data: st.DataObject, combine: str, budget: int):
    """The same mistakes and scores as with explicit vectors, ties included."""
    how = data.draw(kernel_settings(normalize=False))
    model = KernelPerceptron(how, combine=combine, budget=budget)
    primal = PrimalPerceptron(how, combine=combine, budget=budget)
    n_mistakes = 0
    for candidates, base_scores, target in data.draw(training_sets(how)):
        # Multiples of a half: sums of scores and head starts are exact, ties stay ties.
        starts = [data.draw(st.integers(0, 4)) / 2 * (i != target) for i in range(len(candidates))]
        mistake = primal.learn(candidates, base_scores, target, starts)
        structures = make_structures(how, candidates)
        assert model.learn(structures, base_scores, target, np.array(starts)) == mistake
        n_mistakes += mistake
    assert (model.n_examples, model.n_mistakes) == (primal.n_examples, n_mistakes)
    assert model.n_supports == len(primal.mistakes)
    candidates, base_scores = data.draw(candidate_lists(how))
    expected = primal.scores(candidates, base_scores)
    structures = make_structures(how, candidates)
    found = model.scores(structures, base_scores)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    relative = model.scores(structures, base_scores, relative=True)
    np.testing.assert_allclose(relative - relative[0], expected - expected[0], atol=1e-12)


@settings(deadline=None, max_examples=100)
@given(st.data(), st.sampled_from(COMBINATIONS), st.sampled_from([0, 2]))
def test_list_of_supports(data: st.DataObject, combine: str, budget: int):
    """The scores of pairwise kernels with a list of support candidates, also normalized."""
    how = data.draw(kernel_settings())
    examples = data.draw(training_sets(how))
    model = KernelPerceptron(how, combine=combine, budget=budget)
    pairs: list[tuple[int, Any, float]] = []
    for example, (candidates, base_scores, target) in enumerate(examples, start=1):
        structures = make_structures(how, candidates)
        chosen = int(np.argmax(last_scores(model, structures, base_scores)))
        if model.learn(structures, base_scores, target):
            delta = base_scores[target] - base_scores[chosen]
            pairs.append((example, structures.select([target, chosen]), delta))
    pairs = pairs[-budget:] if budget else pairs
    n_forgotten = pairs[0][0] - 1 if budget and model.n_mistakes > budget else 0
    candidates, base_scores = data.draw(candidate_lists(how))
    structures = make_structures(how, candidates)
    changes = [
        np.array([1, -1]) @ kernel_matrix(how, pair, structures)
        + how.base_weight * delta * np.array(base_scores)
        for _, pair, delta in pairs
    ]
    zero = np.zeros(len(candidates))
    hypotheses = [
        sum((c for c, (t, *_) in zip(changes, pairs, strict=True) if t <= example), zero)
        for example in range(n_forgotten + 1, len(examples) + 1)
    ]
    found = model.scores(structures, base_scores)
    if combine == "voted":
        assert found.sum() == len(hypotheses)
        best = [np.flatnonzero(h > h.max() - 1e-9) for h in hypotheses]
        # Where rounding decides a tie, any of the best may have the vote.
        for i, votes in enumerate(found):
            assert votes >= sum(len(b) == 1 and b[0] == i for b in best)
            assert votes <= sum(i in b for b in best)
    else:
        expected = hypotheses[-1] if combine == "final" else np.mean(hypotheses, axis=0)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def last_scores(model: KernelPerceptron, structures: Structures, base_scores: Any) -> np.ndarray:
    """The scores of the last hypothesis, as learning sees them."""
    final = KernelPerceptron.from_state(model.settings, model.state(), combine="final")
    return final.scores(structures, base_scores, relative=True)


@settings(deadline=None, max_examples=100)
@given(st.data(), st.sampled_from(COMBINATIONS), st.sampled_from([0, 2]))
def test_round_trip(data: st.DataObject, combine: str, budget: int):
    """A restored model gives the same bits, and learns on like the first one."""
    how = data.draw(kernel_settings())
    model = train(how, data.draw(training_sets(how)), combine=combine, budget=budget)
    copies = [
        KernelPerceptron.from_state(how, model.state(), combine=combine, budget=budget),
        pickle.loads(pickle.dumps(model)),
    ]
    more = data.draw(training_sets(how))
    candidates, base_scores = data.draw(candidate_lists(how))
    structures = make_structures(how, candidates)
    expected = model.scores(structures, base_scores)
    for copy in copies:
        np.testing.assert_array_equal(copy.scores(structures, base_scores), expected)
        for name, array in model.state().items():
            np.testing.assert_array_equal(copy.state()[name], array)
        assert copy.n_nodes == model.n_nodes
    mistakes = [
        [m.learn(make_structures(how, c), b, t) for c, b, t in more] for m in (model, *copies)
    ]
    assert how.normalize or mistakes[0] == mistakes[1] == mistakes[2]


TREE = KernelSettings("subset_tree", decay=0.5, base_weight=1.0, normalize=False)
S, NP, VP, MAN, DOG = range(1, 6)
GOOD, BAD = (S, [(NP, [(MAN, [])])]), (S, [(VP, [(MAN, [])])])


def test_by_hand():
    """The zero hypothesis prefers the first of the equal; the mistake adds the difference.

    S -> NP, NP -> man and both together against the same with VP: each candidate has 0.5 + 0.5 +
    0.25 in common with itself, nothing with the other one.
    """
    trees = make_trees([BAD, GOOD])
    model = KernelPerceptron(TREE, combine="final")
    assert not model.learn(trees, [0.0, 0.0], 0)
    assert model.learn(trees, [-1.0, -3.0], 1)
    assert not model.learn(trees, [0.0, 0.0], 1)
    assert (model.n_examples, model.n_mistakes, model.n_supports, model.n_nodes) == (3, 1, 1, 4)
    # The base scores' weight is -3 - -1.
    np.testing.assert_array_equal(model.scores(trees, [0.0, 0.0]), [-1.25, 1.25])
    np.testing.assert_array_equal(model.scores(trees, [1.0, 0.5]), [-3.25, 0.25])
    model.combine = "averaged"
    np.testing.assert_allclose(model.scores(trees, [0.0, 0.0]), np.array([-1.25, 1.25]) * 2 / 3)
    model.combine = "voted"
    np.testing.assert_array_equal(model.scores(trees, [0.0, 0.0]), [1, 2])


def test_shared_parts_add_no_nodes():
    """Only what differs is added, and what is below it."""
    same = (NP, [(DOG, []), (MAN, [])])
    trees = make_trees([(S, [same, (VP, [(MAN, [])])]), (S, [same, (NP, [(MAN, [])])])])
    model = train(TREE, [])
    model.learn(trees, [0.0, 0.0], 1)
    # Two S, VP -> man, NP -> man, and the NP that both S have below them.
    assert model.n_nodes == 5
    state = model.state()
    assert sorted(state["weights"]) == [-1, -1, 0, 1, 1]
    assert sorted(state["entry_deltas"]) == [-1, -1, 1, 1]


def test_untrained():
    for combine in COMBINATIONS:
        model = KernelPerceptron(TREE, combine=combine)
        np.testing.assert_array_equal(model.scores(make_trees([GOOD, BAD]), [1.0, 2.0]), [0, 0])
        assert model.fragments(make_trees([GOOD, BAD]), 0, 1, 5) == []
        assert model.scores(make_trees([]), []).shape == (0,)


def test_single_and_empty_candidates():
    model = KernelPerceptron(TREE)
    assert not model.learn(make_trees([GOOD]), [1.0], 0)
    assert model.learn(make_trees([(), GOOD]), [0.0, 0.0], 1)
    np.testing.assert_allclose(model.scores(make_trees([(), GOOD]), [0.0, 0.0]), [0, 0.625])


def test_budget_keeps_nodes_few():
    """With one mistake kept, only its nodes are there, however many have been."""
    model = KernelPerceptron(TREE, combine="final", budget=1)
    for word in range(10, 400):
        trees = make_trees([(S, [(NP, [(word, [])])]), (S, [(VP, [(word, [])])])])
        target = 1 - int(np.argmax(model.scores(trees, [0.0, 0.0])))
        assert model.learn(trees, [0.0, 0.0], target)
        assert model.n_supports <= 1
        assert model.n_nodes <= 4
    assert model.n_mistakes == 390
    assert len(model.state()["weights"]) == model.n_nodes


def test_deep_chains():
    """Trees of 10,000 nodes: no recursion, and rows of kernels do not pile up."""
    n = 10_000
    labels = np.concatenate([np.full(n, S), [MAN], np.full(n, S), [DOG]]).astype(np.uint64)
    n_children = np.tile([1] * n + [0], 2)
    trees = Trees(labels, n_children, np.array([0, n + 1, 2 * (n + 1)]))
    model = KernelPerceptron(replace(TREE, decay=0.5), combine="final", budget=1)
    assert model.learn(trees, [0.0, 0.0], 1)
    # S -> man against S -> dog alone would be 0.5 each; every S above adds fragments down to it.
    short = make_trees([(S, [(MAN, [])]), (S, [(DOG, [])])])
    np.testing.assert_allclose(model.scores(short, [0.0, 0.0]), [-0.5, 0.5])
    assert model.n_nodes == 2 * n
    copy = pickle.loads(pickle.dumps(model))
    assert copy.n_nodes == 2 * n
    # The other way round: the chains go, as nothing needs them any more.
    assert copy.learn(short, [0.0, 0.0], 0)
    assert copy.n_nodes == 2


def test_threads():
    """Scores may be asked for by several threads at once."""
    rng = np.random.default_rng(0)
    tags = rng.integers(1, 4, 2_000).astype(np.uint64)
    sequences = Sequences(tags, tags, tags, np.arange(0, 2_001, 40))
    how = KernelSettings("tagging", 0.5, 0.0, False, max_length=4)
    for combine in COMBINATIONS:
        model = KernelPerceptron(how, combine=combine)
        for target in range(20):
            model.learn(sequences.select(range(30)), np.zeros(30), target)
        expected = model.scores(sequences, np.zeros(50))
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(model.scores, [sequences] * 8, [np.zeros(50)] * 8))
        for scores in found:
            np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize(
    ("base_scores", "target", "message"),
    [
        ([0.0], 0, "each of 2 candidates"),
        ([0.0, float("nan")], 0, "infinite or missing"),
        ([0.0, 0.0], 2, "no candidate 2 in a list of 2"),
        ([0.0, 0.0], -1, "no candidate -1"),
    ],
)
def test_wrong_example(base_scores: list[float], target: int, message: str):
    model = KernelPerceptron(TREE)
    with pytest.raises(ValueError, match=message):
        model.learn(make_trees([BAD, GOOD]), base_scores, target)
    assert model.n_examples == 0


def test_wrong_head_starts():
    with pytest.raises(ValueError, match="a finite head start for each of 2 candidates"):
        KernelPerceptron(TREE).learn(make_trees([BAD, GOOD]), [0.0, 0.0], 1, [0.0])


def test_wrong_options():
    with pytest.raises(
        ValueError, match="`combine` must be 'averaged', 'voted' or 'final', not 'mean'"
    ):
        KernelPerceptron(TREE, combine="mean")
    with pytest.raises(ValueError, match="`budget` must be 0 or more, not -1"):
        KernelPerceptron(TREE, budget=-1)
