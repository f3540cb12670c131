"""Phrases as arrays, in Docs."""

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span

from spacy_perceptron.answers.constituents import register_constituents
from spacy_perceptron.answers.kinds import find_kind
from spacy_perceptron.answers.sentences import join_answers
from spacy_perceptron.components._constituents.lists import rank_phrases
from spacy_perceptron.components._constituents.writer import Phrases, PhraseWriter
from spacy_perceptron.components._shared.words import NO_CHARACTERS, Words, read_words
from spacy_perceptron.trees.constituents import (
    doc_to_tree,
    set_constituents,
    span_to_tree,
    tree_to_constituents,
)
from spacy_perceptron.trees.tree import Tree

from ... import strategies
from ..docs import VOCAB, make_doc

LABELS = ["S", "NP", "VP"]
register_constituents()


def phrases(*rows: tuple[str, int, int], labels: list[str] = LABELS) -> Phrases:
    columns = ([labels.index(row[0]) for row in rows], *([row[i] for row in rows] for i in (1, 2)))
    return Phrases(*(np.array(column, dtype=np.int32) for column in columns))


def write(docs: list[Doc], *trees: Phrases, **more: object) -> Words:
    words = read_words(docs)
    writer = PhraseWriter(LABELS)
    writer.labels.add_to(words.texts)
    writer.write_all(docs, words, trees, **more)
    return words


def found(doc: Doc) -> list[tuple[str, int, int]]:
    return [(span.label_, span.start, span.end) for span in doc.spans["constituents"]]


KIM_SLEEPS = phrases(("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2))
A_DOG = phrases(("S", 0, 2), ("NP", 0, 2), ("NP", 0, 2))


def test_sentences_and_docs():
    docs = [make_doc("|Kim sleeps |A dog"), Doc(VOCAB), make_doc("Jo wakes"), make_doc("_")]
    write(docs, KIM_SLEEPS, A_DOG, KIM_SLEEPS)
    first = [("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)]
    assert found(docs[0]) == [*first, ("S", 2, 4), ("NP", 2, 4), ("NP", 2, 4)]
    assert found(docs[1]) == found(docs[3]) == []
    assert found(docs[2]) == first


def test_whitespace():
    """Inside a phrase it belongs to it, around it does not."""
    doc = make_doc("_ |_ Kim _ _ sleeps _ |A _ dog _")
    write([doc], KIM_SLEEPS, A_DOG)
    assert found(doc) == [
        ("S", 2, 6),
        ("NP", 2, 3),
        ("VP", 5, 6),
        ("S", 7, 10),
        ("NP", 7, 10),
        ("NP", 7, 10),
    ]
    assert [len(span_to_tree(sent).children) for sent in doc.sents if sent.text.strip()] == [1, 1]


def test_what_was_there_is_replaced():
    doc = make_doc("Kim sleeps")
    set_constituents(doc, [Span(doc, 0, 1, label="OLD")])
    write([doc], KIM_SLEEPS, confidences=[np.array([0.5, 0.25, 0.125])], partial=[True])
    assert [span._.confidence for span in doc.spans["constituents"]] == [0.5, 0.25, 0.125]
    assert [doc[start:end].text for start, end in doc._.partial_parses] == ["Kim sleeps"]
    write([doc], phrases(("NP", 0, 1)))
    assert found(doc) == [("NP", 0, 1)]
    assert doc[0:1]._.confidence is None
    assert doc._.partial_parses == []


def test_confidences_and_partial_parses():
    docs = [make_doc("_ |Kim _ sleeps |A dog _"), make_doc("_"), make_doc("|Jo wakes |A cat")]
    trees = [KIM_SLEEPS, A_DOG, KIM_SLEEPS, A_DOG]
    values = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.3, 0.2, 0.1], [1.0, 1.0, 1.0]]
    confidences = [np.array(row) for row in values]
    write(docs, *trees, confidences=confidences, partial=[False, True, True, False])
    # Each member of a unary chain has its own, but two with the same label have that of the outer.
    assert [[s._.confidence for s in doc.spans["constituents"]] for doc in docs] == [
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.5],
        [],
        [0.3, 0.2, 0.1, 1.0, 1.0, 1.0],
    ]
    assert [[doc[i:j].text for i, j in doc._.partial_parses] for doc in docs] == [
        ["A dog"],
        [],
        ["Jo wakes"],
    ]


def test_places_of_tokens_need_not_be_at_hand():
    doc = make_doc("Kim _ sleeps")
    words = read_words([doc])
    bare = Words(words.orths, words.starts, words.is_word, words.is_start)
    assert bare.characters is NO_CHARACTERS
    confidences = [np.array([0.5, 0.25, 0.125])]
    PhraseWriter(LABELS).write_all([doc], bare, [KIM_SLEEPS], confidences=confidences)
    assert [span._.confidence for span in doc.spans["constituents"]] == [0.5, 0.25, 0.125]


def test_no_docs_and_no_phrases():
    write([])
    doc = make_doc("a b")
    write([doc], phrases(), confidences=[np.zeros(0)])
    assert found(doc) == []


def test_labels_are_known_to_every_vocab():
    docs = [Doc(spacy.blank("en").vocab, words=["Kim", "sleeps"]) for _ in range(2)]
    write(docs, KIM_SLEEPS, KIM_SLEEPS)
    assert found(docs[1]) == found(docs[0]) == [("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)]


@given(st.lists(strategies.trees(), max_size=3), st.data())
def test_any_trees(trees: list[Tree], data: st.DataObject):
    """Written to a doc with whitespace here and there, trees are read from it as they were."""
    tokens: list[str] = []
    starts: list[bool] = []
    for tree in trees:
        for i, word in enumerate(tree.words()):
            tokens.append("w" if word.isspace() else word)
            starts.append(i == 0)
            if data.draw(st.booleans()):
                tokens.append("\n")
                starts.append(False)
    doc = Doc(VOCAB, words=tokens, sent_starts=starts or None)
    rows = [tree_to_constituents(tree) for tree in trees]
    labels = sorted({label for tree in rows for label, _, _ in tree})
    writer = PhraseWriter(labels)
    words = read_words([doc])
    writer.labels.add_to(words.texts)
    written = [phrases(*tree, labels=labels) for tree in rows]
    writer.write_all([doc], words, written)
    sents = list(doc.sents) if len(doc) else []
    assert [tree_to_constituents(span_to_tree(sent)) for sent in sents] == rows
    # What an answer says is what is written.
    lists = rank_phrases(words, [([tree], [1.0]) for tree in written], writer, 1)
    (best,) = join_answers(lists, 1)
    assert best.annotation == find_kind(best.annotation).read(doc)


# --- Lists ------------------------------------------------------------------------------------


def test_lists():
    doc = make_doc("_ |_ Kim _ sleeps |A dog _")
    other = phrases(("NP", 0, 2))
    lists = [([KIM_SLEEPS, other, KIM_SLEEPS], [3.0, 2.0, 1.5]), ([A_DOG], np.array([1.0]))]
    first, second = rank_phrases(read_words([doc]), lists, PhraseWriter(LABELS), 2)
    assert (first.start, first.end, second.start, second.end) == (0, 5, 5, 8)
    # The same tree counts once.
    assert first.scores == [3.0, 2.0]
    assert first.annotations == [
        {"constituents": [[2, 5, "S"], [2, 3, "NP"], [4, 5, "VP"]]},
        {"constituents": [[2, 5, "NP"]]},
    ]
    assert second.annotations == [{"constituents": [[0, 2, "S"], [0, 2, "NP"], [0, 2, "NP"]]}]
    best, following = join_answers([first, second], 5)
    assert (best.score, following.score) == (4.0, 3.0)
    following.apply(doc)
    assert found(doc) == [("NP", 2, 5), ("S", 5, 7), ("NP", 5, 7), ("NP", 5, 7)]
    assert [child.label for child in doc_to_tree(doc).children] == ["NP", "S"]


@pytest.mark.parametrize("text", ["", "_ _"])
def test_lists_of_docs_without_words(text: str):
    doc = make_doc(text)
    (answers,) = rank_phrases(read_words([doc]), [], PhraseWriter(LABELS), 3)
    assert (answers.start, answers.end, answers.scores) == (0, len(doc), [0.0])
    assert answers.annotations == [{"constituents": []}]
