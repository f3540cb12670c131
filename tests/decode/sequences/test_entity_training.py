from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.sequences.scorer import TaggingScorer
from spacy_perceptron.decode.sequences.tagging import Tagging
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.entity_reference import (
    BOTH,
    LEFT,
    SEARCHES,
    EntityReference,
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
SCHEMES = st.sampled_from([("bio", 2), ("biluo", 1), ("biluo", 2)])
RULES = st.sampled_from(["easy_first", "left_to_right", "max_violation"])


def by_rule(rule: str, scorer: TaggingScorer, scheme: str) -> Tagging:
    search = "easy_first" if rule == "easy_first" else "left_to_right"
    return make_entities(search, scorer, scheme, max_violation=rule == "max_violation")


def make(rule: str, reference: EntityReference):
    scorer = make_scorer(BOTH if rule == "easy_first" else LEFT, reference.table())
    return by_rule(rule, scorer, reference.scheme)


def world(seed: int, rule: str, scheme: tuple[str, int], n_words: int):
    templates = BOTH if rule == "easy_first" else LEFT
    n_words = min(n_words, 4) if scheme == ("biluo", 2) else n_words
    return random_entities(seed, *scheme, n_words, size=2048, templates=templates)


def partial_gold(rng: np.random.Generator, n_words: int, scheme: tuple[str, int]) -> list[int]:
    """Whole entities and O's of a legal sequence; a new start only where nothing else is known."""
    return random_given(rng, n_words, *scheme, share=0.7)


@settings(max_examples=200, deadline=None)
@given(SEEDS, RULES, SCHEMES, st.integers(1, 6), st.integers(1, 5), st.sampled_from([0.0, 2.0]))
def test_violations_are_valid(seed, rule, scheme, n_words, width, margin):
    """The correct actions agree with gold, the others do not, and do not score less."""
    reference, words, rng = world(seed, rule, scheme, n_words)
    gold = partial_gold(rng, len(words), scheme)
    allowed = agreeing(gold, len(words), *scheme)
    decoder = make(rule, reference)
    rows = lookup(decoder.scorer, words)
    found = decoder.violation(rows, ints(gold), width, margin=margin)
    if found is None:
        if margin == 0:
            tags, _, _ = decoder.tag(rows, ints([0, len(words)]), width)
            assert tuple(tags.tolist()) in allowed
        return
    correct, predicted, right_score, wrong_score = found
    assert right_score <= wrong_score
    assert len(correct) == len(predicted)
    right, wrong = ({i: t for i, t, _ in actions} for actions in (correct, predicted))
    assert any(all(tags[i] == t for i, t in right.items()) for tags in allowed)
    assert not any(all(tags[i] == t for i, t in wrong.items()) for tags in allowed)
    legal = legal_sequences(len(words), *scheme)
    assert any(all(tags[i] == t for i, t in wrong.items()) for tags in legal)


@settings(max_examples=100, deadline=None)
@given(SEEDS, SCHEMES, st.integers(1, 6), st.integers(1, 5))
def test_max_violation_is_the_greatest(seed, scheme, n_words, width):
    """With all gold known: over all prefixes, by how much the top of the beam is ahead."""
    reference, words, rng = world(seed, "max_violation", scheme, n_words)
    sequences = legal_sequences(len(words), *scheme)
    gold = sequences[rng.integers(len(sequences))]
    decoder = make("max_violation", reference)
    rows = lookup(decoder.scorer, words)
    found = decoder.violation(rows, ints(gold), width)
    first = make("left_to_right", reference)
    early = first.violation(lookup(first.scorer, words), ints(gold), width)
    if found is None:
        return
    correct, predicted, right_score, wrong_score = found
    n = len(correct)
    assert [t for _, t, _ in correct] == list(gold[:n])
    steps = [float(reference.scores(words, i, gold)[gold[i]]) for i in range(n)]
    assert right_score == pytest.approx(sum(steps))
    tags = tuple(t for _, t, _ in predicted) + (0,) * (len(words) - n)
    steps = [float(reference.scores(words, i, tags)[tags[i]]) for i in range(n)]
    assert wrong_score == pytest.approx(sum(steps))
    assert early is not None
    assert wrong_score - right_score >= early[3] - early[2]


@settings(max_examples=100, deadline=None)
@given(SEEDS, RULES, SCHEMES, st.integers(1, 6), st.integers(1, 5))
def test_difference_is_that_of_the_features(seed, rule, scheme, n_words, width):
    reference, words, rng = world(seed, rule, scheme, n_words)
    gold = partial_gold(rng, len(words), scheme)
    decoder = make(rule, reference)
    found = decoder.violation(lookup(decoder.scorer, words), ints(gold), width)
    if found is None:
        return
    expected: Counter = Counter()
    for sign, actions in ((1, found[0]), (-1, found[1])):
        tags = [-1] * len(words)
        for i, t, _ in actions:
            for feature in reference.features(words, i, tuple(tags)):
                expected[reference.id(feature), t] += sign
            tags[i] = t
    counts: Counter = Counter()
    keys, labels, deltas = decoder.difference(found[0], found[1])
    for key, label, delta in zip(keys.tolist(), labels.tolist(), deltas.tolist(), strict=True):
        counts[key, label] += int(delta)
    assert {k: v for k, v in counts.items() if v} == {k: v for k, v in expected.items() if v}


@pytest.mark.parametrize("rule", ["easy_first", "left_to_right", "max_violation"])
@pytest.mark.parametrize("scheme", [("bio", 2), ("biluo", 2)])
@pytest.mark.parametrize("resume", [False, True])
def test_learns_a_sentence_with_gaps(rule, scheme, resume):
    """Entities next to each other and beside unknown words, in every scheme and by every rule."""
    n_tags = 1 + 2 * len({"bio": "BI", "biluo": "BILU"}[scheme[0]])
    text = "BIO?bi?Ob" if scheme[0] == "bio" else "BLO?bl?Ou"
    names = {letters((t,), *scheme): t for t in range(n_tags)}
    gold = [names.get(letter, -1) for letter in text]
    # Behind an entity that is known nothing may go on with it.
    gold[6] = -2
    templates = ["w.form", "w-1.form w.form", "w-1.tag", "w-1.tag w.form"]
    table = WeightTable(n_tags, trainable=True)
    scorer = make_scorer(templates, table)
    decoder = by_rule(rule, scorer, scheme[0])
    rows = lookup(scorer, list(range(9)))
    updates = [
        decoder.learn(rows, ints(gold), 2, float(t), resume=resume, margin=1.0) for t in range(60)
    ]
    assert updates[0] > 0
    assert updates[-1] == 0
    tags, _, _ = decoder.tag(rows, ints([0, 9]), 2)
    assert is_legal(tuple(tags.tolist()), *scheme)
    for tag, wanted in zip(tags, gold, strict=True):
        assert wanted < 0 or tag == wanted
    assert letters((tags[6],), *scheme) not in "ILil"


def test_given_tags_that_contradict_gold_teach_nothing():
    """The second word is given as O, so the third can't go on with the gold entity."""
    table = WeightTable(3, trainable=True)
    for search in SEARCHES:
        decoder = make_entities(search, make_scorer(["w.form"], table), "bio")
        rows = lookup(decoder.scorer, [0, 1, 2])
        gold, fixed = ints([0, 1, 2]), ints([-1, 0, -2])
        assert decoder.violation(rows, gold, 2, fixed=fixed) is None
        assert decoder.learn(rows, gold, 2, 0.0, fixed=fixed, resume=True) == 0
