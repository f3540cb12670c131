"""Probabilities that back off from long contexts to short ones (Witten & Bell 1991)."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence


class Backoff:
    """P(outcome | contexts): relative frequencies in the first context, mixed with those in the
    second, which are mixed with those in the third, and so on. The more outcomes a context was seen
    with, and the more rarely, the less it counts; below the last context, all outcomes are alike.

    strength (float): How much shorter contexts count.
    """

    def __init__(self, strength: float) -> None:
        self.strength = strength
        self._levels: list[dict[Hashable, dict[Hashable, int]]] = []
        self._outcomes: set[Hashable] = set()
        self._totals: list[dict[Hashable, int]] = []

    def add(self, outcome: Hashable, contexts: Sequence[Hashable]) -> None:
        """Count an outcome.

        outcome (Hashable): The outcome.
        contexts (Sequence[Hashable]): Its contexts, the longest first; always as many.
        """
        while len(self._levels) < len(contexts):
            self._levels.append(defaultdict(dict))
            self._totals.append(defaultdict(int))
        self._outcomes.add(outcome)
        for counts, totals, context in zip(self._levels, self._totals, contexts, strict=True):
            seen = counts[context]
            seen[outcome] = seen.get(outcome, 0) + 1
            totals[context] += 1

    def outcomes(self, level: int, context: Hashable) -> list[Hashable]:
        """RETURNS (list[Hashable]): What was seen in a context, in the order of first sight."""
        return list(self._levels[level].get(context, ()))

    def probability(self, outcome: Hashable, contexts: Sequence[Hashable]) -> float:
        """RETURNS (float): The probability of an outcome, above 0."""
        value = 1 / max(1, len(self._outcomes))
        for level in range(len(contexts) - 1, -1, -1):
            seen = self._levels[level].get(contexts[level])
            if seen:
                weight = self.strength * len(seen)
                total = self._totals[level][contexts[level]]
                value = (seen.get(outcome, 0) + weight * value) / (total + weight)
        return value

    def log(self, outcome: Hashable, contexts: Sequence[Hashable]) -> float:
        """RETURNS (float): The logarithm of `probability`."""
        return math.log(self.probability(outcome, contexts))
