import numpy as np
import pytest
from scipy import sparse

from spacy_perceptron.corpus.clusters.vectors import normalize_rows, reduce_matrix, whiten


def test_short_vectors_keep_the_angles_of_a_matrix_of_low_rank():
    random = np.random.default_rng(1)
    full = random.normal(size=(30, 4)) @ random.normal(size=(4, 50))
    full[7] = 0
    found = reduce_matrix(sparse.csr_matrix(full.astype(np.float32)), 4)
    assert found.shape == (30, 4)
    rows = normalize_rows(full)
    np.testing.assert_allclose(found @ found.T, rows @ rows.T, atol=1e-4)
    assert not found[7].any()


def test_small_matrices_have_fewer_dimensions():
    matrix = sparse.csr_matrix(np.eye(5, dtype=np.float32))
    assert reduce_matrix(matrix, 100).shape == (5, 4)


def test_the_same_matrix_gives_the_same_vectors():
    matrix = sparse.random(200, 300, density=0.1, random_state=2, dtype=np.float32, format="csr")
    assert reduce_matrix(matrix, 20).tobytes() == reduce_matrix(matrix, 20).tobytes()


def test_whitened_vectors_vary_alike_in_all_directions():
    random = np.random.default_rng(3)
    vectors = random.normal(size=(4000, 3)) * [10, 1, 0.1] + 5
    # A column that repeats another one is no direction of its own.
    vectors = np.hstack([vectors, vectors[:, :1]])
    found = whiten(vectors)
    assert found.shape == (4000, 3)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    # Points on a ball of radius 1: each of three directions has a third of the variance.
    assert found.T @ found / 4000 == pytest.approx(np.eye(3) / 3, abs=0.02)
