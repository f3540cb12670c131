from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from spacy_perceptron.corpus.clusters.embeddings import Embeddings
from spacy_perceptron.corpus.clusters.learning import (
    LearnOptions,
    cluster_embeddings,
    learn_clusters,
)
from spacy_perceptron.corpus.clusters.lists import ClusteredWord, save_clusters

from .hidden_classes import N_CLASSES, WORDS_OF_CLASS, make_text

OPTIONS = LearnOptions(n_clusters=N_CLASSES, dimensions=10)


def purity(words: list[ClusteredWord]) -> float:
    """The share of words whose class is the most common one of their cluster."""
    classes: dict[str, Counter[str]] = {}
    for entry in words:
        classes.setdefault(entry.path, Counter())[entry.word[0]] += 1
    return sum(max(found.values()) for found in classes.values()) / len(words)


def test_hidden_classes_are_found():
    learned = learn_clusters(make_text(1000), OPTIONS)
    assert learned.n_read == 12_000
    assert len(learned.words) == N_CLASSES * WORDS_OF_CLASS
    assert len({entry.path for entry in learned.words}) == N_CLASSES
    # By chance, about a third: the largest of six classes among eight words.
    assert purity(learned.words) > 0.85


def test_counts_are_those_of_the_text():
    text = make_text(300)
    expected = Counter(word for sentence in text for word in sentence)
    learned = learn_clusters(text, LearnOptions(n_clusters=4, min_count=20, dimensions=5))
    found = {entry.word: entry.count for entry in learned.words}
    assert found == {word: n for word, n in expected.items() if n >= 20}


def test_the_same_text_gives_the_same_file(tmp_path: Path):
    for name in ("a.txt.gz", "b.txt.gz"):
        save_clusters(learn_clusters(make_text(200), OPTIONS).words, tmp_path / name)
    assert (tmp_path / "a.txt.gz").read_bytes() == (tmp_path / "b.txt.gz").read_bytes()


def test_too_little_text():
    with pytest.raises(ValueError, match="There are no words to learn from"):
        learn_clusters([], OPTIONS)
    with pytest.raises(ValueError, match="1 different words to make 6 clusters"):
        learn_clusters([["a"] * 4, ["b"]], OPTIONS)
    # Words that stand alone have no context but the boundaries, which is what they are expected to.
    with pytest.raises(ValueError, match="2 clusters can't be made: only 1 of the words"):
        learn_clusters([["a"], ["b"]] * 5, LearnOptions(n_clusters=2))
    with pytest.raises(ValueError, match="`n_clusters` must be 2 or more, not 1"):
        LearnOptions(n_clusters=1)


def test_clusters_of_vectors():
    random = np.random.default_rng(0)
    centres = random.normal(size=(5, 8))
    classes = np.arange(100) % 5
    # A direction that all words share, and that is ten times as long as all others, does no harm.
    vectors = centres[classes] + 0.1 * random.normal(size=(100, 8))
    vectors[:, 0] += 10
    words = [f"{'abcde'[label]}{chr(0x4E00 + i)}" for i, label in enumerate(classes)]
    found = cluster_embeddings(Embeddings(words, vectors), 5)
    assert purity(found) == 1
    assert [entry.count for entry in found if entry.word == words[1]] == [50]
