"""The arcs a pruner leaves, and how it learns, against softmax in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.pruner import ArcPruner
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .nonprojective.reference import all_trees
from .reference import PRUNER, Sentence, all_parts, compiled, features_of, looks
from .world import (
    INDICES,
    N_BITS,
    examples,
    ints,
    learn_indices,
    make_input,
    make_parsing,
    random_sentence,
)

SEEDS = st.integers(0, 2**32 - 1)
NAMES = looks(PRUNER)
# Gradients smaller than this are left out, as documented in the module.
NEGLIGIBLE = 0.005


class Reference:
    """A head selector with named features."""

    def __init__(self, sentence: Sentence, rng: np.random.Generator, size: int):
        learn_indices(sentence, 1, PRUNER)
        self.sentence = sentence
        self.weights: dict[int, float] = {}
        for part in all_parts(len(sentence), 1):
            for index in self.indices(*part[1]):
                self.weights.setdefault(index, int(rng.integers(-size, size + 1)) / 64)

    def indices(self, head: int, child: int) -> list[int]:
        names = features_of(self.sentence, ("arc", (head, child)), NAMES)
        return [INDICES[feature] for feature in names]

    def scores(self, child: int) -> dict[int, float]:
        """The score of each head of a word."""
        heads = [head for head in range(len(self.sentence) + 1) if head != child]
        return {h: sum(self.weights[index] for index in self.indices(h, child)) for h in heads}

    def probabilities(self, child: int) -> dict[int, float]:
        scores = self.scores(child)
        total = sum(math.exp(score) for score in scores.values())
        return {head: math.exp(score) / total for head, score in scores.items()}

    def heads(self, child: int, threshold: float, max_heads: int, required: int = -1) -> list[int]:
        """The heads that stay."""
        of = self.probabilities(child)
        scores = self.scores(child)
        likely = [head for head in of if of[head] >= threshold * max(of.values()) * (1 - 1e-6)]
        likely.sort(key=lambda head: (-scores[head], head))
        kept = likely[:max_heads] if max_heads else likely
        return sorted({*kept, *([required] if required >= 0 else [])})

    def arcs(self, *settings: float, required: list[int] | None = None) -> list[tuple[int, int]]:
        required = required or [-1] * len(self.sentence)
        return [
            (head, child)
            for child, gold in enumerate(required, 1)
            for head in self.heads(child, *settings, gold)
        ]

    def table(self) -> HashedWeights:
        indices = sorted(index for index, weight in self.weights.items() if weight)
        values = np.array([self.weights[index] for index in indices], np.float32)
        return HashedWeights.from_arrays(
            N_BITS, np.array(indices, np.uint32), values, trainable=True
        )

    def step(self, gold: list[int], rate: float) -> None:
        """A gradient step on the log-probability of each gold head, word by word."""
        for child, head in enumerate(gold, 1):
            if head < 0:
                continue
            for other, probability in self.probabilities(child).items():
                gradient = (other == head) - probability
                if abs(gradient) >= NEGLIGIBLE:
                    for index in self.indices(other, child):
                        self.weights[index] += rate * gradient

    def check(self, table: HashedWeights) -> None:
        saved = table.averaged(0)
        found = dict(zip(saved["indices"].tolist(), saved["values"].tolist(), strict=True))
        for index, weight in self.weights.items():
            assert found.pop(index, 0.0) == pytest.approx(weight, abs=1e-4)
        assert found == {}


def make(seed: int, n: int, size: int = 64) -> Reference:
    rng = np.random.default_rng(seed)
    return Reference(random_sentence(rng, n), rng, size)


def make_pruning(
    table: HashedWeights, threshold: float, max_heads: int, *, projective: bool = True
) -> DependencyParsing:
    return make_parsing(
        compiled(("p.tag",)),
        HashedWeights(10, trainable=True),
        WeightTable(2, trainable=True),
        table,
        threshold=threshold,
        max_heads=max_heads,
        projective=projective,
    )


def learn(parsing: DependencyParsing, sentence: Sentence, gold: list[int], **settings) -> int:
    """Learn, but leave the parser's own weights."""
    words, labels = make_input(parsing, sentence), ints([-1] * len(gold))
    training = DependencyTraining(parsing)
    settings = {"time": 0, "limit": 0.0, **settings}
    return training.learn(words, ints(gold), labels, **settings)


# --- Which arcs stay -------------------------------------------------------------------------


THRESHOLDS = st.sampled_from([0.0, 1e-4, 0.01, 0.1, 0.5, 0.97, 1.0])


@examples(80)
@given(SEEDS, st.integers(1, 7), THRESHOLDS, st.integers(0, 4), st.sampled_from([0, 2, 64, 300]))
def test_arcs_that_stay(seed, n, threshold, max_heads, size):
    """A small size makes ties: then the lower head stays."""
    reference = make(seed, n, size)
    parsing = make_pruning(reference.table(), threshold, max_heads)
    found = parsing.allowed(make_input(parsing, reference.sentence))
    assert found == reference.arcs(threshold, max_heads)


def test_all_arcs_without_pruning():
    reference = make(1, 6, 300)
    parsing = make_pruning(reference.table(), 0.0, 0)
    found = parsing.allowed(make_input(parsing, reference.sentence))
    assert found == [(h, c) for c in range(1, 7) for h in range(7) if h != c]


def test_long_sentences_of_higher_order_are_pruned_in_any_case():
    """Charts take memory for heads * words^2: never more than for two million, or two heads."""
    sentence = random_sentence(np.random.default_rng(0), 400)
    settings = {"threshold": 0.0, "max_heads": 0}
    program, tables = compiled(), (HashedWeights(10), WeightTable(1), HashedWeights(10))
    first = make_parsing(program, *tables, order=1, **settings)
    assert len(first.allowed(make_input(first, sentence))) == 400 * 400
    second = make_parsing(program, *tables, order=2, **settings)
    heads = np.bincount([child for _, child in second.allowed(make_input(second, sentence))])
    assert set(heads[1:].tolist()) == {2_000_000 // 400**2}


def test_equally_good_heads():
    """All heads tie: the lowest ones stay, and a threshold of 1 keeps them all."""
    reference = make(3, 5, 0)
    sentence = reference.sentence
    parsing = make_pruning(reference.table(), 0.5, 2)
    found = parsing.allowed(make_input(parsing, sentence))
    assert found == [(h, c) for c in range(1, 6) for h in ([0, 2] if c == 1 else [0, 1])]
    parsing = make_pruning(reference.table(), 1.0, 0)
    assert len(parsing.allowed(make_input(parsing, sentence))) == 25


@examples(60)
@given(SEEDS, st.integers(1, 5), THRESHOLDS, st.integers(0, 3), st.data())
def test_gold_heads_stay_in_training(seed, n, threshold, max_heads, data):
    """Beside the others; if these leave no tree with the gold heads, arcs between neighbours and
    from the root are added."""
    reference = make(seed, n, 64)
    # Heads to the left and one root: always a tree, for `mst` at least.
    gold = [0, *(data.draw(st.integers(1, c - 1)) for c in range(2, n + 1))]
    gold = [data.draw(st.sampled_from([head, -1])) for head in gold]
    parsing = make_pruning(reference.table(), threshold, max_heads, projective=False)
    learn(parsing, reference.sentence, gold, pruner_rate=0.0)
    arcs = reference.arcs(threshold, max_heads, required=gold)
    is_left = any(
        all((head, c) in arcs and gold[c - 1] in (-1, head) for c, head in enumerate(tree, 1))
        for tree in all_trees(n)
    )
    if not is_left:
        near = [(h, c) for c in range(1, n + 1) for h in (0, c - 1, c + 1) if 0 <= h <= n]
        arcs = sorted({*arcs, *near}, key=lambda arc: arc[::-1])
    assert parsing.parts.arcs() == arcs


# --- Learning --------------------------------------------------------------------------------


@examples(60)
@given(SEEDS, st.integers(1, 6), st.sampled_from([0.1, 1.0]), st.data())
def test_gradient_steps(seed, n, rate, data):
    reference = make(seed, n)
    table = reference.table()
    gold = [0, *(data.draw(st.integers(1, c - 1)) for c in range(2, n + 1))]
    gold = [data.draw(st.sampled_from([head, head, -1])) for head in gold]
    parsing = make_pruning(table, 0.01, 3, projective=False)
    learn(parsing, reference.sentence, gold, pruner_rate=rate)
    reference.step(gold, rate)
    reference.check(table)


def test_step_is_the_gradient_of_the_loss():
    """By finite differences, for one word with a gold head."""
    reference = make(4, 4, 20)
    table = reference.table()
    learn(make_pruning(table, 0.01, 3), reference.sentence, [-1, -1, 1, -1], pruner_rate=1.0)
    saved = table.averaged(0)
    after = dict(zip(saved["indices"].tolist(), saved["values"].tolist(), strict=True))
    n_moved = 0
    for index, weight in list(reference.weights.items()):
        slope = 0.0
        for sign in (1, -1):
            reference.weights[index] = weight + sign * 1e-4
            slope += sign * math.log(reference.probabilities(3)[1]) / 2e-4
        reference.weights[index] = weight
        # Up to four features of four heads, each with a gradient that is left out.
        assert after.get(index, 0.0) - weight == pytest.approx(slope, abs=4 * NEGLIGIBLE)
        n_moved += abs(slope) > 0.1
    assert n_moved >= 3


def test_steps_prune_wrong_heads_and_keep_gold():
    reference = make(5, 8, 0)
    gold = [2, 0, 2, 3, 2, 7, 5, 2]
    table = reference.table()
    parsing = make_pruning(table, 0.1, 0)
    for _ in range(60):
        learn(parsing, reference.sentence, gold, pruner_rate=0.5)
    kept = parsing.allowed(make_input(parsing, reference.sentence))
    assert {(head, child) for child, head in enumerate(gold, 1)} <= set(kept)
    assert len(kept) < 20


def test_no_rate_no_step():
    reference = make(6, 4)
    table = reference.table()
    learn(make_pruning(table, 0.1, 2), reference.sentence, [0, 1, 1, 1], pruner_rate=0.0)
    reference.check(table)


def test_average_is_the_mean_of_snapshots():
    reference = make(7, 4)
    table = reference.table()
    parsing = make_pruning(table, 0.1, 2)
    total: dict[int, float] = {}
    for time in range(4):
        learn(parsing, reference.sentence, [0, 1, 1, 3], pruner_rate=0.3, time=time)
        reference.step([0, 1, 1, 3], 0.3)
        for index, weight in reference.weights.items():
            total[index] = total.get(index, 0.0) + weight
    saved = table.averaged(4)
    average = dict(zip(saved["indices"].tolist(), saved["values"].tolist(), strict=True))
    for index, weight in total.items():
        assert average.get(index, 0.0) == pytest.approx(weight / 4, abs=1e-4)


# --- Checks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("threshold", [-0.1, 1.5, math.nan])
def test_refuses_thresholds_that_are_no_probabilities(threshold: float):
    with pytest.raises(ValueError, match="`pruning` must be between 0 and 1"):
        ArcPruner(HashedWeights(10), threshold, 0)


def test_refuses_negative_numbers_of_heads():
    with pytest.raises(ValueError, match="`max_heads` must be 0 or more, not -1"):
        ArcPruner(HashedWeights(10), 0.5, -1)
