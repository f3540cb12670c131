import numpy as np
import pytest

from spacy_perceptron.trees.brackets import parse_brackets, read_brackets
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.incremental_heads import (
    ADJOINED,
    BASE_PHRASE,
    COORDINATOR,
    NO_HEAD,
    HeadTable,
)

from ..real_data import data_path

RULES = load_head_rules()


def word_heads(tree):
    """The head word of each phrase after each of its children: `{id of the phrase: words}`."""
    phrases = sorted({node.label for node in tree.preorder() if node.word is None})
    tags = sorted({node.label for node in tree.leaves()})
    table = HeadTable.from_rules(RULES, phrases, tags)
    symbols = phrases + tags
    found, remembered, last = {}, {}, {}
    for node in reversed(list(tree.preorder())):
        words, head, priority, previous = [], node.word, NO_HEAD, 0
        for child in node.children:
            symbol = symbols.index(child.label)
            takes_over, priority = table.add_child(
                symbols.index(node.label), priority, previous, symbol, remembered[id(child)]
            )
            previous = symbol
            head = last[id(child)] if takes_over else head
            words.append(head)
        found[id(node)], remembered[id(node)], last[id(node)] = words, priority, head
    return found


# Worked out by hand from the rules: the head after each child.
CASES = {
    "from the right": ("(NP (DT the) (NN tea) (NN pot))", "the tea pot"),
    "from the left": ("(VP (MD will) (VP (VB go)))", "will will"),
    "better rule": ("(S (NP (PRP I)) (VP (VBP go)) (. .))", "I go go"),
    "a rule before none": ("(NP (FW a) (UH b) (, ,))", "a a a"),
    "all punctuation": ("(S (: a) (. b))", "a b"),
    "possessive": ("(NP (NNP Ann) (POS 's))", "Ann 's"),
    "bread and butter": ("(NP (NN a) (CC and) (NN b))", "a a a"),
    "bread and butter pudding": ("(NP (NN a) (CC and) (NN b) (NN c))", "a a a c"),
    "settled": ("(ADJP (JJ a) (CC and) (RB very) (JJ b))", "a a a a"),
    "opened by a conjunction": ("(QP (CC both) (CD two))", "both two"),
    "folded": ("(S (NP (PRP I)) (S+VP (VBP go)) (VP (VBP go2)))", "I go go2"),
    "folded, above": ("(S+VP (TO to) (VP (VB go)))", "to to"),
    "adjoined": ("(NP (NN a) (NP/NP (PP (IN of) (NP (NN b)))))", "a a"),
    # (NP (NP Ann 's) old book): NN wins against an NP.
    "adjoined possessor": ("(NP (NNP Ann) (POS 's) (NP/NP (JJ old) (NN book)))", "Ann 's book"),
    # (NP (NP a book) and (NN tea)): the first conjunct is the head.
    "adjoined conjunct": ("(NP (DT a) (NN book) (NP/NP (, ,) (CC and) (NN tea)))", "a book book"),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_head_after_each_child(text, expected):
    phrase = next(parse_brackets([text])).tree.children[0]
    assert word_heads(phrase)[id(phrase)] == expected.split()


def test_table():
    table = HeadTable.from_rules(RULES, ["S", "NP", "NP/NP"], ["CC", "/", "+"])
    assert list(table.kinds) == [0, BASE_PHRASE, BASE_PHRASE | ADJOINED, COORDINATOR, 0, 0]
    assert table.priorities.shape == (6, 6)
    assert table.priorities.dtype == np.int16
    np.testing.assert_array_equal(table.priorities[1], table.priorities[2])
    np.testing.assert_array_equal(table.priorities[:, 1], table.priorities[:, 2])
    assert list(table.rivals) == [table.priorities[i, i] for i in range(6)]
    assert (table.priorities > NO_HEAD).all()


def test_no_symbols():
    assert HeadTable.from_rules(RULES, [], []).priorities.shape == (0, 0)


@pytest.mark.slow
def test_agrees_with_the_rules_on_complete_phrases():
    agree = total = 0
    for sentence in read_brackets(data_path("wsj/dev.mrg")):
        found = word_heads(sentence.tree)
        words = {}
        for node in reversed(list(sentence.tree.preorder())):
            if node.word is not None:
                words[id(node)] = node.word
            else:
                words[id(node)] = words[id(node.children[RULES.head_child(node)])]
                if len(node.children) > 1:
                    total += 1
                    agree += found[id(node)][-1] == words[id(node)]
    assert agree > 0.99 * total > 0
