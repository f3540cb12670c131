"""`span._.labels` and its companions, on spans and tokens."""

import subprocess
import sys

import pytest
import spacy
from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

import spacy_perceptron
from spacy_perceptron import NonConstituentException
from spacy_perceptron.span_attributes import NAMES
from spacy_perceptron.trees.constituents import set_constituents

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
