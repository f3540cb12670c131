"""The search finds every tree that the grammar allows, with its score."""

from itertools import pairwise

import numpy as np
import pytest

from spacy_perceptron.decode.constituents.incremental.generative import GenerativeModel
from spacy_perceptron.decode.constituents.incremental.grammar import Grammar
from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.incremental.parsing import IncrementalParsing
from spacy_perceptron.decode.constituents.incremental.search import IncrementalSearch
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.trees.constituents import tree_to_constituents
from spacy_perceptron.trees.tree import Tree

from .reference import all_trees, log_probability, values_of
from .world import World

SENTENCES = [
    "fish/NN swims/VB",
    "the/DT dog/NN sees/VB fish/NN",
    "fish/NN sees/VB dog/NN with/IN fish/NN",
    "the/DT whale/NN with/IN fish/NN swims/VB",
]
WIDE = 20_000


@pytest.fixture(scope="module", params=[False, True], ids=["chains", "juxtapose"])
def world(request) -> World:
    return World(wraps=request.param)


def read(text: str) -> tuple[list[str], list[str]]:
    words, tags = zip(*(pair.split("/") for pair in text.split()), strict=True)
    return list(words), list(tags)


def random_weights(seed: int = 0) -> HashedWeights:
    values = np.random.default_rng(seed).normal(size=1 << 12).astype(np.float32)
    return HashedWeights.from_arrays(12, np.arange(1 << 12, dtype=np.uint32), values)


def brackets(tree: Tree) -> tuple:
    """Phrases in pre-order, without the root."""
    return tuple(tree_to_constituents(tree))


def found(world: World, parsing: IncrementalParsing, words, tags, k=WIDE) -> dict[tuple, float]:
    answers = parsing.nbest(world.sentence(words, [[tag] for tag in tags]), k)
    trees = {
        tuple((world.phrases[symbol], start, end) for symbol, start, end in rows.tolist()): score
        for score, rows, _ in answers
    }
    assert len(trees) == len(answers)
    return trees


@pytest.mark.parametrize("text", SENTENCES)
def test_a_wide_beam_finds_all_trees(world, text):
    words, tags = read(text)
    expected = {brackets(tree) for tree in all_trees(world, words, tags)}
    parsing = world.parsing(random_weights(), width=WIDE)
    assert expected
    assert set(found(world, parsing, words, tags)) == expected
    assert not parsing.search.is_partial


@pytest.mark.parametrize("text", SENTENCES)
def test_scores_are_those_of_the_whole_tree(world, text):
    words, tags = read(text)
    parsing = world.parsing(random_weights(), width=50)
    scores = list(found(world, parsing, words, tags, k=50).values())
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([parsing.rescored(k) for k in range(len(scores))], abs=1e-4)


@pytest.mark.parametrize("text", SENTENCES)
def test_generative_scores_are_products_of_probabilities(text):
    world = World(wraps=False)
    values = values_of(world)
    words, tags = read(text)
    expected = {
        brackets(tree): log_probability(world, tree, values)
        for tree in all_trees(world, words, tags)
    }
    answers = found(world, world.parsing(model=world.model, width=WIDE), words, tags)
    assert answers == pytest.approx(expected, abs=1e-4)


def test_weights_and_log_probabilities_add_up():
    world = World(wraps=False)
    words, tags = read(SENTENCES[2])
    linear = found(world, world.parsing(random_weights(), width=WIDE), words, tags)
    generative = found(world, world.parsing(model=world.model, width=WIDE), words, tags)
    hybrid = found(
        world, world.parsing(random_weights(), world.model, width=WIDE, log_weight=10), words, tags
    )
    assert hybrid == pytest.approx(
        {tree: linear[tree] + 10 * generative[tree] for tree in linear}, abs=1e-3
    )


def test_tags_are_chosen_with_the_tree():
    world = World(wraps=False)
    values = values_of(world)
    words = ["fish", "sees", "dog"]
    readings = [["NN", "VB"], ["VB", "NN"], ["DT", "NN"]]
    expected = {
        (brackets(tree), tuple(tags)): log_probability(world, tree, values)
        for a in readings[0]
        for b in readings[1]
        for c in readings[2]
        for tags in [(a, b, c)]
        for tree in all_trees(world, words, list(tags))
        if all(("outcome", ("open", tag)) in values for tag in tags)
    }
    parsing = world.parsing(model=world.model, width=WIDE)
    flat = [tag for tags in readings for tag in tags]
    answers = {
        (
            tuple((world.phrases[s], a, b) for s, a, b in rows.tolist()),
            tuple(flat[place] for place in places.tolist()),
        ): score
        for score, rows, places in parsing.nbest(world.sentence(words, readings), WIDE)
    }
    assert len({tags for _, tags in answers}) > 1
    assert answers == pytest.approx(expected, abs=1e-4)


def test_lists_have_k_trees_that_differ_in_more_than_readings(world):
    sentence = world.sentence(["fish", "sees", "dog"], [["DT", "NN"], ["VB", "NN"], ["NN"]])
    parsing = world.parsing(random_weights(), width=WIDE)
    everything = parsing.nbest(sentence, WIDE)
    best: dict[bytes, float] = {}
    for score, rows, _ in everything:
        best.setdefault(rows.tobytes(), score)
    assert len(best) < len(everything)
    for k in range(len(everything) + 1):
        ((*_, listed),) = parsing.parse(sentence, np.array([0, 3], np.int32), k=k)
        assert [(rows.tobytes(), score) for score, rows, _ in listed] == list(best.items())[:k]


def grammar_without_triples(world: World, n_phrases: int, chains: list[list[int]]) -> Grammar:
    return Grammar(
        n_phrases,
        len(world.symbols) - n_phrases,
        np.zeros((0, 3), np.int32),
        chains,
        np.zeros((0, 2), np.int32),
        wraps=world.wraps,
        heads=world.heads,
    )


def test_scorers_of_another_grammar_are_refused(world):
    scorer, n_phrases = world.parsing(random_weights()).search.scorer, len(world.phrases)
    assert IncrementalSearch(scorer, grammar_without_triples(world, n_phrases, [[]]))
    with pytest.raises(ValueError, match="damaged"):
        IncrementalSearch(scorer, grammar_without_triples(world, n_phrases + 1, [[]]))


def test_more_chains_than_the_search_can_number_are_refused(world):
    """They have 16 bits, less one number for no chain."""
    chains = [[], *([1] for _ in range((1 << 16) - 2))]
    assert grammar_without_triples(world, 2, chains)
    with pytest.raises(ValueError, match="damaged"):
        grammar_without_triples(world, 2, [*chains, [1]])


def test_readings_that_do_not_ascend_are_refused():
    """Not even if differences overflow."""
    limit = 2**31
    for starts in ([0, 0, 2], [0, 2, 1], [0, limit - 1, -limit, -1, 4]):
        n = len(starts) - 1
        tokens = np.zeros((starts[-1], 1), np.uint64)
        with pytest.raises(ValueError, match="do not fit together"):
            IncrementalInput(np.zeros(n), starts, np.zeros(starts[-1]), tokens)


def test_filter_keeps_what_is_near_enough():
    world = World(wraps=False)
    words, tags = read("fish/NN")
    everything = list(
        found(world, world.parsing(model=world.model, width=WIDE), words, tags).values()
    )
    # The scale of log-probabilities is their weight. The sentence has one word, then its end: what
    # the filter drops after the word would not come back.
    for gamma, exponent in ((2.0, 1.0), (8.0, 3.0), (1.0, 0.5)):
        parsing = world.parsing(model=world.model, width=WIDE, gamma=gamma, exponent=exponent)
        kept = list(found(world, parsing, words, tags).values())
        limits = [kept[0] - gamma / k**exponent for k in range(1, len(kept))]
        assert all(score >= limit for score, limit in zip(kept[1:], limits, strict=True))
        assert kept[0] == everything[0]
        assert len(kept) < len(everything)


def test_filter_that_keeps_one_hypothesis_is_greedy():
    world = World(wraps=False)
    words, tags = read(SENTENCES[3])
    filtered = found(world, world.parsing(model=world.model, width=WIDE, gamma=0), words, tags)
    assert filtered == found(world, world.parsing(model=world.model, width=1), words, tags, k=1)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_filter_does_not_depend_on_the_scale_of_weights(world, factor):
    saved = random_weights().averaged(0)
    saved["values"] = saved["values"] * np.float32(factor)
    scaled = HashedWeights.from_arrays(12, **saved)
    words, tags = read(SENTENCES[2])
    settings = {"width": 500, "gamma": 1.0, "exponent": 0.5}
    before = found(world, world.parsing(random_weights(), **settings), words, tags)
    after = found(world, world.parsing(scaled, **settings), words, tags)
    assert list(before) == list(after)
    assert len(before) < len(found(world, world.parsing(random_weights(), width=500), words, tags))


def test_surprisal_is_the_loss_of_probability_at_each_word():
    world = World(wraps=False)
    parsing = world.parsing(model=world.model, width=WIDE)
    words, tags = read(SENTENCES[2])
    bits = parsing.surprisal(
        world.sentence(words, [[tag] for tag in tags]), np.array([0, len(words)], np.int32)
    )
    assert (bits > 0).all()
    for n in range(1, len(words)):
        prefix = parsing.surprisal(
            world.sentence(words[:n], [[tag] for tag in tags[:n]]), np.array([0, n], np.int32)
        )
        assert prefix == pytest.approx(bits[:n])
    # The first word, worked out on the chains that lead to it: each is a tree without ends.
    total = 0.0
    for chain, tag in world.endings:
        labels = ["ROOT", *chain, tag]
        pairs = pairwise(labels)
        if tag == tags[0] and all((a, None, b) in world.triples for a, b in pairs):
            total += prefix_probability(world, chain, tag, words[0])
    assert bits[0] == pytest.approx(-np.log2(total), rel=1e-5)


def prefix_probability(world: World, chain: tuple[str, ...], tag: str, word: str) -> float:
    """The probability of the nodes and the tag above a first word, and of the word."""
    values = values_of(world)
    none = values[None]
    labels = [none, none, *(values[label] for label in ("ROOT", *chain))]
    product = 1.0
    for i, child in enumerate((*chain, tag)):
        above, parent, node = labels[i : i + 3]
        context = [node, none, parent, none, none, none, none, none, above, none]
        outcome = [values["outcome", ("open", child)]]
        product *= probability(world.model.nodes, context, outcome)
    context = [values["tag", tag], labels[-1], none, none, none, labels[-2], none]
    return product * probability(world.model.words, context, [world.known(word)[0]])


def probability(model, context: list[int], outcome: list[int]) -> float:
    logs = model.log_probabilities(np.array([context], np.uint64), np.array(outcome, np.uint64))
    return float(np.exp(logs[0]))


def test_surprisal_needs_probabilities(world):
    parsing = world.parsing(random_weights())
    with pytest.raises(ValueError, match="log_weight"):
        parsing.surprisal(world.sentence(["fish"], [["NN"]]), np.array([0, 1], np.int32))


def test_nodes_of_another_program_are_refused():
    world = World(wraps=False)
    swapped = type(world.model)(nodes=world.model.words, words=world.model.nodes)
    with pytest.raises(ValueError, match="contexts"):
        world.parsing(model=swapped)


def test_generative_models_survive_saving():
    world = World(wraps=False)
    words, tags = read(SENTENCES[2])
    loaded = GenerativeModel.from_dict(world.model.to_dict())
    assert found(world, world.parsing(model=loaded), words, tags) == found(
        world, world.parsing(model=world.model), words, tags
    )
    with pytest.raises(ValueError, match="damaged"):
        GenerativeModel.from_dict({"nodes": world.model.nodes.to_arrays()})
