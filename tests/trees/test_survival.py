"""Trees on Docs that are saved, copied, sent to other processes and cut into sentences."""

import pickle
from collections.abc import Callable

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron import span_as_doc
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import (
    doc_to_tree,
    set_constituents,
    span_to_tree,
    tree_to_spans,
)
from spacy_perceptron.trees.tree import Tree

from ..strategies import TAGS, phrases
from ..treebank_docs import GO, SAID, make_doc

# Chains in which sorting, or a set, would lose the order or a member.
CHAINS = "(ROOT (S (VP (S (S (NP (NN b)))))) (X (A (B (A (A (DT a) (NN c)))))))"


def through_docbin(doc: Doc) -> Doc:
    data = DocBin(docs=[doc]).to_bytes()
    return next(DocBin().from_bytes(data).get_docs(Vocab()))


def through_bytes(doc: Doc) -> Doc:
    vocab = Vocab()
    for string in doc.vocab.strings:
        vocab.strings.add(string)
    return Doc(vocab).from_bytes(doc.to_bytes())


def through_json(doc: Doc) -> Doc:
    return Doc(Vocab()).from_json(doc.to_json())


def through_pickle(doc: Doc) -> Doc:
    return pickle.loads(pickle.dumps(doc))


def through_copy(doc: Doc) -> Doc:
    copied = doc.copy()
    # The copy must not share anything with the original.
    set_constituents(doc, [])
    return copied


def through_span(doc: Doc) -> Doc:
    return span_as_doc(doc[:])


def through_joining(doc: Doc) -> Doc:
    front = make_doc(GO, vocab=doc.vocab)
    joined = Doc.from_docs([front, doc])
    return span_as_doc(joined[len(front) :])


WAYS = [
    through_docbin,
    through_bytes,
    through_json,
    through_pickle,
    through_copy,
    through_span,
    through_joining,
]


def rows(doc: Doc) -> list[tuple[str, int, int]]:
    return [(span.label_, span.start, span.end) for span in doc.spans["constituents"]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("texts", [[SAID], [GO, SAID], [CHAINS]])
def test_trees_survive(way: Callable[[Doc], Doc], texts: list[str]):
    doc = make_doc(*texts)
    before, tree = rows(doc), to_brackets(doc_to_tree(doc))
    after = way(doc)
    assert after is not doc
    assert rows(after) == before
    assert to_brackets(doc_to_tree(after)) == tree
    assert [to_brackets(span_to_tree(sent)) for sent in after.sents] == texts


@settings(deadline=None)
@given(phrases(8, ["A", "B"], TAGS), st.sampled_from(WAYS))
def test_random_trees_survive(phrase: Tree, way: Callable[[Doc], Doc]):
    tree = Tree("ROOT", [phrase])
    words = tree.words()
    doc = Doc(Vocab(), words=words, tags=tree.tags(), sent_starts=[True] + [False] * len(words[1:]))
    set_constituents(doc, tree_to_spans(doc, tree))
    before = rows(doc)
    after = way(doc)
    assert rows(after) == before
    assert doc_to_tree(after) == tree


@Language.component("test_chains")
def set_chains(doc: Doc) -> Doc:
    made = make_doc(*[GO] * (len(doc) // 2), vocab=doc.vocab)
    doc.spans["constituents"] = made.spans["constituents"].copy(doc=doc)
    for i, token in enumerate(doc):
        token.tag_ = "VB" if i % 2 == 0 else "RB"
        token.is_sent_start = i % 2 == 0
    return doc


def test_trees_come_back_from_other_processes():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_chains")
    texts = ["Go now", "Go now Go now"] * 2
    docs = list(nlp.pipe(texts, n_process=2, batch_size=1))
    assert [doc.text for doc in docs] == texts
    for doc in docs:
        assert [to_brackets(span_to_tree(sent)) for sent in doc.sents] == [GO] * (len(doc) // 2)
        assert doc[:2]._.labels == ("S", "VP")


def test_a_sentence_as_doc():
    doc = make_doc(GO, SAID, GO)
    doc.spans["others"] = [doc[1:3], doc[2:4]]
    doc.spans["others"].attrs["colour"] = "blue"
    sent = list(doc.sents)[1]
    assert "constituents" not in sent.as_doc().spans
    alone = span_as_doc(sent)
    assert to_brackets(doc_to_tree(alone)) == SAID
    assert alone[:]._.parse_string == sent._.parse_string
    # Spans that reach outside are left out; groups keep their names and attributes.
    assert [span.text for span in alone.spans["others"]] == ["He said"]
    assert alone.spans["others"].attrs == {"colour": "blue"}
    assert alone.spans["others"].name == doc.spans["others"].name
    doc.user_data["note"] = "kept"
    assert span_as_doc(sent, copy_user_data=True).user_data["note"] == "kept"
    assert "note" not in span_as_doc(sent).user_data


def test_labels_and_ids_of_spans_are_kept():
    doc = make_doc(GO)
    span = doc.char_span(0, 2, label="A", kb_id="Q1", span_id="first")
    doc.spans["linked"] = [span]
    alone = span_as_doc(doc[:])
    (kept,) = alone.spans["linked"]
    assert (kept.label_, kept.kb_id_, kept.id_) == ("A", "Q1", "first")
