"""Kernels and the perceptron over them, spelled out: fragments enumerated, hypotheses kept.

Structures are plain data here. A tree is `(label, [children])` with words as trees without
children; a tagged sequence is a list of `(tag, word, shape)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from spacy_perceptron.learn.kernels.settings import KernelSettings
from spacy_perceptron.learn.kernels.structures import Sequences, Structures, Trees

Features = dict[Hashable, float]
BASE = "base"


def make_trees(trees: Sequence[Any]) -> Trees:
    """The arrays of nested trees; an empty tuple is an empty tree."""
    labels, n_children, offsets = [], [], [0]
    for tree in trees:
        stack = [tree] if tree else []
        while stack:
            label, children = stack.pop()
            labels.append(label)
            n_children.append(len(children))
            stack.extend(reversed(children))
        offsets.append(len(labels))
    return Trees(np.array(labels, np.uint64), np.array(n_children, np.int32), np.array(offsets))


def make_sequences(sequences: Sequence[Any]) -> Sequences:
    """The arrays of tagged sequences."""
    rows = [row for sequence in sequences for row in sequence]
    tags, words, shapes = (np.array([row[i] for row in rows], np.uint64) for i in range(3))
    return Sequences(tags, words, shapes, np.cumsum([0, *map(len, sequences)]))


def make_structures(settings: KernelSettings, structures: Sequence[Any]) -> Structures:
    """The arrays of structures of the kernel's sort."""
    return (make_trees if settings.kind == "subset_tree" else make_sequences)(structures)


def tree_fragments(tree: Any) -> tuple[list[Any], list[Any]]:
    """All fragments with the tree's root on top, and all fragments of the tree.

    A fragment is `(label, children)`; a child is a fragment, `("cut", label)` or `("word", label)`.
    """
    if not tree or not tree[1]:
        return [], []
    choices, inside = [], []
    for child in tree[1]:
        rooted, anywhere = tree_fragments(child)
        inside += anywhere
        rest = ("cut" if child[1] else "word", child[0])
        choices.append([rest, *rooted])
    rooted = [(tree[0], children) for children in product(*choices)]
    return rooted, rooted + inside


def n_productions(fragment: Any) -> int:
    """The number of productions in a tree fragment."""
    return 1 + sum(n_productions(child) for child in fragment[1] if isinstance(child[1], tuple))


def sequence_fragments(settings: KernelSettings, sequence: Any) -> list[Any]:
    """All runs of tags with nothing, the word or (smoothed) the shape at each place."""
    options = [[("tag", tag, None), ("word", tag, word)] for tag, word, _ in sequence]
    if settings.kind == "smoothed_tagging":
        for position, (tag, _, shape) in enumerate(sequence):
            options[position].append(("shape", tag, shape))
    longest = settings.max_length or len(sequence)
    return [
        fragment
        for start in range(len(sequence))
        for end in range(start + 1, min(start + longest, len(sequence)) + 1)
        for fragment in product(*options[start:end])
    ]


def features(settings: KernelSettings, structure: Any) -> Features:
    """How often a structure has each fragment."""
    if settings.kind == "subset_tree":
        return dict(Counter(tree_fragments(structure)[1]))
    return dict(Counter(sequence_fragments(settings, structure)))


def weight(settings: KernelSettings, fragment: Any) -> float:
    """What a fragment that two structures share counts."""
    if fragment == BASE:
        return settings.base_weight
    if settings.kind == "subset_tree":
        return settings.decay ** n_productions(fragment)
    value = settings.decay ** (len(fragment) - 1)
    if settings.kind == "smoothed_tagging":
        value *= 0.5 ** sum(part[0] != "tag" for part in fragment)
    return value


def dot(settings: KernelSettings, a: Features, b: Features) -> float:
    """The inner product of two structures' features."""
    return sum(weight(settings, f) * value * b[f] for f, value in a.items() if f in b)


def explicit_kernel(settings: KernelSettings, x: Any, y: Any) -> float:
    """The kernel by enumeration."""
    a, b = (normalized(settings, features(settings, s)) for s in (x, y))
    return dot(settings, a, b)


def normalized(settings: KernelSettings, values: Features) -> Features:
    """The features with length 1 if the settings say so."""
    norm = sqrt(dot(settings, values, values))
    if not settings.normalize or norm == 0:
        return values
    return {name: value / norm for name, value in values.items()}


@dataclass
class PrimalPerceptron:
    """The perceptron on explicit vectors; keeps every hypothesis."""

    settings: KernelSettings
    combine: str = "final"
    budget: int = 0
    n_examples: int = 0
    forgotten: int = 0
    mistakes: list[tuple[int, Features]] = field(default_factory=list)

    def vectors(self, structures: Sequence[Any], base_scores: Sequence[float]) -> list[Features]:
        made = [normalized(self.settings, features(self.settings, s)) for s in structures]
        return [{**m, BASE: b} for m, b in zip(made, base_scores, strict=True)]

    def hypothesis(self, example: int) -> Features:
        """The weights after an example."""
        weights: Counter[Hashable] = Counter()
        for made_at, delta in self.mistakes:
            if made_at <= example:
                weights.update(delta)
        return dict(weights)

    def learn(
        self,
        structures: Sequence[Any],
        base_scores: Sequence[float],
        target: int,
        head_starts: Sequence[float] | float = 0.0,
    ) -> bool:
        vectors = self.vectors(structures, base_scores)
        weights = self.hypothesis(self.n_examples)
        scores = [dot(self.settings, vector, weights) for vector in vectors]
        chosen = int(np.argmax(np.add(scores, head_starts)))
        self.n_examples += 1
        if chosen == target:
            return False
        delta = Counter(vectors[target])
        delta.subtract(vectors[chosen])
        self.mistakes.append((self.n_examples, dict(delta)))
        if self.budget and len(self.mistakes) > self.budget:
            del self.mistakes[0]
            self.forgotten = self.mistakes[0][0] - 1
        return True

    def scores(self, structures: Sequence[Any], base_scores: Sequence[float]) -> np.ndarray:
        vectors = self.vectors(structures, base_scores)
        if self.combine == "final":
            weights = self.hypothesis(self.n_examples)
            return np.array([dot(self.settings, vector, weights) for vector in vectors])
        total = np.zeros(len(vectors))
        examples = range(self.forgotten + 1, self.n_examples + 1)
        for example in examples:
            weights = self.hypothesis(example)
            scores = np.array([dot(self.settings, vector, weights) for vector in vectors])
            if self.combine == "averaged":
                total += scores / len(examples)
            else:
                total[np.argmax(scores)] += 1
        return total
