"""All trees with one child of the root, projective or not, by enumeration."""

import itertools
from functools import cache

import numpy as np

from spacy_perceptron.decode.arcs.parts import Parts

Arc = tuple[int, int]
Heads = tuple[int, ...]


def is_tree(heads: Heads) -> bool:
    """Whether every word's path of heads leads to the root, which has one child."""
    for word in range(1, len(heads) + 1):
        steps = 0
        while word and steps <= len(heads):
            word = heads[word - 1]
            steps += 1
        if word:
            return False
    return heads.count(0) == 1


@cache
def all_trees(n: int) -> list[Heads]:
    return [heads for heads in itertools.product(range(n + 1), repeat=n) if is_tree(heads)]


def all_arcs(n: int) -> list[Arc]:
    return [(h, c) for c in range(1, n + 1) for h in range(n + 1) if h != c]


def make_parts(n: int, scores: dict[Arc, float]) -> Parts:
    parts = Parts(n, [h for h, _ in scores], [c for _, c in scores], order=1)
    parts.set_scores(arc=[scores[arc] for arc in parts.arcs()])
    return parts


def brute_force(n: int, scores: dict[Arc, float]) -> dict[Heads, float]:
    """Score of every tree, best first."""
    arcs_of = {heads: [(h, c) for c, h in enumerate(heads, 1)] for heads in all_trees(n)}
    trees = {
        heads: sum(float(np.float32(scores[arc])) for arc in arcs)
        for heads, arcs in arcs_of.items()
        if all(arc in scores for arc in arcs)
    }
    return dict(sorted(trees.items(), key=lambda item: -item[1]))


def arc_marginals(n: int, scores: dict[Arc, float], scale: float) -> list[float]:
    trees = brute_force(n, scores)
    top = max(trees.values())
    weights = {heads: np.exp(scale * (score - top)) for heads, score in trees.items()}
    total = sum(weights.values())
    return [
        sum(w for heads, w in weights.items() if heads[c - 1] == h) / total
        for h, c in make_parts(n, scores).arcs()
    ]
