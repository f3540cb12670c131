"""Sentence starts of words and of gold tokens, and what can be said about sentences."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.kinds import find_kind
from spacy_perceptron.answers.sentence_starts import (
    can_be_judged,
    gold_starts,
    known_sentences,
)

VOCAB = spacy.blank("xx").vocab


def make_doc(words: str, starts: list[int] | None = None, glued: str = "") -> Doc:
    tokens = ["\n" if word == "_" else word for word in words.split()]
    doc = Doc(VOCAB, words=tokens, spaces=[token not in glued.split() for token in tokens])
    if starts:
        array = np.array(starts, np.int64).view(np.uint64)
        doc.from_array(["SENT_START"], array.reshape(-1, 1))
    return doc


@pytest.mark.parametrize(
    ("predicted", "gold", "starts", "expected"),
    [
        ("a b c", "a b c", [1, 0, -1], [1, 0, -1]),
        # Of the parts of a gold token, the first one starts the sentence.
        ("a b c", "a bc", [1, 1], [1, 1, -1]),
        ("a b c", "a bc", [1, 0], [1, 0, 0]),
        # A token that begins within one sentence and ends in the next one starts none.
        ("a bc", "a b c", [1, -1, 1], [1, -1]),
        # White space in gold alone: its sentence starts with the word after it.
        ("a b", "a _ b", [1, 1, -1], [1, 1]),
    ],
)
def test_gold_starts(predicted: str, gold: str, starts: list[int], expected: list[int]):
    glued = "b" if "bc" in predicted + gold else ""
    example = Example(make_doc(predicted, glued=glued), make_doc(gold, starts, glued=glued))
    assert gold_starts(example).tolist() == expected
    # Whatever the doc to predict on says itself.
    for token in example.predicted:
        token.is_sent_start = True
    assert gold_starts(example).tolist() == expected


def test_known_sentences():
    assert known_sentences(np.array([1, -1, 1, 0, 1, -1])) == {(0, 2), (4, 6)}
    assert known_sentences(np.array([0, -1])) == {(0, 2)}
    assert known_sentences(np.zeros(0)) == set()


@pytest.mark.parametrize(
    ("sentence", "judged"),
    [
        # 1 -1 1 0 1 -1: the third sentence may be one or two.
        ((0, 2), True),
        ((0, 1), True),
        ((0, 3), True),
        ((2, 4), False),
        ((2, 3), False),
        ((3, 4), False),
        ((3, 5), True),
        ((4, 6), True),
        ((1, 3), True),
    ],
)
def test_what_can_be_judged(sentence: tuple[int, int], judged: bool):
    assert can_be_judged(*sentence, np.array([1, -1, 1, 0, 1, -1])) == judged


def test_answers_are_counted():
    kind = find_kind({"sent_start": ()})
    reference = make_doc("a b c d e f", [1, -1, 1, 0, 1, -1])
    example = Example(make_doc("a b c d e f"), reference)
    gold = kind.read_gold(example)
    # (0, 2) and (4, 6) are right; nothing can be said of (2, 4).
    right = {"sent_start": ["S", "I", "S", "I", "S", "I"]}
    assert kind.count(gold, right, 0, 6) == (2, 2, 2)
    # (0, 3) and (3, 6) are wrong.
    wrong = {"sent_start": ["S", "I", "I", "S", "I", "I"]}
    assert kind.count(gold, wrong, 0, 6) == (0, 2, 2)
    assert kind.read_gold(Example(make_doc("a b"), make_doc("a b"))) is None
    doc = make_doc("a b c d e f")
    kind.write(doc, wrong)
    assert [sent.text for sent in doc.sents] == ["a b c", "d e f"]
    assert kind.read(doc) == wrong
