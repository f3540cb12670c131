from typing import Any

import numpy as np
import pytest
import spacy
from spacy.pipeline.dep_parser import parser_score
from spacy.pipeline.senter import senter_score
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from spacy_perceptron.evaluation.scorers import (
    make_parser_scorer,
    score_parses,
    score_sentences,
    score_tags,
)

VOCAB = spacy.blank("en").vocab


def make_doc(words: list[str], **annotation: Any) -> Doc:
    return Doc(VOCAB, words=words, **annotation)


def figures(*examples: Example) -> dict[str, Any]:
    """The scores that are single numbers."""
    scores = score_parses(examples)
    return {name: value for name, value in scores.items() if not isinstance(value, dict)}


def test_by_hand():
    # "I saw it . Go !": of six heads those of "it" and "!" are wrong, of the labels that of "I".
    words = ["I", "saw", "it", ".", "Go", "!"]
    gold = make_doc(
        words,
        heads=[1, 1, 1, 1, 4, 4],
        deps=["nsubj", "ROOT", "Obj", "punct", "ROOT", "punct"],
    )
    predicted = make_doc(
        words,
        heads=[1, 1, 0, 1, 4, 4],
        deps=["obj", "ROOT", "obj", "punct", "ROOT", "punct"],
    )
    predicted[5].head = predicted[5]
    scores = score_parses([Example(predicted, gold)])
    # Without punctuation: heads of I, saw, Go of four; I has another label.
    assert scores["dep_uas"] == pytest.approx(3 / 4)
    assert scores["dep_las"] == pytest.approx(2 / 4)
    assert scores["dep_las_per_type"]["root"]["f"] == pytest.approx(1.0)
    assert scores["dep_las_per_type"]["obj"]["f"] == 0.0
    assert "punct" not in scores["dep_las_per_type"]
    # With it: I, saw, the full stop and Go of six.
    assert scores["dep_uas_all"] == pytest.approx(4 / 6)
    assert scores["dep_las_all"] == pytest.approx(3 / 6)
    assert (scores["dep_exact"], scores["dep_exact_labelled"]) == (0.0, 0.0)
    # Two gold sentences, three predicted ones, the first in common: F = 2 * 1 / (2 + 3).
    assert scores["sents_f"] == pytest.approx(2 / 5)


def test_exact_sentences_and_case_of_labels():
    words = ["He", "ran", "She", "sat", "We", "go"]
    gold = make_doc(words, heads=[1, 1, 3, 3, 5, 5], deps=["nsubj", "ROOT"] * 3)
    # All right; a label in another case; a wrong head, which makes two sentences.
    predicted = make_doc(
        words,
        heads=[1, 1, 3, 3, 4, 5],
        deps=["nsubj", "ROOT", "NSUBJ", "ROOT", "ROOT", "ROOT"],
    )
    scores = figures(Example(predicted, gold))
    assert scores["dep_exact"] == pytest.approx(2 / 3)
    assert scores["dep_exact_labelled"] == pytest.approx(1 / 3)
    assert scores["dep_las"] == pytest.approx(5 / 6)
    assert scores["dep_las_all"] == pytest.approx(4 / 6)


def test_missing_gold_and_whitespace_are_left_out():
    words = ["a", "\n", "b", "c"]
    gold = make_doc(words, heads=[2, 0, 2, 2], deps=["x", "dep", "ROOT", ""])
    predicted = make_doc(words, heads=[2, 2, 2, 0], deps=["x", "", "ROOT", "x"])
    scores = figures(Example(predicted, gold))
    assert (scores["dep_uas_all"], scores["dep_las_all"]) == (1.0, 1.0)
    assert (scores["dep_exact"], scores["dep_exact_labelled"]) == (1.0, 1.0)


def test_white_space_of_one_doc_does_not_hide_the_words_of_another():
    """In spaCy's scorer, tokens without gold labels leave out all tokens in the same places."""
    vocab = spacy.blank("en").vocab
    spaced = Doc(vocab, words=["Go", "\n", "on"], heads=[0, 0, 0], deps=["ROOT", "", "prt"])
    other = Doc(
        vocab, words=["She", "left", "early"], heads=[1, 1, 1], deps=["nsubj", "ROOT", "adv"]
    )
    scores = score_parses([Example(doc.copy(), doc) for doc in (spaced, other)])
    assert (scores["dep_uas"], scores["dep_las"]) == (1.0, 1.0)
    assert parser_score([Example(doc.copy(), doc) for doc in (spaced, other)])["dep_las"] < 1


def test_other_tokens_count_as_wrong():
    gold = make_doc(
        ["do", "n't", "go"], spaces=[False, True, False], heads=[2, 0, 2], deps=["d", "d", "d"]
    )
    predicted = make_doc(["don't", "go"], heads=[1, 1], deps=["d", "d"])
    scores = figures(Example(predicted, gold))
    # One right of two predicted and three gold tokens: F = 2 * 1 / (2 + 3).
    assert scores["dep_uas_all"] == pytest.approx(2 / 5)
    assert scores["dep_las_all"] == pytest.approx(2 / 5)
    assert scores["dep_exact"] == 0.0


def test_nothing_to_compare_with():
    names = ["dep_uas", "dep_las", "dep_uas_all", "dep_las_all", "dep_exact", "dep_exact_labelled"]
    parsed = make_doc(["a", "b"], heads=[0, 0], deps=["ROOT", "x"])
    bare = make_doc(["a", "b"])
    no_gold = score_parses([Example(parsed, bare)])
    assert [no_gold[name] for name in names[2:]] == [None] * 4
    assert {name: score_parses([])[name] for name in names} == dict.fromkeys(names)
    no_parse = score_parses([Example(bare, parsed)])
    assert [no_parse[name] for name in names[2:]] == [0.0] * 4


def test_settings_of_the_pipe_do_not_matter():
    gold = make_doc(["a", "b"], heads=[0, 0], deps=["ROOT", "punct"])
    examples = [Example(gold.copy(), gold)]
    # A pipe passes its labels and all of its `cfg`; spaCy's scorer has parameters of such names.
    settings = {"labels": ["x"], "attr": "tag", "getter": None, "has_annotation": None, "beam": 4}
    assert score_parses(iter(examples), **settings) == score_parses(examples)


def test_registered():
    scorer = registry.get("scorers", "spacy_perceptron.parser_scorer.v1")
    assert scorer() is make_parser_scorer() is score_parses


def test_sentences_of_partial_gold():
    """Where gold is complete, the figures are spaCy's; elsewhere, what is not known is left out."""
    words = [*"abcdef"]

    def make(starts: list[int]) -> Doc:
        array = np.array(starts, np.int64).view(np.uint64)
        return make_doc(words).from_array(["SENT_START"], array.reshape(-1, 1))

    predicted = make([1, -1, 1, -1, 1, -1])
    complete = [Example(predicted, make([1, -1, 1, 1, -1, -1]))]
    # One of three sentences is right, and gold has three.
    expected = {"sents_p": 1 / 3, "sents_r": 1 / 3, "sents_f": 1 / 3}
    assert score_sentences(complete) == pytest.approx(expected)
    theirs = senter_score(complete)
    assert theirs == pytest.approx(expected)
    # (0, 2) is right, (4, 6) is wrong, and nothing can be said of (2, 4). Of gold, (0, 2) and
    # (5, 6) are known; the second one is found by nobody.
    partial = [Example(predicted, make([1, -1, 1, 0, 0, 1]))]
    found = score_sentences(partial)
    assert found == pytest.approx({"sents_p": 1 / 2, "sents_r": 1 / 2, "sents_f": 1 / 2})
    nothing = [Example(predicted, make_doc(words))]
    assert score_sentences(nothing) == dict.fromkeys(expected)
    assert score_sentences([*nothing, *partial]) == found
    # Whoever predicts nothing finds nothing.
    silent = score_sentences([Example(make_doc(words), complete[0].reference)])
    assert silent == {"sents_p": 0.0, "sents_r": 0.0, "sents_f": 0.0}


def test_white_space_has_no_tags_to_get_right():
    """Two of three words are right. spaCy's scorer counts white space as gold but not as predicted,
    and gives 2 * 2 / (3 + 4)."""
    words = ["Go", "\n\n", "home", "."]
    gold = make_doc(
        words,
        tags=["VB", "_SP", "RB", "."],
        pos=["VERB", "SPACE", "ADV", "PUNCT"],
        morphs=["Mood=Imp", "", "Degree=Pos", "PunctType=Peri"],
    )
    predicted = make_doc(
        words,
        tags=["VB", "_SP", "NN", "."],
        pos=["VERB", "SPACE", "NOUN", "PUNCT"],
        morphs=["Mood=Imp", "", "Number=Sing", "PunctType=Peri"],
    )
    scores = score_tags([Example(predicted, gold)], attributes=["tag", "pos", "morph"])
    assert scores["tag_acc"] == scores["pos_acc"] == scores["morph_acc"] == pytest.approx(2 / 3)
    # Of three features each, two are in common.
    assert scores["morph_micro_f"] == pytest.approx(2 / 3)
