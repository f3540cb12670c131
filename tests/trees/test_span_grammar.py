import itertools
import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings

from spacy_perceptron.errors import Errors
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import tree_to_constituents
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.incremental_grammar import UNKNOWN_TAG
from spacy_perceptron.trees.span_grammar import NONE, SpanGrammar
from spacy_perceptron.trees.tree import ROOT, Tree

from ..strategies import trees
from .transforms.round_trip import deep_trees, read, sample_trees, wsj_trees

HEAD_RULES = load_head_rules()
SENTENCE = "(ROOT (S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks))))"


def grammar_of(*given: Tree) -> SpanGrammar:
    grammar = SpanGrammar()
    for tree in given:
        grammar.add(grammar.binarize(tree, HEAD_RULES))
    return grammar


def rows_of(grammar: SpanGrammar, tree: Tree) -> list[list[int]]:
    return grammar.rows(grammar.binarize(tree, HEAD_RULES)).tolist()


def check_round_trip(grammar: SpanGrammar, tree: Tree) -> None:
    """Rows are those of a binary tree of the grammar, and give back the phrases."""
    rows = rows_of(grammar, tree)
    assert grammar.restore(rows) == tree_to_constituents(tree)
    n_words = len(tree.words())
    assert len(rows) == 2 * n_words - 1
    tags = [grammar.names[symbol] for start, end, symbol, _ in rows if end - start == 1]
    assert tags == tree.tags()
    rules, chains = {tuple(rule) for rule in grammar.rules.tolist()}, compiled_chains(grammar)
    tops: list[tuple[int, int, int]] = []
    for start, end, symbol, chain in rows:
        if end - start > 1:
            (first, middle, left), (second, last, right) = tops[-2:]
            del tops[-2:]
            assert (first, middle, last) == (start, second, end)
            assert (symbol, left, right) in rules
        if chain != NONE:
            assert chains[chain][1] == symbol
        tops.append((start, end, symbol if chain == NONE else chains[chain][0]))
    assert tops == [(0, n_words, 0)]


def compiled_chains(grammar: SpanGrammar) -> list[tuple[int, int]]:
    """Top and bottom symbol of each chain, from the plain data."""
    n = len(grammar.phrases)
    chains = grammar.to_dict()["chains"]
    return [(chain[0], chain[-1] if chain[-1] >= 0 else n - 2 - chain[-1]) for chain in chains]


def test_rows_by_hand():
    tree = read(SENTENCE)
    grammar = SpanGrammar()
    binary = grammar.binarize(tree, HEAD_RULES)
    assert to_brackets(binary) == (
        "(ROOT (S (NP (DT the) (@NP|< (JJ old) (NN dog))) (VP (VBZ barks))))"
    )
    assert grammar.add(binary)
    assert not grammar.add(binary)
    # Numbers are given in the order of the nodes, children first.
    assert {*grammar.phrases} == {ROOT, "@NP|<", "NP", "VP", "S"}
    assert {*grammar.tags} == {UNKNOWN_TAG, "DT", "JJ", "NN", "VBZ"}
    names, chains = grammar.names, grammar.chains
    rows = grammar.rows(binary)
    assert rows.dtype == np.int32
    assert [
        (start, end, names[symbol], chains[chain] if chain != NONE else None)
        for start, end, symbol, chain in rows.tolist()
    ] == [
        (0, 1, "DT", None),
        (1, 2, "JJ", None),
        (2, 3, "NN", None),
        (1, 3, "@NP|<", None),
        (0, 3, "NP", None),
        (3, 4, "VBZ", ("VP",)),
        (0, 4, "S", ("ROOT",)),
    ]
    assert grammar.restore(rows.tolist()) == [("S", 0, 4), ("NP", 0, 3), ("VP", 3, 4)]


def test_sample_treebank_comes_back():
    treebank = sample_trees()
    grammar = grammar_of(*treebank)
    for tree in treebank:
        check_round_trip(grammar, tree)


@pytest.mark.slow
def test_real_treebank_comes_back():
    treebank = wsj_trees()
    grammar = grammar_of(*treebank)
    for tree in treebank:
        check_round_trip(grammar, tree)


@settings(deadline=None)
@given(trees())
def test_any_tree_comes_back(tree):
    check_round_trip(grammar_of(tree), tree)


@pytest.mark.parametrize(
    "text",
    [
        "(ROOT (NN dog))",
        "(ROOT (NP (NN dog)))",
        "(ROOT (S (VP (VB go))))",
        "(ROOT (S (NP (NP (NN dog)))))",
        "(ROOT (S (S (NP (NP (DT a) (NN dog))))))",
        "(ROOT (NP (NN dog)) (VP (VB go)))",
        "(ROOT (NP (NN dog)) (VP (VB go)) (. .))",
        "(ROOT (NN dog) (NN dog) (NN dog) (NN dog))",
        # Labels that look like intermediate ones, annotated ones or the root.
        "(ROOT (@NP (DT a) (NN dog)))",
        "(ROOT (@NP (@NP| (DT a) (JJ old) (NN dog)) (NP^S (NN cat)) (A|B (NN fish))))",
        r"(ROOT (\@NP (\\ (NN a)) (NN b) (NN c)))",
        "(ROOT (NP (@ a) (^ b) (A|B c) (@ d)))",
    ],
)
def test_special_trees_come_back(text):
    tree = read(text)
    check_round_trip(grammar_of(tree), tree)


def test_depth_is_no_limit():
    for tree in deep_trees(2_000):
        tree = Tree(ROOT, [tree])
        grammar = grammar_of(tree)
        assert grammar.restore(rows_of(grammar, tree)) == tree_to_constituents(tree)


def test_numbers_stay_when_more_is_added():
    treebank = sample_trees()[:60]
    grammar = grammar_of(*treebank[:20])
    before = grammar.to_dict()
    rows = [rows_of(grammar, tree) for tree in treebank[:20]]
    phrases = [grammar.restore(own) for own in rows]
    values = dict(zip(map(tuple, before["chains"]), grammar.chain_values().tolist(), strict=True))
    for tree in treebank[20:]:
        grammar.add(grammar.binarize(tree, HEAD_RULES))
    after = grammar.to_dict()
    for key, old in before.items():
        assert len(after[key]) > len(old)
        assert after[key][: len(old)] == old
    new_values = grammar.chain_values().tolist()
    assert new_values[: len(before["chains"])] == list(values.values())
    assert [grammar.restore(rows_of(grammar, tree)) for tree in treebank[:20]] == phrases
    # Chains keep their numbers in rows; the symbols of tags move up behind new phrases.
    n_new = len(after["phrases"]) - len(before["phrases"])
    for old, tree in zip(rows, treebank[:20], strict=True):
        for a, b in zip(old, rows_of(grammar, tree), strict=True):
            is_tag = a[2] >= len(before["phrases"])
            assert b == [a[0], a[1], a[2] + n_new * is_tag, a[3]]


def test_values_tell_rules_apart_and_do_not_depend_on_numbers():
    treebank = sample_trees()[:40]
    grammar, other = grammar_of(*treebank), grammar_of(*reversed(treebank))

    def named(grammar: SpanGrammar) -> dict:
        names = grammar.names
        rules = [tuple(names[x] for x in rule) for rule in grammar.rules.tolist()]
        return dict(zip(rules, grammar.rule_values().tolist(), strict=True))

    def named_chains(grammar: SpanGrammar) -> dict:
        n, names = len(grammar.phrases), grammar.names
        chains = [
            tuple(names[x if x >= 0 else n - 2 - x] for x in chain)
            for chain in grammar.to_dict()["chains"]
        ]
        return dict(zip(chains, grammar.chain_values().tolist(), strict=True))

    assert list(grammar.phrases) != list(other.phrases)
    assert named(grammar) == named(other)
    assert named_chains(grammar) == named_chains(other)
    for values in (grammar.rule_values(), grammar.chain_values()):
        assert len({*values.tolist()}) == len(values)


def test_phrase_and_tag_of_the_same_name_differ():
    grammar = grammar_of(read("(ROOT (A (B b) (A a)))"), read("(ROOT (A (A (B b) (B b)) (B b)))"))
    # A -> B A with a tag A; A -> A B with a phrase A; A -> B B.
    values = grammar.rule_values()
    assert len({*values.tolist()}) == len(values)


def test_words_of_unknown_tags_can_be_wherever_words_can_be():
    grammar = grammar_of(read("(ROOT (S (NP (NN dog)) (VP (VB sees) (NP (DT a) (NN cat)))))"))
    names, unknown = grammar.names, UNKNOWN_TAG
    rules = {tuple(names[x] for x in rule) for rule in grammar.rules.tolist()}
    assert rules == {
        ("S", "NP", "VP"),
        ("VP", "VB", "NP"),
        ("VP", unknown, "NP"),
        *(("NP", a, b) for a, b in itertools.product(["DT", unknown], ["NN", unknown])),
    }
    # Rules that were seen keep their numbers: those with the unknown tag come last.
    assert [unknown in rule for rule in ([names[x] for x in r] for r in grammar.rules)] == [
        *[False] * 3,
        *[True] * 4,
    ]
    ends = {
        (*uppers, names[bottom])
        for uppers, (_, bottom) in zip(grammar.chains, compiled_chains(grammar), strict=True)
    }
    assert ends == {
        *((*root, "NP", tag) for root in ((), (ROOT,)) for tag in ("NN", unknown)),
        (ROOT, "S"),
    }


def test_tags_have_their_own_names():
    """Whoever looks up a tag does not know how labels are escaped."""
    tree = read("(ROOT (NP (@ a) (A|B b) (^ c)))")
    grammar = grammar_of(tree)
    assert {*grammar.tags} == {UNKNOWN_TAG, "@", "A|B", "^"}
    assert len(grammar.head_sides(HEAD_RULES)) == len(grammar.rules)


def test_rows_do_not_change_the_grammar():
    grammar = grammar_of(read(SENTENCE))
    before = grammar.to_dict()
    for text in ("(ROOT (NEW (NN dog)))", "(ROOT (NP (NEW a) (NN dog)))"):
        with pytest.raises(KeyError, match="NEW"):
            rows_of(grammar, read(text))
    assert grammar.to_dict() == before
    # A chain that was not seen is left out.
    rows = rows_of(grammar, read("(ROOT (S (VP (NN dog))))"))
    assert rows == [[0, 1, len(grammar.phrases) + grammar.tags["NN"], NONE]]


@pytest.mark.parametrize(
    ("text", "parent", "left", "right", "is_right"),
    [
        # The English rules: the verb phrase is the head of a clause, the noun that of its phrase.
        ("(ROOT (S (NP (NN a)) (VP (VB b))))", "S", "NP", "VP", True),
        ("(ROOT (NP (DT a) (NN b)))", "NP", "DT", "NN", True),
        ("(ROOT (VP (VB a) (NP (NN b))))", "VP", "VB", "NP", False),
        ("(ROOT (PP (IN a) (NP (NN b))))", "PP", "IN", "NP", False),
        # An intermediate child holds the head, on whichever side it is.
        ("(ROOT (VP (ADVP (RB a)) (VB b) (NP (NN c))))", "VP", "ADVP", "@VP|>", True),
        ("(ROOT (VP (ADVP (RB a)) (VB b) (NP (NN c))))", "@VP|>", "VB", "NP", False),
        ("(ROOT (VP (VB a) (NP (NN b)) (NP (NN c))))", "VP", "@VP|>", "NP", False),
        # It names the side at which it grows: the head is on the other one.
        ("(ROOT (NP (DT a) (JJ b) (NN c)))", "@NP|<", "JJ", "NN", True),
        # A phrase of that name is no intermediate node.
        ("(ROOT (VP (VB a) (@VP (NN b))))", "VP", "VB", r"\@VP", False),
    ],
)
def test_head_sides(text, parent, left, right, is_right):
    grammar = grammar_of(read(text))
    sides = grammar.head_sides(HEAD_RULES)
    assert sides.dtype == np.uint8
    names = grammar.names
    found = {
        tuple(names[x] for x in rule): bool(side)
        for rule, side in zip(grammar.rules.tolist(), sides, strict=True)
    }
    assert found[parent, left, right] is is_right


def test_plain_data():
    treebank = sample_trees()[:50]
    grammar = grammar_of(*treebank)
    data = json.loads(json.dumps(grammar.to_dict()))
    copy = SpanGrammar.from_dict(data)
    assert copy.to_dict() == grammar.to_dict()
    assert (copy.phrases, copy.tags) == (grammar.phrases, grammar.tags)
    assert (copy.rules == grammar.rules).all()
    assert (copy.rule_values() == grammar.rule_values()).all()
    assert (copy.chain_values() == grammar.chain_values()).all()
    for tree in treebank:
        check_round_trip(copy, tree)
        assert not copy.add(copy.binarize(tree, HEAD_RULES))


def test_empty_grammar():
    grammar = SpanGrammar.from_dict(SpanGrammar().to_dict())
    compiled = grammar.compile()
    assert (compiled.n_symbols, compiled.root) == (2, 0)
    assert grammar.rules.shape == (0, 3)
    assert grammar.restore([]) == []
    assert len(grammar.rule_values()) == len(grammar.chain_values()) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"phrases": None},
        {"phrases": []},
        {"phrases": ["NP", ROOT]},
        {"phrases": [ROOT, "NP", "NP"]},
        {"phrases": [ROOT, 1]},
        {"phrases": "ROOT"},
        {"tags": ["NN", "DT"]},
        {"tags": [UNKNOWN_TAG, ["NN"]]},
        {"tags": 3},
        {"rules": [[0, 1]]},
        {"rules": [[0, 1, 1, 1]]},
        {"rules": [[0, 99, 1]]},
        {"rules": [[0, 1, -99]]},
        {"rules": [[0, 1, -1]]},
        {"rules": [[-2, 0, 0]]},
        {"rules": [[0, 1, 1.0]]},
        {"rules": [[0, 1, True]]},
        {"rules": [[0, 1, 1], [0, 1, 1]]},
        {"rules": [3]},
        {"rules": None},
        {"chains": [[]]},
        {"chains": [[0]]},
        {"chains": [[0, 99]]},
        {"chains": [[0, -1]]},
        {"chains": [[-2, 0]]},
        {"chains": [[0, "NP"]]},
        {"chains": [[0, 1], [0, 1]]},
    ],
)
def test_damaged_data_is_refused(change):
    data = grammar_of(read(SENTENCE)).to_dict()
    SpanGrammar.from_dict(data)
    with pytest.raises(ValueError, match="grammar of the parser is damaged"):
        SpanGrammar.from_dict({**data, **change})


@pytest.mark.parametrize("key", ["phrases", "tags", "rules", "chains"])
def test_missing_data_is_refused(key):
    data = grammar_of(read(SENTENCE)).to_dict()
    del data[key]
    with pytest.raises(ValueError, match="grammar of the parser is damaged"):
        SpanGrammar.from_dict(data)


# --- Markovized grammars, and probabilities ---------------------------------------------------

MARKOVIZED = [(1, 1), (2, 0), (2, 1), (2, 2), (3, 1)]


@pytest.mark.parametrize(("vertical", "horizontal"), MARKOVIZED)
def test_markovized_round_trip(vertical: int, horizontal: int):
    grammar = SpanGrammar(vertical, horizontal)
    given = sample_trees()[:40]
    for tree in given:
        grammar.add(grammar.binarize(tree, HEAD_RULES))
    for tree in given:
        check_round_trip(grammar, tree)
    again = SpanGrammar.from_dict(json.loads(json.dumps(grammar.to_dict())))
    assert again.to_dict() == grammar.to_dict()
    assert (again.vertical, again.horizontal) == (vertical, horizontal)


def test_symbols_remember_parents():
    grammar = SpanGrammar(2, 1)
    grammar.add(grammar.binarize(read(SENTENCE), HEAD_RULES))
    assert {"S^ROOT", "NP^S", "VP^S", "@NP^S|<NN|JJ"} <= {*grammar.phrases}


def test_features_see_labels_without_ancestors():
    """Symbols share an outcome if they have one label, and are phrases or grow at one side."""
    grammar = SpanGrammar(2, 1)
    for tree in sample_trees()[:40]:
        grammar.add(grammar.binarize(tree, HEAD_RULES))
    groups: dict[tuple[str, str], set[int]] = {}
    for name, outcome in zip(grammar.phrases, grammar.phrase_outcomes(), strict=True):
        label = name.removeprefix("@").split("|")[0].split("^")[0]
        side = name.split("|")[1][0] if name.startswith("@") else ""
        groups.setdefault((label, side), set()).add(outcome)
    assert {"", "<", ">"} == {side for _, side in groups}
    assert all(len(outcomes) == 1 for outcomes in groups.values())
    assert {*range(len(groups))} == {outcome for (outcome,) in groups.values()}
    assert len(groups) < len(grammar.phrases)
    tops = [tuple(name.split("^")[0] for name in chain) for chain in grammar.chains]
    ends = [end[1] for end in grammar.chain_ends.tolist()]
    bottoms = [name.split("^")[0] for name in (grammar.names[end] for end in ends)]
    by_names = dict(zip(zip(tops, bottoms, strict=True), grammar.chain_outcomes(), strict=True))
    assert [by_names[key] for key in zip(tops, bottoms, strict=True)] == grammar.chain_outcomes()
    assert len({*by_names.values()}) == len(by_names) < len(tops)


def test_features_tell_all_symbols_of_a_plain_grammar_apart():
    grammar = SpanGrammar()
    for tree in sample_trees()[:40]:
        grammar.add(grammar.binarize(tree, HEAD_RULES))
    assert grammar.phrase_outcomes() == [*range(len(grammar.phrases))]
    assert grammar.chain_outcomes() == [*range(len(grammar.chains))]


# A VP is a verb with an NP twice, a verb alone (a chain) once. An NP is a pronoun (a chain) three
# times, a determiner and a noun twice.
COUNTED = [
    "(ROOT (S (NP (PRP we)) (VP (VBD saw) (NP (DT the) (NN dog)))))",
    "(ROOT (S (NP (PRP it)) (VP (VBD saw) (NP (DT a) (NN cat)))))",
    "(ROOT (S (NP (PRP we)) (VP (VBD ran))))",
]


def counted_grammar() -> SpanGrammar:
    grammar = SpanGrammar()
    for text in COUNTED:
        tree = grammar.binarize(read(text), HEAD_RULES)
        grammar.add(tree)
        grammar.count(tree)
    return grammar


def tree_score(grammar: SpanGrammar, text: str) -> float:
    """The sum of the scores of a tree's rules and chains."""
    rules, names = grammar.rules, grammar.names
    scores = grammar._rule_scores(rules).tolist(), grammar._chain_scores().tolist()
    by_rule = dict(zip(map(tuple, rules.tolist()), scores[0], strict=True))
    tops: list[str] = []
    total = 0.0
    for start, end, symbol, chain in rows_of(grammar, read(text)):
        if end - start > 1:
            left, right = (names.index(top) for top in tops[-2:])
            del tops[-2:]
            total += by_rule[symbol, left, right]
        if chain >= 0:
            total += scores[1][chain]
        tops.append(grammar.chains[chain][0] if chain >= 0 else names[symbol])
    return total


def test_relative_frequencies():
    grammar = counted_grammar()
    # ROOT > S and S > NP VP always. NP: 3/5 a pronoun, 2/5 of two words. VP: 2/3 with an NP.
    found = math.exp(tree_score(grammar, COUNTED[0]))
    assert found == pytest.approx(3 / 5 * 2 / 3 * 2 / 5, rel=1e-3)
    found = math.exp(tree_score(grammar, COUNTED[2]))
    assert found == pytest.approx(3 / 5 * 1 / 3, rel=1e-3)
    other = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBD saw) (NP (PRP it)))))"
    found = math.exp(tree_score(grammar, other))
    assert found == pytest.approx(2 / 5 * 2 / 3 * 3 / 5, rel=1e-3)


def test_only_scored_grammars_have_scores():
    grammar = counted_grammar()
    assert grammar.to_dict()["counts"]
    again = SpanGrammar.from_dict(json.loads(json.dumps(grammar.to_dict())))
    assert tree_score(again, COUNTED[0]) == tree_score(grammar, COUNTED[0])
    assert "counts" not in grammar_of(*map(read, COUNTED)).to_dict()


@pytest.mark.parametrize("row", [[0, 1], [1, 10_000], [1, -1, 0, -10_000], [1.5, 1], ["1", 1]])
def test_damaged_counts(row: list):
    data = counted_grammar().to_dict()
    data["counts"].append(row)
    with pytest.raises(ValueError, match=re.escape(Errors.GRAMMAR_DAMAGED)):
        SpanGrammar.from_dict(data)


def test_damaged_orders():
    for name, value in (("vertical", 0), ("horizontal", -1), ("vertical", "2")):
        with pytest.raises(ValueError, match=re.escape(Errors.GRAMMAR_DAMAGED)):
            SpanGrammar.from_dict({**SpanGrammar(2, 1).to_dict(), name: value})
