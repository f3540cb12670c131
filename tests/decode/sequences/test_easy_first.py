import itertools
import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.sequences.tagging import Tagging
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.tagging_reference import (
    LOCAL,
    TAGS_ONLY,
    UNTAGGED,
    WIDE,
    Reference,
    ints,
    lookup,
    make_decoder,
    pack,
    random_world,
)

# Weights of at most 1/512 are -1, 0 or 1 steps: nearly every decision is a tie.
SIZES = st.sampled_from([1, 3, 2048])
SEEDS = st.integers(0, 2**32)


def nbest(decoder: Tagging, words: list[int], width: int, fixed=None) -> list:
    given_tags = None if fixed is None else ints(fixed)
    taggings, scores = decoder.nbest(lookup(decoder.scorer, words), width, fixed=given_tags)
    return list(zip(scores.tolist(), map(tuple, taggings.tolist()), strict=True))


@settings(max_examples=150, deadline=None)
@given(
    SEEDS,
    st.integers(1, 6),
    st.integers(2, 4),
    st.integers(1, 8),
    SIZES,
    st.sampled_from([LOCAL, WIDE, TAGS_ONLY]),
    st.booleans(),
)
def test_equals_the_reference(seed, n_words, n_tags, width, size, templates, cached):
    if n_words * n_tags > 18:
        n_tags = 3
    reference, words = random_world(
        seed, n_words=n_words, n_tags=n_tags, size=size, templates=templates
    )
    decoder = make_decoder(templates, reference.table(), cached=cached)
    expected = reference.search(words, width)
    assert nbest(decoder, words, width) == [(state.score, state.tags) for state in expected]
    tags, _, _ = decoder.tag(lookup(decoder.scorer, words), ints([0, n_words]), width)
    assert tuple(tags.tolist()) == expected[0].tags
    trace = decoder.trace(lookup(decoder.scorer, words), width)
    assert [(i, t, pack(codes)) for i, t, codes, _ in trace] == expected[0].actions
    partial = [UNTAGGED] * n_words
    for i, t, _, row in trace:
        assert row.tolist() == reference.scores(words, i, tuple(partial)).tolist()
        partial[i] = t


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 2), st.integers(7, 26), SIZES, st.booleans())
def test_the_first_of_the_best_tags_wins_without_a_beam(seed, n_words, n_tags, size, cached):
    """More tags than fit into one vector, and ties among them."""
    reference, words = random_world(
        seed, n_words=n_words, n_tags=n_tags, size=size, templates=LOCAL
    )
    decoder = make_decoder(LOCAL, reference.table(), cached=cached)
    (expected,) = reference.search(words, 1)
    assert nbest(decoder, words, 1) == [(expected.score, expected.tags)]


def test_tags_of_one_word_may_fill_the_beam():
    """Scores 10, -100, -100, -100 at the first word and 9, 8, 7, 6 at the second: the four best
    actions are one of the first word and three of the second. Of these, tag 2 at the second word
    lifts tag 0 at the first by 50."""
    reference = Reference(["w.form", "w+1.tag"], 4)
    reference.weights["w.form", (1000,)] = np.array([10.0, -100.0, -100.0, -100.0])
    reference.weights["w.form", (1001,)] = np.array([9.0, 8.0, 7.0, 6.0])
    reference.weights["w+1.tag", (3,)] = np.array([50.0, 0.0, 0.0, 0.0])
    decoder = make_decoder(["w.form", "w+1.tag"], reference.table())
    assert nbest(decoder, [0, 1], 4) == [
        (67.0, (0, 2)),
        (19.0, (0, 0)),
        (18.0, (0, 1)),
        (16.0, (0, 3)),
    ]


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 3), st.integers(2, 3), SIZES)
def test_wide_beam_is_exhaustive(seed, n_words, n_tags, size):
    """Without pruning, the score of a tagging is that of its best order of actions."""
    reference, words = random_world(seed, n_words=n_words, n_tags=n_tags, size=size)
    best: dict[tuple[int, ...], float] = {}
    for tags in itertools.product(range(n_tags), repeat=n_words):
        for order in itertools.permutations(range(n_words)):
            partial, score = [UNTAGGED] * n_words, 0.0
            for i in order:
                score += float(reference.scores(words, i, tuple(partial))[tags[i]])
                partial[i] = tags[i]
            best[tags] = max(score, best.get(tags, -math.inf))
    found = nbest(make_decoder(LOCAL, reference.table()), words, 64)
    assert {tags: score for score, tags in found} == best
    assert [score for score, _ in found] == sorted(best.values(), reverse=True)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 5), st.integers(1, 5), SIZES, st.data())
def test_fixed_tags_are_kept(seed, n_words, width, size, data):
    reference, words = random_world(seed, n_words=n_words, n_tags=3, size=size)
    fixed = data.draw(st.lists(st.integers(-1, 2), min_size=n_words, max_size=n_words))
    decoder = make_decoder(LOCAL, reference.table())
    expected = reference.search(words, width, fixed)
    found = nbest(decoder, words, width, fixed)
    assert found == [(state.score, state.tags) for state in expected]
    for _, tags in found:
        assert all(want in (UNTAGGED, got) for want, got in zip(fixed, tags, strict=True))
    tags, confidences, _ = decoder.tag(
        lookup(decoder.scorer, words), ints([0, n_words]), width, fixed=ints(fixed)
    )
    assert tuple(tags.tolist()) == expected[0].tags
    assert all(c == 1 for c, tag in zip(confidences, fixed, strict=True) if tag != UNTAGGED)


def long_world(n_words: int, n_tags: int, size: int) -> tuple[Reference, list[int]]:
    """A long sentence, with weights for every value that a template can take."""
    templates = ["w.form", "w-1.form w.form", "w-1.tag w.parity", "w+1.tag", "w-2.tag w+2.tag"]
    rng = np.random.default_rng(n_words + size)
    reference = Reference(templates, n_tags)
    forms, parities, codes = [1, 2, *range(1000, 1006)], [3, 4], range(n_tags + 2)
    values = {
        "w.form": [forms],
        "w-1.form w.form": [forms, forms],
        "w-1.tag w.parity": [codes, parities],
        "w+1.tag": [codes],
        "w-2.tag w+2.tag": [codes, codes],
    }
    for name, choices in values.items():
        for value in itertools.product(*choices):
            reference.weights[name, value] = rng.integers(-size, size + 1, n_tags) / 512
    return reference, rng.integers(0, 6, n_words).tolist()


def greedy(reference: Reference, words: list[int]) -> tuple[list[tuple[int, int]], float]:
    """Beam 1 by its definition: the best action of all, again and again."""
    tags = [UNTAGGED] * len(words)
    rows = np.array([reference.scores(words, i, tuple(tags)) for i in range(len(words))])
    actions, total = [], 0.0
    for _ in words:
        i, t = map(int, np.unravel_index(np.argmax(rows), rows.shape))
        actions.append((i, t))
        total += rows[i, t]
        tags[i] = t
        rows[i] = -np.inf
        for j in range(max(i - 2, 0), min(i + 3, len(words))):
            if tags[j] == UNTAGGED:
                rows[j] = reference.scores(words, j, tuple(tags))
    return actions, total


@pytest.mark.parametrize("n_words", [31, 32, 33, 34, 64, 65, 66, 97, 1000])
@pytest.mark.parametrize("size", [2, 2048])
def test_greedy_over_many_blocks(n_words: int, size: int):
    reference, words = long_world(n_words, 3, size)
    decoder = make_decoder([*map(str, reference.templates)], reference.table(), cached=True)
    actions, total = greedy(reference, words)
    trace = decoder.trace(lookup(decoder.scorer, words), 1)
    assert [(i, t) for i, t, _, _ in trace] == actions
    assert nbest(decoder, words, 1) == [(total, tuple(t for _, t in sorted(actions)))]


@pytest.mark.parametrize(("n_words", "width"), [(33, 5), (66, 3), (70, 8)])
@pytest.mark.parametrize("size", [2, 2048])
def test_beam_over_many_blocks(n_words: int, width: int, size: int):
    reference, words = long_world(n_words, 3, size)
    # Memory for the plain-Python search, which scores everything again and again.
    kept: dict = {}
    scores = reference.scores

    def remember(words: list[int], i: int, tags: tuple[int, ...]) -> np.ndarray:
        key = (i, reference.context(tags, i))
        if key not in kept:
            kept[key] = scores(words, i, tags)
        return kept[key]

    reference.scores = remember
    decoder = make_decoder([*map(str, reference.templates)], reference.table())
    # All but some positions around the ends of blocks are given, which keeps the reference fast.
    rng = np.random.default_rng(n_words)
    fixed = rng.integers(0, 3, n_words).tolist()
    for i in range(n_words):
        if i % 32 in (29, 30, 31, 0, 1, 2):
            fixed[i] = UNTAGGED
    expected = reference.search(words, width, fixed)
    found = nbest(decoder, words, width, fixed)
    assert found == [(state.score, state.tags) for state in expected]


def test_scratch_memory_carries_nothing_over():
    """One decoder for sentences of all lengths and widths, each compared with a fresh one."""
    reference, words = long_world(200, 4, 64)
    templates = [*map(str, reference.templates)]
    weights = reference.table()
    shared = make_decoder(templates, weights)
    rng = np.random.default_rng(7)
    for _ in range(40):
        start, n_words, width = rng.integers(0, 100), rng.integers(1, 100), int(rng.integers(1, 9))
        part = words[start : start + n_words]
        assert nbest(shared, part, width) == nbest(make_decoder(templates, weights), part, width)


def test_sentences_are_tagged_apart():
    reference, words = long_world(90, 3, 2048)
    decoder = make_decoder([*map(str, reference.templates)], reference.table())
    bounds = [0, 1, 1, 35, 70, 90]
    rows = lookup(decoder.scorer, words)
    tags, confidences, _ = decoder.tag(rows, ints(bounds), 3)
    for start, end in itertools.pairwise(bounds):
        alone = decoder.tag(rows[start:end], ints([0, end - start]), 3)
        assert np.array_equal(tags[start:end], alone[0])
        assert np.array_equal(confidences[start:end], alone[1])


@pytest.mark.parametrize("nbest_width", [1, 3, 8])
def test_lists_of_tag_are_those_of_nbest(nbest_width: int):
    """Out of the same beam if it is as wide, else out of another."""
    reference, words = long_world(90, 3, 64)
    decoder = make_decoder([*map(str, reference.templates)], reference.table())
    bounds = [0, 1, 1, 35, 70, 90]
    rows = lookup(decoder.scorer, words)
    fixed = np.where(np.arange(90) % 7, UNTAGGED, 1).astype(np.int32)
    plain = decoder.tag(rows, ints(bounds), 3, fixed=fixed)
    assert plain[2] == []
    tags, confidences, lists = decoder.tag(
        rows, ints(bounds), 3, fixed=fixed, nbest_width=nbest_width
    )
    assert np.array_equal(tags, plain[0])
    assert np.array_equal(confidences, plain[1])
    spans = [(start, end) for start, end in itertools.pairwise(bounds) if start < end]
    for (start, end), found in zip(spans, lists, strict=True):
        expected = decoder.nbest(rows[start:end], nbest_width, fixed=fixed[start:end])
        assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True))


def test_a_decoder_works_for_one_thread_at_a_time():
    reference, words = long_world(600, 3, 2048)
    decoder = make_decoder([*map(str, reference.templates)], reference.table(), cached=True)
    rows, starts = lookup(decoder.scorer, words), ints([0, len(words)])
    expected = decoder.tag(rows, starts, 4)[0].tolist()

    def tag(_: int) -> list[int] | str:
        try:
            return decoder.tag(rows, starts, 4)[0].tolist()
        except RuntimeError as error:
            return str(error)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(tag, range(100)))
    refused = [tags for tags in found if tags != expected]
    assert refused
    assert {error[:36] for error in refused} == {"Another thread is using this decoder"}
    assert decoder.tag(rows, starts, 4)[0].tolist() == expected


def test_a_search_can_be_stopped():
    reference, words = long_world(2000, 3, 2048)
    decoder = make_decoder([*map(str, reference.templates)], reference.table(), cached=True)
    rows, starts = lookup(decoder.scorer, words), ints([0, len(words)])
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(decoder.tag, rows, starts, 500)
        while not future.done():
            decoder.control.stop()
            time.sleep(0.01)
        with pytest.raises(RuntimeError, match="The search was stopped"):
            future.result()
    tags = decoder.tag(rows, starts, 1)[0]
    assert tags.min() >= 0


@pytest.mark.parametrize("temperature", [0.25, 1.0, 7.5])
@pytest.mark.parametrize("width", [1, 4])
def test_confidence_is_the_softmax_at_the_time_of_the_action(temperature: float, width: int):
    reference, words = random_world(9, n_words=6, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    best = reference.search(words, width)[0]
    tags, confidences, _ = decoder.tag(
        lookup(decoder.scorer, words), ints([0, len(words)]), width, temperature=temperature
    )
    assert tuple(tags.tolist()) == best.tags
    partial = [UNTAGGED] * len(words)
    for i, t, _ in best.actions:
        exponents = np.exp(reference.scores(words, i, tuple(partial)) / temperature)
        assert confidences[i] == pytest.approx(exponents[t] / exponents.sum(), rel=1e-5)
        partial[i] = t


def test_nothing_to_tag():
    decoder = make_decoder(LOCAL, WeightTable(2))
    none = np.zeros(0, np.int32)
    taggings, scores = decoder.nbest(none, 3)
    assert (taggings.shape, scores.tolist()) == ((1, 0), [0.0])
    assert decoder.trace(none, 3) == []
    assert decoder.violation(none, none, 3) is None
    for starts in ([0], [0, 0]):
        tags, confidences, _ = decoder.tag(none, ints(starts), 3)
        assert len(tags) == len(confidences) == 0


def test_one_tag():
    """A table with one class: nothing to choose."""
    reference, words = random_world(2, n_words=5, n_tags=1)
    decoder = make_decoder(LOCAL, reference.table())
    assert nbest(decoder, words, 3) == [(s.score, s.tags) for s in reference.search(words, 3)]
    assert decoder.tag(lookup(decoder.scorer, words), ints([0, 5]), 3)[1].tolist() == [1.0] * 5


WRONG_ARGUMENTS = {
    "width": {"width": 0},
    "row too high": {"rows": [2, 3, 999]},
    "row negative": {"rows": [2, -1, 3]},
    "fixed too short": {"fixed": [0, 1]},
    "fixed too high": {"fixed": [0, 1, 2]},
    "gold too short": {"gold": [0, 1]},
    "gold too high": {"gold": [0, 2, 1]},
    "gold too low": {"gold": [0, -2, 1]},
}


@pytest.mark.parametrize("wrong", WRONG_ARGUMENTS.values(), ids=WRONG_ARGUMENTS.keys())
def test_arguments_are_checked(wrong: dict):
    decoder = make_decoder(LOCAL, WeightTable(2))
    arguments = {"rows": lookup(decoder.scorer, [0, 1, 2]), "gold": [0, 1, 0], "width": 2} | wrong
    rows, gold, width = ints(arguments["rows"]), ints(arguments["gold"]), arguments["width"]
    fixed = ints(arguments["fixed"]) if "fixed" in arguments else None
    with pytest.raises(ValueError, match="decod"):
        decoder.violation(rows, gold, width, fixed=fixed)
    if "gold" not in wrong:
        with pytest.raises(ValueError, match="decod"):
            decoder.nbest(rows, width, fixed=fixed)
        with pytest.raises(ValueError, match="decod"):
            decoder.trace(rows, width, fixed=fixed)
        with pytest.raises(ValueError, match="decod"):
            decoder.tag(rows, ints([0, 3]), width, fixed=fixed)


@pytest.mark.parametrize("starts", [[0, 4], [-1, 3], [0, 2, 1, 3]])
def test_sentence_bounds_are_checked(starts: list[int]):
    decoder = make_decoder(LOCAL, WeightTable(2))
    with pytest.raises(ValueError, match="decod"):
        decoder.tag(lookup(decoder.scorer, [0, 1, 2]), ints(starts), 1)


def test_the_width_of_lists_is_checked():
    decoder = make_decoder(LOCAL, WeightTable(2))
    with pytest.raises(ValueError, match="decod"):
        decoder.tag(lookup(decoder.scorer, [0, 1, 2]), ints([0, 3]), 1, nbest_width=-1)
