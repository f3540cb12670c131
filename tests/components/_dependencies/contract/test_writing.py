"""What parsers write to docs of all kinds."""

import warnings
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.components._dependencies.writer import SPACE_LABEL

from ..parsers import NAME
from ..sentences import arcs, check_sentences, hosts, read, sentence, set_arcs, spaced


def test_whitespace_and_sentences(nlp: Language):
    docs = [example.predicted for example in read(nlp, limit=8)]
    alone = [arcs(nlp(doc.copy())) for doc in docs]
    doc, tokens, starts = spaced(docs)
    nlp(doc)
    heads = [0 if head == i else head + 1 for found in alone for i, (head, _) in enumerate(found)]
    assert [token.head.i for token in doc] == hosts(tokens, heads)
    labels = iter([label for found in alone for _, label in found])
    expected = [next(labels) if is_word else SPACE_LABEL for is_word, _ in tokens]
    assert [token.dep_ for token in doc] == expected
    check_sentences(doc, starts)
    assert all(token._.head_confidence == 1.0 for token in doc if token.is_space)


def test_docs_in_one_batch(nlp: Language):
    docs = [example.predicted for example in read(nlp, limit=6)]
    mixed = [nlp.make_doc(""), docs[0], nlp.make_doc("  "), *docs[1:], nlp.make_doc("\n")]
    alone = [arcs(nlp(doc.copy())) for doc in mixed]
    assert [arcs(doc) for doc in nlp.pipe(mixed, batch_size=4)] == alone
    assert alone[2] == [(0, SPACE_LABEL)]


def test_given_boundaries_are_kept(nlp: Language):
    """Also where the parser would join sentences, and where heads from before say otherwise."""
    words = [t for example in read(nlp, limit=3) for t in example.predicted]
    for places in ([0], [0, 1, 2, 3], [0, 9, 10, 25], list(range(len(words)))):
        starts = [i in places for i in range(len(words))]
        doc = Doc(
            nlp.vocab,
            words=[t.text for t in words],
            tags=[t.tag_ for t in words],
            sent_starts=starts,
        )
        check_sentences(nlp(doc), starts)
        first = arcs(doc)
        set_arcs(doc, [0] * len(words), ["X"] * len(words))
        check_sentences(nlp(doc), starts)
        assert arcs(doc) == first


def test_a_doc_starts_with_a_sentence(nlp: Language):
    """Whatever was set in advance, and for trees of a list too."""
    words, tags = ["He", "naps", "now", "."], ["PRP", "VBZ", "RB", "."]
    doc = Doc(nlp.vocab, words=words, tags=tags, sent_starts=[False] * 4)
    nlp(doc)
    check_sentences(doc, [True, False, False, False])
    doc = Doc(nlp.vocab, words=words, tags=tags, sent_starts=[False] * 4)
    nlp.get_pipe(NAME).nbest(doc, 2)[1].apply(doc)
    assert [token.is_sent_start for token in doc] == [True, False, False, False]


def test_one_word_sentences(nlp: Language, pipe: Any):
    doc = Doc(nlp.vocab, words=["Stop", "Go"], tags=["VB", "VB"], sent_starts=[True, True])
    nlp(doc)
    assert [head for head, _ in arcs(doc)] == [0, 1]
    assert [token._.head_confidence for token in doc] == [1.0, 1.0]
    (tree,) = pipe.nbest(doc, 5)
    assert (tree.annotation["head"], tree.probability) == ([0, 1], 1.0)


def test_a_doc_without_boundaries_is_one_sentence(nlp: Language):
    tokens = [t for example in read(nlp, limit=3) for t in example.predicted]
    words, tags = [t.text for t in tokens], [t.tag_ for t in tokens]
    doc = Doc(nlp.vocab, words=words, tags=tags)
    with pytest.warns(UserWarning, match="have no sentence boundaries") as caught:
        list(nlp.pipe([doc, Doc(nlp.vocab, words=words, tags=tags)], batch_size=1))
    assert len(caught) == 1
    check_sentences(doc, [i == 0 for i in range(len(doc))])


def test_docs_without_tags_are_parsed(nlp: Language):
    docs = [sentence(nlp, "The old clock stopped .") for _ in range(2)]
    with pytest.warns(UserWarning, match="have no tags") as caught:
        list(nlp.pipe(docs, batch_size=1))
    assert len(caught) == 1
    for doc in docs:
        check_sentences(doc, [True, *[False] * 4])


def test_docs_of_another_vocab(nlp: Language, pipe: Any):
    """Labels and words are known to the vocab of the doc, whichever that is."""
    expected = [arcs(nlp(example.predicted)) for example in read(nlp, limit=5)]
    other = spacy.blank("en")
    docs = [example.predicted for example in read(other, limit=5)]
    assert [arcs(pipe(doc)) for doc in docs] == expected
    again = [example.predicted for example in read(nlp, limit=5)]
    assert [arcs(doc) for doc in pipe.pipe(again)] == expected
    assert pipe.nbest(docs[0], 2)[0].apply(docs[0].copy())[0].dep_ == expected[0][0][1]


def test_sentences_beyond_the_limit(nlp: Language, pipe: Any):
    """They are cut in pieces of at most 200 words, with one warning, and so learned from."""
    n = pipe.max_words + 1
    longest = min(pipe.max_words, 200)
    for bounds in (True, False):
        doc = Doc(nlp.vocab, words=["a"] * n, tags=["NN"] * n)
        for token in doc if bounds else ():
            token.is_sent_start = token.i == 0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pipe._read._warned.clear()
            (answer,) = pipe.nbest(doc, 1)
            nlp(doc)
        (warning,) = caught
        assert f"{n} words: those of more than {pipe.max_words} are cut" in str(warning.message)
        lengths = [len(sent) for sent in doc.sents]
        # Without punctuation, every piece but the last one is as long as can be.
        assert lengths == [longest] * (n // longest) + [n % longest][: n % longest]
        assert all(sum(t.head == t for t in sent) == 1 for sent in doc.sents)
        assert answer.annotation["head"] == [token.head.i for token in doc]
        assert pipe.explain(doc, longest + 1).word == "a"
    # An arc from piece to piece is none of the gold arcs.
    heads = [0, *range(n - 1)]
    example = Example(doc, set_arcs(doc.copy(), heads, [pipe.labels[0]] * n))
    sentences = pipe._gold(example)
    # Nothing is known about a piece of one word.
    assert [len(sentence.heads) for sentence in sentences] == [x for x in lengths if x > 1]
    assert all(-1 not in sentence.heads[1:] for sentence in sentences)
    assert [sentence.heads[0] for sentence in sentences] == [0, *[-1] * (len(sentences) - 1)]
    # So many words in several sentences are no problem.
    starts = [i % 5 == 0 for i in range(n)]
    doc = Doc(nlp.vocab, words=["a"] * n, tags=["NN"] * n, sent_starts=starts)
    assert len(list(nlp(doc).sents)) == -(-n // 5)
