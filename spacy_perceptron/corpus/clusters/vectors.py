"""Vectors of words that can be compared: short ones from a sparse matrix, or whitened ones.

A matrix of counts is reduced by truncated singular value decomposition to the rows of U S (Levy,
Goldberg & Dagan 2015). Given vectors are whitened: they get the mean 0 and, in all directions, the
variance 1, since a few directions that most words share would make frequent words look alike (Mu &
Viswanath 2018, who remove these directions altogether). All vectors are made as long as 1. Cost:
O(k) products of the matrix with a vector, for k dimensions; O(n k^2) to whiten n vectors.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds
from sklearn.utils.extmath import svd_flip

# Directions with less of the largest variance are rounding errors.
_LEAST_VARIANCE = 1e-6


def reduce_matrix(matrix: sparse.csr_matrix, dimensions: int) -> np.ndarray:
    """Make a short vector of each row.

    matrix (sparse.csr_matrix): The matrix, with at least two rows and columns.
    dimensions (int): Length of the vectors; fewer if the matrix is small.
    RETURNS (np.ndarray): The vectors, of length 1; all zero for rows without values.
    """
    k = min(dimensions, min(matrix.shape) - 1)
    if not matrix.nnz:
        return np.zeros((matrix.shape[0], k), dtype=np.float32)
    # A start of its own, or the solver would take a random one.
    start = np.random.default_rng(0).uniform(-1, 1, min(matrix.shape)).astype(matrix.dtype)
    u, values, v = svds(matrix, k=k, v0=start)
    u, _ = svd_flip(u, v)
    order = np.argsort(-values, kind="stable")
    return normalize_rows(u[:, order] * values[order])


def whiten(vectors: np.ndarray) -> np.ndarray:
    """Give vectors the same variance in all directions.

    vectors (np.ndarray): The vectors.
    RETURNS (np.ndarray): The whitened vectors, of length 1.
    """
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    real = variances > _LEAST_VARIANCE * variances[-1]
    return normalize_rows(centred @ (directions[:, real] / np.sqrt(variances[real])))


def normalize_rows(vectors: np.ndarray) -> np.ndarray:
    """RETURNS (np.ndarray): The vectors with length 1, except those that are all zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
