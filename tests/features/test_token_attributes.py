import numpy as np

from spacy_perceptron.features.token_attributes import CASINGS, sentence_casing


def test_sentence_casing():
    sentences = ["BIG NEWS !", "Man Bites Dog in Town", "no capitals here", "He saw a dog ."]
    words = [word for sentence in sentences for word in sentence.split()]
    starts = np.cumsum([0, *(len(sentence.split()) for sentence in sentences)])
    flags = [np.array([f(w) for w in words]) for f in (str.islower, str.isupper, str.istitle)]
    found = [CASINGS[i] for i in sentence_casing(*flags, starts)]
    expected = ["upper", "title", "lower", "mixed"]
    assert found == [e for e, s in zip(expected, sentences, strict=True) for _ in s.split()]
