import pytest

from spacy_perceptron.features.punctuation import NO, YES, is_punctuation, punctuation_values

CC = 50


@pytest.mark.parametrize("word", [",", ".", "``", "''", "--", "...", "(", "?!", "、", "»"])
def test_punctuation(word):
    assert is_punctuation(word)


@pytest.mark.parametrize("word", ["a", "%", "&", "$", "3", "'s", "U.S.", "@"])
def test_words(word):
    assert not is_punctuation(word)


def test_values_of_a_question():
    words = ["cats", ",", "dogs", "and", "fish", "?"]
    values = punctuation_values(words, [10, 20, 11, CC, 12, 21], {CC})
    assert values[:, 0].tolist() == [NO, YES, NO, NO, NO, YES]
    assert values[:, 1].tolist() == [YES] * 6
    assert values[:, 2].tolist() == [NO, 11, NO, 12, NO, YES]


def test_only_the_last_punctuation_counts():
    assert punctuation_values(["who", "?", "he", "."], [9, 9, 9, 9], ())[0, 1] == NO
    assert punctuation_values(["who", "?", "he"], [9, 9, 9], ())[0, 1] == YES
    assert punctuation_values(["he"], [9], ())[0, 1] == NO
    assert punctuation_values([], [], ()).shape == (0, 3)
