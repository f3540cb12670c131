import pytest
from spacy.strings import StringStore

from spacy_perceptron.features.string_ids import string_id


@pytest.mark.parametrize("text", ["", "the", "NN", "NOUN", "POS", "X", "nsubj", "IS_ALPHA"])
def test_numbers_are_those_of_a_string_store(text: str):
    assert string_id(text) == StringStore().add(text)
