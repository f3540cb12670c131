from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.attrs import ORTH, TAG
from spacy.vocab import Vocab

from spacy_perceptron.corpus.sample import load_sample
from spacy_perceptron.decode.sequences.easy_first import EasyFirstSearch
from spacy_perceptron.decode.sequences.program import ROLES, compile_templates
from spacy_perceptron.decode.sequences.scorer import TaggingScorer
from spacy_perceptron.decode.sequences.tagging import Tagging
from spacy_perceptron.features.attributes import ATTRIBUTES
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.sets.registry import TEMPLATE_SETS
from spacy_perceptron.features.templates import parse_templates
from spacy_perceptron.features.word_attributes import WordAttributes
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.tagging_reference import (
    LOCAL,
    OUTSIDE,
    UNTAGGED,
    WIDE,
    Reference,
    ints,
    lookup,
    make_decoder,
    pack,
    random_world,
)

SEEDS = st.integers(0, 2**32)
Sentences = list[tuple[np.ndarray, np.ndarray]]


def codes_of(context: int) -> list[int]:
    return [(context >> (16 * k)) & 0xFFFF for k in range(4)]


def total(difference: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Counter:
    """Summed counts per (feature, tag), without those that cancel."""
    counts: Counter = Counter()
    for key, label, delta in zip(*difference, strict=True):
        counts[int(key), int(label)] += float(delta)
    return Counter({pair: count for pair, count in counts.items() if count})


def replayed_score(decoder: Tagging, rows: np.ndarray, actions: list) -> float:
    """Score of a sequence under the current weights and dropout, feature by feature."""
    scorer = decoder.scorer
    return sum(
        float(scorer.weights.scores(scorer.feature_ids(rows, i, codes_of(context)))[t])
        for i, t, context in actions
    )


def check_violation(
    decoder: Tagging, rows: np.ndarray, gold: np.ndarray, fixed: np.ndarray, found: tuple
) -> None:
    """What every update must satisfy, from the returned actions alone."""
    correct, predicted, correct_score, predicted_score = found
    assert correct_score <= predicted_score, "an update must be valid"
    assert len(correct) == len(predicted)
    for actions, score in ((correct, correct_score), (predicted, predicted_score)):
        tags = fixed.tolist()
        for i, t, context in actions:
            assert tags[i] == UNTAGGED
            near = [
                tags[j] + 1 if 0 <= j < len(tags) else OUTSIDE for j in (i - 2, i - 1, i + 1, i + 2)
            ]
            assert codes_of(context) == near
            tags[i] = t
        assert score == pytest.approx(replayed_score(decoder, rows, actions), abs=1e-3)
    assert all(gold[i] in (-1, t) for i, t, _ in correct)
    assert any(gold[i] not in (-1, t) for i, t, _ in predicted)


def epoch(
    decoder: Tagging,
    sentences: Sentences,
    width: int,
    *,
    resume: bool,
    drop: float,
    seed: int,
) -> Iterator[tuple]:
    """One pass of perceptron updates from Python; yields every violation before its update."""
    for number, (rows, gold) in enumerate(sentences):
        decoder.scorer.set_dropout(drop, 7919 * number + seed)
        fixed = np.full(len(rows), -1, np.int32)
        while (found := decoder.violation(rows, gold, width, fixed=fixed)) is not None:
            yield rows, gold, fixed, found
            keys, labels, deltas = decoder.difference(*found[:2])
            decoder.scorer.weights.update(keys, labels, deltas, number)
            if not resume:
                break
            fixed = fixed.copy()
            for i, t, _ in found[0]:
                fixed[i] = t


# --- Against the definition ------------------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(
    SEEDS,
    st.integers(1, 5),
    st.integers(2, 3),
    st.integers(1, 6),
    st.sampled_from([1, 3, 2048]),
    st.sampled_from([LOCAL, WIDE]),
    st.data(),
)
def test_violation_and_difference_equal_the_reference(
    seed, n_words, n_tags, width, size, templates, data
):
    reference, words = random_world(
        seed, n_words=n_words, n_tags=n_tags, size=size, templates=templates
    )
    tags = st.lists(st.integers(-1, n_tags - 1), min_size=n_words, max_size=n_words)
    gold, fixed = data.draw(tags), data.draw(st.none() | tags)
    margin = data.draw(st.sampled_from([0.0, 0.5, 3.0]))
    decoder = make_decoder(templates, reference.table())
    rows = lookup(decoder.scorer, words)
    given_tags = None if fixed is None else ints(fixed)
    found = decoder.violation(rows, ints(gold), width, margin=margin, fixed=given_tags)
    expected = reference.violation(words, gold, width, fixed, margin)
    if expected is None:
        assert found is None
        return
    assert found is not None
    correct, predicted, correct_score, predicted_score = found
    assert predicted == expected[1].actions
    assert (correct_score, predicted_score) == (expected[0].score, expected[1].score)
    assert correct_score <= predicted_score
    if size == 2048:
        # Of equally good correct extensions either may be taken.
        assert correct == expected[0].actions
    difference = reference.phi(words, correct, fixed)
    difference.subtract(reference.phi(words, predicted, fixed))
    nonzero = Counter({pair: count for pair, count in difference.items() if count})
    assert total(decoder.difference(correct, predicted)) == nonzero


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.integers(1, 5), st.integers(2, 3), st.integers(1, 4), st.data())
def test_greatest_violation_equals_the_reference(seed, n_words, n_tags, width, data):
    reference, words = random_world(seed, n_words=n_words, n_tags=n_tags)
    tags = st.lists(st.integers(-1, n_tags - 1), min_size=n_words, max_size=n_words)
    gold, fixed = data.draw(tags), data.draw(tags)
    decoder = make_decoder(LOCAL, reference.table(), max_violation=True)
    rows = lookup(decoder.scorer, words)
    found = decoder.violation(rows, ints(gold), width, margin=0.5, fixed=ints(fixed))
    expected = reference.violation(words, gold, width, fixed, 0.5, greatest=True)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert found[:2] == (expected[0].actions, expected[1].actions)
    assert found[2:] == (expected[0].score, expected[1].score)
    assert found[2] <= found[3]


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("n_words", [31, 33, 66, 100])
def test_greatest_violation_over_many_blocks(n_words: int, width: int):
    """The correct sequence goes on beside the beam, in blocks of its own."""
    reference, words = random_world(3, n_words=6, n_tags=3)
    rng = np.random.default_rng(n_words)
    words = rng.choice(words, n_words).tolist()
    gold, fixed = rng.integers(0, 3, n_words).astype(np.int32), np.full(n_words, -1, np.int32)
    violations = []
    for max_violation in (False, True):
        decoder = make_decoder(LOCAL, reference.table(), max_violation=max_violation)
        rows = lookup(decoder.scorer, words)
        found = decoder.violation(rows, gold, width)
        check_violation(decoder, rows, gold, fixed, found)
        violations.append(found[3] - found[2])
    assert violations[0] < violations[1]


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 6), st.integers(1, 5), st.booleans(), st.booleans(), st.data())
def test_learn_does_the_same_updates(seed, n_words, width, resume, drop, data):
    """The compiled loop against violation, difference and update called one by one."""
    reference, words = random_world(seed, n_words=n_words, n_tags=3, size=64)
    tags = st.lists(st.integers(-1, 2), min_size=n_words, max_size=n_words)
    gold, fixed = ints(data.draw(tags)), ints(data.draw(tags))
    tables = reference.table(), reference.table()
    one, other = (make_decoder(LOCAL, table) for table in tables)
    for decoder in (one, other):
        decoder.scorer.set_dropout(0.4 if drop else 0.0, seed)
    rows = lookup(one.scorer, words)
    lookup(other.scorer, words)
    n_updates, stopped = 0, fixed
    margin = data.draw(st.sampled_from([0.0, 1.0]))
    while found := other.violation(rows, gold, width, margin=margin, fixed=stopped):
        tables[1].update(*other.difference(*found[:2]), 5.0)
        n_updates += 1
        if not resume:
            break
        stopped = stopped.copy()
        for i, t, _ in found[0]:
            stopped[i] = t
    settings = {"resume": resume, "margin": margin, "fixed": fixed}
    assert one.learn(rows, gold, width, 5.0, **settings) == n_updates
    for saved in zip(tables[0].averaged(8).values(), tables[1].averaged(8).values(), strict=True):
        assert np.array_equal(*saved)


# --- Valid updates while weights change ------------------------------------------------------


@pytest.fixture(scope="module")
def sample() -> list[tuple[np.ndarray, np.ndarray]]:
    """Word hashes and tag numbers of the sample treebank, with the vocab in front."""
    vocab = Vocab()
    docs = load_sample(vocab, "train")
    arrays = [doc.to_array([ORTH, TAG]) for doc in docs]
    numbers = {int(tag): i for i, tag in enumerate(np.unique(np.concatenate(arrays)[:, 1]))}
    gold = [ints([numbers[int(tag)] for tag in array[:, 1]]) for array in arrays]
    orths = [np.ascontiguousarray(array[:, 0]) for array in arrays]
    return [(vocab, len(numbers)), *zip(orths, gold, strict=True)]


def sample_decoder(sample: list, n_sentences: int) -> tuple[Tagging, Sentences]:
    (vocab, n_tags), *sentences = sample
    templates = parse_templates(
        TEMPLATE_SETS["spacy_perceptron.tagging.v1"], roles=ROLES, attributes=[*ATTRIBUTES, "tag"]
    )
    columns = {name: i for i, name in enumerate(ATTRIBUTES)}
    lexemes = LexemeTable(len(columns))
    attributes = WordAttributes(list(columns))
    weights = WeightTable(n_tags, trainable=True)
    scorer = TaggingScorer(lexemes, weights, compile_templates(templates, columns))
    rows = [
        (lexemes.lookup(orths, lambda orth: attributes(vocab.strings[orth])), gold)
        for orths, gold in sentences[:n_sentences]
    ]
    return Tagging(EasyFirstSearch(scorer)), rows


@pytest.mark.parametrize("resume", [False, True], ids=["stop", "resume"])
@pytest.mark.parametrize("drop", [0.0, 0.2])
@pytest.mark.parametrize("width", [1, 3, 5])
def test_every_update_on_the_sample_is_valid(sample: list, width: int, drop: float, resume: bool):
    decoder, sentences = sample_decoder(sample, 120)
    assert len(sentences) == 120
    n_violations = 0
    for seed in range(2):
        for violation in epoch(decoder, sentences, width, resume=resume, drop=drop, seed=seed):
            _, _, correct_score, predicted_score = violation[-1]
            assert correct_score <= predicted_score
            if n_violations % 10 == 0:
                check_violation(decoder, *violation)
            n_violations += 1
    assert n_violations > 60


def separable(n_sentences: int) -> list[tuple[list[int], list[int]]]:
    """Words 0-3 have tags 0-1 of their own; 4 and 5 take the tag before them, or 2 at the start."""
    rng = np.random.default_rng(4)
    sentences = []
    for _ in range(n_sentences):
        words = rng.integers(0, 6, rng.integers(1, 12)).tolist()
        tags: list[int] = []
        for word in words:
            tags.append(word % 2 if word < 4 else (tags[-1] if tags else 2))
        sentences.append((words, tags))
    return sentences


@pytest.mark.parametrize("resume", [False, True], ids=["stop", "resume"])
@pytest.mark.parametrize("drop", [0.0, 0.1])
@pytest.mark.parametrize("width", [1, 3, 5])
def test_converges_on_separable_data(width: int, drop: float, resume: bool):
    decoder = make_decoder(LOCAL, WeightTable(3, trainable=True))
    sentences = [(lookup(decoder.scorer, words), ints(tags)) for words, tags in separable(60)]
    for number in range(40):
        n_violations = 0
        for violation in epoch(
            decoder,
            sentences,
            width,
            resume=resume,
            drop=drop if number < 3 else 0.0,
            seed=number,
        ):
            check_violation(decoder, *violation)
            n_violations += 1
        if n_violations == 0:
            break
    assert n_violations == 0
    for rows, gold in sentences:
        tags, _, _ = decoder.tag(rows, ints([0, len(rows)]), width)
        assert np.array_equal(tags, gold)


@pytest.mark.parametrize("width", [1, 3])
def test_margin_holds_after_training(width: int):
    """Training ends when gold tags win although the margin is taken from their scores."""
    decoder = make_decoder(LOCAL, WeightTable(3, trainable=True))
    sentences = [(lookup(decoder.scorer, words), ints(tags)) for words, tags in separable(40)]
    for number in range(100):
        n_updates = 0
        for rows, gold in sentences:
            n_updates += decoder.learn(rows, gold, width, number, resume=True, margin=2.0)
        if not n_updates:
            break
    assert n_updates == 0
    for rows, gold in sentences:
        assert decoder.violation(rows, gold, width, margin=2.0) is None
        tags, _, _ = decoder.tag(rows, ints([0, len(rows)]), width)
        assert np.array_equal(tags, gold)
        if len(rows) == 1:
            # One decision: the gold tag wins it by the margin at least.
            _, tag, _, row = decoder.trace(rows, width)[0]
            assert np.delete(row, tag).max() <= row[tag] - 2.0


# --- Partial gold ----------------------------------------------------------------------------


def test_no_gold_no_violation():
    reference, words = random_world(1, n_words=6, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    rows, none = lookup(decoder.scorer, words), np.full(6, -1, np.int32)
    before = decoder.scorer.weights.averaged(0)
    for width in (1, 4):
        assert decoder.violation(rows, none, width) is None
        assert decoder.learn(rows, none, width, 0.0, resume=True) == 0
    after = decoder.scorer.weights.averaged(0)
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_free_positions_take_any_tag():
    """One gold tag, against the best tagging; the word before it is free: it takes its best tag."""
    reference = Reference(["w.form"], 3)
    reference.weights["w.form", (1000,)] = np.array([0.0, 4.0, 1.0])
    reference.weights["w.form", (1001,)] = np.array([3.0, 0.0, 2.0])
    decoder = make_decoder(["w.form"], reference.table())
    rows = lookup(decoder.scorer, [0, 1])
    assert decoder.violation(rows, ints([-1, 0]), 1) is None
    found = decoder.violation(rows, ints([-1, 2]), 1)
    assert found is not None
    correct, predicted, correct_score, predicted_score = found
    assert [(i, t) for i, t, _ in correct] == [(0, 1), (1, 2)]
    assert [(i, t) for i, t, _ in predicted] == [(0, 1), (1, 0)]
    assert (correct_score, predicted_score) == (6.0, 7.0)
    # The second word is tagged last, after the first got tag 1.
    assert correct[1][2] == pack((OUTSIDE, 2, OUTSIDE, OUTSIDE))
    # The shared action cancels: what is left is the gold tag against the other one.
    key = reference.id(("w.form", (1001,)))
    assert total(decoder.difference(correct, predicted)) == {(key, 2): 1.0, (key, 0): -1.0}


# --- Dropout ---------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 6), st.integers(1, 5), st.floats(0.05, 0.8))
def test_dropout_is_the_same_in_scores_and_updates(seed, n_words, width, rate):
    """With step s the correct sequence gains s * |difference|^2 on the predicted one: only if what
    was scored is what is updated."""
    reference, words = random_world(seed, n_words=n_words, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    decoder.scorer.set_dropout(rate, seed)
    rows = lookup(decoder.scorer, words)
    gold = np.random.default_rng(seed).integers(0, 3, n_words).astype(np.int32)
    found = decoder.violation(rows, gold, width)
    if found is None:
        return
    correct, predicted, correct_score, predicted_score = found
    assert replayed_score(decoder, rows, correct) == correct_score
    assert replayed_score(decoder, rows, predicted) == predicted_score
    difference = decoder.difference(correct, predicted)
    assert 1 not in difference[0], "dropped features are not updated"
    norm = sum(count**2 for count in total(difference).values())
    decoder.scorer.weights.update(*difference, 0, step=0.25)
    after = replayed_score(decoder, rows, correct) - replayed_score(decoder, rows, predicted)
    assert after - (correct_score - predicted_score) == 0.25 * norm


def test_difference_without_dropout_again():
    """Switching dropout off brings all features back."""
    reference, words = random_world(8, n_words=5, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    rows, best = lookup(decoder.scorer, words), reference.search(words, 1)[0].tags
    gold = ints([(t + 1) % 3 for t in best])
    full = decoder.violation(rows, gold, 1)
    expected = total(decoder.difference(*full[:2]))
    decoder.scorer.set_dropout(0.9, 3)
    dropped = decoder.violation(rows, gold, 1)
    assert dropped is None or total(decoder.difference(*dropped[:2])) != expected
    decoder.scorer.set_dropout(0.0, 0)
    again = decoder.violation(rows, gold, 1)
    assert again == full
    assert total(decoder.difference(*again[:2])) == expected


@pytest.mark.parametrize("margin", [np.nan, np.inf, -1.0])
def test_margins_that_make_no_sense(margin: float):
    reference, words = random_world(0, n_words=3, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    rows, gold = lookup(decoder.scorer, words), ints([0, 1, 2])
    with pytest.raises(ValueError, match="`margin` must be 0 or more, and finite, not"):
        decoder.violation(rows, gold, 2, margin=margin)
    with pytest.raises(ValueError, match="`margin` must be 0 or more, and finite, not"):
        decoder.learn(rows, gold, 2, 0, margin=margin)


@pytest.mark.parametrize("temperature", [np.nan, np.inf, 0.0, -1.0])
def test_temperatures_that_make_no_sense(temperature: float):
    reference, words = random_world(0, n_words=3, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table())
    with pytest.raises(ValueError, match="`temperature` must be above 0, and finite, not"):
        decoder.tag(lookup(decoder.scorer, words), ints([0, 3]), 2, temperature=temperature)


@pytest.mark.parametrize("rate", [np.nan, np.inf, -0.1, 1.1])
def test_dropout_that_makes_no_sense(rate: float):
    reference, _ = random_world(0, n_words=3, n_tags=3)
    with pytest.raises(ValueError, match="`drop` must be between 0 and 1, not"):
        make_decoder(LOCAL, reference.table()).scorer.set_dropout(rate, 0)
