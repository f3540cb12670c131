"""Short vectors of words from a large sparse matrix: truncated singular value decomposition.

The rows of U S^p with p = 0.5, of the largest singular values alone, and of length 1 (Levy,
Goldberg & Dagan 2015). Cost: O(k) products of the matrix with a vector, for k dimensions.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds
from sklearn.utils.extmath import svd_flip

POWER = 0.5


def reduce_matrix(matrix: sparse.csr_matrix, dimensions: int) -> np.ndarray:
    """Make a short vector of each row.

    matrix (sparse.csr_matrix): The matrix.
    dimensions (int): Length of the vectors; fewer if the matrix is small.
    RETURNS (np.ndarray): The vectors, of length 1; all zero for rows without values.
    """
    k = min(dimensions, min(matrix.shape) - 1)
    # A start of its own, or the solver would take a random one.
    start = np.random.default_rng(0).uniform(-1, 1, min(matrix.shape)).astype(matrix.dtype)
    u, values, v = svds(matrix, k=k, v0=start)
    u, _ = svd_flip(u, v)
    order = np.argsort(-values, kind="stable")
    return normalize_rows(u[:, order] * values[order] ** POWER)


def normalize_rows(vectors: np.ndarray) -> np.ndarray:
    """RETURNS (np.ndarray): The vectors with length 1, except those that are all zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
