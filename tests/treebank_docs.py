"""Docs with the constituents of trees."""

from collections.abc import Sequence

import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.constituents import set_constituents, tree_to_spans
from spacy_perceptron.trees.tree import Tree

# Words:             0               1                      2             3
SAID = "(ROOT (S (NP-SBJ (PRP He)) (VP (VBD said) (SBAR (S (VP (VB go))))) (. .)))"
GO = "(ROOT (S (VP (VB Go) (ADVP (RB now)))))"


def parse(text: str) -> Tree:
    return next(parse_brackets([text])).tree


def make_doc(*texts: str, vocab: Vocab | None = None) -> Doc:
    """RETURNS (Doc): A Doc with one sentence per tree, given in brackets."""
    return trees_to_doc([parse(text) for text in texts], vocab or spacy.blank("en").vocab)


def trees_to_doc(trees: Sequence[Tree], vocab: Vocab) -> Doc:
    """RETURNS (Doc): A Doc with one sentence per tree."""
    words = [word for tree in trees for word in tree.words()]
    starts = [i == 0 for tree in trees for i in range(len(tree.words()))]
    tags = [tag for tree in trees for tag in tree.tags()]
    doc = Doc(vocab, words=words, tags=tags, sent_starts=starts)
    spans = []
    offset = 0
    for tree in trees:
        spans.extend(tree_to_spans(doc, tree, offset=offset))
        offset += len(tree.words())
    set_constituents(doc, spans)
    return doc
