"""Kernels of pairs against enumerated fragments."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.kernels.pairwise import inverse_norms, kernel_matrix
from spacy_perceptron.learn.kernels.settings import KernelSettings
from spacy_perceptron.learn.kernels.structures import Sequences, Trees

from .reference import explicit_kernel, make_sequences, make_structures, make_trees
from .strategies import kernel_settings, structures

TREE = KernelSettings("subset_tree", decay=0.5, base_weight=0.0, normalize=False)
TAGGING = KernelSettings("tagging", decay=0.5, base_weight=0.0, normalize=False)
SMOOTHED = KernelSettings("smoothed_tagging", decay=0.5, base_weight=0.0, normalize=False)
S, NP, D, N, THE, MAN, DOG = range(1, 8)


def noun_phrase(word: int) -> Any:
    return (NP, [(D, [(THE, [])]), (N, [(word, [])])])


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_fragments(data: st.DataObject):
    how = data.draw(kernel_settings())
    first, second = (data.draw(st.lists(structures(how), max_size=3)) for _ in range(2))
    expected = [[explicit_kernel(how, x, y) for y in second] for x in first]
    found = kernel_matrix(how, make_structures(how, first), make_structures(how, second))
    assert found.shape == (len(first), len(second))
    np.testing.assert_allclose(found, np.reshape(expected, found.shape), rtol=1e-12)


def test_tree_kernel_by_hand():
    """The paper's "the man": 6 fragments. With "the dog" it shares D -> the and NP -> D N alone or
    with D -> the: 0.5 + 0.5 + 0.25. With itself also N -> man, NP -> D N with it, and the whole:
    0.5 + 0.25 + 0.125 more."""
    found = kernel_matrix(TREE, *[make_trees([noun_phrase(MAN), noun_phrase(DOG)])] * 2)
    np.testing.assert_array_equal(found, [[2.125, 1.25], [1.25, 2.125]])


def test_leaf_is_not_a_phrase():
    """A word with the id of a label makes another production than a phrase with that label."""
    word, phrase = (S, [(NP, [])]), (S, [(NP, [(MAN, [])])])
    found = kernel_matrix(TREE, make_trees([word]), make_trees([word, phrase]))
    np.testing.assert_array_equal(found, [[0.5, 0.0]])


def test_tagging_kernel_by_hand():
    """Last words: tags agree, words differ: 1. First words agree: 2 + 2 * 0.5 * 1 = 3; smoothed
    with the shapes of both pairs alike: 1.5 and 2 * (1 + 0.5 * 1.5) = 3.5. Other tags differ."""
    x, y = [[(1, 1, 1), (2, 2, 1)]], [[(1, 1, 1), (2, 3, 1)]]
    assert kernel_matrix(TAGGING, make_sequences(x), make_sequences(y)) == 4.0
    assert kernel_matrix(SMOOTHED, make_sequences(x), make_sequences(y)) == 5.0


def test_normalized():
    how = KernelSettings("subset_tree", decay=0.5, base_weight=0.0, normalize=True)
    trees = make_trees([noun_phrase(MAN), noun_phrase(DOG), ()])
    expected = [[1, 1.25 / 2.125, 0], [1.25 / 2.125, 1, 0], [0, 0, 0]]
    np.testing.assert_allclose(kernel_matrix(how, trees, trees), expected, rtol=1e-15)
    np.testing.assert_allclose(inverse_norms(how, trees), [2.125**-0.5, 2.125**-0.5, 0])


def chain(n: int) -> Trees:
    """A tree of n nodes below each other, all with one label, and a word."""
    offsets = np.array([0, n + 1])
    return Trees(np.full(n + 1, S, np.uint64), np.array([1] * n + [0], np.int32), offsets)


def test_deep_chain():
    """With decay 1, by heights: the lowest phrase has a word below it, so its production matches
    the other chain's lowest alone, with C = 1. All others match: 1 + C of their children, which is
    0 where just one of these is a lowest phrase."""
    how = KernelSettings("subset_tree", decay=1.0, base_weight=0.0, normalize=False)

    def brute(n: int, m: int) -> float:
        values = np.zeros((n + 1, m + 1))
        values[1, 1] = 1
        for i in range(2, n + 1):
            values[i, 2:] = 1 + values[i - 1, 1:-1]
        return values.sum()

    assert kernel_matrix(how, chain(50), chain(30)) == brute(50, 30)
    assert kernel_matrix(how, chain(10_000), chain(100)) == brute(10_000, 100)
    assert kernel_matrix(how, chain(100), chain(10_000)) == brute(10_000, 100)


@pytest.mark.parametrize("max_length", [0, 3])
def test_long_sequence(max_length: int):
    """All tags and words alike, decay 1: a pair with k words to go has 2 + 2 * C of the next."""
    n, m = 5_000, 60
    how = KernelSettings("tagging", 1.0, 0.0, False, max_length=max_length)
    value = {0: 0.0}
    for k in range(1, m + 1):
        value[k] = 2 + 2 * value[k - 1]
    cut = max_length or m
    expected = sum(value[min(n - i, m - j, cut)] for i in range(n) for j in range(m))
    one = np.ones(n, np.uint64)
    long = Sequences(one, one, one, np.array([0, n]))
    short = Sequences(one[:m], one[:m], one[:m], np.array([0, m]))
    np.testing.assert_allclose(kernel_matrix(how, long, short), expected, rtol=1e-12)


def test_gil_released():
    """Another thread runs Python while a kernel is computed. Threads are never made to give way
    here, so if the kernel kept the lock, the loop below would start after it."""
    how = KernelSettings("subset_tree", decay=1.0, base_weight=0.0, normalize=False)
    tree = chain(10_000)
    started, finished = threading.Event(), threading.Event()

    def compute() -> None:
        started.set()
        kernel_matrix(how, tree, tree)
        finished.set()

    thread = threading.Thread(target=compute)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1_000)
    try:
        thread.start()
        started.wait()
        n_steps = 0
        while not finished.is_set():
            time.sleep(0)
            n_steps += 1
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert n_steps > 5_000


@pytest.mark.parametrize(
    ("how", "structures", "message"),
    [
        (TREE, make_sequences([[(1, 1, 1)]]), "compares Trees, not Sequences"),
        (TAGGING, make_trees([noun_phrase(MAN)]), "compares Sequences, not Trees"),
        (TAGGING, [1, 2], "compares Sequences, not list"),
    ],
)
def test_wrong_structures(how: KernelSettings, structures: Any, message: str):
    with pytest.raises(ValueError, match=message):
        kernel_matrix(how, structures, structures)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"kind": "string"},
            "`kernel` must be 'subset_tree', 'tagging' or 'smoothed_tagging', not 'string'",
        ),
        ({"decay": 0.0}, "`decay` must be above 0 and at most 1, not 0.0"),
        ({"decay": 1.5}, "`decay` must be above 0 and at most 1, not 1.5"),
        ({"decay": float("nan")}, "`decay`"),
        ({"base_weight": -1.0}, "`base_weight` must be 0 or more, not -1.0"),
        ({"base_weight": float("inf")}, "`base_weight`"),
        ({"max_length": 2}, "`max_length = 2` .* tagging kernels"),
        ({"kind": "tagging", "max_length": -1}, "`max_length` must be 0 or more, not -1"),
    ],
)
def test_wrong_settings(change: dict[str, Any], message: str):
    given = {"kind": "subset_tree", "decay": 0.5, "base_weight": 0.0, "normalize": False}
    with pytest.raises(ValueError, match=message):
        KernelSettings(**{**given, **change})
