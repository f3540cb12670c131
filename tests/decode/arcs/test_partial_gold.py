"""Learning from trees with gaps, from heads that are no tree, under pruning and dropout; checks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .reference import Sentence, all_parts, compiled
from .training_step import Checked, Gold, learn, run, saved
from .world import (
    INDICES,
    KEYS,
    World,
    examples,
    ints,
    make_input,
    make_parsing,
    random_table,
    random_world,
)

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = [(1, True), (2, True), (3, True), (1, False)]
shapes = st.sampled_from(SHAPES)
ways = st.fixed_dictionaries(
    {"k": st.integers(1, 4), "augmented": st.booleans(), "mira": st.booleans()}
)


def draw_partial(
    seed: int, n: int, shape: tuple[int, bool], data: st.DataObject, *, labels_alone: bool
) -> tuple[World, Sentence, Gold]:
    """A model, a sentence, and some heads and labels of a tree."""
    world, sentence = random_world(seed, n, size=64, order=shape[0], projective=shape[1])
    tree = data.draw(st.sampled_from(world.trees(sentence)))[1]
    heads = [data.draw(st.sampled_from([head, -1])) for head in tree]
    labels = [
        data.draw(st.integers(-1, world.n_labels - 1)) if head >= 0 or labels_alone else -1
        for head in heads
    ]
    return world, sentence, (heads, labels)


def test_gaps_are_filled_with_the_best():
    """The gold tree is the best one with the heads given; unknown labels are the best ones."""
    checked = Checked()

    @examples(60)
    @given(SEEDS, st.integers(1, 5), shapes, st.integers(1, 4), st.data())
    def check(seed, n, shape, k, data):
        world, sentence, gold = draw_partial(seed, n, shape, data, labels_alone=False)
        step, _ = run(world, sentence, gold, checked=checked, pruner_rate=1.0, k=k)
        training = DependencyTraining(world.parsing())
        words = make_input(training.parsing, sentence)
        training.learn(words, *map(ints, gold), 0, k=k)
        if step.is_clear:
            assert tuple(training.gold_tree().tolist()) == step.gold[1]

    check()
    checked.expect(changes=10)


def test_gaps_cost_nothing():
    checked = Checked()

    @examples(100)
    @given(SEEDS, st.integers(1, 5), shapes, ways, st.data())
    def check(seed, n, shape, how, data):
        world, sentence, gold = draw_partial(seed, n, shape, data, labels_alone=False)
        run(world, sentence, gold, checked=checked, **how)

    check()
    checked.expect(changes=15)


def test_labels_without_heads_say_nothing():
    checked = Checked()

    @examples(60)
    @given(SEEDS, st.integers(1, 4), shapes, ways, st.data())
    def check(seed, n, shape, how, data):
        world, sentence, gold = draw_partial(seed, n, shape, data, labels_alone=True)
        run(world, sentence, gold, checked=checked, **how)

    check()
    checked.expect(changes=10)


@pytest.mark.parametrize("labels", [[-1] * 4, [0, 1, 2, 0]])
def test_nothing_known(labels: list[int]):
    world, sentence = random_world(5, 4, order=2)
    parsing = world.parsing()
    before = saved(parsing)
    for augmented in (True, False):
        for mira in (True, False):
            how = {"k": 3, "augmented": augmented, "mira": mira}
            # All trees but one differ from the best one, at no cost.
            assert learn(parsing, sentence, ([-1] * 4, labels), **how) == 0
            assert saved(parsing) == before


# --- Heads that are no tree ------------------------------------------------------------------


# Heads of four words that no tree has, with and without gaps; whether crossing arcs are to blame.
NO_TREES = [
    ([3, 4, -1, -1], True),
    ([-1, 4, 1, -1], True),
    ([-1, 0, -1, 1], True),
    ([3, 4, 0, 3], True),
    ([2, 1, -1, -1], False),
    ([2, 3, 1, -1], False),
    ([2, 3, 1, 0], False),
    ([0, 0, -1, -1], False),
    ([0, 1, 0, 3], False),
]


@pytest.mark.parametrize(("heads", "crossing"), NO_TREES)
@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_no_tree_has_these_heads(heads: list[int], crossing: bool, order: int, projective: bool):
    """Nothing is learned but what the pruner learns, word by word."""
    if crossing and not projective:
        pytest.skip("arcs may cross")
    world, sentence = random_world(6, 4, order=order, projective=projective)
    pruner = HashedWeights(12, trainable=True)
    parsing = world.parsing(pruner)
    before = saved(parsing)
    for k in (1, 3):
        assert learn(parsing, sentence, (heads, [0, 1, 2, 0]), k=k) == -1
    assert saved(parsing) == before
    assert len(pruner.averaged(0)["indices"]) > 0
    # The parser still works.
    assert learn(parsing, sentence, ([0, 1, 1, 3], [0, 1, 2, 0])) >= 0


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("heads", [[3, 4, -1, -1], [-1, 4, 1, 0]])
def test_heads_that_cross(heads: list[int], projective: bool):
    world, sentence = random_world(7, 4, projective=projective)
    found = learn(world.parsing(), sentence, (heads, [-1] * 4))
    assert found == -1 if projective else found >= 0


# --- Pruning ---------------------------------------------------------------------------------


def test_step_over_pruned_arcs():
    """Trees of the arcs that pruning leaves and the gold ones."""
    checked = Checked()

    @examples(60)
    @given(SEEDS, st.integers(1, 5), shapes, st.integers(1, 3), st.booleans(), st.data())
    def check(seed, n, shape, k, augmented, data):
        world, sentence = random_world(seed, n, size=64, order=shape[0], projective=shape[1])
        heads = data.draw(st.sampled_from(world.trees(sentence)))[1]
        gold = (list(heads), [data.draw(st.integers(-1, 2)) for _ in heads])
        parsing = world.parsing(random_table(seed), max_heads=2)
        arcs = set(parsing.allowed(make_input(parsing, sentence)))
        arcs |= {(head, child) for child, head in enumerate(heads, 1)}
        how = {"k": k, "augmented": augmented}
        run(world, sentence, gold, parsing, checked=checked, arcs=arcs, **how)

    check()
    checked.expect(changes=15)


def test_pruning_leaves_a_way_to_fill_gaps():
    """1 -> 2 and 4 -> 3: one of 1 and 4 must head the other, which are no neighbours."""
    for seed in range(20):
        world, sentence = random_world(seed, 4)
        parsing = world.parsing(random_table(seed), max_heads=1)
        assert learn(parsing, sentence, ([-1, 1, 4, -1], [-1] * 4), pruner_rate=0.0) >= 0


# --- Dropout ---------------------------------------------------------------------------------


def find_dropped(world: World, sentence: Sentence, share: float, salt: int) -> None:
    """Find out one by one which features do not show in scores."""
    names = World(order=world.order, projective=world.projective)
    parsing = names.parsing()
    weights, labels = parsing.scorer.weights, parsing.scorer.label_weights
    parsing.scorer.set_dropout(share, salt)
    words, bounds = make_input(parsing, sentence), ints([0, len(sentence)])
    one, first = np.ones(1, np.float32), np.zeros(1, np.int32)

    def shows() -> bool:
        parsing.parse(words, bounds)
        return any(scores.any() for scores in parsing.parts.get_scores().values())

    for part in all_parts(len(sentence), world.order):
        for feature in world.features(sentence, part):
            place = np.array([INDICES[feature]], np.uint64)
            weights.update(place, one, 0)
            if not shows():
                world.dropped[0].add(feature)
            weights.update(place, -one, 0)
        if part[0] == "arc":
            for feature in world.label_features(sentence, part[1]):
                key = np.array([KEYS[feature]], np.uint64)
                labels.update(key, first, one, 0)
                if not shows():
                    world.dropped[1].add(feature)
                labels.update(key, first, -one, 0)


@pytest.mark.parametrize(("order", "projective"), SHAPES)
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_dropout_is_the_same_in_scores_and_updates(order: int, projective: bool, share: float):
    """The step is that of a model without the features that do not show in scores."""
    checked = Checked()
    for seed in range(3):
        world, sentence = random_world(seed, 4, order=order, projective=projective, size=64)
        find_dropped(world, sentence, share, seed)
        assert all(world.dropped)
        rng = np.random.default_rng(seed)
        trees = world.trees(sentence)
        gold = (list(trees[rng.integers(len(trees))][1]), rng.integers(0, 3, 4).tolist())
        for how in ({}, {"k": 3}, {"mira": False}, {"augmented": False}):
            parsing = world.parsing()
            parsing.scorer.set_dropout(share, seed)
            run(world, sentence, gold, parsing, checked=checked, **how)
    checked.expect(changes=6)


# --- Checks ----------------------------------------------------------------------------------


def make_training(**changes) -> tuple[DependencyTraining, DependencyParsing]:
    tables = {
        "weights": HashedWeights(12, trainable=True),
        "labels": WeightTable(3, trainable=True),
        "pruner": HashedWeights(12, trainable=True),
        **changes,
    }
    parsing = make_parsing(compiled(), **tables)
    return DependencyTraining(parsing), parsing


SENTENCE = Sentence([0, 1, 2], [0, 1, 0], [0, 0, 1])


@pytest.mark.parametrize(("n_heads", "n_labels"), [(2, 3), (3, 2), (4, 4), (0, 0), (3, 0)])
def test_refuses_other_numbers_of_gold(n_heads: int, n_labels: int):
    training, parsing = make_training()
    words = make_input(parsing, SENTENCE)
    expected = f"There are {n_heads} gold heads and {n_labels} gold labels for 3 words."
    with pytest.raises(ValueError, match=expected):
        training.learn(words, ints([-1] * n_heads), ints([-1] * n_labels), 0)


def test_refuses_no_trees():
    training, parsing = make_training()
    words = make_input(parsing, SENTENCE)
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        training.learn(words, ints([0, 1, 1]), ints([0, 0, 0]), 0, k=0)


def test_no_words():
    training, parsing = make_training()
    nothing = make_input(parsing, Sentence([], [], []))
    assert training.learn(nothing, ints([]), ints([]), 0) == 0


@pytest.mark.parametrize("heads", [[0, 1, 4], [0, 1, 3], [-2, 0, 1], [1, 0, 2]])
def test_refuses_heads_out_of_the_sentence(heads: list[int]):
    """Neither beyond the last word nor a word itself."""
    training, parsing = make_training()
    with pytest.raises(ValueError, match="head"):
        training.learn(make_input(parsing, SENTENCE), ints(heads), ints([0, 0, 0]), 0)


@pytest.mark.parametrize("label", [3, -2])
def test_refuses_unknown_labels(label: int):
    training, parsing = make_training()
    with pytest.raises(ValueError, match="label"):
        training.learn(make_input(parsing, SENTENCE), ints([0, 1, 1]), ints([0, label, 0]), 0)


@pytest.mark.parametrize(
    "frozen",
    [
        {"weights": HashedWeights(12)},
        {"labels": WeightTable(3)},
        {"pruner": HashedWeights(12)},
    ],
)
def test_refuses_frozen_weights(frozen: dict):
    with pytest.raises(ValueError, match="frozen"):
        make_training(**frozen)
