"""Updates of easy-first parsing: which sequences, how far, and that they are valid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.attachments.training import EasyFirstTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from ..arcs.projective.reference import all_trees
from ..arcs.reference import Sentence
from ..arcs.world import examples, ints, random_sentence
from .reference import (
    N_LABELS,
    State,
    World,
    heads_of,
    is_correct,
    make_input,
    make_parser,
)

SEEDS = st.integers(0, 2**32 - 1)
UPDATES = st.sampled_from(["early", "max_violation"])
NO_LABELS = -1


def random_gold(rng: np.random.Generator, n: int, known: float = 1.0) -> list[int]:
    """A projective tree, of which only a share may be known."""
    if n <= 5:
        trees = all_trees(n)
        heads = list(trees[rng.integers(len(trees))])
    else:
        state = State()
        while len(state.roots(n)) > 1:
            pairs = state.pairs(n)
            state = State(actions=(*state.actions, pairs[rng.integers(len(pairs))]))
        heads = list(heads_of(state.actions, n))
    return [head if rng.random() < known else -1 for head in heads]


@examples(40)
@given(
    SEEDS,
    st.integers(2, 6),
    st.sampled_from([1, 2, 8]),
    UPDATES,
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([1.0, 0.5]),
    st.sampled_from([64, 2]),
)
def test_sequences_of_an_update(seed, n, width, update, margin, known, size):
    """Those of Algorithm 2, or those of the largest violation; ties included."""
    rng = np.random.default_rng(seed)
    world, sentence = World(seed, size), random_sentence(rng, n)
    gold = random_gold(rng, n, known)
    parser = world.parser(width)
    training = EasyFirstTraining(parser)
    labels = ints([NO_LABELS] * n)
    words = make_input(parser, sentence)
    n_wrong = training.learn(words, ints(gold), labels, 0, update=update, margin=margin)
    expected = world.violation(sentence, gold, width, early=update == "early", bonus=margin)
    found = training.last_violation()
    if expected is None:
        assert found is None
        assert n_wrong == 0
        saved = parser.scorer.weights.averaged(0)
        assert len(saved["indices"]) == np.count_nonzero(world.weights)
        return
    assert found is not None
    assert n_wrong >= 1
    for k in range(2):
        assert tuple(found[k]) == expected[k].actions
        assert found[2 + k] == expected[k].score


@examples(40)
@given(
    SEEDS,
    st.integers(2, 6),
    st.sampled_from([1, 8]),
    UPDATES,
    st.sampled_from([0.0, 0.02, float("inf")]),
    st.booleans(),
    st.booleans(),
)
def test_size_of_an_update(seed, n, width, update, limit, augmented, mira):
    """The smallest step after which the correct sequence wins by its margin, up to a limit."""
    rng = np.random.default_rng(seed)
    world, sentence = World(seed), random_sentence(rng, n)
    gold = random_gold(rng, n)
    parser = world.parser(width)
    training = EasyFirstTraining(parser)
    training.learn(
        make_input(parser, sentence),
        ints(gold),
        ints([NO_LABELS] * n),
        0,
        update=update,
        limit=limit,
        margin=0.5,
        augmented=augmented,
        mira=mira,
    )
    found = training.last_violation()
    if found is None:
        return
    correct, predicted, score, other_score = found
    difference = world.phi(sentence, correct)
    difference.subtract(world.phi(sentence, predicted))
    n_wrong = max(1, sum(gold[child - 1] != head for head, child in predicted))
    violation = other_score - score + (0 if augmented else 0.5 * n_wrong)
    step = 1.0
    if mira:
        # Features that share an index are still features of their own.
        step = violation / norm_of(world, sentence, correct, predicted)
        step = min(limit, step)
    saved = parser.scorer.weights.averaged(0)
    after = np.zeros(1 << world.n_bits)
    after[saved["indices"]] = saved["values"]
    expected = world.weights.copy()
    for index, count in difference.items():
        expected[index] += step * count
    assert after == pytest.approx(expected, abs=1e-4)


def norm_of(world: World, sentence: Sentence, correct: list, predicted: list) -> float:
    fine = World(0, n_bits=22, templates=world.templates)
    counts = fine.phi(sentence, correct)
    counts.subtract(fine.phi(sentence, predicted))
    return float(sum(count * count for count in counts.values()))


@pytest.mark.parametrize("width", [1, 2, 8])
@pytest.mark.parametrize("update", ["early", "max_violation"])
@pytest.mark.parametrize("known", [1.0, 0.6])
def test_every_update_is_valid(width: int, update: str, known: float):
    """Over hundreds of updates: the rewarded sequence is correct, the punished one is not, and
    scores at least as much."""
    rng = np.random.default_rng(width)
    parser = make_parser(HashedWeights(16, trainable=True), width=width)
    training = EasyFirstTraining(parser)
    sentences = [random_sentence(rng, int(rng.integers(2, 15))) for _ in range(40)]
    golds = [random_gold(rng, len(sentence), known) for sentence in sentences]
    n_updates = 0
    for time in range(200):
        k = time % len(sentences)
        n, gold = len(sentences[k]), golds[k]
        words = make_input(parser, sentences[k])
        n_wrong = training.learn(
            words, ints(gold), ints([NO_LABELS] * n), time, update=update, margin=0.0, mira=False
        )
        assert n_wrong >= 0
        found = training.last_violation()
        if found is None:
            continue
        n_updates += 1
        correct, predicted, score, other_score = found
        assert score <= other_score
        assert len(correct) == len(predicted)
        right = [
            [is_correct(State(actions=tuple(arcs[:k])), gold, *arc) for k, arc in enumerate(arcs)]
            for arcs in (correct, predicted)
        ]
        assert all(right[0])
        assert not all(right[1])
    assert n_updates > 40


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("update", ["early", "max_violation"])
@pytest.mark.parametrize("settings", [{"mira": False, "margin": 0.0}, {"augmented": False}])
def test_learns_separable_trees(width: int, update: str, settings: dict):
    """Words tell all: after a few rounds the gold trees and labels come out."""
    rng = np.random.default_rng(7)
    labels = WeightTable(N_LABELS, trainable=True)
    parser = make_parser(HashedWeights(18, trainable=True), width=width, labels=labels)
    training = EasyFirstTraining(parser)
    sentences, golds = [], []
    for _ in range(8):
        n = int(rng.integers(2, 10))
        words = rng.permutation(50)[:n].tolist()
        sentences.append(Sentence(words, [w % 3 for w in words], [0] * n))
        golds.append((ints(random_gold(rng, n)), ints(word % N_LABELS for word in words)))
    for time in range(400):
        k = time % 8
        words = make_input(parser, sentences[k])
        training.learn(words, *golds[k], time, update=update, **settings)
    for sentence, (heads, kinds) in zip(sentences, golds, strict=True):
        words = make_input(parser, sentence)
        found, found_labels, *_ = parser.parse(words, ints([0, len(sentence)]))
        assert found.tolist() == heads.tolist()
        assert found_labels.tolist() == kinds.tolist()
        assert training.learn(words, heads, kinds, 401, update=update, margin=0.0) == 0
        assert training.last_violation() is None


@examples(30)
@given(SEEDS, st.integers(1, 6))
def test_gaps_are_filled(seed, n):
    """By heads that make a tree together with those given."""
    rng = np.random.default_rng(seed)
    world, sentence = World(seed), random_sentence(rng, n)
    gold = random_gold(rng, n, 0.5)
    parser = world.parser(2)
    training = EasyFirstTraining(parser)
    words = make_input(parser, sentence)
    assert training.learn(words, ints(gold), ints([NO_LABELS] * n), 0) >= 0
    tree = tuple(training.gold_tree().tolist())
    assert tree in all_trees(n)
    assert all(head in (-1, filled) for head, filled in zip(gold, tree, strict=True))


def test_unknown_heads_change_nothing():
    parser = World(0).parser(2)
    before = parser.scorer.weights.averaged(0)["values"].tolist()
    words = make_input(parser, random_sentence(np.random.default_rng(0), 5))
    training = EasyFirstTraining(parser)
    assert training.learn(words, ints([-1] * 5), ints([1] * 5), 0) == 0
    assert training.label_mistakes == 0
    assert parser.scorer.weights.averaged(0)["values"].tolist() == before


@pytest.mark.parametrize(
    "gold",
    [
        [2, 1, 0],
        [0, 0, 1],
        [2, 3, 1],
        [3, 4, 0, 3],
        [3, 4, -1, -1],
        [2, 1, -1],
        [0, 0, -1],
        [2, 3, 4, 1],
    ],
)
@pytest.mark.parametrize("width", [1, 8])
def test_heads_without_a_tree(gold: list[int], width: int):
    """Cycles, several roots, crossing arcs: refused, and nothing learned."""
    n = len(gold)
    parser = World(0).parser(width)
    before = parser.scorer.weights.averaged(0)["values"].tolist()
    words = make_input(parser, random_sentence(np.random.default_rng(0), n))
    training = EasyFirstTraining(parser)
    assert training.learn(words, ints(gold), ints([0] * n), 0) == -1
    assert training.last_violation() is None
    assert parser.scorer.weights.averaged(0)["values"].tolist() == before
    # And the next sentence is not disturbed.
    assert training.learn(words, ints(range(n)), ints([0] * n), 0) >= 0


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_decide(n: int):
    parser = World(0).parser(8)
    training = EasyFirstTraining(parser)
    words = make_input(parser, random_sentence(np.random.default_rng(0), n))
    assert training.learn(words, ints([0] * n), ints([1] * n), 0) == 0
    assert training.label_mistakes == n


def test_dropout():
    """What is left out is neither scored nor learned."""
    world, rng = World(0), np.random.default_rng(0)
    sentence, n = random_sentence(rng, 8), 8
    gold = ints(random_gold(rng, n))
    parser = world.parser(4)
    training = EasyFirstTraining(parser)
    words, labels = make_input(parser, sentence), ints([NO_LABELS] * n)
    parser.scorer.set_dropout(1.0, 1)
    training.learn(words, gold, labels, 0, margin=0.0)
    found = training.last_violation()
    assert found is None or found[2] == found[3] == 0
    assert (parser.scorer.weights.averaged(0)["values"] == world.weights[world.weights != 0]).all()
    parser.scorer.set_dropout(0.5, 12345)
    changed = 0
    for time in range(5):
        before = parser.scorer.weights.averaged(0)
        training.learn(words, gold, labels, time, mira=False)
        found = training.last_violation()
        if found is None:
            break
        after = parser.scorer.weights.averaged(0)
        moved = set(zip(after["indices"].tolist(), after["values"].tolist(), strict=True))
        moved -= set(zip(before["indices"].tolist(), before["values"].tolist(), strict=True))
        full = world.phi(sentence, found[0])
        full.subtract(world.phi(sentence, found[1]))
        touched = {index for index, count in full.items() if count}
        changed += len(moved)
        assert {index for index, _ in moved} <= touched
        assert len(moved) < len(touched)
    assert changed


def test_frozen_tables():
    for weights, labels in ((False, True), (True, False)):
        parser = make_parser(
            HashedWeights(10, trainable=weights), labels=WeightTable(2, trainable=labels)
        )
        with pytest.raises(ValueError, match="frozen"):
            EasyFirstTraining(parser)


def test_wrong_arguments():
    parser = World(0).parser(1)
    training = EasyFirstTraining(parser)
    words = make_input(parser, random_sentence(np.random.default_rng(0), 3))
    right = ints([2, 0, 2])
    with pytest.raises(ValueError, match="late"):
        training.learn(words, right, right - right, 0, update="late")
    for heads, labels in (([2, 0], [0, 0]), ([2, 0, 2], [0, 0])):
        with pytest.raises(ValueError, match="gold"):
            training.learn(words, ints(heads), ints(labels), 0)
    for heads, labels in (([4, 0, 2], [0] * 3), ([1, 0, 2], [0] * 3), ([2, 0, 2], [2, 0, 0])):
        with pytest.raises(ValueError, match="Word 1"):
            training.learn(words, ints(heads), ints(labels), 0)


@pytest.mark.parametrize("margin", [np.nan, np.inf, -1.0])
def test_margins_that_make_no_sense(margin: float):
    parser = World(0, 64).parser(2)
    words = make_input(parser, random_sentence(np.random.default_rng(0), 3))
    heads, labels = ints([2, 0, 2]), ints([NO_LABELS] * 3)
    with pytest.raises(ValueError, match="`margin` must be 0 or more, and finite, not"):
        EasyFirstTraining(parser).learn(words, heads, labels, 0, margin=margin)
