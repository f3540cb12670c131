"""Scores must be finite, but whatever they are, decoders end, and what they find are trees."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from spacy_perceptron.decode.arcs.nonprojective.decoder import SpanningDecoder
from spacy_perceptron.decode.arcs.parts import Parts
from spacy_perceptron.decode.arcs.projective.decoder import ProjectiveDecoder

DECODERS = {"mst": SpanningDecoder, "eisner": lambda: ProjectiveDecoder(1)}
ODD = [math.nan, math.inf, -math.inf, 3e38, -3e38]


def all_arcs(n_words: int) -> list[tuple[int, int]]:
    pairs = itertools.product(range(n_words + 1), range(1, n_words + 1))
    return [(head, child) for head, child in pairs if head != child]


def make_parts(n_words: int, rng: np.random.Generator, odd: list[float], share: float) -> Parts:
    """All arcs, some with odd scores."""
    arcs = all_arcs(n_words)
    parts = Parts(n_words, [h for h, _ in arcs], [c for _, c in arcs], order=1)
    scores = rng.normal(size=len(arcs))
    is_odd = rng.random(len(arcs)) < share
    scores[is_odd] = rng.choice(odd, is_odd.sum())
    parts.set_scores(arc=scores.astype(np.float32))
    return parts


def is_tree(heads: np.ndarray) -> bool:
    for word in range(1, len(heads) + 1):
        for _ in range(len(heads) + 1):
            word = heads[word - 1] if word else 0
        if word:
            return False
    return int((heads == 0).sum()) == 1


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("odd", [[score] for score in ODD] + [ODD])
@pytest.mark.parametrize("share", [0.2, 0.6, 1.0])
def test_heads_are_those_of_trees(name: str, odd: list[float], share: float):
    rng = np.random.default_rng(0)
    decoder: Any = DECODERS[name]()
    for _ in range(100):
        parts = make_parts(int(rng.integers(1, 7)), rng, odd, share)
        heads, _ = decoder.decode(parts)
        assert (heads == -1).all() or is_tree(heads)
        trees, scores = decoder.nbest(parts, 10)
        assert len(trees) == len(scores) <= 10
        assert all(map(is_tree, trees))
        decoder.marginals(parts)
