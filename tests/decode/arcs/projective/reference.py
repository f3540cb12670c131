"""Projective trees in plain Python: all of them, each scored from its parts by their members."""

import functools
import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from spacy_perceptron.decode.arcs.parts import Parts

Heads = tuple[int, ...]
LEFT, RIGHT = 0, 1
SECOND_ORDER = ("arc", "first", "last", "childless", "sibling", "grand")
KINDS = {1: ("arc",), 2: SECOND_ORDER, 3: (*SECOND_ORDER, "grand_sibling")}


def is_tree(heads: Heads) -> bool:
    """Whether all words lead up to the root, without crossing arcs, and the root has one child."""
    if list(heads).count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        seen = set()
        while word != 0:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    # The arc of the root is one among others here: it may not be crossed either.
    arcs = [(min(h, c), max(h, c)) for c, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@functools.cache
def all_trees(n: int) -> list[Heads]:
    """All projective trees of n words. There are 1, 2, 7, 30, 143, 728 of them."""

    def grow(heads: Heads) -> Iterator[Heads]:
        if len(heads) == n:
            if is_tree(heads):
                yield heads
            return
        for head in range(n + 1):
            if head != len(heads) + 1:
                yield from grow((*heads, head))

    return list(grow(()))


def parts_of(heads: Heads) -> Iterator[tuple[str, tuple]]:
    """The kind and the members of all parts of a tree, as `Parts.ids` names them."""
    for child, head in enumerate(heads, 1):
        yield "arc", (head, child)
    for word in range(1, len(heads) + 1):
        upper = (heads[word - 1], word)
        children = [c for c, h in enumerate(heads, 1) if h == word]
        for side in (LEFT, RIGHT):
            # From near to far.
            arcs = [(word, c) for c in children if (c > word) == (side == RIGHT)]
            if side == LEFT:
                arcs.reverse()
            for arc in arcs:
                yield "grand", (upper, arc)
            for inner, outer in itertools.pairwise(arcs):
                yield "sibling", (inner, outer)
                yield "grand_sibling", (upper, inner, outer)
            if arcs:
                yield "first", arcs[0]
                yield "last", arcs[-1]
            else:
                yield "childless", (word, side)


def all_ids(parts: Parts) -> dict[str, dict[tuple, int]]:
    """Kind of part -> members -> id, for all kinds that have scores."""
    ids = parts.ids()
    childless = {(w, side): 2 * w + side for w in range(parts.n_words + 1) for side in (0, 1)}
    if len(parts.get_scores()["childless"]):
        ids |= {"first": ids["arc"], "last": ids["arc"], "childless": childless}
    return ids


class Reference:
    """Scores of parts by their members.

    parts (Parts): Allowed arcs and scores.
    order (int): 1 for arcs alone, 2 without `grand_sibling`, 3 for all.
    """

    def __init__(self, parts: Parts, order: int):
        self.parts = parts
        self.order = order
        scores = parts.get_scores()
        self.scores = {
            kind: {members: float(scores[kind][i]) for members, i in ids.items()}
            for kind, ids in all_ids(parts).items()
            if kind in KINDS[order]
        }

    def score(self, heads: Heads) -> float:
        return sum(
            self.scores[k][members] for k, members in parts_of(heads) if k in KINDS[self.order]
        )

    def trees(self) -> list[tuple[float, Heads]]:
        """All trees over the allowed arcs, best first."""
        arcs = set(self.parts.arcs())
        found = [
            (self.score(heads), heads)
            for heads in all_trees(self.parts.n_words)
            if all((h, c) in arcs for c, h in enumerate(heads, 1))
        ]
        return sorted(found, key=lambda tree: -tree[0])

    def marginals(self, scale: float) -> tuple[np.ndarray, float]:
        """Probability of every arc, and the logarithm of the sum over trees."""
        trees = self.trees()
        logs = np.array([scale * score for score, _ in trees])
        log_z = np.logaddexp.reduce(logs)
        probabilities = np.zeros(len(self.parts.arcs()))
        ids = self.parts.ids()["arc"]
        for log, (_, heads) in zip(logs, trees, strict=True):
            for child, head in enumerate(heads, 1):
                probabilities[ids[head, child]] += np.exp(log - log_z)
        return probabilities, float(log_z)


def make_parts(n: int, arcs: Iterable[tuple[int, int]], order: int) -> Parts:
    arcs = list(arcs)
    return Parts(n, [h for h, _ in arcs], [c for _, c in arcs], order=order)


def all_arcs(n: int) -> list[tuple[int, int]]:
    return [(h, c) for c in range(1, n + 1) for h in range(n + 1) if h != c]


def random_parts(
    rng: np.random.Generator,
    n: int,
    order: int,
    *,
    density: float = 1.0,
    size: int = 0,
) -> Parts:
    """Parts with random scores.

    density (float): Probability of an arc to be allowed.
    size (int): For scores that are integers in -size..size, so that sums are exact and ties are
        real; 0 for normally distributed ones.
    """
    parts = make_parts(n, [arc for arc in all_arcs(n) if rng.random() < density], order)
    parts.set_scores(
        **{
            kind: rng.integers(-size, size + 1, len(old)) if size else rng.normal(size=len(old))
            for kind, old in parts.get_scores().items()
        }
    )
    return parts


def restrict(parts: Parts, arcs: Iterable[tuple[int, int]], order: int) -> Parts:
    """The same scores over fewer arcs."""
    fewer = make_parts(parts.n_words, arcs, order)
    old_scores, old_ids = parts.get_scores(), all_ids(parts)
    new_scores, new_ids = fewer.get_scores(), all_ids(fewer)
    for kind, ids in new_ids.items():
        for members, i in ids.items():
            new_scores[kind][i] = old_scores[kind][old_ids[kind][members]]
    fewer.set_scores(**new_scores)
    return fewer


def near_parts(
    rng: np.random.Generator, n: int, order: int, *, n_heads: float = 5.0, scale: float = 1.0
) -> tuple[Parts, Heads]:
    """Parts as pruning leaves them: the arcs of a tree and a few others, most of them short.

    RETURNS (tuple[Parts, Heads]): The parts, and a tree that they allow.
    """
    tree = random_tree(rng, n)
    arcs = {(h, c) for c, h in enumerate(tree, 1)}
    arcs |= {(0, int(c)) for c in rng.integers(1, n + 1, 3)}
    for child in range(1, n + 1):
        for _ in range(rng.poisson(n_heads - 1)):
            distance = int(rng.integers(1, 11) if rng.random() < 0.95 else rng.integers(1, n + 1))
            head = child + distance * (1 if rng.random() < 0.5 else -1)
            if 1 <= head <= n and head != child:
                arcs.add((head, child))
    parts = make_parts(n, sorted(arcs), order)
    parts.set_scores(
        **{
            kind: scale * rng.normal(size=len(old)).astype(np.float32)
            for kind, old in parts.get_scores().items()
        }
    )
    return parts, tree


def random_tree(rng: np.random.Generator, n: int) -> Heads:
    """A projective tree: some word of a range is its head, and the words on both sides of that one
    are cut up into ranges of their own."""
    heads = [0] * (n + 1)
    ranges = [(1, n + 1, 0)]
    while ranges:
        start, end, head = ranges.pop()
        word = int(rng.integers(start, end))
        heads[word] = head
        for low, high in ((start, word), (word + 1, end)):
            while low < high:
                cut = int(rng.integers(low + 1, high + 1))
                ranges.append((low, cut, word))
                low = cut
    return tuple(heads[1:])
