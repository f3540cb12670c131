"""What the numbers of an incremental search mean."""

from collections.abc import Sequence

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from ....features.string_ids import string_id
from ....trees.incremental_grammar import UNKNOWN_TAG, IncrementalGrammar
from ..writer import Phrases


class Symbols:
    """What the numbers of the search mean: those of tags, and of the phrases that make up a tree.

    grammar (IncrementalGrammar): The grammar.
    labels (Sequence[str]): What the grammar calls the labels of phrases, in the order of their
        numbers.
    """

    def __init__(self, grammar: IncrementalGrammar, labels: Sequence[str]):
        self._grammar = grammar
        numbers = {label: number for number, label in enumerate(labels)}
        self.names = [*grammar.phrases, *grammar.tags]
        known = [[numbers.get(x, -1) for x in grammar.labels(s)] for s in grammar.phrases]
        self._labels = np.array([number for labels in known for number in labels], np.int32)
        self._sizes = np.array([len(labels) for labels in known])
        self._firsts = np.cumsum(self._sizes) - self._sizes
        # Nodes of transformed trees are no phrases, but parts of them.
        self.labels = known if grammar.wraps else None
        self._numbers = numbers
        first = len(grammar.phrases)
        self._tags = {string_id(tag): first + i for tag, i in grammar.tags.items()}
        self._default = first + grammar.tags[UNKNOWN_TAG]

    def values(self) -> np.ndarray:
        """RETURNS (uint64 array): A value per symbol that does not depend on its number."""
        n_phrases = len(self._grammar.phrases)
        kinds = ["phrase"] * n_phrases + ["tag"] * (len(self.names) - n_phrases)
        texts = [f"{kind} {name}" for kind, name in zip(kinds, self.names, strict=True)]
        return np.array([hash_string(text) for text in texts], np.uint64)

    def tags(self, hashes: np.ndarray) -> np.ndarray:
        """Numbers of tags.

        hashes (uint64 array): The tags.
        RETURNS (int32 array): Their symbols.
        """
        get, default = self._tags.get, self._default
        return np.array([get(tag, default) for tag in hashes.tolist()], np.int32)

    def phrases(self, rows: np.ndarray, n_words: int) -> tuple[Phrases, np.ndarray]:
        """The phrases that a tree of symbols stands for.

        rows (int32 array): Symbol, start and end of each node, in pre-order.
        n_words (int): The number of words.
        RETURNS (tuple): The phrases, and for each the number of its confidence.
        """
        if self._grammar.wraps:
            sizes = self._sizes[rows[:, 0]]
            origin = np.repeat(np.arange(len(rows)), sizes)
            within = np.arange(len(origin)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            labels = self._labels[self._firsts[rows[origin, 0]] + within]
            return Phrases(labels, rows[origin, 1], rows[origin, 2]), np.arange(len(origin))
        nodes = [(self.names[symbol], start, end) for symbol, start, end in rows.tolist()]
        found = self._grammar.restore(nodes, n_words)
        # A phrase that the transform has cut in pieces is as sure as the node that ends with it.
        ends = {(start, end): i for i, (_, start, end) in reversed([*enumerate(rows.tolist())])}
        last = {end: i for i, (_, _, end) in enumerate(rows.tolist())}
        columns = np.array([(self._numbers[x], s, e) for x, s, e in found], np.int32)
        origin = np.array([ends.get((s, e), last.get(e, 0)) for _, s, e in found], int)
        return Phrases(*columns.reshape(-1, 3).T), origin
