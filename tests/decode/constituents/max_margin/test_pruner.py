import math
import time

import numpy as np
import pytest

from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.max_margin.pruner import SpanPruner
from spacy_perceptron.learn.hashed import HashedWeights
from tests.decode.constituents.max_margin.world import (
    BITS,
    PHRASE,
    Reader,
    Sentence,
    World,
    all_weights,
    bracketings,
    random_sentence,
    random_weights,
    random_world,
)

# Gradients below this are not followed, see `pruner`.
LEAST_GRADIENT = 0.003

# How far a phrase may be behind the best one over the same words, as a share of the threshold.
PHRASE_SHARE = 0.6


def allowed(world: World, sentence: Sentence, threshold: float, **settings) -> set:
    spans = world.pruner(**settings).choose(world.input(sentence), threshold, world.n_symbols)
    return {tuple(row) for row in spans.to_array().tolist()}


def words_and_tags(world: World, n: int) -> set:
    """What is never pruned."""
    return {(i, i + 1, t) for i in range(n) for t in range(world.n_phrases, world.n_symbols)}


def best_with(world: World, reader: Reader, n: int) -> dict[tuple[int, int, int], float]:
    """For each phrase and span, the score of the best binary tree that has it."""
    scores, phrases = reader.pruner_scores(), range(world.n_phrases)
    found: dict[tuple[int, int, int], float] = {}
    for spans in bracketings(0, n):
        own = {span: max(scores[(*span, a)] for a in phrases) for span in spans}
        total = sum(own.values())
        for span in spans:
            for a in phrases:
                score = total - own[span] + scores[(*span, a)]
                found[(*span, a)] = max(found.get((*span, a), -math.inf), score)
    return found


@pytest.mark.parametrize("threshold", [0.3, 1.0, 4.0, 1e30])
@pytest.mark.parametrize("n", [2, 3, 5, 6])
def test_pruning_equals_brute_force(n, threshold):
    for seed in range(15):
        world, sentence = random_world(seed, n)
        expected = best_with(world, world.reader(sentence), n)
        top = max(expected.values())
        found = allowed(world, sentence, threshold)
        assert words_and_tags(world, n) <= found
        found -= words_and_tags(world, n)
        best = {key[:2]: -math.inf for key in expected}
        for key, score in expected.items():
            best[key[:2]] = max(best[key[:2]], score)
        # Trees around a span are the same for all of its phrases.
        room = {
            key: min(score - top + threshold, score - best[key[:2]] + PHRASE_SHARE * threshold)
            for key, score in expected.items()
        }
        assert {key for key, left in room.items() if left >= 1e-4} <= found
        assert found <= {key for key, left in room.items() if left >= -1e-4}
        # The best tree is among them, and with a huge threshold everything is.
        assert len({key[:2] for key in found}) >= n - 1
        if threshold > 1e9:
            assert len(found) == n * (n - 1) // 2 * world.n_phrases


def test_ties_and_no_threshold():
    """Integer scores have no rounding errors: the best trees stay, and nothing else."""
    for seed in range(20):
        world, sentence = random_world(seed, 5, size=1)
        expected = best_with(world, world.reader(sentence), 5)
        best = {key for key, score in expected.items() if score == max(expected.values())}
        assert allowed(world, sentence, 0.0) - words_and_tags(world, 5) == best


@pytest.mark.parametrize("n", [0, 1])
def test_short_sentences(n):
    world, sentence = random_world(0, n)
    assert allowed(world, sentence, 1.0) == words_and_tags(world, n)


def test_wide_spans_are_left_out_of_long_sentences():
    world, sentence = random_world(0, 12)
    found = allowed(world, sentence, 1e30, full_length=11, width=3)
    spans = {key[:2] for key in found}
    assert spans == {
        (i, j) for i in range(12) for j in range(i + 1, 13) if j - i <= 3 or i < 2 or j > 10
    }
    assert len({key[:2] for key in allowed(world, sentence, 1e30, full_length=12)}) == 78


def test_long_sentences_finish():
    world, _ = random_world(1, 0)
    sentence = random_sentence(np.random.default_rng(0), 300, world.n_phrases)
    start = time.process_time()
    found = allowed(world, sentence, 2.0)
    assert time.process_time() - start < 60
    assert all(j - i <= 50 or i < 2 or j > 298 for i, j, _ in found)
    assert {(i, j) for i, j, _ in found} >= {(0, 300), *((i, i + 1) for i in range(300))}


# --- Learning ---------------------------------------------------------------------------------


def log_likelihood(scores: dict, gold: set, n: int, n_phrases: int) -> float:
    """Of the gold tree among all binary trees with all labels."""
    logs = [
        sum(np.logaddexp.reduce([scores[(*span, a)] for a in range(n_phrases)]) for span in spans)
        for spans in bracketings(0, n)
    ]
    return float(sum(scores[key] for key in gold) - np.logaddexp.reduce(logs))


def trainable_world(seed: int, n: int) -> tuple[World, Sentence]:
    world, sentence = random_world(seed, n)
    world.pruner_weights = random_weights(np.random.default_rng(seed), 0, trainable=True)
    return world, sentence


def right_branching(n: int) -> set[tuple[int, int, int]]:
    return {(i, n, i % 2) for i in range(n - 1)}


def as_nodes(gold: set, world: World, n: int) -> np.ndarray:
    words = [(i, i + 1, world.n_phrases) for i in range(n)]
    return np.array([*words, *sorted(gold)], np.int32).reshape(-1, 3)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_steps_follow_the_gradient(n):
    for seed in range(5):
        world, sentence = trainable_world(seed, n)
        reader, gold = world.reader(sentence), right_branching(n)
        scores = reader.pruner_scores()
        before = all_weights(world.pruner_weights)

        def likelihood(key, change, scores=scores, gold=gold, world=world):
            changed = {**scores, key: scores[key] + change}
            return log_likelihood(changed, gold, n, world.n_phrases)

        # The numeric gradient with respect to the score of each phrase over each span.
        gradient = {key: (likelihood(key, 1e-5) - likelihood(key, -1e-5)) / 2e-5 for key in scores}
        expected, step = before.copy(), 0.1
        for (i, j, a), value in gradient.items():
            if abs(value) > LEAST_GRADIENT:
                for id in reader.span_ids(i, j, PHRASE, a):
                    expected[id] += step * value
        wrong = world.pruner().learn(world.input(sentence), as_nodes(gold, world, n), step, 0)
        assert all_weights(world.pruner_weights) == pytest.approx(expected, abs=2e-3 * step)
        assert wrong == pytest.approx(
            sum(-value for key, value in gradient.items() if key not in gold), abs=1e-3
        )
        assert (expected != before).any()
        after = log_likelihood(reader.pruner_scores(), gold, n, world.n_phrases)
        assert after > log_likelihood(scores, gold, n, world.n_phrases)


def test_learning_makes_the_gold_tree_likely():
    world, sentence = trainable_world(0, 5)
    world.pruner_weights = HashedWeights(BITS, trainable=True, adaptive=True)
    pruner, gold = world.pruner(), right_branching(5)
    nodes, words = as_nodes(gold, world, 5), world.input(sentence)
    wrong = [pruner.learn(words, nodes, 1.0, time) for time in range(30)]
    assert wrong[-1] < 0.2 < 3 < wrong[0]
    assert allowed(world, sentence, 1.0) - words_and_tags(world, 5) == gold


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_learn_from_short_sentences(n):
    world, sentence = trainable_world(0, n)
    before = all_weights(world.pruner_weights)
    nodes = np.array([(0, 1, world.n_phrases)] * n, np.int32).reshape(-1, 3)
    assert world.pruner().learn(world.input(sentence), nodes, 1.0, 0) == 0
    assert (all_weights(world.pruner_weights) == before).all()


def test_learning_from_long_sentences():
    """Spans that are too wide are neither right nor wrong."""
    world, _ = trainable_world(0, 0)
    world.pruner_weights = HashedWeights(BITS, trainable=True)
    sentence = random_sentence(np.random.default_rng(0), 30, world.n_phrases)
    pruner = world.pruner(full_length=20, width=5)
    # Spans in the middle that are left out.
    gold = {(0, 30, 1), (0, 28, 1), (4, 20, 1), (10, 13, 0)}
    wrong = pruner.learn(world.input(sentence), as_nodes(gold, world, 30), 0.1, 0)
    # All 29 spans of a tree are wrong, but for a chance.
    assert 20 < wrong < 29
    assert np.isfinite(all_weights(world.pruner_weights)).all()


def test_weights_that_are_far_apart():
    """Exponentials that underflow are no reason to learn nonsense."""
    world, sentence = trainable_world(0, 4)
    rng = np.random.default_rng(0)
    values = (400 * rng.normal(size=1 << BITS)).astype(np.float32)
    world.pruner_weights = HashedWeights.from_arrays(
        BITS, np.arange(1 << BITS), values, trainable=True
    )
    for time_ in range(20):
        sentence = random_sentence(rng, 4, world.n_phrases)
        nodes = as_nodes(right_branching(4), world, 4)
        assert 0 <= world.pruner().learn(world.input(sentence), nodes, 1.0, time_) <= 3.01
    assert np.isfinite(all_weights(world.pruner_weights)).all()


def test_frozen_weights_are_refused():
    world, sentence = random_world(0, 3)
    with pytest.raises(ValueError, match="rain"):
        world.pruner().learn(world.input(sentence), as_nodes(right_branching(3), world, 3), 1.0, 0)


@pytest.mark.parametrize(
    "node", [(0, 4, 0), (-1, 2, 0), (2, 2, 0), (2, 1, 0), (0, 2, -1), (0, 2, -100)]
)
def test_damaged_nodes_are_refused(node):
    world, sentence = trainable_world(0, 3)
    with pytest.raises(ValueError, match="not a binary tree"):
        world.pruner().learn(world.input(sentence), np.array([node], np.int32), 1.0, 0)


def test_too_few_columns_are_refused():
    world, sentence = trainable_world(0, 3)
    with pytest.raises(ValueError, match="not a binary tree"):
        world.pruner().learn(world.input(sentence), np.zeros((1, 2), np.int32), 1.0, 0)


def test_words_are_checked():
    world, _ = trainable_world(0, 3)
    pruner = world.pruner()
    nodes = np.zeros((0, 3), np.int32)
    no_row = IncrementalInput([5000], [0, 1], [2], np.zeros((1, 1), np.uint64))
    no_columns = IncrementalInput([0], [0, 1], [2], np.zeros((1, 0), np.uint64))
    for words, message in ((no_row, "do not fit together"), (no_columns, "0 values per token")):
        with pytest.raises(ValueError, match=message):
            pruner.choose(words, 1.0, world.n_symbols)
        with pytest.raises(ValueError, match=message):
            pruner.learn(words, nodes, 1.0, 0)


@pytest.mark.parametrize("threshold", [-1.0, math.nan])
def test_thresholds_are_checked(threshold):
    world, sentence = random_world(0, 3)
    with pytest.raises(ValueError, match="threshold"):
        allowed(world, sentence, threshold)


def test_numbers_are_checked():
    world, sentence = random_world(0, 3)
    with pytest.raises(ValueError, match="symbol"):
        world.pruner().choose(world.input(sentence), 1.0, world.n_phrases - 1)
    scorer = world.scorer(world.pruner_weights)
    for n, settings in ((0, {}), (-1, {}), (2, {"width": 0}), (2, {"full_length": -1})):
        with pytest.raises(ValueError, match="A pruner needs"):
            SpanPruner(scorer, n, **settings)
