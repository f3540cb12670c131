"""Easy-first parsing, against plain Python and brute force over all sequences of actions."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.attachments.features import AttachmentFeatures
from spacy_perceptron.decode.attachments.parsing import EasyFirstParsing

from ..arcs.projective.reference import all_trees
from ..arcs.reference import Sentence
from ..arcs.world import examples, ints, random_sentence
from .reference import (
    INDICES,
    TEMPLATES,
    State,
    World,
    heads_of,
    learn_indices,
    make_input,
    make_parser,
    see_places,
    see_tree,
)

SEEDS = st.integers(0, 2**32 - 1)


def random_actions(rng: np.random.Generator, n: int) -> tuple:
    state = State()
    while len(state.roots(n)) > 1:
        pairs = state.pairs(n)
        state = State(actions=(*state.actions, pairs[rng.integers(len(pairs))]))
    return state.actions


def test_names_and_indices_are_one_to_one():
    """All templates, in many states: equal names have equal ids, others (nearly) never."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 5, 7, 9, 12) * 8:
        learn_indices(random_sentence(rng, n), random_actions(rng, n), TEMPLATES)
    names = [name for name in INDICES if name[0] in TEMPLATES]
    assert {text for text, _ in names} == set(TEMPLATES)
    n_indices = len({INDICES[name] for name in names})
    # Of m features in a table of size T, about m^2 / 2T share an index.
    assert len(names) - n_indices <= 3 + len(names) ** 2 / (1 << 22)


def test_places_of_a_replayed_derivation():
    rng = np.random.default_rng(1)
    sentence, actions = random_sentence(rng, 14), random_actions(rng, 14)
    parser = make_parser(World(0).table())
    for k, (places, _) in enumerate(parser.replay(make_input(parser, sentence), list(actions))):
        state = State(actions=actions[:k])
        for role, place in see_places(state, 14, actions[k]).items():
            if role in places:
                assert places[role] == (place if isinstance(place, int) else None)
            if role in ("p", "c", "left", "right"):
                for name in ("lefts", "rights", "span"):
                    value = see_tree(state, name, place)
                    assert places[f"{role}.{name}"] == (-1 if value == "no tree" else value)


def test_replay_refuses_what_is_no_action():
    parser = make_parser(World(0).table())
    words = make_input(parser, random_sentence(np.random.default_rng(0), 4))
    for actions in ([(1, 3)], [(1, 2), (2, 3)], [(1, 2), (1, 2)], [(0, 1)], [(4, 5)]):
        with pytest.raises(ValueError, match="no action"):
            parser.replay(words, actions)


@examples(25)
@given(SEEDS, st.integers(2, 7), st.sampled_from([1, 2, 3, 8]), st.sampled_from([64, 2]))
def test_every_state_of_the_search(seed, n, width, size):
    """Beams with their ties, and in every state all scores as if computed from scratch."""
    world = World(seed, size)
    sentence = random_sentence(np.random.default_rng(seed), n)
    parser = world.parser(width)
    parser.parse(make_input(parser, sentence), ints([0, n]))
    states = [State()]
    for k, found in enumerate(parser.search.steps(width)):
        if k:
            states, _ = world.step(sentence, states, width)
        assert [(actions, score) for actions, score, _ in found] == [
            (list(state.actions), state.score) for state in states
        ]
        for state, (_, _, pairs) in zip(states, found, strict=True):
            scores = [world.score(sentence, state, arc) for arc in state.pairs(n)]
            assert [s for left, right in pairs for s in (right, left)] == scores
    assert k == n - 1


@examples(25)
@given(SEEDS, st.integers(1, 5), st.sampled_from([64, 1]))
def test_wide_beams_find_everything(seed, n, size):
    """All trees with the best score of any sequence that leads to each."""
    world = World(seed, size)
    sentence = random_sentence(np.random.default_rng(seed), n)
    best: dict[tuple[int, ...], float] = {}
    states = [State()]
    for _ in range(n - 1):
        states = [e for s in states for e in world.extensions(sentence, s)]
    for state in states:
        heads = heads_of(state.actions, n)
        best[heads] = max(best.get(heads, -np.inf), state.score)
    parser = world.parser(4)
    heads, labels, scores = parser.nbest(make_input(parser, sentence), 2000)
    # Scores depend on the forest alone, not on how it came about: the best order of every forest is
    # all that is needed of it.
    assert {tuple(row) for row in heads.tolist()} == set(best) == set(all_trees(n))
    assert len(heads) == len(best)
    assert labels.shape == heads.shape
    for row, score in zip(heads.tolist(), scores, strict=True):
        assert score == best[tuple(row)]
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)


@examples(20)
@given(SEEDS, st.integers(1, 6), st.integers(1, 12), st.sampled_from([1, 4]))
def test_nbest(seed, n, k, width):
    """As many as asked for, from a beam wide enough."""
    world = World(seed)
    sentence = random_sentence(np.random.default_rng(seed), n)
    parser = world.parser(width)
    heads, _, scores = parser.nbest(make_input(parser, sentence), k)
    states = world.search(sentence, max(k, width))[:k]
    assert [tuple(row) for row in heads.tolist()] == [heads_of(s.actions, n) for s in states]
    assert scores.tolist() == [state.score for state in states]
    for rank, state in enumerate(states):
        assert parser.derivation(rank) == list(state.actions)
    with pytest.raises(IndexError):
        parser.derivation(max(k, width) + 1)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("scale", [0.0, 0.3])
@pytest.mark.parametrize("size", [64, 1])
def test_parse_lists_what_nbest_finds(width: int, k: int, scale: float, size: int):
    """Lists up to the width of the beam come from the search for the best tree, longer ones from a
    wider search; the best tree and its confidences stay what they are."""
    rng = np.random.default_rng(k)
    world = World(k, size)
    sentences = [random_sentence(rng, n) for n in (4, 0, 1, 6, 2, 5)]
    parser, other = world.parser(width), world.parser(width)
    starts = ints(np.cumsum([0, *map(len, sentences)]))
    *answers, lists = parser.parse(make_input(parser, *sentences), starts, scale=scale, k=k)
    *expected, none = other.parse(make_input(other, *sentences), starts, scale=scale)
    assert none == []
    for mine, alone in zip(answers, expected, strict=True):
        assert mine.tolist() == alone.tolist()
    filled = [sentence for sentence in sentences if len(sentence)]
    for sentence, found in zip(filled, lists, strict=True):
        for mine, alone in zip(found, other.nbest(make_input(other, sentence), k), strict=True):
            assert mine.dtype == alone.dtype
            assert mine.tolist() == alone.tolist()
        states = world.search(sentence, max(k, width))[:k]
        trees = [heads_of(state.actions, len(sentence)) for state in states]
        assert [tuple(heads) for heads in found[0].tolist()] == trees
        assert found[2].tolist() == [state.score for state in states]


def is_projective_tree(heads: np.ndarray) -> bool:
    n = len(heads)
    arcs = [(min(h, c), max(h, c)) for c, h in enumerate(heads.tolist(), 1)]
    crossing = any(a < x < b < y for (a, b), (x, y) in itertools.permutations(arcs, 2))
    for word in range(1, n + 1):
        for _ in range(n):
            word = int(heads[word - 1]) if word else 0
        if word:
            return False
    return not crossing and heads.tolist().count(0) == 1


@pytest.mark.parametrize("width", [1, 2, 8])
def test_several_sentences_at_once(width: int):
    """Each as if alone, with the memory of those before."""
    rng = np.random.default_rng(width)
    world = World(3)
    sentences = [random_sentence(rng, n) for n in (7, 1, 0, 30, 2, 3, 12)]
    parser = world.parser(width)
    starts = ints(np.cumsum([0, *map(len, sentences)]))
    heads, labels, sure, lists = parser.parse(make_input(parser, *sentences), starts)
    assert heads.dtype == labels.dtype == np.int32
    assert sure.tolist() == [1.0] * len(heads)
    assert lists == []
    for sentence, a, b in zip(sentences, starts, starts[1:], strict=False):
        if not len(sentence):
            continue
        alone = world.parser(width)
        found = alone.parse(make_input(alone, sentence), ints([0, len(sentence)]))
        assert heads[a:b].tolist() == found[0].tolist()
        assert is_projective_tree(heads[a:b])


def test_nothing_to_parse():
    parser = World(0).parser(8)
    for starts in ([0], [0, 0]):
        heads, labels, sure, lists = parser.parse(make_input(parser), ints(starts))
        assert len(heads) == len(labels) == len(sure) == len(lists) == 0


def test_one_word():
    parser = World(0).parser(8)
    words = make_input(parser, Sentence([0], [0], [0]))
    heads, _, sure, _ = parser.parse(words, ints([0, 1]), scale=1.0)
    assert heads.tolist() == [0]
    assert sure.tolist() == [1.0]
    assert parser.nbest(words, 5)[0].tolist() == [[0]]
    assert parser.without(words, 1, 0) is None


@examples(20)
@given(SEEDS, st.integers(2, 6), st.sampled_from([1, 3]))
def test_without_an_arc(seed, n, width):
    """The same search, but for the arc."""
    world = World(seed)
    sentence = random_sentence(np.random.default_rng(seed), n)
    parser = world.parser(width)
    words = make_input(parser, sentence)
    heads, *_ = parser.parse(words, ints([0, n]))
    for word in range(1, n + 1):
        head = int(heads[word - 1])
        states = [State()]
        for k in range(n - 1):
            offered = [e for s in states for e in world.extensions(sentence, s)]
            kept: dict = {}
            for state in offered:
                p, c = state.actions[-1]
                last = k == n - 2 and head == 0 and p == word
                if (p, c) == (head, word) or last:
                    continue
                if state.forest not in kept or state.score > kept[state.forest].score:
                    kept.pop(state.forest, None)
                    kept[state.forest] = state
            states = sorted(kept.values(), key=lambda s: -s.score)[:width]
        found = parser.without(words, word, head)
        assert found is not None
        assert tuple(found[0].tolist()) == heads_of(states[0].actions, n)
        assert found[2] == states[0].score
        assert found[0][word - 1] != head
    again, *_ = parser.parse(words, ints([0, n]))
    assert again.tolist() == heads.tolist()


@examples(20)
@given(SEEDS, st.integers(2, 6), st.sampled_from([1, 4]))
def test_confidences(seed, n, width):
    """The share of hypotheses with the same head, times how clear the action was: by how much it
    scored above all that would have led elsewhere, at any time."""
    world, scale = World(seed), 0.3
    sentence = random_sentence(np.random.default_rng(seed), n)
    parser = world.parser(width)
    heads, _, sure, _ = parser.parse(make_input(parser, sentence), ints([0, n]), scale=scale)
    states = world.search(sentence, width)
    shares = np.exp([scale * (s.score - states[0].score) for s in states])
    shares /= shares.sum()
    actions, clear = states[0].actions, {}
    seen = [
        (arc, world.score(sentence, before, arc))
        for before in (State(actions=actions[:k]) for k in range(n - 1))
        for arc in before.pairs(n)
    ]
    for k, (p, c) in enumerate(actions):
        rivals = [s for (q, d), s in seen if (d == c and q != p) or (q, d) == (c, p)]
        margin = world.score(sentence, State(actions=actions[:k]), (p, c)) - max(rivals)
        clear[c] = 1 / (1 + np.exp(-scale * margin))
    clear[heads.tolist().index(0) + 1] = clear[actions[-1][1]]
    for word in range(1, n + 1):
        same = [heads_of(s.actions, n)[word - 1] == heads[word - 1] for s in states]
        assert sure[word - 1] == pytest.approx(shares[same].sum() * clear[word], rel=1e-4)
        assert 0 < sure[word - 1] <= 1


@pytest.mark.parametrize("width", [1, 8])
def test_long_sentences(width: int):
    """More contexts than are remembered at a time; the same again with another memory."""
    n = 3000
    rng = np.random.default_rng(0)
    parser = World(5, n_bits=18).parser(width)
    words = make_input(parser, random_sentence(rng, n, guided=False))
    heads, _, sure, _ = parser.parse(words, ints([0, n]), scale=0.5)
    assert heads.tolist().count(0) == 1
    assert (sure > 0).all()
    assert (sure <= 1).all()
    again, *_ = parser.parse(words, ints([0, n]))
    assert again.tolist() == heads.tolist()


def test_a_sentence_too_long():
    parser = World(0).parser(1)
    n = 32_001
    words = make_input(parser, Sentence([0] * n, [0] * n, [0] * n))
    with pytest.raises(ValueError, match="too long"):
        parser.parse(words, ints([0, n]))


def test_wrong_arguments():
    world = World(0)
    parser = world.parser(1)
    words = make_input(parser, random_sentence(np.random.default_rng(0), 3))
    for starts in ([], [1, 3], [0, 2], [0, 2, 1, 3]):
        with pytest.raises(ValueError, match="bounds"):
            parser.parse(words, ints(starts))
    with pytest.raises(ValueError, match="beam"):
        world.parser(0)
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        parser.nbest(words, 0)
    with pytest.raises(ValueError, match="no word"):
        parser.without(words, 4, 0)
    assert isinstance(parser, EasyFirstParsing)
    assert isinstance(parser.scorer.features, AttachmentFeatures)
