"""Rules for lemmas: their texts, and the words that they can be applied to."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.pipeline._edit_tree_internals.edit_trees import EditTrees
from spacy.strings import StringStore

from spacy_perceptron.components._lemmas.rules import (
    CASES,
    IDENTITIES,
    Rules,
    check_rules,
    find_case,
    find_rule,
    in_case,
    read_rule,
)

words = st.text(st.sampled_from("abABé's1"), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("dogs", "dog", 'lower [0,1,null,["s",""]]'),
        ("Dogs", "dog", 'lower [0,1,null,["s",""]]'),
        ("DOGS", "dog", 'lower [0,1,null,["s",""]]'),
        ("Americans", "American", 'keep [0,1,null,["s",""]]'),
        ("LONDON", "London", "title [0,0,null,null]"),
        ("london", "London", "title [0,0,null,null]"),
        ("London", "London", "keep [0,0,null,null]"),
        ("NASA", "NASA", "keep [0,0,null,null]"),
        ("the", "the", "lower [0,0,null,null]"),
        ("The", "the", "lower [0,0,null,null]"),
        ("is", "be", 'lower ["is","be"]'),
        # No case makes the lemma's: the tree replaces everything.
        ("us", "U.S.", 'lower ["us","U.S."]'),
    ],
)
def test_rules_by_hand(form: str, lemma: str, rule: str):
    assert find_rule(form, lemma) == rule


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=5), st.lists(words, max_size=5))
def test_a_rule_gives_its_lemma_and_candidates_are_all_that_apply(pairs, others):
    texts = [*dict.fromkeys([*IDENTITIES, *(find_rule(*pair) for pair in pairs)])]
    rules = Rules(texts)
    for form, lemma in pairs:
        number = rules.numbers[find_rule(form, lemma)]
        assert rules.apply(number, form) == lemma
    forms = [*(form for form, _ in pairs), *others]
    starts, candidates = rules.candidates(forms)
    for form, start, end in zip(forms, starts[:-1], starts[1:], strict=True):
        assert candidates[start:end].tolist() == by_trial(texts, form)


def by_trial(texts: list[str], form: str) -> list[int]:
    """The rules that spaCy's trees can apply to a word. Trees are made anew from their texts, by
    the nodes that spaCy's own constructor gives."""
    found = []
    for number, text in enumerate(texts):
        case, tree = read_rule(text)
        base = in_case(form, case)
        earlier = [in_case(form, other) for other in CASES[: CASES.index(case)]]
        if base not in earlier and apply(tree, base):
            found.append(number)
    return found


def apply(tree: list | None, text: str) -> str | None:
    """A tree applied by its definition; None if that can't be done."""
    if len(tree) == 2:
        return tree[1] if text == tree[0] else None
    before, after, *parts = tree
    if before + after > len(text):
        return None
    ends = (text[:before], text[len(text) - after :])
    done = ["" if part is None else apply(part, end) for part, end in zip(parts, ends, strict=True)]
    if None in done:
        return None
    return done[0] + text[before : len(text) - after] + done[1]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(words, words)
def test_trees_are_those_of_spacy(form: str, lemma: str):
    case, tree = read_rule(find_rule(form, lemma))
    assert case == find_case(form, lemma)
    strings = StringStore()
    trees = EditTrees(strings)
    number = trees.add(in_case(form, case), lemma)
    assert apply(tree, in_case(form, case)) == trees.apply(number, in_case(form, case)) == lemma


def test_long_words_are_replaced_as_a_whole():
    form = "ab" * 5000
    assert find_rule(form, form + "s") == f'lower ["{form}","{form}s"]'
    assert find_rule(form, form) == "lower [0,0,null,null]"
    rules = Rules([*IDENTITIES, find_rule(form, "x")])
    assert rules.candidates([form])[1].tolist() == [0, 2]
    assert rules.apply(2, form) == "x"


def test_no_rule_leaves_nothing():
    rules = Rules([*IDENTITIES, find_rule("dogs", "dog"), 'lower ["a",""]'])
    starts, candidates = rules.candidates(["s", "as", "a"])
    assert starts.tolist() == [0, 1, 3, 4]
    assert candidates.tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NEW-LABEL",
        "lower",
        "upper [0,0,null,null]",
        "lower [0,0,null]",
        "lower [0,1,null,null]",
        "lower [-1,0,null,null]",
        "lower [0,true,null,null]",
        "lower [0, 0, null, null]",
        "lower null",
        'lower ["a"]',
        'lower ["a",1]',
        'lower [0,1000,null,["a",""]]',
        "lower " + "[" * 5000,
    ],
)
def test_texts_that_are_no_rules(text: str):
    with pytest.raises(ValueError, match="is no rule for lemmas"):
        read_rule(text)
    with pytest.raises(ValueError, match="is no rule for lemmas"):
        check_rules([*IDENTITIES, text])


def test_the_rules_that_change_nothing_are_always_there():
    check_rules([])
    check_rules(IDENTITIES)
    with pytest.raises(ValueError, match="lack 'keep"):
        check_rules([IDENTITIES[0]])


def test_a_copy_has_the_same_rules():
    rules = Rules([*IDENTITIES, find_rule("ran", "run")])
    copy = pickle.loads(pickle.dumps(rules))
    assert copy.numbers == rules.numbers
    assert copy.apply(2, "Ran") == "run"
