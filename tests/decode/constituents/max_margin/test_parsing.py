import itertools
import math
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.constituents.max_margin.parsing import SpanParsing
from tests.decode.constituents.max_margin.world import (
    Rows,
    Sentence,
    World,
    all_weights,
    bracketings,
    random_sentence,
    random_weights,
    random_world,
)

SEEDS = st.integers(0, 2**32)
LENGTHS = st.integers(1, 5)
# Weights of -1, 0 and 1 make nearly every decision a tie; 0 stands for real numbers.
SIZES = st.sampled_from([0, 1, 5])
DENSITIES = st.sampled_from([0.05, 0.1, 0.15])
MAX_TREES = 1_000


def as_rows(tree: np.ndarray) -> Rows:
    return tuple(tuple(row) for row in tree.tolist())


def world_with_trees(seed: int, n: int, **settings) -> tuple[World, Sentence]:
    """The first grammar from a seed on that has trees of n words, but not too many."""
    for at in itertools.count(seed):
        world, sentence = random_world(at, n, **settings)
        if 0 < len(world.trees(sentence)) <= MAX_TREES:
            return world, sentence
    raise AssertionError


def scored_trees(world: World, sentence: Sentence) -> dict[Rows, float]:
    """All trees with their scores, best first."""
    trees = world.trees(sentence)
    reader = world.reader(sentence)
    scores = {rows: reader.score(rows) for rows in trees}
    assert len(scores) == len(trees)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def parse_one(parsing: SpanParsing, world: World, sentence: Sentence, **settings):
    bounds = np.array([0, len(sentence)], np.int32)
    (found,) = parsing.parse(world.input(sentence), bounds, **settings)
    return found


def check_binary(rows: Rows, sentence: Sentence, n_phrases: int) -> None:
    """The rows are a binary tree over the words, children first."""
    stack: list[tuple[int, int]] = []
    for start, end, symbol, _ in rows:
        if end - start > 1:
            assert 0 <= symbol < n_phrases
            (a, b), (c, d) = stack[-2:]
            del stack[-2:]
            assert (a, b, d) == (start, c, end)
        else:
            assert symbol in sentence.tags[start]
        stack.append((start, end))
    assert stack == [(0, len(sentence))]


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, SIZES, DENSITIES)
def test_best_tree_equals_brute_force(seed, n, size, density):
    world, sentence = random_world(seed, n, size=size, density=density)
    expected = scored_trees(world, sentence)
    rows, sure, is_partial, listed = parse_one(world.parsing(), world, sentence, k=1)
    assert sure is None
    assert is_partial == (not expected)
    check_binary(as_rows(rows), sentence, world.n_phrases)
    if expected:
        assert expected[as_rows(rows)] == pytest.approx(max(expected.values()), abs=1e-4)
        ((score, same),) = listed
        assert score == pytest.approx(max(expected.values()), abs=1e-4)
        assert as_rows(same) == as_rows(rows)


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, SIZES, DENSITIES, st.integers(1, 40))
def test_k_best_trees_equal_brute_force(seed, n, size, density, k):
    world, sentence = world_with_trees(seed, n, size=size, density=density)
    expected = scored_trees(world, sentence)
    found = world.parsing().nbest(world.input(sentence), k)
    trees = [as_rows(tree) for _, tree in found]
    assert len({*trees}) == len(trees) == min(k, len(expected))
    assert [score for score, _ in found] == pytest.approx([*expected.values()][:k], abs=1e-4)
    assert [expected[tree] for tree in trees] == pytest.approx([s for s, _ in found], abs=1e-4)
    listed = parse_one(world.parsing(), world, sentence, k=k)[3]
    assert [(score, as_rows(tree)) for score, tree in listed] == [
        (score, as_rows(tree)) for score, tree in found
    ]


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, DENSITIES, st.sampled_from([0.3, 1.0, 3.0]))
def test_confidences_equal_brute_force(seed, n, density, scale):
    world, sentence = world_with_trees(seed, n, density=density)
    trees = scored_trees(world, sentence)
    logs = scale * np.array([*trees.values()])
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    expected: dict[tuple[int, int, int], float] = {}
    for rows, share in zip(trees, shares, strict=True):
        for start, end, symbol, unary in rows:
            labels = world.labels[symbol] + (world.unary_labels[unary] if unary >= 0 else [])
            for label in labels:
                key = (start, end, label)
                expected[key] = expected.get(key, 0.0) + share
    best, sure, _, _ = parse_one(world.parsing(), world, sentence, scale=scale)
    assert len(sure) == len(best)
    for (start, end, symbol, unary), found in zip(best.tolist(), sure, strict=True):
        labels = (world.unary_labels[unary] if unary >= 0 else []) + world.labels[symbol]
        # A label that a tree can have twice over a span has an expected number above 1.
        right = [min(expected[start, end, label], 1.0) for label in labels]
        assert found.tolist() == pytest.approx(right, abs=1e-4)


@settings(max_examples=100, deadline=None)
@given(SEEDS, LENGTHS, SIZES, DENSITIES)
def test_scores_with_heads_are_those_of_the_tree(seed, n, size, density):
    """The search for heads is not exact, but the score is that of the tree it finds."""
    world, sentence = world_with_trees(seed, n, size=size, density=density, heads=True)
    expected = scored_trees(world, sentence)
    ((score, rows),) = world.parsing().nbest(world.input(sentence), 1)
    assert score == pytest.approx(expected[as_rows(rows)], abs=1e-4)
    assert as_rows(parse_one(world.parsing(), world, sentence)[0]) == as_rows(rows)


@pytest.mark.parametrize("size", [0, 1])
def test_heads_matter(size):
    """Of short sentences, whose trees differ in few heads, nearly all get the best tree."""
    found = []
    for seed in range(80):
        world, sentence = random_world(seed, 3, size=size, density=0.15, heads=True)
        expected = scored_trees(world, sentence)
        if len(expected) > 1:
            ((score, rows),) = world.parsing().nbest(world.input(sentence), 1)
            # Also with ties, a node has one head.
            assert score == pytest.approx(expected[as_rows(rows)], abs=1e-4)
            found.append(score > max(expected.values()) - 1e-4)
    assert len(found) > 20
    assert np.mean(found) > 0.8


def test_ties_have_one_head():
    """The tree that is found is the one whose head the nodes above it saw."""
    n_trees = 0
    for seed in range(300):
        world, sentence = random_world(seed, 5, size=1, density=0.1, heads=True)
        if 1 < len(world.trees(sentence)) <= MAX_TREES:
            ((score, rows),) = world.parsing().nbest(world.input(sentence), 1)
            assert score == world.reader(sentence).score(as_rows(rows))
            n_trees += 1
    assert n_trees > 50


def test_compact_weights():
    rng = np.random.default_rng(0)
    for seed in range(20):
        world, sentence = random_world(seed, 4, density=0.15, heads=seed % 2 == 1)
        world.weights = random_weights(rng, 0, compact=True)
        expected = scored_trees(world, sentence)
        if expected:
            ((score, rows),) = world.parsing().nbest(world.input(sentence), 1)
            assert score == pytest.approx(expected[as_rows(rows)], abs=1e-3)


def test_pruned_trees_are_the_best_of_those_left():
    """Without any tree left, the threshold rises to eight times what it was."""
    n_raised = n_partial = 0
    for seed in range(250):
        threshold = (0.5, 1.0, 2.0)[seed % 3]
        world, sentence = random_world(seed, 2 + seed % 4, density=0.12)
        reader, words = world.reader(sentence), world.input(sentence)
        expected = {rows: reader.score(rows) for rows in world.trees(sentence)}
        for factor in (1, 2, 4, 8):
            spans = world.pruner().choose(words, factor * threshold, world.n_symbols)
            allowed = {tuple(row) for row in spans.to_array().tolist()}
            left = {
                rows: score
                for rows, score in expected.items()
                if {row[:3] for row in rows} <= allowed
            }
            if left:
                break
        rows, _, is_partial, _ = parse_one(world.parsing(threshold), world, sentence)
        assert is_partial == (not left)
        if left:
            assert left[as_rows(rows)] == pytest.approx(max(left.values()), abs=1e-4)
        n_raised += bool(left) and factor > 1
        n_partial += is_partial and bool(expected)
    assert min(n_raised, n_partial) > 3


def test_sentences_of_a_text():
    world, _ = random_world(3, 0, density=0.4)
    rng = np.random.default_rng(0)
    sentences = [random_sentence(rng, n, world.n_phrases) for n in (3, 0, 5, 1, 4)]
    text = Sentence(
        *(
            list(itertools.chain(*parts))
            for parts in zip(*((s.lowers, s.kinds, s.tags) for s in sentences), strict=True)
        )
    )
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    parsing = world.parsing()
    found = parsing.parse(world.input(text), starts, scale=1.0, k=3)
    assert [len(rows) for rows, *_ in found] == [max(2 * len(s) - 1, 0) for s in sentences]
    assert parsing.longest == 13
    for sentence, (rows, sure, is_partial, listed) in zip(sentences, found, strict=True):
        # What is left of one sentence does not change the next.
        alone = parse_one(world.parsing(), world, sentence, scale=1.0, k=3)
        assert rows.tolist() == alone[0].tolist()
        assert [x.tolist() for x in sure] == [x.tolist() for x in alone[1]]
        assert is_partial == alone[2]
        assert [(s, t.tolist()) for s, t in listed] == [(s, t.tolist()) for s, t in alone[3]]


@pytest.mark.parametrize("has_rules", [True, False])
def test_empty_sentence(has_rules):
    world, sentence = random_world(0, 0, density=0.2 if has_rules else 0.0)
    rows, sure, is_partial, listed = parse_one(world.parsing(), world, sentence, scale=1.0, k=3)
    assert rows.shape == (0, 4)
    assert (sure, is_partial, listed) == ([], False, [])
    assert world.parsing().nbest(world.input(sentence), 3) == []


def test_words_without_scores():
    world, sentence = random_world(2, 4, density=0.3)
    sentence.tags = [dict.fromkeys(tags, 0.0) for tags in sentence.tags]
    bounds = np.array([0, 4], np.int32)
    (a,) = world.parsing().parse(world.input(sentence, scored=False), bounds, k=5)
    (b,) = world.parsing().parse(world.input(sentence), bounds, k=5)
    assert [(s, t.tolist()) for s, t in a[3]] == [(s, t.tolist()) for s, t in b[3]]


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(1, 6))
def test_without_a_tree_of_the_grammar_the_pruner_has_one(seed, n):
    world, sentence = random_world(seed, n, density=0.0)
    world.unary = []
    rows, sure, is_partial, listed = parse_one(world.parsing(), world, sentence, scale=1.0, k=3)
    assert is_partial
    check_binary(as_rows(rows), sentence, world.n_phrases)
    assert [row[2] for row in as_rows(rows) if row[1] - row[0] == 1] == [
        next(iter(tags)) for tags in sentence.tags
    ]
    # No label is sure.
    assert [x.tolist() for x in sure] == [[0.0] * len(world.labels[row[2]]) for row in rows]
    assert [as_rows(tree) for _, tree in listed] == [as_rows(rows)]
    scores = world.reader(sentence).pruner_scores()
    best = max(
        sum(max(scores[(*span, a)] for a in range(world.n_phrases)) for span in spans)
        for spans in bracketings(0, n)
    )
    found = sum(scores[row[:3]] for row in as_rows(rows) if row[1] - row[0] > 1)
    assert found == pytest.approx(best, abs=1e-4)


def catalan_world(n: int, *, seed: int = 0) -> tuple[World, Sentence]:
    """One phrase besides the root, of which every binary tree is made."""
    rng = np.random.default_rng(seed)
    world = World(
        2,
        2,
        [(1, a, b) for a in (1, 2) for b in (1, 2)],
        [(0, 1)],
        random_weights(rng, 0),
        random_weights(rng, 0),
        [False] * 4,
    )
    sentence = Sentence(rng.integers(1, 4, n).tolist(), rng.integers(1, 3, n).tolist(), [])
    sentence.tags = [{2: 0.0} for _ in range(n)]
    return world, sentence


def count_trees(world: World, sentence: Sentence, **settings) -> tuple[int, bool]:
    listed = world.parsing(**settings).nbest(world.input(sentence), 10_000)
    is_partial = parse_one(world.parsing(**settings), world, sentence)[2]
    for _, rows in listed:
        check_binary(as_rows(rows), sentence, world.n_phrases)
    return len(listed), is_partial


def test_large_forests_are_pruned_more():
    """A lower threshold is tried before the search gives up; all trees take n^3 / 6 edges."""
    world, sentence = catalan_world(9)
    n_trees = math.comb(16, 8) // 9
    assert count_trees(world, sentence, threshold=50.0) == (n_trees, False)
    counts = [
        count_trees(world, sentence, threshold=50.0, max_edges=limit) for limit in (100, 60, 40)
    ]
    assert all(0 < count < n_trees and not is_partial for count, is_partial in counts[:1])
    assert counts == sorted(counts, reverse=True)
    # Nothing fits: the pruner's own tree.
    assert count_trees(world, sentence, threshold=50.0, max_edges=5) == (1, True)


def test_long_sentences_finish():
    world, sentence = catalan_world(300)
    start = time.process_time()
    rows, _, is_partial, _ = parse_one(world.parsing(3.0), world, sentence)
    assert time.process_time() - start < 60
    assert not is_partial
    check_binary(as_rows(rows), sentence, world.n_phrases)
    for a, b, _, _ in rows.tolist():
        assert b - a <= 50 or a < 2 or b > 298


def test_a_parser_works_for_one_thread_at_a_time():
    world, sentence = catalan_world(150)
    parsing, words = world.parsing(1e6), world.input(sentence)
    bounds = np.array([0, 150], np.int32)
    errors: list[str] = []

    def run() -> None:
        try:
            for _ in range(50):
                parsing.parse(words, bounds)
        except RuntimeError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    while all(thread.is_alive() for thread in threads):
        time.sleep(0.001)
    while any(thread.is_alive() for thread in threads):
        parsing.control.stop()
        time.sleep(0.01)
    assert len(errors) == 2
    assert errors[0] != errors[1]
    small = Sentence([1], [1], [{2: 0.0}])
    assert len(parse_one(parsing, world, small)[0]) == 1


@pytest.mark.parametrize("threshold", [0.0, -1.0, math.inf, math.nan])
def test_thresholds_are_checked(threshold):
    world, _ = random_world(0, 0)
    with pytest.raises(ValueError, match="threshold"):
        world.parsing(threshold)


def test_input_is_checked():
    world, sentence = random_world(0, 3, density=0.2)
    parsing, words = world.parsing(), world.input(sentence)
    with pytest.raises(ValueError, match="no words 0 to 4"):
        parsing.parse(words, np.array([0, 4], np.int32))
    bad = Sentence(sentence.lowers, sentence.kinds, [{0: 0.0}] * 3)
    with pytest.raises(ValueError, match="do not fit together"):
        parsing.nbest(world.input(bad), 1)
    bad.tags = [{world.n_symbols: 0.0}] * 3
    with pytest.raises(ValueError, match="do not fit together"):
        parsing.nbest(world.input(bad), 1)


def test_parts_that_do_not_fit_are_refused():
    world, _ = random_world(1, 0, density=0.2, heads=True)
    other, _ = random_world(1, 0, density=0.2, heads=True)
    parsing, foreign = world.parsing(), other.parsing()

    def make(**changes):
        parts = {
            "grammar": world.grammar,
            "scorer": parsing.scorer,
            "pruner": parsing.pruner,
            "rule_values": world.rule_values,
            "unary_values": world.unary_values,
            "labels": world.labels,
            "unary_labels": world.unary_labels,
            "heads": parsing.heads,
        }
        return SpanParsing(**{**parts, **changes})

    make()
    for change in (
        {"rule_values": world.rule_values[1:]},
        {"unary_values": [*world.unary_values, 1]},
        {"labels": world.labels[1:]},
        {"labels": [[-1]] * world.n_symbols},
        {"unary_labels": [*world.unary_labels, []]},
        {"pruner": foreign.pruner},
        # Heads of other weights, of words that this scorer does not read.
        {"heads": foreign.heads},
    ):
        with pytest.raises(ValueError, match="damaged"):
            make(**change)


def test_weights_that_change_are_seen():
    """Scores of rules are those of the moment."""
    world, sentence = random_world(5, 4, density=0.3, trainable=True)
    parsing = world.parsing()
    before = scored_trees(world, sentence)
    assert before
    ((score, _),) = parsing.nbest(world.input(sentence), 1)
    assert score == pytest.approx(max(before.values()), abs=1e-4)
    ids = np.arange(len(all_weights(world.weights)), dtype=np.uint64)
    changes = np.random.default_rng(0).normal(size=len(ids)).astype(np.float32)
    world.weights.update(ids, changes, 0)
    after = scored_trees(world, sentence)
    ((score, rows),) = parsing.nbest(world.input(sentence), 1)
    assert score == pytest.approx(max(after.values()), abs=1e-4)
    assert after[as_rows(rows)] == pytest.approx(score, abs=1e-4)
