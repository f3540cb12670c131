"""Gold that names sets of tags, and confidences shared by tags that say the same."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.sequences.easy_first import EasyFirstSearch
from spacy_perceptron.decode.sequences.tag_sets import TagSets
from spacy_perceptron.decode.sequences.tagging import Tagging
from tests.decode.sequences.tagging_reference import (
    LOCAL,
    ints,
    lookup,
    make_decoder,
    make_scorer,
    random_world,
)

SEEDS = st.integers(0, 2**32)
N_TAGS = 4


def make(seed: int, sets: TagSets, n_words: int = 4) -> tuple[Tagging, np.ndarray]:
    reference, words = random_world(seed, n_words=n_words, n_tags=N_TAGS)
    scorer = make_scorer(LOCAL, reference.table())
    return Tagging(EasyFirstSearch(scorer, sets)), lookup(scorer, words)


def test_numbers_of_sets():
    sets = TagSets(N_TAGS)
    assert sets.lowest == -1
    assert [sets.add([0, 2]), sets.add([3])] == [-2, -3]
    assert sets.lowest == -3
    assert sets.sets() == [[0, 2], [3]]
    assert pickle.loads(pickle.dumps(sets)).sets() == sets.sets()
    with pytest.raises(ValueError, match="4 is neither"):
        sets.add([4])


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_any_tag_of_a_set_is_right(seed: int, width: int):
    """There is no mistake exactly if every word has a tag of its set, and after training none."""
    rng = np.random.default_rng(seed)
    sets = TagSets(N_TAGS)
    chosen = [sorted(rng.choice(N_TAGS, int(rng.integers(1, 4)), replace=False)) for _ in range(4)]
    gold = ints([sets.add(map(int, tags)) for tags in chosen])
    decoder, rows = make(seed, sets)
    found, _, _ = decoder.tag(rows, ints([0, 4]), width)
    is_right = all(tag in tags for tag, tags in zip(found, chosen, strict=True))
    violation = decoder.violation(rows, gold, width)
    assert (violation is None) or not is_right
    if violation is not None:
        correct = violation[0]
        assert all(tag in chosen[i] for i, tag, _ in correct)
    for _ in range(300):
        if not decoder.learn(rows, gold, width, 0, resume=True):
            break
    found, _, _ = decoder.tag(rows, ints([0, 4]), width)
    assert all(tag in tags for tag, tags in zip(found, chosen, strict=True))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_sets_of_one_tag_are_that_tag(seed: int):
    """Without a margin, which only single tags have."""
    rng = np.random.default_rng(seed)
    sets = TagSets(N_TAGS)
    tags = [int(tag) for tag in rng.integers(0, N_TAGS, 4)]
    codes = ints([sets.add([tag]) for tag in tags])
    decoder, rows = make(seed, sets)
    assert decoder.violation(rows, codes, 2) == decoder.violation(rows, ints(tags), 2)


def test_sets_that_are_not_there():
    decoder, rows = make(1, TagSets(N_TAGS))
    with pytest.raises(ValueError, match="-2 is neither"):
        decoder.violation(rows, ints([-2, -1, -1, -1]), 1)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 3), st.floats(0.2, 4.0), st.booleans())
def test_confidences_of_groups(seed: int, width: int, temperature: float, cached: bool):
    """The sum over tags with the same number, from the scores at the time of the decision."""
    reference, words = random_world(seed, n_words=4, n_tags=N_TAGS)
    decoder = make_decoder(LOCAL, reference.table(), cached=cached)
    rows = lookup(decoder.scorer, words)
    groups = np.array([[0, 1, 0, 1], [0, 1, 2, 3], [5, 5, 5, 5]], np.int32)
    tags, shares, _ = decoder.tag(rows, ints([0, 4]), width, temperature=temperature, groups=groups)
    plain, confidences, _ = decoder.tag(rows, ints([0, 4]), width, temperature=temperature)
    assert tags.tolist() == plain.tolist()
    assert shares[:, 1].tolist() == confidences.tolist()
    assert shares[:, 2] == pytest.approx(1.0)
    for i, tag, _, scores in decoder.trace(rows, width):
        powers = np.exp((scores - scores.max()).astype(np.float64) / temperature)
        expected = powers[groups[0] == groups[0][tag]].sum() / powers.sum()
        assert shares[i, 0] == pytest.approx(expected, rel=1e-4)


def test_groups_of_other_tags():
    reference, words = random_world(1, n_words=2, n_tags=N_TAGS)
    decoder = make_decoder(LOCAL, reference.table())
    rows = lookup(decoder.scorer, words)
    with pytest.raises(ValueError, match="groups of 3 tags, but there are 4"):
        decoder.tag(rows, ints([0, 2]), 1, groups=np.zeros((1, 3), np.int32))
