"""Choices against scores that are summed one by one in Python."""

import math
import pickle
import random

import numpy as np
import pytest

from spacy_perceptron.decode.choices.choosing import Choosing
from spacy_perceptron.decode.choices.program import ROLES, ChoiceProgram, compile_templates
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.templates import parse_templates
from spacy_perceptron.learn.weights import WeightTable

COLUMNS = {"lower": 0, "suffix1": 1, "tag": 2}
N_CLASSES = 5


def make_program(*texts: str) -> ChoiceProgram:
    templates = texts or ("w.lower", "w.suffix1 w.tag", "w.tag")
    return compile_templates(parse_templates(templates, roles=ROLES, attributes=COLUMNS), COLUMNS)


def make_world(seed: int) -> tuple[Choosing, np.ndarray, dict]:
    """A decoder with random weights, rows of words, and the weights by feature and class."""
    rng = random.Random(seed)
    lexemes = LexemeTable(len(COLUMNS))
    words = np.arange(10, 16, dtype=np.uint64)
    rows = lexemes.lookup(words, lambda word: [word, 3 + word % 2, 3 + word % 3])
    decoder = Choosing(lexemes, WeightTable(N_CLASSES, trainable=True), make_program())
    weights = {}
    for row in rows.tolist():
        for key in decoder.feature_ids(row).tolist():
            for label in range(N_CLASSES):
                # Few different values make ties.
                weights[key, label] = float(rng.choice([-1.0, 0.0, 0.5, 2.0]))
    keys, labels = zip(*weights, strict=True)
    decoder.weights.update(
        np.array(keys, np.uint64),
        np.array(labels, np.int32),
        np.array(list(weights.values()), np.float32),
        0.0,
    )
    return decoder, rows, weights


def make_candidates(seed: int, n: int) -> list[list[int]]:
    rng = random.Random(seed)
    return [sorted(rng.sample(range(N_CLASSES), rng.randint(1, N_CLASSES))) for _ in range(n)]


def flatten(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    return starts, np.array([c for found in lists for c in found], np.int32)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_candidate_is_chosen(seed: int):
    decoder, rows, weights = make_world(seed)
    lists = make_candidates(seed, len(rows))
    classes, confidences = decoder.choose(rows, *flatten(lists), temperature=1.5)
    for row, candidates, chosen, sure in zip(rows, lists, classes, confidences, strict=True):
        keys = decoder.feature_ids(int(row)).tolist()
        scores = {c: sum(weights[key, c] for key in keys) for c in candidates}
        assert chosen == min(candidates, key=lambda c: (-scores[c], c))
        total = sum(math.exp(score / 1.5) for score in scores.values())
        assert sure == pytest.approx(math.exp(scores[chosen] / 1.5) / total, rel=1e-5)
        found = decoder.score(int(row), np.array(candidates, np.int32))
        assert found.tolist() == pytest.approx(list(scores.values()))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("margin", [0.0, 2.0])
def test_a_step_moves_features_from_the_best_other_class_to_the_right_one(seed: int, margin: float):
    decoder, rows, weights = make_world(seed)
    lists = [found for found in make_candidates(seed, len(rows)) if len(found) > 1]
    n_updates = 0
    for row, candidates in zip(rows, lists, strict=False):
        right, *others = candidates
        keys = decoder.feature_ids(int(row)).tolist()
        scores = {c: sum(weights[key, c] for key in keys) for c in candidates}
        best = min(others, key=lambda c: (-scores[c], others.index(c)))
        if scores[right] <= scores[best] + margin:
            n_updates += 1
            for key in keys:
                weights[key, right] += 1.0
                weights[key, best] -= 1.0
    starts, candidates = flatten(lists)
    found = decoder.learn(rows[: len(lists)], starts, candidates, 0.0, margin=margin)
    assert found == n_updates
    for (key, label), weight in weights.items():
        assert decoder.weights.row(key).get(label, 0.0) == pytest.approx(weight)


def test_hidden_words_learn_without_their_identity():
    decoder, rows, _ = make_world(0)
    program = make_program()
    assert [str(t) for t in program.templates] == ["w.suffix1 w.tag", "w.tag", "w.lower"]
    assert program.n_visible == 2
    blank = Choosing(decoder.lexemes, WeightTable(N_CLASSES, trainable=True), program)
    one = flatten([[0, 1]])
    hidden, shown = np.array([1.0]), np.array([0.0])
    assert blank.learn(rows[:1], *one, 0.0, hiding=hidden, seed=5) == 1
    ids = blank.feature_ids(int(rows[0])).tolist()
    assert [bool(blank.weights.row(key)) for key in ids] == [True, True, False]
    assert blank.learn(rows[:1], *one, 0.0, margin=100.0, hiding=shown, seed=5) == 1
    assert [bool(blank.weights.row(key)) for key in ids] == [True, True, True]


def test_dropout_leaves_everything_out_or_nothing():
    decoder, rows, _ = make_world(1)
    candidates = np.arange(N_CLASSES, dtype=np.int32)
    before = decoder.score(int(rows[0]), candidates)
    decoder.set_dropout(1.0, 7)
    assert not decoder.score(int(rows[0]), candidates).any()
    decoder.set_dropout(0.0, 7)
    assert (decoder.score(int(rows[0]), candidates) == before).all()


def test_only_the_word_itself_can_be_asked_about():
    with pytest.raises(ValueError, match="looks at another word"):
        make_program("w.lower", "w+1.tag")


def test_arguments_that_make_no_sense():
    decoder, rows, _ = make_world(2)
    starts, candidates = flatten([[0, 1]])
    word = rows[:1]
    for bad in (np.array([0, 0]), np.array([0, 3]), np.array([1, 2]), np.array([0])):
        with pytest.raises(ValueError, match="one candidate or more"):
            decoder.choose(word, bad.astype(np.int32), candidates)
    with pytest.raises(ValueError, match="neither -1 nor one of 5"):
        decoder.choose(word, starts, np.array([0, 5], np.int32))
    with pytest.raises(ValueError, match="no word row 99"):
        decoder.choose(np.array([99], np.int32), starts, candidates)
    with pytest.raises(ValueError, match="`temperature` must be above 0"):
        decoder.choose(word, starts, candidates, temperature=0.0)
    with pytest.raises(ValueError, match="`margin` must be 0 or more"):
        decoder.learn(word, starts, candidates, 0.0, margin=-1.0)
    with pytest.raises(ValueError, match="a probability"):
        decoder.learn(word, starts, candidates, 0.0, hiding=np.zeros(2))
    frozen = Choosing(decoder.lexemes, WeightTable(N_CLASSES), make_program())
    with pytest.raises(ValueError, match="frozen"):
        frozen.learn(word, starts, candidates, 0.0)


def test_a_copy_chooses_the_same():
    decoder, _, weights = make_world(3)
    copy = pickle.loads(pickle.dumps(decoder))
    key, label = next(iter(weights))
    assert copy.weights.row(key).get(label, 0.0) == weights[key, label]
    assert copy.lexemes.n_attributes == len(COLUMNS)
