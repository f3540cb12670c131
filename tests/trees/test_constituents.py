import re

import numpy as np
import pytest
import spacy
from hypothesis import given
from spacy.tokens import Doc, DocBin, Span

from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import (
    ConstituentArrays,
    arrays_to_spans,
    constituents_to_tree,
    doc_to_tree,
    sentence_trees,
    set_constituents,
    span_to_tree,
    spans_to_arrays,
    tree_to_arrays,
    tree_to_constituents,
    tree_to_spans,
)
from spacy_perceptron.trees.extensions import register_extensions
from spacy_perceptron.trees.tree import Tree

from ..strategies import trees
from ..treebank_docs import GO, SAID, make_doc, parse


def test_constituents_in_preorder_with_chains():
    expected = [
        ("S", 0, 4),
        ("NP-SBJ", 0, 1),
        ("VP", 1, 3),
        ("SBAR", 2, 3),
        ("S", 2, 3),
        ("VP", 2, 3),
    ]
    assert tree_to_constituents(parse(SAID)) == expected
    stripped = tree_to_constituents(parse(SAID), keep_function_tags=False)
    assert [label for label, _, _ in stripped] == ["S", "NP", "VP", "SBAR", "S", "VP"]
    assert tree_to_constituents(Tree("ROOT", [Tree("NN", word="a")])) == []


def test_order_matters_only_within_chains():
    words, tags = ["He", "said", "go", "."], ["PRP", "VBD", "VB", "."]
    shuffled = [
        ("VP", 1, 3),
        ("SBAR", 2, 3),
        ("NP-SBJ", 0, 1),
        ("S", 2, 3),
        ("S", 0, 4),
        ("VP", 2, 3),
    ]
    assert constituents_to_tree(shuffled, words, tags) == parse(SAID)


def test_words_outside_phrases_hang_on_the_root():
    tree = constituents_to_tree([("NP", 1, 2)], ["a", "b", "c"], ["X", "Y", "Z"])
    assert to_brackets(tree) == "(ROOT (X a) (NP (Y b)) (Z c))"


@pytest.mark.parametrize(
    ("constituents", "message"),
    [
        ([("A", 0, 2), ("B", 1, 3)], "('A', 0, 2) and ('B', 1, 3) cross"),
        ([("A", 0, 4)], "('A', 0, 4) is empty or reaches outside the 3 words"),
        ([("A", 1, 1)], "('A', 1, 1) is empty"),
        ([("A", -1, 1)], "('A', -1, 1) is empty or reaches outside"),
    ],
)
def test_spans_that_form_no_tree(constituents, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        constituents_to_tree(constituents, ["a", "b", "c"], ["X", "X", "X"])


def test_lengths_are_checked():
    with pytest.raises(ValueError, match="got 1 tags for 2 words"):
        constituents_to_tree([], ["a", "b"], ["X"])
    doc = make_doc(GO)
    with pytest.raises(ValueError, match="a tree of 4 words onto 2 tokens"):
        tree_to_spans(doc, parse(SAID))


def test_arrays():
    doc = make_doc(SAID)
    arrays = spans_to_arrays(doc.spans["constituents"])
    strings = doc.vocab.strings
    assert arrays.labels.dtype == np.uint64
    assert arrays.labels.tolist() == [
        strings[label] for label in ["S", "NP-SBJ", "VP", "SBAR", "S", "VP"]
    ]
    assert arrays.starts.tolist() == [0, 0, 1, 2, 2, 2]
    assert arrays.ends.tolist() == [4, 1, 3, 3, 3, 3]
    assert all(column.flags["C_CONTIGUOUS"] for column in arrays)
    for made, column in zip(tree_to_arrays(doc, parse(SAID)), arrays, strict=True):
        np.testing.assert_array_equal(made, column)
    empty = spans_to_arrays([])
    assert [len(column) for column in empty] == [0, 0, 0]
    assert arrays_to_spans(doc, empty) == []


def test_arrays_with_offset():
    doc = make_doc(GO, SAID)
    second = [span for span in doc.spans["constituents"] if span.start >= 2]
    arrays = spans_to_arrays(second, offset=2)
    assert arrays.starts.tolist() == [0, 0, 1, 2, 2, 2]
    back = arrays_to_spans(doc, arrays, offset=2)
    assert [(s.label_, s.start, s.end) for s in back] == [
        (s.label_, s.start, s.end) for s in second
    ]
    wrong = ConstituentArrays(arrays.labels, arrays.starts[:-1], arrays.ends)
    with pytest.raises(ValueError, match="zip"):
        arrays_to_spans(doc, wrong)


@given(trees())
def test_round_trip_through_doc_and_arrays(tree):
    doc = Doc(spacy.blank("xx").vocab, words=tree.words(), tags=tree.tags())
    set_constituents(doc, tree_to_spans(doc, tree))
    assert doc_to_tree(doc) == tree
    arrays = spans_to_arrays(doc.spans["constituents"])
    copy = Doc(doc.vocab, words=tree.words(), tags=tree.tags())
    set_constituents(copy, arrays_to_spans(copy, arrays))
    assert doc_to_tree(copy) == tree


def test_round_trip_through_docbin():
    bytes_data = DocBin(docs=[make_doc(SAID), make_doc(GO)]).to_bytes()
    docs = list(DocBin().from_bytes(bytes_data).get_docs(spacy.blank("en").vocab))
    assert [to_brackets(doc_to_tree(doc)) for doc in docs] == [SAID, GO]


def test_tree_of_a_sentence_and_of_a_doc():
    doc = make_doc(GO, SAID)
    first, second = doc.sents
    assert to_brackets(span_to_tree(first)) == GO
    assert to_brackets(span_to_tree(second)) == SAID
    assert doc_to_tree(doc).children == parse(GO).children + parse(SAID).children
    assert [to_brackets(tree) for tree in sentence_trees(doc)] == [GO, SAID]
    # Without sentence boundaries, the Doc is one sentence.
    bare = Doc(doc.vocab, words=[token.text for token in doc])
    bare.spans["constituents"] = doc.spans["constituents"].copy(doc=bare)
    assert sentence_trees(bare) == [doc_to_tree(bare)]
    assert len(sentence_trees(bare)[0].children) == 2
    assert sentence_trees(doc, key="others") == [span_to_tree(s, key="others") for s in doc.sents]


def test_white_space_and_missing_tags():
    doc = Doc(
        spacy.blank("en").vocab, words=["\n", "Go", " ", "now"], pos=["SPACE", "VERB", "", ""]
    )
    set_constituents(doc, [Span(doc, 0, 4, label="S"), Span(doc, 1, 4, label="VP")])
    assert to_brackets(doc_to_tree(doc)) == "(ROOT (S (VP (VERB Go) (X now))))"


def test_extensions():
    register_extensions()
    register_extensions()
    doc = make_doc(GO, SAID)
    said = doc[2:6]
    assert doc[4:5]._.labels == ("SBAR", "S", "VP")
    assert doc[3:4]._.labels == doc[2:4]._.labels == ()
    assert said._.parse_string == SAID[len("(ROOT ") : -1]
    assert doc[4:5]._.parse_string == "(SBAR (S (VP (VB go))))"
    assert doc[5:6]._.parse_string == "(. .)"
    tops = [(span.text, span.label_) for span in said._.constituents]
    assert tops == [
        ("He said go .", "S"),
        ("He", "NP-SBJ"),
        ("said go", "VP"),
        ("said", ""),
        ("go", "SBAR"),
        (".", ""),
    ]
    assert [span.text for span in said._.children] == ["He", "said go", "."]
    assert [span.text for span in doc[3:5]._.children] == ["said", "go"]
    assert doc[3:4]._.children == []
    assert doc[4:5]._.parent.text == "said go"
    assert doc[3:5]._.parent.label_ == "S"
    assert said._.parent is None
    for name in ("parse_string", "constituents", "parent", "children"):
        with pytest.raises(ValueError, match=f"'He said' .tokens 2 to 4. .* no {name}"):
            getattr(doc[2:4]._, name)


def test_a_sentence_of_several_phrases_is_a_constituent():
    register_extensions()
    doc = make_doc("(ROOT (NP (NN tea)) (CC or) (NP (NN coffee)))")
    assert doc[:]._.parse_string == "(ROOT (NP (NN tea)) (CC or) (NP (NN coffee)))"
    assert doc[:]._.labels == ()
    assert doc[2:3]._.parent.text == "tea or coffee"
