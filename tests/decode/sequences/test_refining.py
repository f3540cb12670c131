"""Refining against a plain Python version: every label scored from named features of its parts."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.sequences.refining import Refining
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.tagging_reference import (
    LOCAL,
    OUTSIDE,
    Reference,
    ints,
    lookup,
    make_scorer,
)

SEEDS = st.integers(0, 2**32)
# Two labels of tag 0, one of tag 1, three of tag 2; part 0 is in several of them.
TAG_OF = [0, 2, 1, 0, 2, 2]
PARTS = [[0, 1], [0, 2], [3], [1, 4], [4], [0, 3, 4]]
N_TAGS, N_PARTS = 3, 5


class World:
    """A sentence, weights of its features, and what should come of them."""

    def __init__(self, seed: int, *, size: int = 2048):
        rng = np.random.default_rng(seed)
        self.words = rng.integers(0, 4, int(rng.integers(1, 5))).tolist()
        self.tags = rng.integers(0, N_TAGS, len(self.words)).tolist()
        self.reference = Reference(LOCAL, N_PARTS)
        n = len(self.words)
        for i in range(n):
            # Labels to the left, tags to the right, whatever they are.
            near = [j for j in range(i - 2, i + 3) if 0 <= j < n and j != i]
            for codes in itertools.product(range(-1, len(TAG_OF)), repeat=len(near)):
                seen = [-1] * n
                for j, code in zip(near, codes, strict=True):
                    seen[j] = code
                for feature in self.reference.features(self.words, i, tuple(seen)):
                    if feature not in self.reference.weights:
                        row = rng.integers(-size, size + 1, N_PARTS) / 512
                        self.reference.weights[feature] = row

    def refining(self) -> Refining:
        return Refining(make_scorer(LOCAL, self.reference.table()), TAG_OF, PARTS, N_TAGS)

    def scores(self, i: int, seen: list[int]) -> dict[int, float]:
        parts = self.reference.scores(self.words, i, tuple(seen))
        tag = self.tags[i]
        candidates = [label for label, own in enumerate(TAG_OF) if own == tag]
        return {label: float(sum(parts[p] for p in PARTS[label])) for label in candidates}

    def expected(self, fixed: list[int] | None = None) -> list[dict[int, float]]:
        """The scores of each word's candidates, beside the labels chosen before it."""
        seen, found = [*self.tags], []
        for i in range(len(self.words)):
            scores = self.scores(i, seen)
            found.append(scores)
            seen[i] = max(scores, key=lambda label: (scores[label], -label))
            if fixed is not None and fixed[i] >= 0:
                seen[i] = fixed[i]
        return found


def best(scores: dict[int, float]) -> int:
    return max(scores, key=lambda label: (scores[label], -label))


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from([2, 2048]))
def test_labels_are_the_best_of_their_tags(seed: int, size: int):
    """A small size makes many ties: the lower label wins."""
    world = World(seed, size=size)
    refining = world.refining()
    rows = lookup(refining.scorer, world.words)
    bounds = ints([0, len(rows)])
    labels, shares = refining.refine(rows, bounds, ints(world.tags))
    assert shares.shape == (len(rows), 0)
    assert labels.tolist() == [best(scores) for scores in world.expected()]


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.floats(0.1, 5.0))
def test_shares(seed: int, temperature: float):
    """Labels with the same number in a group share their part of the softmax."""
    world = World(seed)
    refining = world.refining()
    rows = lookup(refining.scorer, world.words)
    groups = np.array([[0, 0, 0, 1, 1, 0], range(6)], np.int32)
    labels, shares = refining.refine(
        rows, ints([0, len(rows)]), ints(world.tags), groups=groups, temperature=temperature
    )
    for i, scores in enumerate(world.expected()):
        powers = {
            label: np.exp((x - max(scores.values())) / temperature) for label, x in scores.items()
        }
        for g, group in enumerate(groups):
            same = sum(x for label, x in powers.items() if group[label] == group[labels[i]])
            assert shares[i, g] == pytest.approx(same / sum(powers.values()), rel=1e-4)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_given_labels_stay_and_are_seen(seed: int):
    world = World(seed)
    refining = world.refining()
    rows = lookup(refining.scorer, world.words)
    rng = np.random.default_rng(seed)
    fixed = [
        int(rng.choice([x for x, own in enumerate(TAG_OF) if own == tag]))
        if rng.random() < 0.5
        else -1
        for tag in world.tags
    ]
    labels, _ = refining.refine(rows, ints([0, len(rows)]), ints(world.tags), fixed=ints(fixed))
    expected = [best(scores) for scores in world.expected(fixed)]
    assert labels.tolist() == [f if f >= 0 else e for f, e in zip(fixed, expected, strict=True)]


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_alternatives_and_decisions(seed: int):
    world = World(seed)
    refining = world.refining()
    rows, tags = lookup(refining.scorer, world.words), ints(world.tags)
    labels, others, gaps = refining.alternatives(rows, tags)
    seen = [*world.tags]
    for i, scores in enumerate(world.expected()):
        assert labels[i] == best(scores)
        rest = {label: x for label, x in scores.items() if label != labels[i]}
        if rest:
            assert others[i] == best(rest)
            assert gaps[i] == pytest.approx(scores[labels[i]] - max(rest.values()), abs=1e-3)
        else:
            assert (others[i], gaps[i]) == (-1, 0.0)
        label, context, found = refining.decide(rows, tags, i)
        assert label == labels[i]
        assert context == world.reference.context(tuple(seen), i)
        assert found == pytest.approx(scores if rest else {}, abs=1e-3)
        features = world.reference.features(world.words, i, tuple(seen))
        ids = [world.reference.id(feature) for feature in features]
        assert sorted(refining.feature_ids(i)) == sorted(ids)
        seen[i] = label


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 3.0]))
def test_one_pass_of_training(seed: int, margin: float):
    """Weights move by the features of each word, for the parts in which the right label and its
    best rival differ, unless it wins by the margin; later words see the change."""
    world = World(seed)
    rng = np.random.default_rng(seed)
    gold = [
        int(rng.choice([x for x, own in enumerate(TAG_OF) if own == tag]))
        if rng.random() < 0.8
        else -1
        for tag in world.tags
    ]
    refining = world.refining()
    rows = lookup(refining.scorer, world.words)
    n_updates = refining.learn(rows, ints(gold), 0, margin=margin)
    seen = [TAG_OF[label] if label >= 0 else -1 for label in gold]
    reference, n_expected = world.reference, 0
    for i, right in enumerate(gold):
        if right < 0:
            continue
        world.tags[i] = TAG_OF[right]
        scores = world.scores(i, seen)
        rivals = {label: x for label, x in scores.items() if label != right}
        if rivals and scores[right] - max(rivals.values()) <= margin:
            wrong = best(rivals)
            n_expected += 1
            step = np.zeros(N_PARTS)
            step[[*{*PARTS[right]} - {*PARTS[wrong]}]] += 1
            step[[*{*PARTS[wrong]} - {*PARTS[right]}]] -= 1
            for feature in reference.features(world.words, i, tuple(seen)):
                reference.weights[feature] = reference.weights[feature] + step
        seen[i] = right
    assert n_updates == n_expected
    for feature, row in reference.weights.items():
        learned = refining.scorer.weights.row(reference.id(feature))
        assert [learned.get(part, 0.0) for part in range(N_PARTS)] == row.tolist()


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_violations_can_be_mended(seed: int):
    """A step along the difference closes the gap at the word that it is about."""
    world = World(seed)
    rng = np.random.default_rng(seed)
    gold = [int(rng.integers(-1, len(TAG_OF))) for _ in world.tags]
    refining = world.refining()
    rows, tags = lookup(refining.scorer, world.words), ints(world.tags)
    chosen, _ = refining.refine(rows, ints([0, len(rows)]), tags)
    wrong = [
        i
        for i, label in enumerate(gold)
        if label >= 0 and TAG_OF[label] == world.tags[i] and label != chosen[i]
    ]
    found = refining.violation(rows, tags, ints(gold))
    if not wrong:
        assert found is None
        return
    i = wrong[0]
    scores = world.expected()[i]
    gap, (keys, parts, counts) = found
    assert gap == pytest.approx(scores[chosen[i]] - scores[gold[i]], abs=1e-3)
    right_parts, wrong_parts = {*PARTS[gold[i]]}, {*PARTS[chosen[i]]}
    assert {*parts[counts > 0].tolist()} == right_parts - wrong_parts
    assert {*parts[counts < 0].tolist()} == wrong_parts - right_parts
    assert len(keys) == len(LOCAL) * len(right_parts ^ wrong_parts)


def test_sentences_are_independent():
    world = World(3)
    refining = world.refining()
    rows, tags = lookup(refining.scorer, world.words), ints(world.tags)
    once, _ = refining.refine(rows, ints([0, len(rows)]), tags)
    twice, _ = refining.refine(
        np.concatenate([rows, rows]),
        ints([0, len(rows), len(rows), 2 * len(rows)]),
        np.concatenate([tags, tags]),
    )
    assert twice.tolist() == [*once, *once]


def test_copies():
    world = World(4)
    refining = world.refining()
    rows, tags = lookup(refining.scorer, world.words), ints(world.tags)
    copy = pickle.loads(pickle.dumps(refining))
    bounds = ints([0, len(rows)])
    rows_of_copy = lookup(copy.scorer, world.words)
    assert copy.refine(rows_of_copy, bounds, tags)[0].tolist() == (
        refining.refine(rows, bounds, tags)[0].tolist()
    )


def test_bad_arguments():
    scorer = make_scorer(LOCAL, WeightTable(N_PARTS))
    with pytest.raises(ValueError, match="each needs one tag"):
        Refining(scorer, [0, 2], [[0], [1]], 3)
    with pytest.raises(ValueError, match="classes of the scorer, which has 5"):
        Refining(scorer, [0], [[5]], 1)
    refining = Refining(scorer, TAG_OF, PARTS, N_TAGS)
    rows = lookup(scorer, [1, 2])
    bounds = ints([0, 2])
    with pytest.raises(ValueError, match="1 tags are given for 2 words"):
        refining.refine(rows, bounds, ints([0]))
    with pytest.raises(ValueError, match="3 is neither -1 nor one of 3 tags"):
        refining.refine(rows, bounds, ints([0, 3]))
    with pytest.raises(ValueError, match="6 is neither -1 nor one of 6 tags"):
        refining.refine(rows, bounds, ints([0, 1]), fixed=ints([6, -1]))
    with pytest.raises(ValueError, match="groups of 2 fine labels, but there are 6"):
        refining.refine(rows, bounds, ints([0, 1]), groups=np.zeros((1, 2), np.int32))
    with pytest.raises(ValueError, match="temperature"):
        refining.refine(rows, bounds, ints([0, 1]), temperature=0.0)
    with pytest.raises(ValueError, match="frozen"):
        refining.learn(rows, ints([0, 1]), 0)
    with pytest.raises(IndexError, match="no word 2"):
        refining.decide(rows, ints([0, 1]), 2)


def test_outside_is_seen():
    """At the ends of a sentence, contexts have the code for places outside."""
    world = World(5)
    refining = world.refining()
    rows, tags = lookup(refining.scorer, world.words), ints(world.tags)
    _, context, _ = refining.decide(rows, tags, 0)
    assert context[:2] == (OUTSIDE, OUTSIDE)
