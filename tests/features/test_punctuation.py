import pytest

from spacy_perceptron.features.punctuation import is_punctuation


@pytest.mark.parametrize("word", [",", ".", "``", "''", "--", "...", "(", "?!", "、", "»"])
def test_punctuation(word):
    assert is_punctuation(word)


@pytest.mark.parametrize("word", ["a", "%", "&", "$", "3", "'s", "U.S.", "@"])
def test_words(word):
    assert not is_punctuation(word)
