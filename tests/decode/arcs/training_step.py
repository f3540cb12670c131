"""One step of learning over named features, from the definitions, by enumeration of all trees."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest

from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.mira import mira_step

from .reference import Arc, Feature, Sentence
from .world import INDICES, KEYS, Tree, World, ints, make_input

INFINITY = float("inf")
# Scores are multiples of 1/64.
TOLERANCE = 1e-2

Gold = tuple[list[int], list[int]]


@dataclass
class Step:
    """What a step should do: the gold tree, completed, and for each of the trees it is set against
    its loss, what its margin lacks, the difference of features, and the multiplier. It is not clear
    if ties leave open which trees these are."""

    is_clear: bool
    gold: Tree
    trees: list[Tree]
    losses: list[int]
    violations: list[float]
    differences: list[Counter]
    alphas: list[float]

    @property
    def mistakes(self) -> int:
        """Mistakes of the first tree; none if it keeps its margin."""
        return self.losses[0] if self.violations[0] > TOLERANCE else 0

    def change(self) -> dict[tuple[Feature, int | None], float]:
        total: dict[tuple[Feature, int | None], float] = {}
        for alpha, difference in zip(self.alphas, self.differences, strict=True):
            for name, count in difference.items():
                total[name] = total.get(name, 0.0) + alpha * count
        return total


def count_mistakes(gold: Gold, tree: Tree) -> int:
    """Words with a gold head that have another one, or another label than the gold one."""
    return sum(
        head >= 0 and (head != found or label not in (-1, found_label))
        for head, label, found, found_label in zip(*gold, tree[1], tree[2], strict=True)
    )


def norm(difference: Counter) -> float:
    return float(sum(count**2 for count in difference.values()))


def expect(
    world: World,
    sentence: Sentence,
    gold: Gold,
    *,
    arcs: Iterable[Arc] | None = None,
    k: int = 1,
    limit: float = INFINITY,
    augmented: bool = True,
    mira: bool = True,
    margin: float = 1.0,
) -> Step:
    """The step, by enumeration of all trees, or of those over some arcs."""
    fitting = [
        tree
        for tree in world.trees(sentence, arcs)
        if all(head in (-1, found) for head, found in zip(gold[0], tree[1], strict=True))
    ]
    is_clear = len(fitting) == 1 or fitting[0][0] > fitting[1][0]
    _, heads, best_labels = fitting[0]
    labels = tuple(
        label if head >= 0 and label >= 0 else best
        for head, label, best in zip(*gold, best_labels, strict=True)
    )
    gold_tree = (world.score(sentence, heads, labels), heads, labels)
    ranked = world.trees(sentence, arcs, gold, margin if augmented else 0.0)
    # Which tree is the first one, and which is the last one, must not depend on ties.
    for place in (1, k):
        is_clear = is_clear and (len(ranked) <= place or ranked[place - 1][0] > ranked[place][0])
    trees = [(world.score(sentence, *tree[1:]), *tree[1:]) for tree in ranked[:k]]
    losses = [count_mistakes(gold, tree) for tree in trees]
    violations = [
        tree[0] - gold_tree[0] + margin * loss for tree, loss in zip(trees, losses, strict=True)
    ]
    differences = []
    for tree in trees:
        difference = world.phi(sentence, heads, labels)
        difference.subtract(world.phi(sentence, *tree[1:]))
        differences.append(Counter({name: count for name, count in difference.items() if count}))
    if not mira:
        alphas = [float(violations[0] > TOLERANCE and losses[0] > 0), *[0.0] * (len(trees) - 1)]
    elif k == 1:
        size = norm(differences[0])
        alphas = [min(limit, max(0.0, violations[0] / size)) if size else 0.0]
    else:
        numbers: dict[tuple, int] = {}
        rows = [
            (
                np.array([numbers.setdefault(f, len(numbers)) for f in d], np.uint64),
                np.array(list(d.values()), np.float32),
            )
            for d in differences
        ]
        alphas = mira_step(rows, np.array(violations), limit).tolist()
    return Step(is_clear, gold_tree, trees, losses, violations, differences, alphas)


def saved(parsing: DependencyParsing) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
    """The weights of parts and labels."""
    parts = parsing.scorer.weights.averaged(0)
    labels = parsing.scorer.label_weights.averaged(0)
    keys = np.repeat(labels["keys"], labels["lengths"]).tolist()
    pairs = zip(keys, labels["labels"].tolist(), strict=True)
    return (
        dict(zip(parts["indices"].tolist(), parts["values"].tolist(), strict=True)),
        dict(zip(pairs, labels["values"].tolist(), strict=True)),
    )


def check_change(before: tuple[dict, dict], after: tuple[dict, dict], expected: dict) -> None:
    """Whether two states of the weights differ by a change of named features."""
    wanted: tuple[dict, dict] = ({}, {})
    for (feature, label), delta in expected.items():
        place = INDICES[feature] if label is None else (KEYS[feature], label)
        table = wanted[label is not None]
        table[place] = table.get(place, 0.0) + delta
    for old, new, changes in zip(before, after, wanted, strict=True):
        for place in {*old, *new, *changes}:
            delta = new.get(place, 0.0) - old.get(place, 0.0)
            assert delta == pytest.approx(changes.get(place, 0.0), abs=1e-4)


def learn(
    parsing: DependencyParsing, sentence: Sentence, gold: Gold, time: float = 0, **settings
) -> int:
    training = DependencyTraining(parsing)
    words = make_input(parsing, sentence)
    return training.learn(words, ints(gold[0]), ints(gold[1]), time, **settings)


@dataclass
class Checked:
    """What `run` has checked: how many steps there were, how many of them were clear, and how many
    of these changed weights. A test that checked too little says nothing."""

    steps: int = 0
    clear: int = 0
    changes: int = 0

    def count(self, step: Step) -> None:
        self.steps += 1
        self.clear += int(step.is_clear)
        self.changes += int(step.is_clear and any(step.alphas))

    def expect(self, *, changes: int) -> None:
        """Most of the steps must have been clear, and some must have changed weights."""
        assert self.clear > self.steps / 2, self
        assert self.changes >= changes, self


def run(
    world: World,
    sentence: Sentence,
    gold: Gold,
    parsing: DependencyParsing | None = None,
    *,
    checked: Checked,
    arcs: Iterable[Arc] | None = None,
    pruner_rate: float = 0.0,
    **settings,
) -> tuple[Step, DependencyParsing]:
    """Learn from a sentence and check the change of all weights, if it is clear.

    checked (Checked): Counts the step; the caller must look at it.
    """
    step = expect(world, sentence, gold, arcs=arcs, **settings)
    parsing = world.parsing() if parsing is None else parsing
    before = saved(parsing)
    n_mistakes = learn(parsing, sentence, gold, pruner_rate=pruner_rate, **settings)
    assert n_mistakes >= 0
    checked.count(step)
    if step.is_clear:
        check_change(before, saved(parsing), step.change())
        assert n_mistakes == step.mistakes
    return step, parsing


def margins(world: World, sentence: Sentence, step: Step) -> list[float]:
    """By how much the gold tree now beats the others."""
    gold = world.score(sentence, *step.gold[1:])
    return [gold - world.score(sentence, *tree[1:]) for tree in step.trees]


def distinct(step: Step) -> bool:
    """Whether no two of the features that change share a weight."""
    features = {feature for feature, label in step.change() if label is None}
    return len({INDICES[feature] for feature in features}) == len(features)
