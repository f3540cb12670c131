"""The fragments that decide between two candidates of a kernel perceptron.

A kernel perceptron has a weight for every fragment, though none is written down: the sum of the
weights of the support nodes at which the fragment starts. What a fragment adds to the difference of
two candidates' scores is this weight, times the difference of how often they have it, times what
the kernel counts for its size.

The fragments with the largest parts are found best first: a fragment grows in pre-order, so that
each comes up once, together with all nodes of the candidates and of the support at which it starts.
Growing it can only make these fewer and its size larger, so the larger of its positive and negative
sums bounds the parts of all larger fragments. The search is exact unless it reaches its limit of
steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush, heappushpop
from itertools import count

import numpy as np

from .fragments import Fragment, Steps, write_fragment
from .nodes import node_arrays
from .settings import KernelSettings
from .structures import Sequences, Structures

MAX_STEPS = 20_000
NOWHERE = -1


@dataclass(frozen=True)
class Nodes:
    """Nodes of the candidates or of the support, and the weights with which fragments start there.

    groups (uint64 array): Their groups.
    first_children (int64 array): Where the children of each start in `children`.
    children (int64 array): The numbers of all children.
    words (uint64 array): Their words; empty for trees.
    shapes (uint64 array): Their words' shapes; empty for trees.
    weights (float64 array): Their weights.
    """

    groups: np.ndarray
    first_children: np.ndarray
    children: np.ndarray
    words: np.ndarray
    shapes: np.ndarray
    weights: np.ndarray


def support_nodes(state: dict[str, np.ndarray], scale: float, sum_scale: float) -> Nodes:
    """The nodes of a model.

    state (dict[str, np.ndarray]): What `support_state` returned.
    scale (float): The factor of their weights.
    sum_scale (float): The factor of the sums that are taken off.
    RETURNS (Nodes): The nodes.
    """
    weights = scale * state["weights"] - sum_scale * state["sums"]
    first = _first_children(state)
    groups, words, shapes = state["group_ids"], state["words"], state["shapes"]
    return Nodes(groups, first, state["children"], words, shapes, weights)


def _pair_nodes(
    settings: KernelSettings, pair: Structures, signs: np.ndarray
) -> tuple[Nodes, np.ndarray]:
    """RETURNS (tuple[Nodes, int64 array]): The nodes of two structures, and their positions."""
    arrays = node_arrays(settings, pair)
    positions = arrays["positions"]
    words = shapes = np.zeros(0, np.uint64)
    if isinstance(pair, Sequences):
        words, shapes = pair.words[positions], pair.shapes[positions]
    weights = np.repeat(signs, np.diff(arrays["starts"])) * arrays["counted"]
    first = _first_children(arrays)
    nodes = Nodes(arrays["groups"], first, arrays["children"], words, shapes, weights)
    return nodes, positions


def _first_children(arrays: dict[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(arrays["n_children"], dtype=np.int64)])


@dataclass(frozen=True)
class Matches:
    """The occurrences of a fragment.

    weights (float64 array): A weight per occurrence.
    open_nodes (int64 matrix): Per occurrence the nodes at which the fragment may grow, left to
        right; -1 for none.
    """

    weights: np.ndarray
    open_nodes: np.ndarray

    def keep(self, kept: np.ndarray) -> Matches:
        """RETURNS (Matches): Some of the occurrences."""
        return Matches(self.weights[kept], self.open_nodes[kept])

    def bound(self) -> float:
        """The largest sum, up to its sign, that some of the weights can have."""
        return float(max(self.weights.clip(min=0).sum(), -self.weights.clip(max=0).sum()))


@dataclass(frozen=True)
class _Growing:
    """A fragment during the search.

    factor (float): What the kernel counts for its size.
    local (Matches): Where the candidates have it.
    support (Matches): Where the support has it.
    steps (Steps): How it came about.
    """

    factor: float
    local: Matches
    support: Matches
    steps: Steps = ()

    def bound(self) -> float:
        return self.factor * self.local.bound() * self.support.bound()

    def weight(self) -> float:
        return self.factor * float(self.local.weights.sum() * self.support.weights.sum())


def best_fragments(
    settings: KernelSettings,
    pair: Structures,
    signs: np.ndarray,
    support: Nodes,
    n: int,
) -> list[Fragment]:
    """Find the fragments that add most to the difference of two candidates' scores.

    settings (KernelSettings): The kernel.
    pair (Structures): The candidates.
    signs (float64 array): What a fragment of the first one counts, and one of the second one: 1 and
        -1, or less if the kernel is normalized.
    support (Nodes): The model's nodes.
    n (int): How many to find.
    RETURNS (list[Fragment]): The fragments with the largest weights up to their sign, in order.
    """
    local, positions = _pair_nodes(settings, pair, signs)
    order = count()
    start = _Growing(1.0, _roots(local), _roots(support))
    queue = [(-start.bound(), next(order), start)]
    best: list[tuple[float, int, _Growing]] = []
    for _ in range(MAX_STEPS):
        if not queue or n <= 0:
            break
        bound, _, fragment = heappop(queue)
        if len(best) == n and -bound <= best[0][0]:
            break
        for larger in _grow(settings, fragment, local, support):
            weight = abs(larger.weight())
            if weight > 0:
                push = heappush if len(best) < n else heappushpop
                push(best, (weight, -next(order), larger))
            if larger.bound() > 0:
                heappush(queue, (-larger.bound(), next(order), larger))
    found = [fragment for _, _, fragment in sorted(best, reverse=True)]
    return [write_fragment(pair, positions, f.steps, f.weight()) for f in found]


def _roots(nodes: Nodes) -> Matches:
    """All nodes with a weight, as places where a fragment may start."""
    roots = np.flatnonzero(nodes.weights)
    return Matches(nodes.weights[roots], roots[:, None])


def _grow(
    settings: KernelSettings, fragment: _Growing, local: Nodes, support: Nodes
) -> Iterator[_Growing]:
    """The fragments that are one production or tag larger."""
    is_tree = settings.kind == "subset_tree"
    decay = settings.decay if is_tree or fragment.steps else 1.0
    for column in range(fragment.local.open_nodes.shape[1]):
        nodes = fragment.local.open_nodes[:, column]
        nodes = nodes[nodes != NOWHERE]
        _, first = np.unique(local.groups[nodes], return_index=True)
        for example in nodes[first]:
            group = local.groups[example]
            here, chosen = _choose(fragment.local, column, local, group, is_tree)
            there, matching = _choose(fragment.support, column, support, group, is_tree)
            if not len(matching):
                continue
            step = (column, int(example), "tag")
            grown = _Growing(fragment.factor * decay, here, there, (*fragment.steps, step))
            yield grown
            if not is_tree:
                yield from _with_words(settings, grown, local, chosen, support, matching)


def _choose(
    matches: Matches, column: int, nodes: Nodes, group: np.uint64, is_tree: bool
) -> tuple[Matches, np.ndarray]:
    """Let a fragment grow where the node in a column is of a group.

    RETURNS (tuple[Matches, int64 array]): The remaining occurrences, and their nodes in the column.
    """
    chosen = matches.open_nodes[:, column]
    kept = (chosen != NOWHERE) & (nodes.groups[chosen] == group)
    chosen = chosen[kept]
    n_children = np.diff(nodes.first_children)[chosen]
    arity = int(n_children.max(initial=0)) if is_tree else 1
    # Only the last word of a sequence has fewer children than others of its group.
    places = nodes.first_children[chosen][:, None] + np.arange(arity)
    inside = np.arange(arity) < n_children[:, None]
    children = np.full(places.shape, NOWHERE)
    children[inside] = nodes.children[places[inside]]
    # What lies to the left of the column stays as it is, so that no fragment comes up twice.
    rest = matches.open_nodes[kept, column + 1 :]
    return Matches(matches.weights[kept], np.hstack([children, rest])), chosen


def _with_words(
    settings: KernelSettings,
    fragment: _Growing,
    local: Nodes,
    chosen: np.ndarray,
    support: Nodes,
    matching: np.ndarray,
) -> Iterator[_Growing]:
    """The fragments that also have the word of their last tag, or its shape.

    chosen (int64 array): The candidates' nodes with the last tag.
    matching (int64 array): Those of the support.
    """
    smoothed = settings.kind == "smoothed_tagging"
    factor = fragment.factor * (0.5 if smoothed else 1.0)
    values = {"word": (local.words[chosen], support.words[matching])}
    if smoothed:
        values["shape"] = (local.shapes[chosen], support.shapes[matching])
    for what, (here, there) in values.items():
        for i in np.unique(here, return_index=True)[1]:
            matches = fragment.support.keep(there == here[i])
            if len(matches.weights):
                steps = (*fragment.steps[:-1], (0, int(chosen[i]), what))
                yield _Growing(factor, fragment.local.keep(here == here[i]), matches, steps)
