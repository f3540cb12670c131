import math

import numpy as np
import pytest
from spacy.strings import hash_string

from spacy_perceptron.decode.constituents.chart.heads import HeadScorer
from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.max_margin.parsing import SpanParsing
from spacy_perceptron.decode.constituents.max_margin.program import (
    compile_spans,
    parse_head_templates,
    parse_span_templates,
)
from spacy_perceptron.decode.constituents.max_margin.pruner import SpanPruner
from spacy_perceptron.decode.constituents.max_margin.scorer import SpanScorer
from spacy_perceptron.decode.constituents.max_margin.training import SpanTraining
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.trees.constituents import tree_to_constituents
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.span_grammar import SpanGrammar
from tests.decode.constituents.max_margin.world import (
    BITS,
    Rows,
    Sentence,
    World,
    all_weights,
    random_weights,
    random_world,
    tree_loss,
)
from tests.sample import read_sentences

MAX_TREES = 1_000


def as_array(rows: Rows) -> np.ndarray:
    return np.array(rows, np.int32).reshape(-1, 4)


def worlds(*, n_examples: int, heads: bool = False, integer: bool = False):
    """Grammars with a sentence and its trees, of which one is the gold tree."""
    n_found = 0
    for seed in range(10_000):
        world, sentence = random_world(
            seed, 1 + seed % 5, density=0.12, heads=heads, trainable=True, size=int(integer)
        )
        trees = world.trees(sentence)
        if 2 <= len(trees) <= MAX_TREES:
            yield seed, world, sentence, trees, trees[seed % len(trees)]
            n_found += 1
        if n_found == n_examples:
            return


def step_towards(world: World, sentence: Sentence, gold: Rows, other: Rows, margin: float):
    """RETURNS (tuple): The change of each weight, and the violation."""
    reader = world.reader(sentence)
    difference = reader.features(gold)
    difference.subtract(reader.features(other))
    values = all_weights(world.weights)
    # Scores of readings are not learned: the step is about weights alone.
    gap = sum(count * values[id] for id, count in difference.items())
    violation = margin * tree_loss(other, gold) - gap
    norm = sum(count**2 for count in difference.values())
    change = np.zeros(1 << BITS)
    for id, count in difference.items():
        change[id] = count * violation / norm if norm else 0.0
    return change, violation


@pytest.mark.parametrize("margin", [0.0, 1.0, 3.0])
def test_the_worst_violator_is_punished(margin):
    """The tree with the highest sum of score and loss, found by enumeration; weights change by the
    step that makes the gold tree win by the margin."""
    n_steps = 0
    for _, world, sentence, trees, gold in worlds(n_examples=60):
        # Readings without scores.
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        reader = world.reader(sentence)
        augmented = [reader.score(rows) + margin * tree_loss(rows, gold) for rows in trees]
        order = np.argsort(augmented)
        if augmented[order[-1]] - augmented[order[-2]] < 1e-4:
            continue
        worst = trees[order[-1]]
        before = all_weights(world.weights)
        change, violation = step_towards(world, sentence, gold, worst, margin)
        training = SpanTraining(world.parsing())
        mistakes = training.learn(world.input(sentence), as_array(gold), 0, margin=margin)
        after = all_weights(world.weights)
        if worst == gold:
            assert mistakes == 0
            assert (after == before).all()
            continue
        n_steps += 1
        assert mistakes == tree_loss(worst, gold) > 0
        assert after - before == pytest.approx(change, abs=1e-4)
        # Now the gold tree wins by the margin.
        reader = world.reader(sentence)
        gap = reader.score(gold) - reader.score(worst)
        assert violation > 0
        assert gap == pytest.approx(margin * mistakes, abs=1e-3)
    assert n_steps > 20


def test_scores_of_readings_count_in_the_search():
    for _, world, sentence, trees, gold in worlds(n_examples=40):
        reader = world.reader(sentence)
        augmented = [reader.score(rows) + tree_loss(rows, gold) for rows in trees]
        order = np.argsort(augmented)
        if augmented[order[-1]] - augmented[order[-2]] < 1e-4:
            continue
        worst = trees[order[-1]]
        _, violation = step_towards(world, sentence, gold, worst, 1.0)
        mistakes = SpanTraining(world.parsing()).learn(world.input(sentence), as_array(gold), 0)
        assert mistakes == (tree_loss(worst, gold) if violation > 1e-6 else 0)


@pytest.mark.parametrize("limit", [0.0, 0.01])
def test_steps_are_limited(limit):
    n_limited = 0
    for _, world, sentence, trees, gold in worlds(n_examples=30):
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        reader = world.reader(sentence)
        worst = max(trees, key=lambda rows: reader.score(rows) + tree_loss(rows, gold))
        difference = reader.features(gold)
        difference.subtract(reader.features(worst))
        before = all_weights(world.weights)
        _, violation = step_towards(world, sentence, gold, worst, 1.0)
        norm = sum(count**2 for count in difference.values())
        SpanTraining(world.parsing()).learn(world.input(sentence), as_array(gold), 0, limit=limit)
        if norm and violation / norm > limit:
            n_limited += 1
            expected = np.zeros(1 << BITS)
            for id, count in difference.items():
                expected[id] = limit * count
            assert all_weights(world.weights) - before == pytest.approx(expected, abs=1e-5)
    assert n_limited > 10


def test_ties_do_not_move_weights():
    """Two trees that tie with the margin met: there is no step and no mistake."""
    for _, world, sentence, trees, gold in worlds(n_examples=30, integer=True):
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        reader = world.reader(sentence)
        before = all_weights(world.weights)
        violations = [
            reader.score(rows) + tree_loss(rows, gold) - reader.score(gold) for rows in trees
        ]
        mistakes = SpanTraining(world.parsing()).learn(world.input(sentence), as_array(gold), 0)
        assert (mistakes == 0) == (max(violations) == 0)
        assert (mistakes == 0) == bool((all_weights(world.weights) == before).all())


def test_trees_with_heads_meet_the_margin():
    """With heads the search is not exact, but a step is right for the tree it found."""
    n_met = 0
    for _, world, sentence, trees, gold in worlds(n_examples=40, heads=True):
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        before = all_weights(world.weights)
        steps = [step_towards(world, sentence, gold, rows, 1.0) for rows in trees]
        mistakes = SpanTraining(world.parsing()).learn(world.input(sentence), as_array(gold), 0)
        change = all_weights(world.weights) - before
        near = [
            rows
            for rows, (expected, violation) in zip(trees, steps, strict=True)
            if violation > 0 and np.allclose(change, expected, atol=1e-4)
        ]
        if mistakes:
            assert mistakes in {tree_loss(rows, gold) for rows in near}
            n_met += 1
        else:
            assert not change.any()
    assert n_met > 10


def test_learning_ends():
    """After a while, nothing violates the margin, and the gold tree is the best one."""
    for _, world, sentence, trees, gold in worlds(n_examples=10):
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        world.weights = HashedWeights(BITS, trainable=True)
        training, words = SpanTraining(world.parsing()), world.input(sentence)
        for time in range(300):
            if not training.learn(words, as_array(gold), time, limit=0.5):
                break
        before = all_weights(world.weights)
        if training.learn(words, as_array(gold), 300):
            # Trees without a feature of their own can't be told apart.
            reader = world.reader(sentence)
            assert any(reader.features(rows) == reader.features(gold) for rows in trees)
            continue
        assert (all_weights(world.weights) == before).all()
        ((_, best),) = training.parsing.nbest(words, 1)
        assert best.tolist() == as_array(gold).tolist()


def test_the_pruner_does_not_forbid_gold_phrases():
    """They stay in the spans that stay; what else is pruned is not learned from."""
    n_kept = n_steps = 0
    threshold = 1.0
    for _, world, sentence, trees, gold in worlds(n_examples=120):
        sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
        reader, words = world.reader(sentence), world.input(sentence)
        for factor in (1, 2, 4, 8):
            spans = world.pruner().choose(words, factor * threshold, world.n_symbols).to_array()
            allowed = {tuple(row) for row in spans.tolist()}
            cells = {row[:2] for row in allowed}
            kept = {row[:3] for row in gold if row[:2] in cells} - allowed
            left = [rows for rows in trees if {row[:3] for row in rows} <= allowed | kept]
            if left:
                break
        if not left:
            continue
        augmented = sorted(
            ((reader.score(rows) + tree_loss(rows, gold), rows) for rows in left), reverse=True
        )
        if len(augmented) > 1 and augmented[0][0] - augmented[1][0] < 1e-4:
            continue
        worst = augmented[0][1]
        change, violation = step_towards(world, sentence, gold, worst, 1.0)
        before = all_weights(world.weights)
        mistakes = SpanTraining(world.parsing(threshold)).learn(words, as_array(gold), 0)
        if violation > 1e-4:
            n_steps += 1
            assert mistakes == tree_loss(worst, gold)
            assert all_weights(world.weights) - before == pytest.approx(change, abs=1e-4)
        elif violation < -1e-4:
            # The gold tree, although pruned, wins by more than the margin.
            assert mistakes == 0
            assert (all_weights(world.weights) == before).all()
        n_kept += bool(kept)
    assert n_kept > 5
    assert n_steps > 20


def test_frozen_weights_are_refused():
    world, _ = random_world(0, 0)
    with pytest.raises(ValueError, match="rain"):
        SpanTraining(world.parsing())


def example():
    """A parser, words of three tokens, and their tree."""
    rng = np.random.default_rng(0)
    # Phrases 0 and 1, tags 2 and 3.
    world = World(
        2,
        2,
        [(1, 2, 3), (1, 2, 1), (1, 1, 3)],
        [(0, 1), (1, 3)],
        random_weights(rng, 0, trainable=True),
        random_weights(rng, 0),
        [False, False, False],
    )
    sentence = Sentence([1, 2, 3], [1, 1, 2], [{2: 0.0}, {2: 0.0}, {3: 0.0}])
    rows = [(0, 1, 2, -1), (1, 2, 2, -1), (2, 3, 3, -1), (1, 3, 1, -1), (0, 3, 1, 0)]
    return world, sentence, rows


def test_sound_example():
    world, sentence, rows = example()
    assert tuple(rows) in world.trees(sentence)
    SpanTraining(world.parsing()).learn(world.input(sentence), as_array(rows), 0)


@pytest.mark.parametrize(
    "damage",
    [
        lambda rows: [],
        lambda rows: rows[:-1],
        lambda rows: rows[1:],
        # A tree of the last two words, one of the last word.
        lambda rows: rows[1:4],
        lambda rows: rows[2:3],
        lambda rows: rows[::-1],
        lambda rows: [*rows, (0, 3, 1, -1)],
        lambda rows: [*rows[:4], (0, 4, 1, 0)],
        lambda rows: [(-1, 1, 2, -1), *rows[1:]],
        lambda rows: [*rows[:3], (0, 2, 1, -1), rows[4]],
        # Symbols that do not exist.
        lambda rows: [*rows[:4], (0, 3, 4, -1)],
        lambda rows: [*rows[:4], (0, 3, -1, -1)],
        lambda rows: [(0, 1, 99, -1), *rows[1:]],
    ],
)
def test_damaged_trees_are_refused(damage):
    world, sentence, rows = example()
    before = all_weights(world.weights)
    training = SpanTraining(world.parsing())
    with pytest.raises(ValueError, match="not a binary tree"):
        training.learn(world.input(sentence), as_array(damage(rows)), 0)
    assert (all_weights(world.weights) == before).all()
    # It goes on working.
    training.learn(world.input(sentence), as_array(rows), 0)


@pytest.mark.parametrize("n_columns", [0, 3, 5])
def test_columns_are_checked(n_columns):
    world, sentence, rows = example()
    tree = np.zeros((len(rows), n_columns), np.int32)
    tree[:, : min(n_columns, 4)] = as_array(rows)[:, :n_columns]
    with pytest.raises(ValueError, match="not a binary tree"):
        SpanTraining(world.parsing()).learn(world.input(sentence), tree, 0)


@pytest.mark.parametrize("margin", [-1.0, math.nan, math.inf])
def test_margins_are_checked(margin):
    world, sentence, rows = example()
    with pytest.raises(ValueError, match="margin"):
        SpanTraining(world.parsing()).learn(world.input(sentence), as_array(rows), 0, margin=margin)


def test_gold_trees_that_the_grammar_does_not_have():
    """Rules and unary rules that do not exist are passed over; what is left is learned from."""
    world, sentence, rows = example()
    rows = [rows[0], rows[1], (0, 2, 1, 99), rows[2], (0, 3, 1, 0)]
    training = SpanTraining(world.parsing())
    assert training.learn(world.input(sentence), as_array(rows), 0) > 0
    assert np.isfinite(all_weights(world.weights)).all()


def test_nothing_to_learn_from_no_words():
    world, _, _ = example()
    before = all_weights(world.weights)
    words = world.input(Sentence([], [], []))
    assert SpanTraining(world.parsing()).learn(words, as_array(()), 0) == 0
    assert (all_weights(world.weights) == before).all()
    with pytest.raises(ValueError, match="not a binary tree"):
        SpanTraining(world.parsing()).learn(words, as_array([(0, 1, 2, -1)]), 0)


# --- Real sentences ---------------------------------------------------------------------------

COLUMNS = {"lower": 0, "tag": 1}
SPANS = ("span.length", "b.lower", "e.lower", "b-1.tag b.tag", "e.tag e+1.tag", "b.tag e.tag")
HEADS = ("h.lower d.lower", "h.tag d.tag")


@pytest.mark.parametrize("heads", [False, True])
def test_sample_sentences_are_learned_by_heart(heads):
    trees = [s.tree for s in read_sentences("train") if 8 <= len(s.tree.words()) <= 25][:10]
    assert len(trees) == 10
    grammar, head_rules = SpanGrammar(), load_head_rules()
    binary = [grammar.binarize(tree, head_rules) for tree in trees]
    for tree in binary:
        grammar.add(tree)
    gold = [grammar.rows(tree) for tree in binary]
    compiled, n_phrases = grammar.compile(), len(grammar.phrases)
    lexemes = LexemeTable(1)

    def words_of(tree) -> IncrementalInput:
        words, tags = tree.words(), tree.tags()
        orths = np.array([hash_string(word) for word in words], np.uint64)
        return IncrementalInput(
            lexemes.lookup(orths, lambda orth: [orth]),
            np.arange(len(words) + 1),
            [n_phrases + grammar.tags[tag] for tag in tags],
            np.array([[hash_string(tag)] for tag in tags], np.uint64),
        )

    inputs = [words_of(tree) for tree in trees]
    spans = parse_span_templates(SPANS, COLUMNS)
    program = compile_spans(spans, parse_head_templates(HEADS if heads else (), COLUMNS), COLUMNS)
    pruner_weights = HashedWeights(16, trainable=True, adaptive=True)
    pruner = SpanPruner(
        SpanScorer(lexemes, pruner_weights, compile_spans(spans, [], COLUMNS), 1), n_phrases
    )
    for time in range(100):
        at = time % 10
        pruner.learn(inputs[at], np.ascontiguousarray(gold[at][:, :3]), 1.0, time)
    weights = HashedWeights(18, trainable=True)
    scorer = SpanScorer(lexemes, weights, program, 1)
    sides = grammar.head_sides(head_rules)[compiled.rule_order]
    head_scorer = HeadScorer(
        weights,
        scorer.role_hashes,
        2,
        program.heads,
        sides,
        grammar.rule_values()[compiled.rule_order],
    )
    parsing = SpanParsing(
        compiled,
        scorer,
        pruner,
        grammar.rule_values(),
        grammar.chain_values(),
        [[] for _ in grammar.names],
        [[] for _ in grammar.chains],
        heads=head_scorer if heads else None,
        threshold=100.0,
    )
    training = SpanTraining(parsing)
    n_wrong = [
        sum(training.learn(inputs[i], gold[i], 10 * epoch + i, limit=0.1) for i in range(10))
        for epoch in range(20)
    ]
    # A violation that is a rounding error does not count.
    assert n_wrong[-1] == 0 < 20 < n_wrong[0]
    for tree, words, rows in zip(trees, inputs, gold, strict=True):
        ((_, found),) = parsing.nbest(words, 1)
        assert grammar.restore(found.tolist()) == tree_to_constituents(tree)
        assert found.tolist() == rows.tolist()
