"""Trees of a binary grammar in plain Python: all of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spacy_perceptron.decode.constituents.chart.grammar import Grammar
from spacy_perceptron.decode.constituents.chart.parsing import ChartParsing
from spacy_perceptron.decode.constituents.chart.pruner import CoarsePruner
from spacy_perceptron.decode.constituents.chart.sentence import TaggedWords

ROOT = 0
# Start, end, symbol, number of the unary rule or -1; children first.
Row = tuple[int, int, int, int]
Rows = tuple[Row, ...]
# A symbol over a span with its score and its rows.
Built = tuple[int, float, Rows]


@dataclass
class World:
    """A grammar and a sentence.

    n_symbols (int): The number of symbols; the first is the root.
    binary (dict): Scores of (parent, left, right).
    unary (list): Parent, child and score.
    words (list): For each word its symbols with scores.
    """

    n_symbols: int
    binary: dict[tuple[int, int, int], float]
    unary: list[tuple[int, int, float]]
    words: list[dict[int, float]]

    def grammar(self) -> Grammar:
        return Grammar(
            self.n_symbols,
            ROOT,
            list(self.binary),
            list(self.binary.values()),
            [rule[:2] for rule in self.unary],
            [rule[2] for rule in self.unary],
        )

    def tagged_words(self) -> TaggedWords:
        starts = np.cumsum([0, *(len(word) for word in self.words)])
        pairs = [pair for word in self.words for pair in word.items()]
        return TaggedWords(starts, [symbol for symbol, _ in pairs], [score for _, score in pairs])

    def parsing(self, threshold: float = 1e6, **settings) -> ChartParsing:
        """A parser in which each symbol is a class of its own."""
        pruner = CoarsePruner(self.grammar())
        classes = np.arange(self.n_symbols)
        return ChartParsing(self.grammar(), pruner, classes, threshold=threshold, **settings)

    @cached_property
    def trees(self) -> list[tuple[float, Rows]]:
        """Scores and rows of all trees, best first."""
        self._made: dict[tuple[int, int], list[Built]] = {}
        built = self._top(0, len(self.words)) if self.words else []
        found = [(score, rows) for symbol, score, rows in built if symbol == ROOT]
        return sorted(found, key=lambda tree: -tree[0])

    def _top(self, start: int, end: int) -> list[Built]:
        if (start, end) not in self._made:
            self._made[start, end] = self._make_top(start, end)
        return self._made[start, end]

    def _make_top(self, start: int, end: int) -> list[Built]:
        found = bottom = self._bottom(start, end)
        for u, (parent, child, price) in enumerate(self.unary):
            found = found + [
                (parent, score + price, (*rows, (start, end, parent, u)))
                for symbol, score, rows in bottom
                if symbol == child
            ]
        return found

    def _bottom(self, start: int, end: int) -> list[Built]:
        if end == start + 1:
            return [(t, score, ((start, end, t, -1),)) for t, score in self.words[start].items()]
        return [
            (parent, price + s1 + s2, (*rows1, *rows2, (start, end, parent, -1)))
            for split in range(start + 1, end)
            for left, s1, rows1 in self._top(start, split)
            for right, s2, rows2 in self._top(split, end)
            for (parent, first, second), price in self.binary.items()
            if (first, second) == (left, right)
        ]


def random_world(seed: int, n: int, *, size: int = 0, density: float = 0.2) -> World:
    """A small grammar and a sentence of n words.

    size (int): For scores that are integers in -size..size, so that sums are exact and ties are
        real; 0 for normally distributed ones.
    density (float): The share of all binary rules that the grammar has.
    """
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 4))

    def score() -> float:
        return float(rng.integers(-size, size + 1)) if size else float(np.float32(rng.normal()))

    rules = [(a, b, c) for a in range(m) for b in range(m) for c in range(m)]
    binary = {rule: score() for rule in rules if rng.random() < density}
    # Rules from a symbol to itself and repeated ones are chains with other symbols between them.
    ends = [tuple(rng.integers(0, m, 2).tolist()) for _ in range(int(rng.integers(0, 4)))]
    words = [{t: score() for t in range(m) if rng.random() < 0.5} for _ in range(n)]
    return World(m, binary, [(a, b, score()) for a, b in ends], words)
