"""Clusters of vectors, and a binary tree over them.

Words are clustered by k-means, the tree is made by Ward's linkage of the centroids. Paths from its
root are used as those of Brown clusters (Koo, Carreras & Collins 2008; Turian, Ratinov & Bengio
2010), of which this is a fast substitute. K-means starts at the most frequent words and weighs
words by the cube roots of their counts: frequent words define the clusters, rare ones join them.
Cost: O(n k) distances a pass for n words and k clusters, and O(k^2) for the tree.
"""

import warnings

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from ...errors import Errors

MAX_PASSES = 30


def cluster_vectors(vectors: np.ndarray, counts: np.ndarray, n_clusters: int) -> list[str]:
    """Cluster words.

    vectors (np.ndarray): A vector for each word, the most frequent word first.
    counts (np.ndarray): How often each word occurs.
    n_clusters (int): The number of clusters, at least 2.
    RETURNS (list[str]): The path of each word's cluster.
    """
    labels, centroids = group(vectors, counts, n_clusters)
    paths = tree_paths(linkage(centroids, method="ward"))
    return [paths[label] for label in labels]


def group(
    vectors: np.ndarray, counts: np.ndarray, n_clusters: int
) -> tuple[np.ndarray, np.ndarray]:
    """Group words into clusters without any order.

    vectors (np.ndarray): A vector for each word, the most frequent word first.
    counts (np.ndarray): How often each word occurs.
    n_clusters (int): The number of clusters.
    RETURNS (tuple[np.ndarray, np.ndarray]): The cluster of each word, and the centroids.
    """
    seeds = np.sort(np.unique(vectors, axis=0, return_index=True)[1])[:n_clusters]
    if len(seeds) < n_clusters:
        raise ValueError(Errors.CLUSTERS_ALIKE.format(n=len(seeds), n_clusters=n_clusters))
    means = KMeans(n_clusters, init=vectors[seeds], n_init=1, max_iter=MAX_PASSES, random_state=0)
    with warnings.catch_warnings():
        # Of identical vectors at the edge of the precision.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = means.fit_predict(vectors, sample_weight=np.cbrt(counts))
    return labels, means.cluster_centers_


def tree_paths(merges: np.ndarray) -> list[str]:
    """The ways from the root of a tree to its leaves.

    merges (np.ndarray): Rows as `scipy.cluster.hierarchy.linkage` returns them: each merges the two
        nodes whose numbers come first, and becomes a node itself. Leaves have the first numbers.
    RETURNS (list[str]): The path of each leaf: 0 for the first node of a merge, 1 for the second.
    """
    n_leaves = len(merges) + 1
    paths = [""] * (2 * n_leaves - 1)
    for i in reversed(range(len(merges))):
        first, second = int(merges[i, 0]), int(merges[i, 1])
        paths[first] = paths[n_leaves + i] + "0"
        paths[second] = paths[n_leaves + i] + "1"
    return paths[:n_leaves]
