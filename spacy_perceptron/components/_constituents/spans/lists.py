"""The k best different trees, from the best derivations: one tree can be binarized, and its words
tagged, in several ways."""

from collections.abc import Callable, Sequence

import numpy as np

from ..writer import Phrases
from .symbols import SpanSymbols

# How many derivations to look at for a list of k trees: at first, and at most.
FIRST, MOST = 4, 64
# Longer lists of derivations take too much memory.
MAX_DERIVATIONS = 20_000

Derivation = tuple[float, np.ndarray]


def n_derivations(k: int) -> int:
    """RETURNS (int): How many derivations to ask for at first.

    k (int): How many trees to list.
    """
    return min(FIRST * k, max(k, MAX_DERIVATIONS))


def list_trees(
    listed: Sequence[Derivation],
    symbols: SpanSymbols,
    k: int,
    find_more: Callable[[int], Sequence[Derivation]],
) -> list[tuple[float, Phrases]]:
    """The best different trees of a sentence.

    listed (Sequence[Derivation]): The best derivations, as many as `n_derivations` says.
    symbols (SpanSymbols): What their numbers mean.
    k (int): How many trees to list.
    find_more (Callable): Finds a number of derivations.
    RETURNS (list[tuple[float, Phrases]]): At most k trees, each with the score of its best
        derivation, best first.
    """
    asked, most = n_derivations(k), max(n_derivations(k), min(MOST * k, MAX_DERIVATIONS))
    while True:
        trees: dict[bytes, tuple[float, Phrases]] = {}
        for score, rows in listed:
            phrases, _ = symbols.phrases(rows)
            trees.setdefault(np.stack(phrases).tobytes(), (score, phrases))
        if len(trees) >= k or len(listed) < asked or asked >= most:
            return [*trees.values()][:k]
        asked = min(2 * asked, most)
        listed = find_more(asked)
