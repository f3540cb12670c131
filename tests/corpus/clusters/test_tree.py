import numpy as np
import pytest

from spacy_perceptron.corpus.clusters.tree import cluster_vectors, group, tree_paths


def test_paths_by_hand():
    # Leaves 0 to 4. Node 5 = (1, 3), node 6 = (0, 5), node 7 = (2, 4), root 8 = (7, 6).
    merges = np.array([[1, 3, 0.1, 2], [0, 5, 0.2, 3], [2, 4, 0.3, 2], [7, 6, 0.9, 5]])
    assert tree_paths(merges) == ["10", "110", "00", "111", "01"]


def test_near_clusters_share_prefixes():
    # Two pairs of neighbouring points, each point twice; Ward joins neighbours first.
    places = [[0, 0], [10, 0], [0, 1], [10, 1]]
    vectors = np.array([*places, *places], dtype=np.float32)
    paths = cluster_vectors(vectors, np.arange(8, 0, -1), 4)
    assert paths[:4] == paths[4:]
    assert len({*paths}) == 4
    assert {len(path) for path in paths} == {2}
    assert paths[0][0] == paths[2][0] != paths[1][0] == paths[3][0]


def test_frequent_words_define_the_clusters():
    # Two words of three clusters' worth of places: with two clusters, the frequent places win.
    vectors = np.array([[0], [6], [2.9]], dtype=np.float32)
    labels, centroids = group(vectors, np.array([10**9, 10**9, 1]), 2)
    assert labels.tolist() == [0, 1, 0]
    # Weights are cube roots: (1000 * 0 + 1 * 2.9) / 1001.
    assert centroids.ravel() == pytest.approx([2.9 / 1001, 6], abs=1e-4)


def test_words_with_the_same_vector_are_one_seed():
    vectors = np.array([[1], [1], [2], [3]], dtype=np.float32)
    labels, _ = group(vectors, np.ones(4), 3)
    assert labels.tolist() == [0, 0, 1, 2]
    with pytest.raises(ValueError, match="4 clusters can't be made: only 3 of the words"):
        group(vectors, np.ones(4), 4)
