import numpy as np
from spacy.strings import hash_string

from spacy_perceptron.features.known_words import CLASS_SHARE, KnownWords, class_value

KNOWN = KnownWords.from_sentences([["the", "dog", "walked"], ["the", "dog", "saw", "the", "cat"]])


def test_words_become_classes_when_they_are_rare():
    assert KNOWN("the") == [hash_string("the")] * 2
    # Seen once: a word as an outcome, its class in contexts.
    assert KNOWN("walked") == [hash_string("walked"), class_value("walked")]
    assert KNOWN("talked") == [class_value("walked")] * 2


def test_words_seen_once_count_in_part_as_their_classes():
    outcomes = np.array([hash_string(word) for word in ("the", "walked", "dog", "cat")], np.uint64)
    contexts = np.arange(4, dtype=np.uint64)[:, None]
    contexts, outcomes, folds, weights = KNOWN.share_hapaxes(
        contexts, outcomes, np.array([3, 4, 5, 6])
    )
    assert outcomes[4:].tolist() == [class_value("walked"), class_value("cat")]
    assert contexts[:, 0].tolist() == [0, 1, 2, 3, 1, 3]
    assert folds.tolist() == [3, 4, 5, 6, 4, 6]
    rest = 1 - CLASS_SHARE
    assert weights.tolist() == [1, rest, 1, rest, CLASS_SHARE, CLASS_SHARE]


def test_plain_data():
    loaded = KnownWords.from_dict(KNOWN.to_dict())
    for word in ("the", "dog", "walked", "talked"):
        assert loaded(word) == KNOWN(word)
