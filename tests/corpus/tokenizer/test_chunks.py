import spacy
from spacy.tokens import Doc

from spacy_perceptron.corpus.tokenizer.chunks import (
    count_chunks,
    differences,
    has_joined_words,
    spans,
)

from .text import docs_of


def test_chunks_end_at_spaces_and_at_the_end_of_a_doc():
    counts = count_chunks(docs_of(["do|n't stop|.", "stop|."]))
    assert counts == {("do", "n't"): 1, ("stop", "."): 2}


def test_white_space_tokens_separate_chunks():
    words = ["a", "\n\n", "b", ".", " ", "c"]
    spaces = [False, False, False, True, False, False]
    doc = Doc(spacy.blank("en").vocab, words=words, spaces=spaces)
    assert count_chunks([doc]) == {("a",): 1, ("b", "."): 1, ("c",): 1}


def test_words_with_spaces_inside_are_left_out():
    doc = Doc(spacy.blank("en").vocab, words=["10 000", ",", "x"], spaces=[False, True, False])
    assert count_chunks([doc]) == {("x",): 1}


def test_a_corpus_without_its_text_is_noticed():
    assert not has_joined_words(count_chunks(docs_of(["He left ."])))
    assert has_joined_words(count_chunks(docs_of(["He left|."])))


def test_spans_of_words():
    assert spans(("do", "n't")) == {(0, 2), (2, 5)}


def test_differences_lie_between_common_boundaries():
    gold = ("(", "e-mail", ",", "etc.", ")")
    predicted = ("(", "e", "-", "mail", ",", "etc", ".", ")")
    assert list(differences(gold, predicted)) == [
        (("e-mail",), ("e", "-", "mail")),
        (("etc.",), ("etc", ".")),
    ]
    assert list(differences(gold, gold)) == []
    assert list(differences(("ab", "c"), ("a", "bc"))) == [(("ab", "c"), ("a", "bc"))]
