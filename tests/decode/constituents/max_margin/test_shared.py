"""Features that all phrases share, fixed scores, and the flat classifier, against brute force."""

import re

import numpy as np
import pytest

from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.max_margin.flat import FlatSpans
from spacy_perceptron.decode.constituents.max_margin.program import (
    parse_span_templates,
    predictions,
)
from spacy_perceptron.decode.constituents.max_margin.training import SpanTraining
from spacy_perceptron.errors import Errors

from .world import BITS, COLUMNS, Rows, all_weights, random_weights, random_world, tree_loss

MAX_TREES = 1_000


def worlds(*, n_examples: int, trainable: bool = False):
    n_found = 0
    for seed in range(10_000):
        world, sentence = random_world(
            seed, 1 + seed % 5, density=0.12, shared=True, trainable=trainable
        )
        trees = world.trees(sentence)
        if 2 <= len(trees) <= MAX_TREES:
            yield world, sentence, trees
            n_found += 1
        if n_found == n_examples:
            return


def as_array(rows: Rows) -> np.ndarray:
    return np.array(rows, np.int32).reshape(-1, 4)


def test_lists_are_those_of_brute_force():
    for world, sentence, trees in worlds(n_examples=60):
        reader = world.reader(sentence)
        expected = sorted((reader.score(rows) for rows in trees), reverse=True)
        found = world.parsing().nbest(world.input(sentence), len(trees))
        assert [score for score, _ in found] == pytest.approx(expected, abs=1e-3)
        for score, rows in found:
            own = tuple(map(tuple, rows.tolist()))
            assert reader.score(own) == pytest.approx(score, abs=1e-3)


def test_features_add_up_to_scores():
    for world, sentence, trees in worlds(n_examples=20):
        reader, parsing = world.reader(sentence), world.parsing()
        for rows in trees[:20]:
            parts = parsing.features(world.input(sentence), as_array(rows))
            total = sum(sum(weights) for node in parts for *_, weights in node)
            assert total == pytest.approx(reader.score(rows), abs=1e-3)


def test_the_most_violating_tree():
    for world, sentence, trees in worlds(n_examples=40, trainable=True):
        reader, gold = world.reader(sentence), trees[len(trees) // 2]
        worst = max(tree_loss(rows, gold) + reader.score(rows) for rows in trees)
        training = SpanTraining(world.parsing())
        found = training.difference(world.input(sentence), as_array(gold))
        ids, values, n_wrong, slack = found
        assert slack == pytest.approx(worst - reader.score(gold), abs=1e-3)
        # Slack, loss, fixed scores and features of the tree found are those of one tree.
        learned = values @ all_weights(world.weights)[ids.astype(int)] if len(ids) else 0.0
        assert slack == pytest.approx(n_wrong - training.offset - learned, abs=1e-3)


def test_a_step_reaches_the_margin():
    for world, sentence, trees in worlds(n_examples=20, trainable=True):
        gold = as_array(trees[0])
        training = SpanTraining(world.parsing())
        words = world.input(sentence)
        for _ in range(500):
            if not training.learn(words, gold, 0.0):
                break
        if training.difference(words, gold)[3] < 1e-3:
            reader = world.reader(sentence)
            best = max(trees, key=lambda rows: reader.score(rows) + tree_loss(rows, trees[0]))
            assert reader.score(trees[0]) >= reader.score(best) + tree_loss(best, trees[0]) - 1e-2


def test_brackets_are_cut_with_their_words():
    words = IncrementalInput(
        [0, 1, 2],
        [0, 1, 2, 3],
        [5, 5, 5],
        np.zeros((3, 1), np.uint64),
        None,
        [(0, 1, 1), (1, 3, 2), (0, 3, 3)],
    )
    assert words.cut(1, 3).cut(0, 2).n_words == 2
    for wrong in ([(0, 4, 1)], [(-1, 1, 1)], [(1, 1, 1)]):
        with pytest.raises(ValueError, match=re.escape(Errors.INCREMENTAL_INPUT)):
            IncrementalInput([0], [0, 1], [5], np.zeros((1, 1), np.uint64), None, wrong)


def test_only_shared_templates_see_marks():
    assert predictions(parse_span_templates(["span.any span.flat"], COLUMNS, shared=True)) == {
        "flat"
    }
    assert parse_span_templates([], COLUMNS, shared=True) == []
    with pytest.raises(ValueError, match="any"):
        parse_span_templates(["span.any b.tag"], COLUMNS)


def flat_spans(trainable: bool) -> tuple[FlatSpans, object, object]:
    world, sentence = random_world(3, 5, shared=True)
    weights = random_weights(np.random.default_rng(1), 0, trainable=trainable)
    return FlatSpans(world.scorer(weights)), world, sentence


def test_flat_predictions():
    flat, world, sentence = flat_spans(False)
    reader = world.reader(sentence)
    values = all_weights(flat.scorer.weights)
    spans = [(i, j) for i in range(5) for j in range(i + 1, 6)]
    expected = [span for span in spans if values[reader.shared_ids(*span)].sum() > 0]
    assert 0 < len(expected) < len(spans)
    assert flat.predict(world.input(sentence)).tolist() == [list(span) for span in expected]


def test_a_flat_step_is_the_gradient():
    """One span, so that weights do not move in between."""
    world, sentence = random_world(0, 1, shared=True)
    weights = random_weights(np.random.default_rng(1), 0, trainable=True)
    before = all_weights(weights)
    ids = world.reader(sentence).shared_ids(0, 1)
    score = before[ids].sum()
    flat = FlatSpans(world.scorer(weights))
    gold = np.array([[0, 1]], np.int32)
    assert flat.learn(world.input(sentence), gold, 0.5, 0.0) == int(score <= 0)
    expected = before.copy()
    np.add.at(expected, ids, 0.5 * (1 - 1 / (1 + np.exp(-score))))
    assert all_weights(weights) == pytest.approx(expected, abs=1e-5)
    assert len(before) == 1 << BITS


def test_flat_classifiers_learn():
    flat, world, sentence = flat_spans(True)
    gold = np.array([[0, 2], [2, 5], [0, 5]], np.int32)
    words = world.input(sentence)
    for _ in range(200):
        n_wrong = flat.learn(words, gold, 0.1, 0.0)
    assert n_wrong == 0
    assert sorted(flat.predict(words).tolist()) == sorted(gold.tolist())
    with pytest.raises(ValueError, match=re.escape(Errors.SPAN_NODES)):
        flat.learn(words, np.array([[0, 6]], np.int32), 0.1, 0.0)
    frozen, *_ = flat_spans(False)
    with pytest.raises(ValueError, match=re.escape(Errors.TABLE_FROZEN)):
        frozen.learn(words, gold, 0.1, 0.0)
