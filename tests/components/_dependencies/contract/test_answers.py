"""Lists of trees and confidences."""

import itertools
from typing import Any

import numpy as np
import pytest
from spacy.language import Language
from spacy.training import Example

from spacy_perceptron.answers.calibration import (
    Calibration,
    expected_calibration_error,
    fit_temperature,
    log_loss,
)
from spacy_perceptron.components._dependencies.writer import SPACE_LABEL

from ..parsers import EISNER3, NAME, PARSERS, Parser
from ..sentences import (
    arcs,
    check_sentences,
    read,
    sentence,
    set_arcs,
    several_sentences,
    short_docs,
)

# --- N-best lists -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 8, 20])
def test_nbest(parser: Parser, nlp: Language, pipe: Any, k: int):
    n_first = 0
    docs = short_docs(nlp, 8, 12)
    for doc in docs:
        trees = pipe.nbest(doc, k)
        assert not doc.has_annotation("DEP")
        assert len(trees) == k if parser.exact else 2 <= len(trees) <= k
        assert len({tuple(tree.annotation["head"]) for tree in trees}) == len(trees)
        scores = np.array([tree.score for tree in trees])
        assert (np.diff(scores) <= 0).all()
        shares = np.exp(scores - scores[0]) / np.exp(scores - scores[0]).sum()
        assert [tree.probability for tree in trees] == pytest.approx(shares.tolist())
        assert sum(tree.probability for tree in trees) == pytest.approx(1.0, abs=1e-12)
        first = trees[0].annotation
        n_first += list(zip(first["head"], first["dep"], strict=True)) == arcs(nlp(doc.copy()))
        for tree in trees:
            applied = tree.apply(doc.copy())
            assert [token.head.i for token in applied] == tree.annotation["head"]
            assert [token.dep_ for token in applied] == tree.annotation["dep"]
            check_sentences(applied, [True, *[False] * 7])
    # A search wider than that of predictions may find a better tree; it seldom does.
    is_same = parser.exact or k <= pipe.beam_width
    assert n_first == len(docs) if is_same else n_first > len(docs) / 2


@pytest.mark.parametrize("parser", [*PARSERS, EISNER3], ids=lambda parser: parser.id)
def test_nbest_of_several_sentences(parser: Parser):
    nlp = parser.load(**parser.unpruned)
    pipe = nlp.get_pipe(NAME)
    doc = several_sentences(nlp)
    k = 25
    trees = pipe.nbest(doc, k)
    # By brute force over the lists of the sentences, which are parts of the doc without context.
    lists = [pipe.nbest(sent.as_doc(), k) for sent in doc.sents]
    sums = sorted(sum(t.score for t in choice) for choice in itertools.product(*lists))[::-1]
    assert [tree.score for tree in trees] == pytest.approx(sums[:k])
    assert sum(tree.probability for tree in trees) == pytest.approx(1.0)
    assert len(trees) == len({tuple(tree.annotation["head"]) for tree in trees}) == k
    spaces = [token.i for token in doc if token.is_space]
    assert len(spaces) == 9
    starts = [token.is_sent_start for token in doc]
    for tree in trees:
        assert {tree.annotation["dep"][i] for i in spaces} == {SPACE_LABEL}
        applied = tree.apply(doc.copy())
        assert [token.is_sent_start for token in applied] == starts
        assert [token.head.i for token in applied] == tree.annotation["head"]
        assert {applied[i].dep_ for i in spaces} == {SPACE_LABEL}
        for sent in applied.sents:
            assert sum(token.head == token for token in sent) == 1


def test_nbest_is_stored_as_plain_data(parser: Parser):
    nlp = parser.load(nbest=3)
    doc = several_sentences(nlp)
    expected = [
        {
            "score": tree.score,
            "probability": tree.probability,
            "head": tree.annotation["head"],
            "dep": tree.annotation["dep"],
        }
        for tree in nlp.get_pipe(NAME).nbest(doc, 3)
    ]
    nlp(doc)
    assert doc._.nbest == {NAME: expected}
    assert list(zip(expected[0]["head"], expected[0]["dep"], strict=True)) == arcs(doc)
    kinds = {type(value) for tree in expected for value in (*tree["head"], *tree["dep"])}
    assert kinds == {int, str}


@pytest.mark.parametrize("k", [0, -1])
def test_nbest_of_none(nlp: Language, pipe: Any, k: int):
    with pytest.raises(ValueError, match=f"must be between 1 and 10000, not {k}"):
        pipe.nbest(sentence(nlp, "Well .", "RB ."), k)


# --- Confidence -------------------------------------------------------------------------------


def test_confidences_are_probabilities(nlp: Language):
    """After little training, when scores are close, and after much, when they are far apart."""
    examples = read(nlp, "train", 20)
    for _ in range(2):
        for doc in nlp.pipe(example.predicted for example in read(nlp, limit=30)):
            assert all(0 < token._.head_confidence <= 1 for token in doc)
        for _ in range(6):
            nlp.update(examples)


def test_confident_heads_are_right_more_often(nlp: Language, pipe: Any):
    confidences, is_right = pipe.raw_confidences(read(nlp), 1.0)
    docs = nlp.pipe(example.predicted for example in read(nlp))
    found = [token._.head_confidence for doc in docs for token in doc]
    assert found == pytest.approx(confidences.tolist(), abs=1e-9)
    right, wrong = confidences[is_right], confidences[~is_right]
    assert len(wrong) > 30
    # How often a right head has more confidence than a wrong one; by chance, half the time.
    wins = (right[:, None] > wrong) + (right[:, None] == wrong) / 2
    assert wins.mean() > 0.7


def test_raw_confidences_are_those_of_words_with_gold_heads(nlp: Language, pipe: Any):
    example = read(nlp, limit=1)[0]
    doc = nlp(example.predicted.copy())
    gold = arcs(example.reference)
    n = len(gold)
    partial = set_arcs(
        example.reference.copy(),
        [head if i % 2 else None for i, (head, _) in enumerate(gold)],
        [label if i % 2 else None for i, (_, label) in enumerate(gold)],
    )
    confidences, is_right = pipe.raw_confidences([Example(example.predicted, partial)], 1.0)
    places = range(1, n, 2)
    assert confidences.tolist() == pytest.approx([doc[i]._.head_confidence for i in places])
    assert is_right.tolist() == [doc[i].head.i == gold[i][0] for i in places]


def test_calibration(nlp: Language, pipe: Any):
    """A temperature fitted on one part makes the confidences of another one more honest."""
    dev, test = read(nlp, "dev"), read(nlp, "test")
    temperature = fit_temperature(lambda value: pipe.raw_confidences(dev, value))
    before, after = (pipe.raw_confidences(test, value) for value in (1.0, temperature))
    assert before[1].tolist() == after[1].tolist()
    assert expected_calibration_error(*after) < expected_calibration_error(*before)
    assert log_loss(*after) < log_loss(*before)
    pipe.calibration = Calibration(temperature)
    found = [token._.head_confidence for e in test for token in nlp(e.predicted)]
    assert found == pytest.approx(after[0].tolist(), abs=1e-6)
