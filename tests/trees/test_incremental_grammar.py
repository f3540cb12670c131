"""The grammar of incremental parsers: what trees add to it, and how often they count."""

import pytest

from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.incremental_grammar import IncrementalGrammar
from spacy_perceptron.trees.tree import Tree

LONG = "(ROOT (S (NP (QP (A a))) (B b)))"


def read(text: str) -> Tree:
    (sentence,) = parse_brackets([text])
    return sentence.tree


def endings(grammar: IncrementalGrammar) -> int:
    """The number of chains that the search can take, with the tags they end in."""
    chains = grammar.to_dict()["chains"]
    return sum(len(chain) <= 2 or n >= 2 for chain, _, n in chains)


def test_long_chains_must_be_seen_twice():
    grammar = IncrementalGrammar("chains")
    tree = grammar.transform(read(LONG))
    assert grammar.add(tree)
    # S NP QP A is not there, the chain of B is.
    assert endings(grammar) == 1
    # The same sentence, read once more.
    assert not grammar.add(tree, again=True)
    assert endings(grammar) == 1
    # Another sentence with the same tree.
    assert grammar.add(tree)
    assert endings(grammar) == 2
    assert grammar.compile(load_head_rules()).n_phrases == 4


def test_a_sentence_with_other_tags_adds_what_it_needs():
    grammar = IncrementalGrammar("chains")
    for text, again in ((LONG, False), (LONG.replace("(B b)", "(C b)"), True)):
        assert grammar.add(grammar.transform(read(text)), again=again)
    assert {*grammar.tags} >= {"A", "B", "C"}
    assert endings(grammar) == 2


@pytest.mark.parametrize("names", [["S", "NP"], ["S", "NP", "QP", "S"], ["S", "NP", 1, "QP"], None])
def test_labels_must_be_those_of_phrases(names):
    grammar = IncrementalGrammar("chains")
    grammar.add(grammar.transform(read(LONG)))
    grammar.check_labels(["S", "NP", "QP"])
    with pytest.raises(ValueError, match="grammar"):
        grammar.check_labels(names)
