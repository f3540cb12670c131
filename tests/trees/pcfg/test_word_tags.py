import json
import math
import re

import pytest

from spacy_perceptron.errors import Errors
from spacy_perceptron.trees.pcfg.word_tags import WordTags

COUNTS = {"the": {"DT": 50}, "run": {"VB": 6, "NN": 3}, "dog": {"NN": 41}, "Smith": {"NNP": 1}}


def test_frequent_words_have_their_tags():
    tags = WordTags(COUNTS)
    assert [tag for tag, _ in tags("the", 8)] == ["DT"]
    assert [tag for tag, _ in tags("run", 8)] == ["VB", "NN"]
    assert [tag for tag, _ in tags("run", 1)] == ["VB"]


def test_scores_are_those_of_words_given_tags():
    """P(run | NN) : P(run | VB) is near 3/44 : 6/6, smoothing aside."""
    scores = dict(WordTags(COUNTS)("run", 8))
    assert math.exp(scores["NN"] - scores["VB"]) == pytest.approx(3 / 44, rel=0.3)


def test_unknown_words_have_the_tags_of_their_class():
    assert [tag for tag, _ in WordTags(COUNTS)("Griffith", 8)] == ["NNP"]
    assert WordTags(COUNTS)("zzz", 8)


def test_round_trip():
    tags = WordTags(COUNTS)
    again = WordTags.from_dict(json.loads(json.dumps(tags.to_dict())))
    assert all(again(word, 8) == tags(word, 8) for word in ("run", "Jones", "dogs"))
    assert WordTags({})("word", 8) == []


@pytest.mark.parametrize("data", [None, [], {"a": 1}, {"a": {"NN": 0}}, {"a": {"NN": "1"}}])
def test_damaged_counts(data: object):
    with pytest.raises(ValueError, match=re.escape(Errors.READINGS_DAMAGED)):
        WordTags.from_dict(data)
