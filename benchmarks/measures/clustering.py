"""How the time and memory of learning clusters grow with the text."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from ..corpora.varied import vary
from ..processes.probe import process_memory
from ..systems.records import Stopwatch

MILLION = 10**6


def clustering_growth(path: Path, n_words: int, n_clusters: int = 1000) -> dict[str, Any]:
    """Learn clusters from so much text; runs in a child process.

    path (Path): raw text, a tokenized sentence a line.
    n_words (int): how many words to read; if there are fewer, they are repeated with variations.
    n_clusters (int): how many clusters to learn.
    RETURNS (dict[str, Any]): words and types of the text, words that have a cluster, CPU seconds,
        and the peak of memory in MiB, with that of the text itself taken off.
    """
    from spacy_perceptron.corpus.clusters.learning import LearnOptions, learn_clusters

    sentences = [line.split() for line in path.read_text(encoding="utf8").splitlines()]
    types = len({*chain.from_iterable(vary(sentences, n_words))})
    before = process_memory()["resident"]
    # The variations are made while learning reads them: their time alone is taken off.
    watch = Stopwatch()
    for _ in vary(sentences, n_words):
        pass
    _, idle = watch.read()
    watch = Stopwatch()
    learned = learn_clusters(vary(sentences, n_words), LearnOptions(n_clusters))
    _, cpu = watch.read()
    return {
        "label": f"{n_words / MILLION:g} million words",
        "words": learned.n_read,
        "types": types,
        "clustered": len(learned.words),
        "cpu": cpu - idle,
        "memory": {"peak": process_memory()["peak"] - before},
    }
