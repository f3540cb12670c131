"""Kernels: plain references and figures."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from benchmarks.corpora.candidates import candidate_list, tree_arrays
from benchmarks.kernels import make_sections
from benchmarks.measures.kernels import (
    KERNEL_ONLY,
    QUICK,
    SETTINGS,
    collect_supports,
    growth,
    pair_speeds,
    support_speed,
)
from benchmarks.measures.references import full_table_kernel, list_scores
from spacy_perceptron.learn.kernels.pairwise import kernel_matrix
from spacy_perceptron.trees.tree import Tree


def test_references(trees: list[Tree]):
    arrays = tree_arrays(trees[:4])
    expected = kernel_matrix(KERNEL_ONLY, arrays, arrays)
    for i in range(4):
        for j in range(4):
            x, y = arrays.select([i]), arrays.select([j])
            assert full_table_kernel(x, y, SETTINGS.decay) == pytest.approx(expected[i, j])
    scores = list_scores(KERNEL_ONLY, arrays.select([0, 1]), arrays)
    np.testing.assert_allclose(scores, expected[0] - expected[1])


def test_figures(trees: list[Tree]):
    rng = Random(3)
    lists = [candidate_list(tree, 5, rng) for tree in trees]
    model, supports = collect_supports(lists[5:], 10)
    assert len(supports) == 2 * model.n_mistakes == 10
    result = support_speed(lists[5:], lists[:5], 10, 1)
    assert result["difference"] < 1e-9
    assert result["graph_nodes"] == model.n_nodes
    assert result["list_nodes"] > result["graph_nodes"]
    rows = growth(lists, (10, 20))
    assert [row["n_sentences"] for row in rows] == [10, 20]
    assert rows[0]["n_mistakes"] <= rows[1]["n_mistakes"]
    plain, fast = pair_speeds(tree_arrays(trees), QUICK)
    assert plain["ratio"] == 1
    assert fast["ratio"] > 10
    data = {"scale": {"n_candidates": 5}, "supports": [result], "growth": rows}
    cells = [c.cell(r) for s in make_sections(data) for r in s.results for c in s.columns]
    assert all(cells)
