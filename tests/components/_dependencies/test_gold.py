"""What a parser learns from examples, whatever is wrong with their heads."""

import gc
import warnings
from collections.abc import Sequence

import pytest
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.components._dependencies.gold import GoldTrees, read_gold
from spacy_perceptron.components._dependencies.reader import ParseReader

from ...trees.crossing import HEADS, LABELS, LIFTED_HEADS, LIFTED_LABELS, WORDS
from ..docs import VOCAB, make_doc
from .sentences import set_arcs

# Heads of some words of a sentence within it, words from 1 on, 0 for the root, -1 for unknown.
Found = list[tuple[list[int], list[str | None]]]


def make_example(
    text: str,
    heads: Sequence[int | None],
    labels: Sequence[str | None] | None = None,
    *,
    predicted: str | None = None,
) -> Example:
    """Docs as in `make_doc`. The gold one has heads, and labels `x` where there is a head."""
    if labels is None:
        labels = [None if head is None else "x" for head in heads]
    reference = set_arcs(make_doc(text), heads, labels)
    return Example(make_doc(text if predicted is None else predicted), reference)


def make_gold(*, projective: bool = True) -> GoldTrees:
    return GoldTrees(ParseReader(guided=False), projective=projective)


def found(example: Example, *, projective: bool = True) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentences = make_gold(projective=projective)(example)
    assert all(len(s.words) == len(s.heads) == len(s.labels) for s in sentences)
    return [(s.heads.tolist(), s.labels) for s in sentences]


def gold_warnings(gold: GoldTrees, example: Example) -> list[str]:
    """RETURNS (list[str]): Warnings about gold heads."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gold(example)
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if "do not form a tree with one root" in text]


# --- Whole trees ------------------------------------------------------------------------------


def test_trees():
    example = make_example("|a b c |d e", [1, 1, 1, 4, 4], ["x", "r", "y", "z", "r"])
    assert found(example) == [([2, 0, 2], ["x", "r", "y"]), ([2, 0], ["z", "r"])]


def test_whitespace_is_left_out():
    example = make_example(
        "|_ a _ b |_ _ |c _", [1, 3, 1, 3, 4, 4, 6, 6], ["s", "x", "s", "r", "s", "s", "r", "s"]
    )
    assert found(example) == [([2, 0], ["x", "r"]), ([0], ["r"])]


def test_boundaries():
    """Those of the doc to predict on, if it has any; else those of the gold doc."""
    heads, labels = [1, 1, 3, 3], ["x", "r", "y", "r"]
    both = [([2, 0], ["x", "r"]), ([2, 0], ["y", "r"])]
    assert found(make_example("|a b |c d", heads, labels, predicted="a b c d")) == both
    assert found(make_example("|a b |c d", heads, labels, predicted="|a b |c d")) == both
    shifted = make_example("|a b |c d", heads, labels, predicted="|a |b c d")
    # The head of `a` is outside now; `b` and `d` are both roots of the second sentence.
    assert found(shifted) == [([0, 3, -1], ["r", "y", None])]
    one = make_example("|a b c d", [1, 1, 1, 1], ["x", "r", "y", "y"], predicted="a b c d")
    assert found(one) == [([2, 0, 2, 2], ["x", "r", "y", "y"])]


# --- Trees with gaps --------------------------------------------------------------------------


def test_missing_heads_and_labels():
    example = make_example("|a b c d", [1, None, 1, None])
    assert found(example) == [([2, -1, 2, -1], ["x", None, "x", None])]
    # A head without a label is known where it is another token.
    example = make_example("|a b c", [1, 1, 1], ["x", None, None])
    assert found(example) == [([2, -1, 2], ["x", None, None])]


def test_sentences_without_heads_are_left_out():
    example = make_example("|a b |c d |e", [None, None, 3, 3, None])
    assert found(example) == [([2, 0], ["x", "x"])]
    assert found(make_example("|a b", [None, None])) == []
    assert found(make_example("", [])) == []
    assert found(make_example("|_ _", [0, 0])) == []


def test_heads_outside_the_sentence():
    example = make_example("|a b |c d", [3, 1, 1, 3], ["x", "r", "y", "r"])
    assert [heads for heads, _ in found(example)] == [[-1, 0], [-1, 0]]


def test_heads_that_are_whitespace():
    example = make_example("|a _ b", [1, 2, 2], ["x", "s", "r"])
    assert [heads for heads, _ in found(example)] == [[-1, 0]]


# --- What cannot be a tree --------------------------------------------------------------------


def test_of_several_roots_the_first_one_counts():
    example = make_example("|a b c d e", [1, 1, 1, 3, 3], ["x", "r", "y", "r", "z"])
    ((heads, labels),) = found(example)
    assert heads == [2, 0, 2, -1, 4]
    # A label that says `root` is none to learn for a word that will have another head.
    assert labels == ["x", "r", "y", None, "z"]


def test_words_of_cycles_have_no_head():
    # b -> c -> d -> b, and a and e hang on them.
    example = make_example("|a b c d e", [1, 2, 3, 1, 2], ["x", "y", "y", "y", "z"])
    ((heads, _),) = found(example)
    assert heads == [2, -1, -1, -1, 3]
    # Two cycles and a root.
    example = make_example("|a b c d e", [1, 0, 3, 2, 4])
    ((heads, _),) = found(example)
    assert heads == [-1, -1, -1, -1, 0]
    # Two roots and a cycle.
    example = make_example("|a b c d e", [1, 0, 2, 3, 3])
    ((heads, _),) = found(example)
    assert heads == [-1, -1, 0, -1, 4]


@pytest.mark.parametrize(("heads", "reason"), [([0, 1, 1], "several roots"), ([1, 0, 2], "cycles")])
def test_trouble_is_said_once(heads: list[int], reason: str):
    gold = make_gold()
    assert gold_warnings(gold, make_example("|a b c", [1, 1, 1])) == []
    (warning,) = gold_warnings(gold, make_example("|a b c", heads))
    assert f"({reason})" in warning
    assert gold_warnings(gold, make_example("|d e f", heads)) == []


# --- Crossing arcs ----------------------------------------------------------------------------


def numbered(heads: Sequence[int]) -> list[int]:
    return [0 if head == i else head + 1 for i, head in enumerate(heads)]


def test_crossing_arcs_are_lifted():
    text = "|" + " ".join(WORDS)
    example = make_example(text, HEADS, LABELS)
    assert found(example) == [(numbered(LIFTED_HEADS), LIFTED_LABELS)]
    assert found(example, projective=False) == [(numbered(HEADS), LABELS)]


def test_crossing_arcs_over_whitespace_and_sentences():
    text = "|_ a b |_ " + " _ ".join(WORDS)
    places = [4 + 2 * i for i in range(len(WORDS))]
    heads, labels = [1, 1, 1, 4], ["s", "r", "x", "s"]
    for i, (head, label) in enumerate(zip(HEADS, LABELS, strict=True)):
        heads += [places[head], places[i]]
        labels += [label, "s"]
    example = make_example(text, heads[:-1], labels[:-1])
    assert found(example) == [
        ([0, 1], ["r", "x"]),
        (numbered(LIFTED_HEADS), LIFTED_LABELS),
    ]


def test_gold_labels_that_look_lifted():
    with pytest.raises(ValueError, match=r"'x\|\|y' contains '\|\|'"):
        found(make_example("|a b", [1, 1], ["x||y", "r"]))


# --- Other tokens -----------------------------------------------------------------------------


def test_read_gold_of_the_same_tokens():
    example = make_example("|a b c |d", [1, 1, None, 3], ["x", "r", None, "r"])
    assert read_gold(example) == ([1, 1, None, 3], ["x", "r", None, "r"])


def test_read_gold_of_other_tokens():
    """One token for two has no head of its own, and is none of others that would be sure."""
    words, spaces = ["can", "not", "go", "far"], [False, True, True, False]
    reference = Doc(
        VOCAB, words=words, spaces=spaces, heads=[2, 2, 2, 2], deps=["aux", "neg", "ROOT", "adv"]
    )
    predicted = Doc(VOCAB, words=["cannot", "go", "far"], spaces=[True, True, False])
    heads, labels = read_gold(Example(predicted, reference))
    assert heads == [None, 1, 1]
    assert labels[1:] == ["ROOT", "adv"]
    sentences = found(Example(predicted, reference))
    assert [heads for heads, _ in sentences] == [[-1, 0, 2]]


# --- Kept results -----------------------------------------------------------------------------


def test_results_are_kept_until_something_changes():
    gold = make_gold()
    example = make_example("|a b c", [1, 1, 1])
    first = gold(example)
    assert gold(example) is first
    assert gold(Example(make_doc("|a b c"), example.reference)) is first
    example.predicted[0].tag_ = "NN"
    tagged = gold(example)
    assert tagged is not first
    assert tagged[0].words.tokens.tolist() != first[0].words.tokens.tolist()
    set_arcs(example.reference, [0, 0, 0], ["x", "x", "x"])
    assert gold(example)[0].heads.tolist() == [0, 1, 1]
    other = Example(make_doc("|a |b c"), example.reference)
    assert [s.heads.tolist() for s in gold(other)] == [[0]]


def test_results_are_kept_no_longer_than_the_gold_doc():
    gold = make_gold()
    examples = [make_example("|a b c", [1, 1, 1]) for _ in range(3)]
    for example in examples:
        gold(example)
    assert len(gold._prepared) == 3
    del examples, example
    gc.collect()
    assert len(gold._prepared) == 0
