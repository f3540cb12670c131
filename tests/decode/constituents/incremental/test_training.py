"""Training: updates, and the cache of hypotheses."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.constituents.incremental.cache import HypothesisCache
from spacy_perceptron.decode.constituents.incremental.training import (
    UPDATES,
    IncrementalTraining,
)
from spacy_perceptron.learn.hashed import HashedWeights

from .world import World

Difference = dict[int, float]


@pytest.fixture(scope="module", params=[False, True], ids=["chains", "juxtapose"])
def world(request) -> World:
    return World(wraps=request.param)


def train(world: World, n_passes: int, *, cached: bool = False, hybrid: bool = False, **settings):
    """RETURNS: The parser, and the number of wrong sentences of each pass."""
    weights = HashedWeights(14, trainable=True)
    parsing = world.parsing(weights, world.model if hybrid else None, width=4)
    cache = HypothesisCache(weights) if cached else None
    training = IncrementalTraining(parsing, cache=cache)
    wrong, time = [], 0
    for _ in range(n_passes):
        n_wrong = 0
        for i, tree in enumerate(world.trees):
            n_wrong += bool(
                training.learn(
                    world.tree_sentence(tree), world.gold(tree), time, entry=i, **settings
                )
            )
            time += 1
        wrong.append(n_wrong)
    return parsing, wrong


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("mira", [False, True])
def test_learns_the_treebank(world, update, mira):
    parsing, wrong = train(world, 30, update=update, mira=mira)
    assert wrong[0] > 0
    assert wrong[-1] == 0
    for tree in world.trees:
        ((_, rows, _),) = parsing.nbest(world.tree_sentence(tree), 1)
        labels = [world.phrases[symbol] for symbol in rows[:, 0]]
        assert labels == [n.label for n in tree.preorder() if n.word is None and n is not tree]
        # The tree is built by the actions that it was turned into.
        assert parsing.actions().tolist() == world.gold(tree).tolist()


def test_hypotheses_are_used_again(world):
    _, plain = train(world, 10, update="early", mira=False)
    _, cached = train(world, 10, cached=True, update="early", mira=False)
    assert cached[-1] == 0
    assert sum(cached) < sum(plain)


@pytest.mark.parametrize("hybrid", [False, True])
def test_leads_are_differences_of_scores(hybrid):
    world = World(wraps=False)
    weights = HashedWeights(14, trainable=True)
    cache = HypothesisCache(weights, passes=1, max_updates=1)
    model = world.model if hybrid else None
    training = IncrementalTraining(world.parsing(weights, model, width=500), cache=cache)
    for i, tree in enumerate(world.trees):
        training.learn(
            world.tree_sentence(tree), world.gold(tree), i, update="early", mira=False, entry=i
        )
    # The beam holds all trees, so none was lost before the end.
    for i, tree in enumerate(world.trees):
        answers = training.parsing.nbest(world.tree_sentence(tree), 500)
        gold = [n.label for n in tree.preorder() if n.word is None and n is not tree]
        spans = [[world.phrases[symbol] for symbol in rows[:, 0]] == gold for _, rows, _ in answers]
        scores = np.array([score for score, _, _ in answers])
        leads = cache.leads(i)
        assert len(leads) == len(answers) - 1
        candidates = [k for k in range(len(answers)) if spans[k]]
        assert any(
            sorted(scores[k] - np.delete(scores, k)) == pytest.approx(sorted(leads), abs=1e-3)
            for k in candidates
        )


def naive_updates(
    weights: dict[int, float], entries: dict[int, list], passes: int, max_updates: int
) -> int:
    """Step 2 of figure 4 of the paper, literally. An entry is its differences and its counter."""
    n_updates = 0
    for _ in range(passes):
        for number in sorted(entries):
            differences, counter = entries[number]
            if counter >= max_updates or not differences:
                continue
            leads = [sum(weights.get(f, 0) * v for f, v in d.items()) for d in differences]
            worst = min(range(len(leads)), key=leads.__getitem__)
            if leads[worst] <= 0:
                for feature, value in differences[worst].items():
                    weights[feature] = weights.get(feature, 0) + value
                entries[number][1] += 1
                n_updates += 1
    return n_updates


differences = st.lists(
    st.dictionaries(st.integers(0, 12), st.sampled_from([-2.0, -1.0, 1.0, 2.0]), min_size=1),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), differences), max_size=12),
    st.integers(1, 5),
    st.integers(1, 6),
)
def test_cache_is_the_algorithm_of_the_paper(sentences, passes, max_updates):
    weights = HashedWeights(10, trainable=True)
    cache = HypothesisCache(weights, passes=passes, max_updates=max_updates)
    expected: dict[int, float] = {}
    entries: dict[int, list] = {}
    for time, (entry, candidates) in enumerate(sentences):
        cache.insert(entry, candidates)
        entries[entry] = [candidates, 0]
        assert cache.update(time) == naive_updates(expected, entries, passes, max_updates)
    assert [weights.weight(f) for f in range(13)] == [expected.get(f, 0) for f in range(13)]
    for entry, (candidates, _) in entries.items():
        leads = [sum(expected.get(f, 0) * v for f, v in d.items()) for d in candidates]
        assert cache.leads(entry) == pytest.approx(leads)


def test_cache_keeps_the_last_sentences():
    cache = HypothesisCache(HashedWeights(10, trainable=True), size=2)
    for entry in (0, 1, 0, 2):
        cache.insert(entry, [{entry: 1.0}])
    assert [len(cache.leads(entry)) for entry in range(3)] == [1, 0, 1]
    assert cache.n_terms == 2


def test_cache_needs_early_updates(world):
    weights = HashedWeights(10, trainable=True)
    with pytest.raises(ValueError, match="weights"):
        IncrementalTraining(
            world.parsing(weights), cache=HypothesisCache(HashedWeights(10, trainable=True))
        )
    training = IncrementalTraining(world.parsing(weights), cache=HypothesisCache(weights))
    tree = world.trees[0]
    with pytest.raises(ValueError, match="early"):
        training.learn(world.tree_sentence(tree), world.gold(tree), 0, update="max_violation")


def test_actions_that_leave_the_tree_are_refused(world):
    training = IncrementalTraining(world.parsing(HashedWeights(10, trainable=True)))
    tree = world.trees[1]
    gold = world.gold(tree)
    gold[1, 0] = 9
    with pytest.raises(ValueError, match="actions"):
        training.learn(world.tree_sentence(tree), gold, 0)


def test_trainings_are_not_copied(world):
    """Their search is in the middle of something, and their arrays have one owner."""
    training = IncrementalTraining(world.parsing(HashedWeights(12, trainable=True)))
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            make(training)
