"""Damaged states of kernel perceptrons are refused with a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spacy_perceptron.learn.kernels.perceptron import KernelPerceptron
from spacy_perceptron.learn.kernels.settings import KernelSettings

from .reference import make_sequences, make_trees

TREE = KernelSettings("subset_tree", decay=0.5, base_weight=1.0, normalize=False)
TAGGING = KernelSettings("tagging", decay=0.5, base_weight=1.0, normalize=False)


@pytest.fixture
def state() -> dict[str, np.ndarray]:
    """Two mistakes on trees; S above NP or VP above a word."""
    model = KernelPerceptron(TREE)
    for target, word in ((1, 4), (0, 5)):
        trees = make_trees([(1, [(2, [(word, [])])]), (1, [(3, [(word, [])])])])
        assert model.learn(trees, [0.0, 0.5], target)
    return model.state()


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("weights", None, "`weights` is missing"),
        ("weights", np.zeros(3, np.float32), "`weights` is missing or of another type"),
        ("weights", np.zeros(3), "`weights` has 3 numbers, not 8"),
        ("weights", np.full(8, np.nan), "not finite"),
        ("weights", np.full(8, 7.0), "`weights` are wrong"),
        ("sums", np.full(8, 7.0), "`sums` are wrong"),
        ("words", np.zeros(8, np.uint64), "`words` has 8 numbers, not 0"),
        ("n_children", np.full(8, -1, np.int32), "do not add up"),
        ("n_children", np.full(8, 1, np.int32), "do not add up"),
        ("children", np.full(4, 8), "not there"),
        ("children", np.full(4, -1), "not there"),
        ("entry_nodes", np.full(8, 99), "not there"),
        ("identities", np.zeros(8, np.uint64), "a node is there twice"),
        ("group_ids", np.zeros(8, np.uint64), "two lengths"),
        ("examples", np.array([2, 1]), "not in order"),
        ("examples", np.array([0, 1]), "not in order"),
        ("counters", None, "`counters` is missing"),
        ("counters", np.array([0, 0, 0, 1, 2, 0]), "counters are wrong"),
        ("counters", np.array([0, 0, 0, 2, 1, 0]), "counters are wrong"),
        ("counters", np.array([0, 0, 0, 2, 2, 1]), "counters are wrong"),
        ("counters", np.array([0, 0, 0, 2, 2, -1]), "counters are wrong"),
        ("base", np.zeros(3), "`base` is missing"),
        ("base", np.array([np.inf, 0]), "`base` is not finite"),
    ],
)
def test_damaged(state: dict[str, np.ndarray], name: str, value: Any, why: str):
    assert KernelPerceptron.from_state(TREE, state).n_nodes == 8
    damaged = {key: array for key, array in state.items() if key != name}
    if value is not None:
        damaged[name] = value
    with pytest.raises(ValueError, match=why):
        KernelPerceptron.from_state(TREE, damaged)


def test_a_graph_with_a_circle(state: dict[str, np.ndarray]):
    """A node below itself, or two nodes below each other."""
    parents = np.flatnonzero(state["n_children"])
    assert (state["n_children"][parents] == 1).all()
    for children in (parents, parents[[1, 0, 3, 2]]):
        with pytest.raises(ValueError, match="a node is below itself"):
            KernelPerceptron.from_state(TREE, {**state, "children": children.astype(np.int64)})
    # Several nodes may be above one that is above nothing.
    leaf = np.flatnonzero(state["n_children"] == 0)[:1].astype(np.int64)
    KernelPerceptron.from_state(TREE, {**state, "children": np.repeat(leaf, 4)})


@pytest.mark.parametrize("other", [TAGGING, replace(TREE, normalize=True)])
def test_other_settings(state: dict[str, np.ndarray], other: KernelSettings):
    with pytest.raises(ValueError, match="another kernel"):
        KernelPerceptron.from_state(other, state)


def test_other_length():
    model = KernelPerceptron(TAGGING)
    model.learn(make_sequences([[(1, 1, 1)], [(2, 1, 1)]]), [0.0, 0.0], 1)
    with pytest.raises(ValueError, match="another kernel"):
        KernelPerceptron.from_state(replace(TAGGING, max_length=2), model.state())
    damaged = {**model.state(), "n_children": np.array([2, 0], np.int32)}
    with pytest.raises(ValueError, match="more than one next word"):
        KernelPerceptron.from_state(TAGGING, damaged)
