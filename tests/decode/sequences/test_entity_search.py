import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.sequences.entities import LegalEntities, tag_names
from spacy_perceptron.decode.sequences.tagging import Tagging
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.entity_reference import (
    BOTH,
    LABELS,
    LEFT,
    LEFT_ONE,
    SEARCHES,
    agreeing,
    is_legal,
    legal_sequences,
    letters,
    make_entities,
    random_entities,
    random_given,
)
from tests.decode.sequences.tagging_reference import ints, lookup, make_scorer

SEEDS = st.integers(0, 2**32)
# Weights of at most 1/512 make nearly every decision a tie.
SIZES = st.sampled_from([1, 3, 2048])
SCHEMES = st.sampled_from([("bio", 1), ("bio", 2), ("biluo", 1), ("biluo", 2)])


def make(search: str, reference, templates, *, cached: bool = False, **more):
    scorer = make_scorer(templates, reference.table(), cached=cached)
    return make_entities(search, scorer, reference.scheme, **more)


def limit(scheme: str, n_labels: int, n_words: int) -> int:
    """Few enough words to enumerate all sequences of 9 tags."""
    return min(n_words, 4 if (scheme, n_labels) == ("biluo", 2) else 6)


def test_names():
    assert tag_names(["PER", "LOC"], "bio") == ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
    assert tag_names(["PER"], "biluo") == ["O", "B-PER", "I-PER", "L-PER", "U-PER"]


def test_numbers_of_legal_sequences():
    """By hand. BIO, one label: OO OB BO BB BI. BILUO: OO OU UO UU BL."""
    assert len(legal_sequences(2, "bio", 1)) == 5
    assert {*legal_sequences(2, "biluo", 1)} == {(0, 0), (0, 4), (4, 0), (4, 4), (1, 3)}


@settings(max_examples=120, deadline=None)
@given(SEEDS, SCHEMES, st.integers(1, 6), SIZES, st.booleans(), st.booleans())
def test_left_to_right_is_exact_in_a_wide_beam(seed, scheme, n_words, size, cached, presets):
    """The best sequence in a beam of all pairs of tags; all sequences in a wider one."""
    n_words = limit(*scheme, n_words)
    templates = [LEFT, LEFT_ONE][seed % 2]
    reference, words, rng = random_entities(seed, *scheme, n_words, size=size, templates=templates)
    wanted = random_given(rng, n_words, *scheme) if presets else None
    fixed = None if wanted is None else ints(wanted)
    decoder = make("left_to_right", reference, templates, cached=cached)
    rows = lookup(decoder.scorer, words)
    expected = {
        tags: reference.sequence_score(words, tags, wanted)
        for tags in agreeing(wanted, n_words, *scheme)
    }
    best = max(expected.values())
    width = reference.n_tags ** (2 if templates is LEFT else 1)
    tags, confidences, _ = decoder.tag(rows, ints([0, n_words]), width, fixed=fixed)
    assert expected[tuple(tags.tolist())] == best
    assert ((confidences > 0) & (confidences <= 1)).all()
    taggings, scores = decoder.nbest(rows, len(expected) + 1, fixed=fixed)
    found = {tuple(tags): score for tags, score in zip(taggings.tolist(), scores, strict=True)}
    assert len(found) == len(taggings)
    assert found == expected
    assert (np.diff(scores) <= 0).all()
    # After a list without merging the search merges again.
    again, _, _ = decoder.tag(rows, ints([0, n_words]), width, fixed=fixed)
    assert again.tolist() == tags.tolist()


@settings(max_examples=60, deadline=None)
@given(SEEDS, SCHEMES, st.integers(1, 5), st.integers(-2000, 2000))
def test_each_entity_gets_the_bonus_once(seed, scheme, n_words, parts):
    n_words = limit(*scheme, n_words)
    reference, words, _ = random_entities(seed, *scheme, n_words, size=512, templates=LEFT)
    bonus = parts / 512
    decoder = make("left_to_right", reference, LEFT, bonus=bonus)
    expected = {
        tags: reference.sequence_score(words, tags)
        + bonus * sum(letter in "BUbu" for letter in letters(tags, *scheme))
        for tags in legal_sequences(n_words, *scheme)
    }
    for again in (decoder, pickle.loads(pickle.dumps(decoder))):
        taggings, scores = again.nbest(lookup(again.scorer, words), len(expected))
        found = {tuple(tags): score for tags, score in zip(taggings.tolist(), scores, strict=True)}
        assert found == expected


@settings(max_examples=120, deadline=None)
@given(SEEDS, SCHEMES, st.integers(1, 5), st.integers(1, 6), SIZES, st.booleans())
def test_easy_first_equals_the_reference(seed, scheme, n_words, width, size, presets):
    """An action may be taken if and only if some legal sequence can still be reached."""
    n_words = limit(*scheme, n_words)
    reference, words, rng = random_entities(seed, *scheme, n_words, size=size, templates=BOTH)
    wanted = random_given(rng, n_words, *scheme) if presets else None
    reference.wanted = wanted
    decoder = make("easy_first", reference, BOTH)
    start = None if wanted is None else [max(tag, -1) for tag in wanted]
    expected = [(state.score, state.tags) for state in reference.search(words, width, start)]
    fixed = None if wanted is None else ints(wanted)
    taggings, scores = decoder.nbest(lookup(decoder.scorer, words), width, fixed=fixed)
    assert list(zip(scores.tolist(), map(tuple, taggings.tolist()), strict=True)) == expected


@settings(max_examples=150, deadline=None)
@given(
    SEEDS,
    SCHEMES,
    st.integers(1, 40),
    st.integers(1, 12),
    st.sampled_from([*SEARCHES]),
    st.booleans(),
)
def test_no_sequence_is_ever_illegal(seed, scheme, n_words, width, search, presets):
    templates = LEFT if search == "left_to_right" else BOTH
    reference, words, rng = random_entities(seed, *scheme, n_words, size=2048, templates=templates)
    wanted = [-1] * n_words
    if presets:
        for start in range(0, n_words - 3, 6):
            wanted[start : start + 4] = random_given(rng, 4, *scheme)
            if wanted[start + 3] >= 0:
                wanted[start + 4 : start + 5] = [-2] * len(wanted[start + 4 : start + 5])
    decoder = make(search, reference, templates)
    taggings, _ = decoder.nbest(lookup(decoder.scorer, words), width, fixed=ints(wanted))
    assert len(taggings) == len({tuple(tags) for tags in taggings.tolist()}) <= width
    names = tag_names(LABELS[: scheme[1]], scheme[0])
    for tags in taggings.tolist():
        assert is_legal(tuple(tags), *scheme)
        for tag, given_tag in zip(tags, wanted, strict=True):
            assert given_tag < 0 or tag == given_tag
            assert given_tag != -2 or names[tag][0] not in "IL"


@settings(max_examples=80, deadline=None)
@given(
    SEEDS,
    SCHEMES,
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 12),
    SIZES,
    st.sampled_from([*SEARCHES]),
)
def test_lists_of_tag_are_those_of_nbest(seed, scheme, n_words, width, nbest_width, size, search):
    """Ties included: the lists come out of the rows that were scored for the tags."""
    n_words = limit(*scheme, n_words)
    templates = LEFT if search == "left_to_right" else BOTH
    reference, words, rng = random_entities(seed, *scheme, n_words, size=size, templates=templates)
    fixed = ints(random_given(rng, n_words, *scheme))
    decoder = make(search, reference, templates)
    rows, starts = lookup(decoder.scorer, words), ints([0, n_words])
    plain = decoder.tag(rows, starts, width, fixed=fixed)
    found = decoder.tag(rows, starts, width, fixed=fixed, nbest_width=nbest_width)
    assert [x.tolist() for x in found[:2]] == [x.tolist() for x in plain[:2]]
    (ranked,) = found[2]
    expected = decoder.nbest(rows, nbest_width, fixed=fixed)
    assert [x.tolist() for x in ranked] == [x.tolist() for x in expected]


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 3), SIZES)
def test_left_to_right_without_a_constraint(seed, n_words, size):
    """Any sequence of tags: the best one in a beam of all pairs, all of them in a wider one."""
    reference, words, _ = random_entities(seed, "bio", 2, n_words, size=size, templates=LEFT)
    decoder = Tagging(SEARCHES["left_to_right"](make_scorer(LEFT, reference.table())))
    rows = lookup(decoder.scorer, words)
    every = itertools.product(range(reference.n_tags), repeat=n_words)
    expected = {tags: reference.sequence_score(words, tags) for tags in every}
    tags, _, _ = decoder.tag(rows, ints([0, n_words]), reference.n_tags**2)
    assert expected[tuple(tags.tolist())] == max(expected.values())
    taggings, scores = decoder.nbest(rows, len(expected))
    assert dict(zip(map(tuple, taggings.tolist()), scores.tolist(), strict=True)) == expected


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("scheme", ["bio", "biluo"])
def test_weights_that_ask_for_the_illegal(search, scheme):
    """Every word wants to be I-P: the best legal answer is one entity over the whole sentence."""
    names = tag_names(["P"], scheme)
    table = WeightTable(len(names), trainable=True)
    decoder = make_entities(search, make_scorer(["w.parity"], table), scheme)
    rows = lookup(decoder.scorer, [0] * 1000)
    ids = decoder.scorer.feature_ids(rows, 0, (0, 0, 0, 0))
    table.update(ids[:1], ints([names.index("I-P")]), np.ones(1, np.float32), 0)
    tags, _, _ = decoder.tag(rows, ints([0, 999, 1000]), 2)
    last = names.index("I-P" if scheme == "bio" else "L-P")
    inside = names.index("I-P")
    assert tags[:999].tolist() == [names.index("B-P"), *[inside] * 997, last]
    # A sentence of one word can't hold an I. All that is left ties, and the first tag wins.
    assert tags[999] == 0


def test_no_words():
    table = WeightTable(3, trainable=True)
    for search in SEARCHES:
        decoder = make_entities(search, make_scorer(["w.form"], table), "bio")
        taggings, scores = decoder.nbest(ints([]), 3)
        assert taggings.shape == (1, 0)
        assert scores.tolist() == [0.0]
        tags, confidences, lists = decoder.tag(ints([]), ints([0, 0]), 3, nbest_width=2)
        assert len(tags) == len(confidences) == len(lists) == 0


def test_pickle():
    reference, words, _ = random_entities(5, "biluo", 1, 6, size=2048, templates=LEFT)
    for search in SEARCHES:
        decoder = make(search, reference, LEFT)
        other = pickle.loads(pickle.dumps(decoder))
        expected = decoder.nbest(lookup(decoder.scorer, words), 9)
        found = other.nbest(lookup(other.scorer, words), 9)
        assert [x.tolist() for x in found] == [x.tolist() for x in expected]


def test_refuses_what_makes_no_sense():
    table = WeightTable(3, trainable=True)
    scorer = make_scorer(["w.form"], table)
    with pytest.raises(ValueError, match="'bio' or 'biluo', not 'iob'"):
        make_entities("easy_first", scorer, "iob")
    with pytest.raises(ValueError, match=r"3 tags .* scheme 'biluo'"):
        make_entities("left_to_right", scorer, "biluo")
    with pytest.raises(ValueError, match="1 places ahead"):
        make_entities("left_to_right", make_scorer(["w+1.tag"], table), "bio")
    with pytest.raises(ValueError, match="for 5 tags, but the scorer has 3"):
        SEARCHES["easy_first"](scorer, LegalEntities("bio", 5))
    decoder = make_entities("left_to_right", scorer, "bio")
    rows = lookup(scorer, [0, 1])
    for wrong in ([2, 0], [0, 2], [-1, 2]):
        with pytest.raises(ValueError, match="continues an entity, but there is none before it"):
            decoder.nbest(rows, 2, fixed=ints(wrong))
    with pytest.raises(ValueError, match="-3"):
        decoder.nbest(rows, 2, fixed=ints([-3, 0]))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("width", [1, 4])
def test_given_tags_that_leave_no_answer(search, width):
    """B must go on, but the next word is given as a new start."""
    reference, words, _ = random_entities(0, "biluo", 1, 3, size=8, templates=LEFT_ONE)
    decoder = make(search, reference, LEFT_ONE, cached=True)
    given = ints([1, -2, -1])
    rows = lookup(decoder.scorer, words)
    for decode in (
        lambda: decoder.tag(rows, ints([0, 3]), width, fixed=given),
        lambda: decoder.nbest(rows, width, fixed=given),
    ):
        with pytest.raises(ValueError, match="no answer has a finite score"):
            decode()
