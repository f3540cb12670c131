"""`span._.labels` and its companions, on spans and tokens."""

import random
import subprocess
import sys

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

import spacy_perceptron
from spacy_perceptron import NonConstituentException
from spacy_perceptron.span_attributes import NAMES
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import set_constituents, tree_to_constituents
from spacy_perceptron.trees.tree import Tree

from ..strategies import trees
from ..treebank_docs import GO, SAID, make_doc

SEEN = """
from spacy.tokens import DocBin, Span, Token
from spacy.vocab import Vocab
doc = next(DocBin().from_disk({path!r}).get_docs(Vocab()))
assert doc[1:3]._.labels == ("VP",), doc[1:3]._.labels
assert doc[0]._.labels == ("NP-SBJ", "PRP")
"""


@pytest.mark.parametrize(
    "code",
    [
        "import spacy_perceptron\n{seen}",
        "import spacy\nimport spacy_perceptron\n{seen}",
        "import spacy.tokens\nimport spacy_perceptron.errors\n{seen}",
        # Twice, and after somebody has only looked whether spaCy is there.
        "import spacy_perceptron, importlib.util\n"
        "importlib.reload(spacy_perceptron)\n"
        "assert importlib.util.find_spec('spacy.tokens')\n{seen}",
        # Creating a pipeline is enough, too, for spaCy then imports all packages with factories.
        "import spacy\nspacy.blank('en')\n{seen}",
    ],
)
def test_attributes_are_there_without_a_pipeline(code, tmp_path):
    path = str(tmp_path / "said.spacy")
    spacy.tokens.DocBin(docs=[make_doc(SAID)]).to_disk(path)
    code = code.format(seen=SEEN.format(path=path))
    subprocess.run([sys.executable, "-c", code], check=True)


def test_registering_imports_no_readers():
    code = """
import sys, spacy
before = set(sys.modules)
import spacy_perceptron
new = set(sys.modules) - before
assert spacy.tokens.Span.has_extension("parse_string")
assert all(name.startswith("spacy_perceptron") for name in new), new
assert not {"spacy_perceptron.trees.extensions", "spacy_perceptron.trees.tree"} & new
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_attributes_of_others_are_left_alone():
    code = """
from spacy.tokens import Span
Span.set_extension("labels", default="mine")
import spacy_perceptron
from spacy.tokens import Doc, Token
from spacy.vocab import Vocab
assert Doc(Vocab(), words=["a"])[:]._.labels == "mine"
assert Token.has_extension("labels")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tokens():
    doc = make_doc(GO, SAID)
    go = doc[4]
    assert go._.labels == ("SBAR", "S", "VP", "VB")
    assert doc[3]._.labels == ("VBD",)
    assert go._.parse_string == "(SBAR (S (VP (VB go))))"
    assert doc[5]._.parse_string == "(. .)"
    assert go._.parent == Span(doc, 3, 5, label="VP")
    assert go._.constituents == [Span(doc, 4, 5, label="SBAR")]
    assert go._.children == []
    # Where there is no tag, the part of speech takes its place; without both, there is nothing.
    bare = Doc(doc.vocab, words=["Go", "on"], pos=["VERB", ""])
    assert [token._.labels for token in bare] == [("VERB",), ()]
    assert bare[1]._.parse_string == "(X on)"


@pytest.mark.parametrize("vocab", [Vocab(), spacy.blank("en").vocab], ids=["bare", "en"])
def test_white_space_and_sentences(vocab):
    # Tokens:    0     1     2    3      4    5     6     7    8
    words = ["\n", "Go", " ", "now", "\n", "He", "left", ".", "\n\n"]
    tags = ["_SP", "VB", "_SP", "RB", "_SP", "PRP", "VBD", ".", "_SP"]
    starts = [True, False, False, False, False, True, False, False, False]
    # A vocab without the attributes of a language does not know what white space is.
    doc = Doc(vocab, words=words, tags=tags, sent_starts=starts)
    # One span includes the white space at its edges, the others do not.
    rows = [("S", 0, 5), ("VP", 1, 4), ("ADVP", 3, 4), ("S", 5, 8), ("NP", 5, 6), ("VP", 6, 7)]
    set_constituents(doc, [Span(doc, start, end, label=label) for label, start, end in rows])
    first, second = doc.sents
    assert first._.labels == doc[1:4]._.labels == ("S", "VP")
    assert first._.parse_string == "(S (VP (VB Go) (ADVP (RB now))))"
    assert doc[1:4]._.parse_string == first._.parse_string
    assert [(c.start, c.end, c.label_) for c in first._.constituents] == [
        (1, 4, "S"),
        (1, 2, ""),
        (3, 4, "ADVP"),
    ]
    assert [(c.start, c.end) for c in second._.children] == [(5, 6), (6, 7), (7, 8)]
    assert second._.parse_string == "(S (NP (PRP He)) (VP (VBD left)) (. .))"
    assert second._.parent is None
    assert doc[3:5]._.parent == Span(doc, 1, 4, label="S")
    assert doc[0]._.labels == doc[0:1]._.labels == ()
    # Neither white space nor several sentences are a constituent.
    for span in (doc[0:1], doc[8:9], doc[:], doc[3:3], doc[3:6]):
        with pytest.raises(NonConstituentException):
            _ = span._.parse_string


def spaced_doc(trees: list[Tree], rng: random.Random) -> tuple[Doc, list[int]]:
    """A Doc with white space between the words, and around phrases as it happens.

    RETURNS (tuple[Doc, list[int]]): The Doc, and the token of each word.
    """
    words, starts, tokens = [], [], []
    for tree in trees:
        for i, word in enumerate(tree.words()):
            starts.append(i == 0)
            tokens.append(len(words))
            words.append(word)
            for _ in range(rng.choice([0, 0, 1, 2])):
                words.append("\n")
                starts.append(False)
    doc = Doc(Vocab(), words=words, sent_starts=starts)
    spans = []
    first = 0
    for tree in trees:
        for token, tag in zip(tokens[first:], tree.tags(), strict=False):
            doc[token].tag_ = tag
        for label, a, b in tree_to_constituents(tree):
            start, end = tokens[first + a], tokens[first + b - 1] + 1
            while start > 0 and words[start - 1] == "\n" and rng.random() < 0.5:
                start -= 1
            while end < len(words) and words[end] == "\n" and rng.random() < 0.5:
                end += 1
            spans.append(Span(doc, start, end, label=label))
        first += len(tree.words())
    set_constituents(doc, spans)
    return doc, tokens


@settings(max_examples=40, deadline=None)
@given(st.lists(trees(6), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_all_attributes_of_random_trees(found: list[Tree], rng: random.Random):
    doc, tokens = spaced_doc(found, rng)
    first = 0
    for tree in found:
        numbers = {id(leaf): first + i for i, leaf in enumerate(tree.leaves())}
        first += len(numbers)

        def words(node: Tree, numbers=numbers) -> tuple[int, ...]:
            return tuple(numbers[id(leaf)] for leaf in node.leaves())

        def as_words(span: Span) -> tuple[int, ...]:
            return tuple(tokens.index(t.i) for t in span if not t.text.isspace())

        # A constituent is all nodes over the same words; ROOT is one of them only if it must be.
        nodes = list(tree.preorder())
        for node in nodes:
            chain = [other for other in nodes if words(other) == words(node)]
            top = chain[0] if chain[0] is not tree or len(tree.children) > 1 else chain[1]
            span = doc[tokens[words(node)[0]] : tokens[words(node)[-1]] + 1]
            assert span._.parse_string == to_brackets(top)
            labels = [other.label for other in chain if other is not tree and other.word is None]
            assert span._.labels == tuple(labels)
            below = {words(o): None for o in nodes if set(words(o)) <= set(words(node))}
            assert [as_words(s) for s in span._.constituents] == list(below)
            around = [words(o) for o in nodes if set(words(o)) > set(words(node))]
            parent = span._.parent
            assert (parent and as_words(parent)) == (min(around, key=len) if around else None)
            children = [words(child) for child in chain[-1].children]
            assert [as_words(s) for s in span._.children] == children
            if node.word is not None:
                assert span[0]._.labels == (*labels, node.label)


def test_non_constituents():
    doc = make_doc(SAID)
    assert issubclass(NonConstituentException, ValueError)
    assert spacy_perceptron.NonConstituentException is NonConstituentException
    assert doc[0:2]._.labels == ()
    for name in set(NAMES) - {"labels"}:
        with pytest.raises(NonConstituentException, match=f"'He said' .* no {name}"):
            getattr(doc[0:2]._, name)


def test_documents_without_trees():
    doc = Doc(spacy.blank("en").vocab, words=["a", "b"])
    assert doc[:]._.labels == ()
    assert doc[:]._.parse_string == "(ROOT (X a) (X b))"
    assert doc[0:1]._.parent == doc[:]
    for holder in (Span, Token):
        assert all(holder.has_extension(name) for name in NAMES)
