"""What constituency parsers read from Docs."""

import warnings

import numpy as np
import pytest
from spacy.tokens import Doc

from spacy_perceptron.answers.confidence import store_confidences
from spacy_perceptron.components._constituents.reader import TaggedReader, TaggedWords

from ..docs import VOCAB, make_doc


def read(*docs: Doc, **given: bool) -> TaggedWords:
    return TaggedReader()(docs, **{"starts_given": True, "tags_given": True, **given})


def test_words_and_tags():
    doc = make_doc("|Kim _ sleeps |_ _ Why ?")
    for i, tag in ((0, "NNP"), (2, "VBZ"), (6, ".")):
        doc[i].tag_ = tag
    doc[5].pos_ = "ADV"
    doc[6].pos_ = "PUNCT"
    words = read(doc)
    assert words.word_texts() == ["Kim", "sleeps", "Why", "?"]
    # The part of speech where there is no tag.
    assert words.tag_texts() == ["NNP", "VBZ", "ADV", "."]
    assert [sentence.word_texts() for sentence in words.sentences()] == [
        ["Kim", "sleeps"],
        ["Why", "?"],
    ]
    assert [sentence.tag_texts() for sentence in words.sentences()] == [
        ["NNP", "VBZ"],
        ["ADV", "."],
    ]
    assert (len(words), words.n_sentences) == (4, 2)


def test_no_tags():
    words = read(make_doc("Kim sleeps"))
    assert words.tags.tolist() == [0, 0]
    assert words.tag_texts() == ["X", "X"]


def test_how_sure_the_tagger_was():
    sure, unsure = make_doc("Kim _ sleeps"), make_doc("Why ?")
    store_confidences([sure], "tag", [0.75, 1.0, None])
    words = read(sure, unsure)
    np.testing.assert_equal(words.sure, [0.75, np.nan, np.nan, np.nan])
    first, second = words.split([3, 2])
    np.testing.assert_equal(first.sure, [0.75, np.nan])
    assert second.word_texts() == ["Why", "?"]
    assert len(second.tags) == len(second.sure) == 2


@pytest.mark.parametrize("docs", [[], [Doc(VOCAB)], [make_doc("_ _"), Doc(VOCAB)]])
def test_no_words(docs: list[Doc]):
    words = read(*docs)
    assert len(words) == words.n_sentences == 0
    assert list(words.sentences()) == []
    assert len(list(words.split([len(doc) for doc in docs]))) == len(docs)


def test_what_is_missing_is_said_once():
    reader = TaggedReader()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            reader([make_doc("It rains . It pours .")])
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 2
    assert "no sentence boundaries" in texts[0]
    assert "no tags" in texts[1]
    # The caller of the component's method is told, not the reader itself.
    assert all(not warning.filename.endswith("reading.py") for warning in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(make_doc("It rains . It pours ."))
        TaggedReader()([Doc(VOCAB, words=["It", "rains"], tags=["PRP", "VBZ"])])
