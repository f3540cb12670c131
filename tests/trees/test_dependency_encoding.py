import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.strings import StringStore

from spacy_perceptron.trees.dependency_encoding import DependencyEncoding


def brackets(trees, strings: StringStore) -> list[str]:
    """The encoded trees as text, written by a recursive reader of the pre-order arrays."""

    def read(place: int) -> tuple[str, int]:
        label = strings[int(trees.labels[place])]
        n = int(trees.n_children[place])
        place += 1
        parts = [label]
        for _ in range(n):
            text, place = read(place)
            parts.append(text)
        return (f"({' '.join(parts)})" if n else label), place

    texts = []
    for start, end in zip(trees.offsets[:-1], trees.offsets[1:], strict=True):
        if start < end:
            text, place = read(int(start))
            assert place == end
            texts.append(text)
    return texts


def encode(heads, deps, tags, tokens, **settings):
    strings = StringStore()
    trees = DependencyEncoding(**settings)([heads], [deps], tags, tokens, strings)
    return brackets(trees, strings)


def test_by_hand():
    """`Dogs` hangs left on `chase`, `cats` right."""
    sentence = (
        [1, 1, 1],
        ["nsubj", "ROOT", "obj"],
        ["NNS", "VBP", "NNS"],
        ["Dogs", "chase", "cats"],
    )
    dogs = "(nsubj (w dogs) (NNS (<NNS STOP) (NNS> STOP)))"
    cats = "(obj (w cats) (NNS (<NNS STOP) (NNS> STOP)))"
    left = f"(<VBP (w chase) {dogs} (<VBP STOP))"
    right = f"(VBP> (w chase) {cats} (VBP> STOP))"
    assert encode(*sentence) == [f"(ROOT (w chase) (VBP {left} {right}))"]


def test_chains_go_outwards():
    """All three hang on the last word: the nearest comes first."""
    (text,) = encode([3, 3, 3, 3], ["a", "b", "c", "ROOT"], list("ABCD"), list("abcd"), words=False)
    positions = [text.index(f"({label} ") for label in "cba"]
    assert positions == sorted(positions)
    assert "(w " not in text


def test_without_labels():
    (text,) = encode([0, 0], ["ROOT", "obj"], ["V", "N"], ["go", "home"], labels=False)
    assert "obj" not in text
    assert text.count("(dep ") == 2


def test_several_roots_and_no_tokens():
    (text,) = encode([0, 1], ["ROOT", "ROOT"], ["A", "B"], ["a", "b"])
    assert text.startswith("(STOP (ROOT ")
    assert text.count("(ROOT ") == 2
    assert encode([], [], [], []) in ([], ["STOP"])


@st.composite
def random_trees(draw):
    n = draw(st.integers(1, 8))
    order = draw(st.permutations(range(n)))
    heads = [0] * n
    for place, token in enumerate(order):
        heads[token] = token if place == 0 else order[draw(st.integers(0, place - 1))]
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    return heads, labels


@given(random_trees(), random_trees(), st.booleans(), st.booleans())
def test_different_trees_differ(first, second, labels: bool, words: bool):
    """The encoding loses nothing: trees over the same words are equal if their codes are."""
    n = min(len(first[0]), len(second[0]))
    if len(first[0]) != n or len(second[0]) != n:
        return
    tags, tokens = [f"T{i}" for i in range(n)], [f"w{i}" for i in range(n)]
    strings = StringStore()
    trees = DependencyEncoding(labels=labels, words=words)(
        [first[0], second[0]], [first[1], second[1]], tags, tokens, strings
    )
    assert len(trees) == 2
    one, other = brackets(trees, strings)
    same = first[0] == second[0] and (not labels or first[1] == second[1])
    assert (one == other) == same


@given(random_trees())
def test_size_is_linear(tree):
    """Per word: label, phrase, two chains with their ends, one link, and the word in two places."""
    heads, labels = tree
    n = len(heads)
    strings = StringStore()
    encoding = DependencyEncoding()
    trees = encoding([heads], [labels], ["T"] * n, ["w"] * n, strings)
    n_arcs = n - 1
    assert len(trees.labels) == n * (1 + 2 + 1 + 4) + n_arcs * 3


def test_a_thousand_words_deep():
    n = 1000
    heads = [max(0, i - 1) for i in range(n)]
    strings = StringStore()
    trees = DependencyEncoding()([heads], [["d"] * n], ["T"] * n, ["w"] * n, strings)
    assert len(trees.labels) == 8 * n + 3 * (n - 1)
    assert trees.labels.dtype == np.uint64


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="zip"):
        DependencyEncoding()([[0]], [["ROOT"]], ["T", "T"], ["w"], StringStore())
