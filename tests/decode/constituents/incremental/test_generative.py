"""How corpora are divided for models that have not seen the sentences they score."""

from spacy_perceptron.decode.constituents.incremental.generative import divide


def test_parts_are_even_and_in_order():
    assert divide([[str(i)] for i in range(5)], n_parts=2) == [0, 0, 0, 1, 1]
    assert divide([], n_parts=2) == []


def test_equal_sentences_are_in_the_same_part():
    texts = [["a"], ["b"], ["c"], ["a"]]
    assert divide(texts, n_parts=2) == [0, 0, 1, 0]
