import math
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.constituents.chart.grammar import Grammar
from spacy_perceptron.decode.constituents.chart.parsing import ChartParsing
from spacy_perceptron.decode.constituents.chart.pruner import CoarsePruner
from spacy_perceptron.decode.constituents.chart.sentence import TaggedWords
from tests.decode.constituents.chart.reference import Rows, World, random_world

SEEDS = st.integers(0, 2**32)
LENGTHS = st.integers(0, 4)
# Scores of -1, 0 and 1 make nearly every decision a tie; 0 stands for real numbers.
SIZES = st.sampled_from([0, 1, 5])
DENSITIES = st.sampled_from([0.15, 0.3, 0.4])


def as_rows(tree: np.ndarray) -> Rows:
    return tuple(tuple(row) for row in tree.tolist())


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, SIZES, DENSITIES)
def test_best_tree_equals_brute_force(seed, n, size, density):
    world = random_world(seed, n, size=size, density=density)
    tree, score, is_coarse = world.parsing().parse(world.tagged_words())
    if not world.trees:
        assert (len(tree), score) == (0, -math.inf)
        return
    assert score == pytest.approx(world.trees[0][0], abs=1e-4)
    assert not is_coarse
    expected = {rows: score for score, rows in world.trees}
    assert expected[as_rows(tree)] == pytest.approx(score, abs=1e-4)


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, SIZES, DENSITIES, st.integers(1, 30))
def test_k_best_trees_equal_brute_force(seed, n, size, density, k):
    world = random_world(seed, n, size=size, density=density)
    found, scores, _ = world.parsing().nbest(world.tagged_words(), k)
    trees = [as_rows(tree) for tree in found]
    expected = {rows: score for score, rows in world.trees}
    assert len(expected) == len(world.trees)
    assert scores == pytest.approx([score for score, _ in world.trees[:k]], abs=1e-4)
    assert [expected[tree] for tree in trees] == pytest.approx(scores, abs=1e-4)
    assert len(set(trees)) == len(trees) == min(k, len(expected))


@settings(max_examples=150, deadline=None)
@given(SEEDS, LENGTHS, DENSITIES, st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_marginals_equal_brute_force(seed, n, density, scale):
    world = random_world(seed, n, density=density)
    rows, probabilities, log_z, _ = world.parsing().marginals(world.tagged_words(), scale)
    if not world.trees:
        assert (len(rows), log_z) == (0, -math.inf)
        return
    logs = np.array([scale * score for score, _ in world.trees])
    expected_log_z = float(np.logaddexp.reduce(logs))
    expected: dict[tuple[int, ...], float] = {}
    for log, (_, tree) in zip(logs, world.trees, strict=True):
        for row in tree:
            expected[row] = expected.get(row, 0.0) + math.exp(log - expected_log_z)
    found = {tuple(row): p for row, p in zip(rows.tolist(), probabilities, strict=True)}
    assert log_z == pytest.approx(expected_log_z, abs=1e-4)
    assert len(found) == len(rows)
    assert {row: p for row, p in found.items() if p > 0} == pytest.approx(expected, abs=1e-5)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 4), DENSITIES, st.sampled_from([0.2, 1.0, 3.0]))
def test_pruning_keeps_what_is_near_the_best(seed, n, density, threshold):
    """A tree within the threshold has no symbol outside of it."""
    world = random_world(seed, n, density=density)
    found, _, _ = world.parsing(threshold).nbest(world.tagged_words(), 100_000)
    near = {rows for score, rows in world.trees if score > world.trees[0][0] - threshold + 1e-3}
    assert near <= {as_rows(tree) for tree in found} <= {rows for _, rows in world.trees}


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 4), DENSITIES, st.sampled_from([0.2, 1.0, 3.0]))
def test_allowed_symbols_equal_brute_force(seed, n, density, threshold):
    world = random_world(seed, n, density=density)
    spans = CoarsePruner(world.grammar()).choose(world.tagged_words(), threshold)
    allowed = set(map(tuple, spans.to_array().tolist()))
    for slack, contains in ((-1e-3, allowed.issuperset), (1e-3, allowed.issubset)):
        least = max((score for score, _ in world.trees), default=0.0) - threshold - slack
        assert contains({row[:3] for score, rows in world.trees if score >= least for row in rows})


def one_symbol(n: int, **settings) -> tuple[ChartParsing, TaggedWords]:
    """All binary trees of n words."""
    grammar = Grammar(1, 0, [(0, 0, 0)], [-1.0], [], [])
    pruner = CoarsePruner(grammar, **settings)
    words = TaggedWords(np.arange(n + 1), np.zeros(n), np.zeros(n))
    return ChartParsing(grammar, pruner, [0], threshold=10.0), words


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_number_of_trees(n: int):
    """The number of binary trees is a Catalan number."""
    parsing, words = one_symbol(n)
    assert len(parsing.nbest(words, 10_000)[0]) == math.comb(2 * n - 2, n - 1) // n
    assert parsing.marginals(words, 0.0)[2] == pytest.approx(
        math.log(math.comb(2 * n - 2, n - 1) // n)
    )


def test_wide_spans_are_left_out_of_long_sentences():
    parsing, words = one_symbol(60, full_length=50, width=6)
    rows, score, is_coarse = parsing.parse(words)
    assert (score, is_coarse, len(rows)) == (-59, False, 119)
    for start, end, _, _ in rows.tolist():
        assert end - start <= 6 or start < 2 or end > 58
    n_limited = parsing.forest.n_edges
    whole, words = one_symbol(60, full_length=60, width=6)
    whole.parse(words)
    assert n_limited < whole.forest.n_edges / 3


def coarse_world() -> tuple[Grammar, Grammar, list[int]]:
    """A fine grammar in which only two equal words make a sentence, a coarse one in which any
    number of words do."""
    fine = Grammar(3, 0, [(0, 1, 1), (0, 2, 2)], [-1.0, -2.0], [], [])
    coarse = Grammar(2, 0, [(0, 1, 1), (0, 0, 1)], [-1.0, -1.0], [(0, 1)], [-3.0])
    return fine, coarse, [0, 1, 1]


@pytest.mark.parametrize(
    ("words", "score", "is_coarse"),
    [([1, 1], -1.0, False), ([2, 2], -2.0, False), ([1, 2], -1.0, True), ([1], -3.0, True)],
)
def test_coarse_grammar_steps_in(words: list[int], score: float, is_coarse: bool):
    fine, coarse, classes = coarse_world()
    parsing = ChartParsing(fine, CoarsePruner(coarse), classes, threshold=5.0)
    sentence = TaggedWords(range(len(words) + 1), words, [0.0] * len(words))
    tree, found, from_coarse = parsing.parse(sentence)
    assert (found, from_coarse) == (score, is_coarse)
    # The last row is the top of the tree: a unary rule for a single word.
    assert tree[-1].tolist() == [0, len(words), 0, 0 if len(words) == 1 else -1]
    assert parsing.nbest(sentence, 3)[2] == parsing.marginals(sentence)[3] == is_coarse


def test_symbols_of_a_class_share_its_best_score():
    fine, coarse, classes = coarse_world()
    parsing = ChartParsing(fine, CoarsePruner(coarse), classes, threshold=5.0)
    sentence = TaggedWords([0, 2, 4], [1, 2, 2, 1], [0.0, -1.0, -2.0, -3.5])
    # 1 1: -1 + 0 - 3.5; 2 2: -2 - 1 - 2.
    trees, scores, _ = parsing.nbest(sentence, 5)
    assert scores == [-4.5, -5.0]
    assert [tree[0, 2] for tree in trees] == [1, 2]


def test_large_forests_are_pruned_further():
    world = random_world(7, 5, density=0.5)
    n_edges = []
    for max_edges in (10**6, 60, 1):
        parsing = world.parsing(max_edges=max_edges)
        _, score, _ = parsing.parse(world.tagged_words())
        assert score == pytest.approx(world.trees[0][0], abs=1e-4)
        n_edges.append(parsing.forest.n_edges)
    assert n_edges[0] > 60 >= n_edges[1] >= n_edges[2] > 1


def test_a_search_can_be_stopped():
    parsing, words = one_symbol(1500, full_length=2000)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            parsing.parse(words)
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        parsing.control.stop()
        time.sleep(0.01)
    assert len(errors) == 1
    small = one_symbol(3)[1]
    assert parsing.parse(small)[1] == -2


def test_a_parser_is_used_again_and_again():
    """What is left of one sentence does not change the next."""
    worlds = [random_world(seed, n, density=0.4) for seed in range(10) for n in (5, 2, 4)]
    for world in worlds:
        world.n_symbols = 3
    grammar_of = worlds[0]
    parsing = grammar_of.parsing()
    for words in (world.tagged_words() for world in worlds):
        fresh = grammar_of.parsing().nbest(words, 5)
        again = parsing.nbest(words, 5)
        assert [tree.tolist() for tree in again[0]] == [tree.tolist() for tree in fresh[0]]
        assert again[1:] == fresh[1:]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Grammar(2, 2, [], [], [], []), "no symbol 2"),
        (lambda: Grammar(2, 0, [(0, 1, 2)], [0.0], [], []), "no symbol 2"),
        (lambda: Grammar(2, 0, [], [], [(-1, 0)], [0.0]), "no symbol -1"),
        (lambda: Grammar(2, 0, [(0, 1, 1)], [], [], []), "1 rules need as many scores"),
        (lambda: Grammar(2, 0, [(0, 1, 1)], [math.nan], [], []), "finite"),
        (lambda: TaggedWords([0, 1], [0], [math.inf]), "finite"),
        (lambda: TaggedWords([0, 2], [0], [0.0]), "as many scores"),
        (lambda: TaggedWords([1, 0], [], []), "as many scores"),
        (lambda: TaggedWords([], [], []), "as many scores"),
        (lambda: one_symbol(1)[0].parse(TaggedWords([0, 1], [1], [0.0])), "no symbol 1"),
        (lambda: one_symbol(1)[0].nbest(TaggedWords([0, 1], [0], [0.0]), 0), "1 or more"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_classes_are_checked():
    fine, coarse, _ = coarse_world()
    for classes in ([0, 1], [0, 1, 2], [0, 1, -1]):
        with pytest.raises(ValueError, match=r"classes|no symbol"):
            ChartParsing(fine, CoarsePruner(coarse), classes, threshold=5.0)


@pytest.mark.parametrize("threshold", [0.0, -1.0, math.inf, math.nan])
def test_thresholds_are_checked(threshold: float):
    with pytest.raises(ValueError, match="`threshold` must be above 0, and finite"):
        random_world(1, 3).parsing(threshold)


def test_no_words():
    world = World(2, {}, [], [])
    parsing, words = world.parsing(), world.tagged_words()
    assert parsing.parse(words)[1] == -math.inf
    assert parsing.nbest(words, 3)[0] == []
    assert len(parsing.marginals(words)[0]) == 0
