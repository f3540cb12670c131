"""Word clusters from raw text: count contexts, make vectors, cluster them, build the tree.

A fast substitute for Brown clusters. Brown et al. (1992) merge clusters so that a bigram model of
classes loses least; here words are compared by the words around them (Schütze 1995), with the
weights of Levy, Goldberg & Dagan (2015). Three million words take seconds instead of hours, and the
time grows in proportion to the text. The same text gives the same clusters.
"""

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ...errors import Errors
from ...values import Values
from .cooccurrence import count_contexts, positive_information, rank_words
from .embeddings import Embeddings
from .encoding import encode
from .lists import ClusteredWord, in_order, rank_counts
from .texts import Words
from .tree import cluster_vectors
from .vectors import reduce_matrix, whiten

OFFSETS = (-2, -1, 1, 2)
N_CONTEXTS = 3000


@dataclass(frozen=True)
class LearnOptions:
    """Options of learning.

    n_clusters (int): Number of clusters.
    min_count (int): How often a word has to occur.
    dimensions (int): Length of the vectors that are clustered.
    """

    n_clusters: int = 1000
    min_count: int = 4
    dimensions: int = 100

    def __post_init__(self) -> None:
        Values(int, at_least=2).check("n_clusters", self.n_clusters)
        Values(int, at_least=1).check("min_count", self.min_count)
        Values(int, at_least=1).check("dimensions", self.dimensions)


@dataclass
class LearnedClusters:
    """What was learned.

    words (list[ClusteredWord]): The words and their clusters.
    n_read (int): How many words were read.
    """

    words: list[ClusteredWord]
    n_read: int


def learn_clusters(
    sentences: Iterable[Words],
    options: LearnOptions,
    report: Callable[[str], None] = lambda text: None,
) -> LearnedClusters:
    """Learn clusters from text.

    sentences (Iterable[Words]): The words of each sentence. They are read once.
    options (LearnOptions): The options.
    report (Callable[[str], None]): Told what is being done.
    RETURNS (LearnedClusters): The clusters.
    """
    with tempfile.TemporaryFile() as file:
        text = encode(sentences, file, window=max(OFFSETS))
        ranked = rank_words(text, options.min_count)
        n_words = len(ranked.words)
        if len(text.words) == 1:
            raise ValueError(Errors.CLUSTERS_NO_TEXT)
        if n_words < options.n_clusters:
            raise ValueError(
                Errors.CLUSTERS_TOO_FEW.format(n_words=n_words, n_clusters=options.n_clusters)
            )
        report(f"Counting the contexts of {n_words:,} words")
        counts = count_contexts(text, ranked, offsets=OFFSETS, n_contexts=N_CONTEXTS)
    report(f"Making vectors of {options.dimensions:,} dimensions")
    vectors = reduce_matrix(positive_information(counts), options.dimensions)
    report(f"Making {options.n_clusters:,} clusters")
    paths = cluster_vectors(vectors, ranked.counts, options.n_clusters)
    words = in_order(ranked.words, paths, ranked.counts.tolist())
    return LearnedClusters(words, int(text.counts.sum()))


def cluster_embeddings(embeddings: Embeddings, n_clusters: int) -> list[ClusteredWord]:
    """Make clusters of given vectors.

    embeddings (Embeddings): The words and their vectors, frequent words first.
    n_clusters (int): Number of clusters.
    RETURNS (list[ClusteredWord]): The words and their clusters. Counts follow from the ranks.
    """
    Values(int, at_least=2).check("n_clusters", n_clusters)
    counts = rank_counts(len(embeddings.words))
    paths = cluster_vectors(whiten(embeddings.vectors), np.array(counts), n_clusters)
    return in_order(embeddings.words, paths, counts)
