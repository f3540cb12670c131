import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.features.word_classes import WORD_CLASSES, word_class

CASES = {
    "1,234.5": "number",
    "'89": "number",
    "1990s": "number with letters",
    "A-320": "word with digits",
    "NATO": "capitals",
    "I": "name",
    "Vinken": "name",
    "Congress": "name",
    "Germans": "name-s",
    "well-known": "compound",
    "old-fashioned": "compound-ed",
    "yodelling": "-ing",
    "yodelled": "-ed",
    "glumly": "-ly",
    "glumness": "noun",
    "glumless": "adjective",
    "glummer": "-er",
    "glummest": "-est",
    "moss": "other",
    "yodels": "-s",
    "glum": "other",
    "--": "symbol",
    "": "symbol",
}


@pytest.mark.parametrize(("word", "expected"), CASES.items())
def test_cases(word, expected):
    assert word_class(word) == expected


def test_cases_are_complete():
    assert set(CASES.values()) == set(WORD_CLASSES)
    assert len(set(WORD_CLASSES)) == len(WORD_CLASSES)


@given(st.text())
def test_any_text_has_a_class(word):
    assert word_class(word) in WORD_CLASSES
