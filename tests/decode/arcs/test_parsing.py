"""Parsing of short sentences against enumeration of all trees, from features by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.input import ParsingInput
from spacy_perceptron.learn.weights import WeightTable

from .nonprojective import reference as nonprojective_reference
from .projective import reference as projective_reference
from .reference import Sentence, compiled, word_values
from .world import (
    Tree,
    World,
    examples,
    ints,
    make_input,
    make_parsing,
    parse_sentence,
    random_sentence,
    random_table,
    random_world,
    reachable,
    read_weights,
)

SEEDS = st.integers(0, 2**32 - 1)
# Order, whether arcs must not cross.
SHAPES = [(1, True), (2, True), (3, True), (1, False)]
shapes = st.sampled_from(SHAPES)
# The second one makes ties.
sizes = st.sampled_from([128, 1])


def draw_world(seed: int, n: int, shape: tuple[int, bool], size: int) -> tuple[World, Sentence]:
    return random_world(seed, n, size=size, order=shape[0], projective=shape[1])


# --- The best trees --------------------------------------------------------------------------


@examples(60)
@given(SEEDS, st.integers(1, 5), shapes, sizes)
def test_best_tree(seed, n, shape, size):
    world, sentence = draw_world(seed, n, shape, size)
    trees = world.trees(sentence)
    best = {(heads, labels) for score, heads, labels in trees if score == trees[0][0]}
    heads, labels, sure = parse_sentence(world.parsing(), sentence)
    assert (heads, labels) in best
    assert sure.tolist() == [1.0] * n


@examples(60)
@given(SEEDS, st.integers(1, 5), shapes, sizes, st.sampled_from([1, 2, 5, 10_000]))
def test_best_trees(seed, n, shape, size, k):
    """Scores in order, ties included; no tree twice; every one with its score and labels."""
    world, sentence = draw_world(seed, n, shape, size)
    trees = world.trees(sentence)
    known = {heads: (score, labels) for score, heads, labels in trees}
    parsing = world.parsing()
    heads, labels, scores = parsing.nbest(make_input(parsing, sentence), k)
    assert scores.tolist() == [score for score, _, _ in trees[:k]]
    rows = [tuple(row) for row in heads.tolist()]
    assert len(set(rows)) == len(rows)
    for row, row_labels, score in zip(rows, labels.tolist(), scores, strict=True):
        assert known[row] == (score, tuple(row_labels))
    assert rows[0] == parse_sentence(parsing, sentence)[0] or size == 1


@examples(40)
@given(SEEDS, st.integers(1, 5), shapes, st.sampled_from([0.25, 1.0, 3.0]))
def test_confidence_is_the_share_of_trees(seed, n, shape, scale):
    """Of the distribution exp(scale * score) over trees, each arc with its best label."""
    world, sentence = draw_world(seed, n, shape, 64)
    trees = world.trees(sentence)
    heads, _, sure = parse_sentence(world.parsing(), sentence, scale)
    masses = np.exp([scale * (score - trees[0][0]) for score, _, _ in trees])
    for child in range(n):
        mass = sum(
            m for m, tree in zip(masses, trees, strict=True) if tree[1][child] == heads[child]
        )
        assert sure[child] == pytest.approx(mass / masses.sum(), abs=1e-9)


# --- With pruning ----------------------------------------------------------------------------


@examples(80)
@given(
    SEEDS, st.integers(1, 5), shapes, st.sampled_from([0.0, 0.3, 0.8]), st.sampled_from([0, 1, 2])
)
def test_pruned_trees(seed, n, shape, threshold, max_heads):
    """Exact over the arcs that are left; if they form no tree, arcs between neighbours and from the
    root are added."""
    world, sentence = draw_world(seed, n, shape, 64)
    parsing = world.parsing(random_table(seed), threshold=threshold, max_heads=max_heads)
    words = make_input(parsing, sentence)
    allowed = parsing.allowed(words)
    trees = world.trees(sentence, allowed) or world.trees(sentence, reachable(parsing, sentence))
    assert trees
    best = {(heads, labels) for score, heads, labels in trees if score == trees[0][0]}
    assert parse_sentence(parsing, sentence)[:2] in best
    heads, _, scores = parsing.nbest(words, 1000)
    assert scores.tolist() == [score for score, _, _ in trees]
    assert {tuple(row) for row in heads.tolist()} == {heads for _, heads, _ in trees}


def test_no_tree_is_left():
    """One head a word, the wrong one: 1 <-> 2, 3 <-> 4. There is an answer all the same."""
    found = 0
    for seed in range(30):
        world, sentence = random_world(seed, 4, order=2)
        parsing = world.parsing(random_table(seed), max_heads=1)
        if world.trees(sentence, parsing.allowed(make_input(parsing, sentence))):
            continue
        found += 1
        heads, _, sure = parse_sentence(parsing, sentence, 1.0)
        assert projective_reference.is_tree(heads)
        assert (sure > 0).all()
    assert found > 10


@examples(60)
@given(SEEDS, st.integers(1, 5), shapes, st.sampled_from([0, 1, 2]), st.data())
def test_best_tree_with_another_head(seed, n, shape, max_heads, data):
    """Over the arcs that are left; if no tree over them has another head, some are added."""
    world, sentence = draw_world(seed, n, shape, 64)
    parsing = world.parsing(random_table(seed), max_heads=max_heads)
    word = data.draw(st.integers(1, n))
    head = data.draw(st.integers(0, n).filter(lambda head: head != word))
    others: list[Tree] = []
    for arcs in (parsing.allowed(make_input(parsing, sentence)), reachable(parsing, sentence)):
        trees = world.trees(sentence, arcs)
        others = others or [tree for tree in trees if tree[1][word - 1] != head]
    found = parsing.without(make_input(parsing, sentence), word, head)
    if not others:
        assert found is None
        return
    heads, labels, score = found
    assert score == others[0][0]
    assert (score, tuple(heads.tolist()), tuple(labels.tolist())) in others


def test_no_other_head():
    world, sentence = random_world(1, 1)
    parsing = world.parsing()
    assert parsing.without(make_input(parsing, sentence), 1, 0) is None
    # And the parser is none the worse for it.
    assert parse_sentence(parsing, sentence)[0] == (0,)


# --- Many sentences --------------------------------------------------------------------------


def sentences_of(world: World, lengths: list[int], size: int = 64) -> list[Sentence]:
    rng = np.random.default_rng(3)
    found = [random_sentence(rng, n) for n in lengths]
    for sentence in found:
        world.randomize(sentence, rng, size)
    return found


@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_sentences_do_not_meet(order: int, projective: bool):
    """All at once, with empty ones between them, as each by a new parser."""
    world = World(order=order, projective=projective)
    lengths = [3, 0, 6, 1, 1, 0, 0, 9, 2]
    sentences = sentences_of(world, lengths)
    parsing = world.parsing(random_table(1), max_heads=3)
    words = make_input(parsing, *sentences)
    starts = ints(np.cumsum([0, *lengths]))
    together = parsing.parse(words, starts, scale=0.7)
    again = parsing.parse(words, starts, scale=0.7)
    alone = [
        parse_sentence(world.parsing(random_table(1), max_heads=3), sentence, 0.7)
        for sentence in sentences
        if len(sentence)
    ]
    for i in range(3):
        expected = np.concatenate([np.asarray(answer[i]) for answer in alone])
        assert np.array_equal(together[i], expected)
        assert np.array_equal(together[i], again[i])


@pytest.mark.parametrize(("order", "projective"), SHAPES)
@pytest.mark.parametrize("k", [1, 4, 1000])
@pytest.mark.parametrize("scale", [0.0, 0.7])
@pytest.mark.parametrize(
    "settings", [{}, {"size": 1}, {"max_heads": 1}, {"threshold": 0.3, "narrowing": 0.5}]
)
def test_parse_lists_what_nbest_finds(
    order: int, projective: bool, k: int, scale: float, settings: dict
):
    """Sentence by sentence and to the bit, with ties and where pruning leaves no tree; and these
    are the best trees of all. Predictions and confidences stay what they are."""
    world = World(order=order, projective=projective)
    settings = dict(settings)
    sentences = sentences_of(world, [3, 0, 5, 1, 4], settings.pop("size", 64))
    parsing, other = (world.parsing(random_table(5), **settings) for _ in range(2))
    starts = ints(np.cumsum([0, *map(len, sentences)]))
    *answers, lists = parsing.parse(make_input(parsing, *sentences), starts, scale=scale, k=k)
    *expected, none = other.parse(make_input(other, *sentences), starts, scale=scale)
    assert none == []
    for mine, alone in zip(answers, expected, strict=True):
        assert np.array_equal(mine, alone)
    filled = [sentence for sentence in sentences if len(sentence)]
    for sentence, found in zip(filled, lists, strict=True):
        sentence_words = make_input(other, sentence)
        for mine, alone in zip(found, other.nbest(sentence_words, k), strict=True):
            assert mine.dtype == alone.dtype
            assert np.array_equal(mine, alone)
        trees = world.trees(sentence, other.allowed(sentence_words))
        trees = trees or world.trees(sentence, reachable(other, sentence))
        assert found[2].tolist() == [score for score, _, _ in trees[:k]]
        for heads, labels, score in zip(*found, strict=True):
            assert (score, tuple(heads.tolist()), tuple(labels.tolist())) in trees


@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_reuse_over_lengths(order: int, projective: bool):
    """One parser for short, long and short sentences, all its answers, against new ones."""
    world = World(order=order, projective=projective)
    sentences = sentences_of(world, [4, 1, 7, 2, 5])
    used = world.parsing(random_table(2), threshold=0.2)
    for sentence in sentences:
        fresh = world.parsing(random_table(2), threshold=0.2)
        mine, other = make_input(used, sentence), make_input(fresh, sentence)
        assert used.allowed(mine) == fresh.allowed(other)
        for one, two in zip(used.nbest(mine, 7), fresh.nbest(other, 7), strict=True):
            assert np.array_equal(one, two)
        if len(sentence) > 1:
            one, two = used.without(mine, 2, 1), fresh.without(other, 2, 1)
            assert one[2] == two[2]
            assert np.array_equal(one[0], two[0])
        assert parse_sentence(used, sentence)[:2] == parse_sentence(fresh, sentence)[:2]


def test_no_words():
    world, sentence = random_world(0, 2, order=2)
    parsing = world.parsing()
    nothing = Sentence([], [], [])
    for starts in ([0], [0, 0], [0, 0, 0]):
        words = make_input(parsing, nothing)
        *arrays, lists = parsing.parse(words, ints(starts), scale=1.0, k=2)
        for array in arrays:
            assert array.shape == (0,)
        assert lists == []
    assert parsing.allowed(make_input(parsing, nothing)) == []
    assert len(parse_sentence(parsing, sentence)[0]) == 2


@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_one_word(order: int, projective: bool):
    world, sentence = random_world(3, 1, order=order, projective=projective)
    parsing = world.parsing()
    heads, labels, sure = parse_sentence(parsing, sentence, 1.0)
    assert heads == (0,)
    assert labels == (world.arc_scores(sentence, (0, 1))[1],)
    assert sure.tolist() == [pytest.approx(1.0)]
    _, _, scores = parsing.nbest(make_input(parsing, sentence), 5)
    assert scores.tolist() == [world.score(sentence, heads, labels)]


@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_300_words(order: int, projective: bool):
    """The score is that of the tree's features, read through the windows."""
    sentence = random_sentence(np.random.default_rng(1), 300)
    parsing = make_parsing(
        compiled(),
        random_table(4, 16),
        WeightTable(1),
        random_table(5),
        order=order,
        projective=projective,
        threshold=0.05,
        max_heads=6,
    )
    heads, _, _ = parse_sentence(parsing, sentence)
    is_tree = projective_reference.is_tree if projective else nonprojective_reference.is_tree
    assert is_tree(heads)
    world = World(order=order)
    total = sum(
        weight for part in world.parts_of(heads) for _, weight in read_weights(parsing, part)
    )
    trees, _, scores = parsing.nbest(make_input(parsing, sentence), 3)
    assert scores[0] == total >= scores[1] >= scores[2]
    assert all(is_tree(tuple(tree)) for tree in trees.tolist())
    assert len({tuple(tree) for tree in trees.tolist()}) == 3


# --- Checks ----------------------------------------------------------------------------------


def arrays(n: int) -> dict[str, np.ndarray]:
    return {
        "rows": np.full(n, 2, np.int32),
        "tokens": np.zeros((n, 2), np.uint64),
        "marks": np.zeros(n, np.uint8),
        "guides": np.full(n, -1, np.int32),
    }


@pytest.mark.parametrize("name", ["tokens", "marks", "guides"])
@pytest.mark.parametrize("n", [0, 2, 4])
def test_input_refuses_other_numbers(name: str, n: int):
    given = {**arrays(3), name: arrays(n)[name]}
    with pytest.raises(ValueError, match=f"There are {n} {name} for 3 words."):
        ParsingInput(**given)


def test_input_takes_lists_and_no_guides():
    assert ParsingInput([2, 2], [[1, 2], [3, 4]], [0, 1]).n_words == 2
    assert ParsingInput(*list(arrays(5).values())[:3]).n_words == 5


@pytest.mark.parametrize("starts", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [-1, 3], [3]])
def test_refuses_bounds_that_do_not_rise(starts: list[int]):
    world, sentence = random_world(0, 3)
    parsing = world.parsing()
    with pytest.raises(ValueError, match=r"Sentence bounds must rise from 0 .* words, 3\."):
        parsing.parse(make_input(parsing, sentence), ints(starts))


@pytest.mark.parametrize("k", [0, -2])
def test_refuses_no_trees(k: int):
    world, sentence = random_world(0, 3)
    parsing = world.parsing()
    with pytest.raises(ValueError, match=f"must be 1 or more, not {k}"):
        parsing.nbest(make_input(parsing, sentence), k)


@pytest.mark.parametrize("order", [2, 3])
def test_refuses_crossing_arcs_of_higher_order(order: int):
    with pytest.raises(ValueError, match=f"finds trees of arcs alone, `order = 1`, not {order}"):
        World(order=order, projective=False).parsing()


@pytest.mark.parametrize("order", [0, -1])
def test_refuses_orders_below_one(order: int):
    with pytest.raises(ValueError, match="order"):
        World(order=order).parsing()


def test_labels_of_the_search():
    """Asked for after parsing; arcs that were not looked at have none."""
    world, sentence = random_world(4, 4, order=2)
    parsing = world.parsing(random_table(4), max_heads=3)
    heads, labels, _ = parsing.nbest(make_input(parsing, sentence), 5)
    for tree, tree_labels in zip(heads, labels, strict=True):
        assert np.array_equal(parsing.search_labels(tree), tree_labels)
    allowed = set(parsing.parts.arcs())
    others = [(h, c) for c in range(1, 5) for h in range(5) if h != c and (h, c) not in allowed]
    tree = heads[0].copy()
    tree[others[0][1] - 1] = others[0][0]
    with pytest.raises(ValueError, match=f"arc from {others[0][0]} to {others[0][1]} is not"):
        parsing.search_labels(tree)


METHODS = {"parse": [ints([0, 3])], "nbest": [1], "allowed": [], "without": [1, 0]}


@pytest.mark.parametrize("method", METHODS)
def test_refuses_other_numbers_of_columns(method: str):
    """The parser reads two values a token; another number would mix up the tokens."""
    world, _ = random_world(0, 3)
    parsing = world.parsing()
    lexemes = parsing.scorer.features.hashes.lexemes
    rows = lexemes.lookup(np.array([0, 1, 2], np.uint64), word_values)
    words = ParsingInput(**{**arrays(3), "rows": rows, "tokens": np.zeros((3, 4), np.uint64)})
    with pytest.raises(ValueError, match="4"):
        getattr(parsing, method)(words, *METHODS[method])


@pytest.mark.parametrize("row", [99, -1])
@pytest.mark.parametrize("method", METHODS)
def test_refuses_rows_that_are_not_there(method: str, row: int):
    """Such as those of words looked up before the table started afresh."""
    world, _ = random_world(0, 3)
    words = ParsingInput(**{**arrays(3), "rows": ints([0, row, 1])})
    with pytest.raises(ValueError, match=f"row {row}"):
        getattr(world.parsing(), method)(words, *METHODS[method])
