"""One step of learning against the same step over named features, from the definitions."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .projective import reference as projective_reference
from .reference import Sentence, compiled
from .training_step import (
    INFINITY,
    Checked,
    Gold,
    check_change,
    count_mistakes,
    distinct,
    expect,
    learn,
    margins,
    run,
    saved,
)
from .world import (
    World,
    examples,
    ints,
    make_input,
    make_parsing,
    random_sentence,
    random_world,
)

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = [(1, True), (2, True), (3, True), (1, False)]
shapes = st.sampled_from(SHAPES)
limits = st.sampled_from([INFINITY, 0.5, 0.01])


def draw_world(
    seed: int, n: int, shape: tuple[int, bool], data: st.DataObject, size: int = 64
) -> tuple[World, Sentence, Gold]:
    """A model, a sentence, and a tree of the kind."""
    world, sentence = random_world(seed, n, size=size, order=shape[0], projective=shape[1])
    heads = data.draw(st.sampled_from(world.trees(sentence)))[1]
    labels = [data.draw(st.integers(0, world.n_labels - 1)) for _ in heads]
    return world, sentence, (list(heads), labels)


# --- MIRA ------------------------------------------------------------------------------------


def test_step_against_one_tree():
    """min(C, violation / |difference|^2) times the difference; without C the gold tree then wins by
    the margin."""
    checked = Checked()
    margin_values = st.sampled_from([1.0, 0.25])

    @examples(80)
    @given(SEEDS, st.integers(1, 5), shapes, limits, st.booleans(), margin_values, st.data())
    def check(seed, n, shape, limit, augmented, margin, data):
        world, sentence, gold = draw_world(seed, n, shape, data)
        settings = {"limit": limit, "augmented": augmented, "margin": margin}
        step, parsing = run(world, sentence, gold, checked=checked, **settings)
        world.take(parsing)
        if limit == INFINITY and step.violations[0] > 0 and step.is_clear and distinct(step):
            (won,) = margins(world, sentence, step)
            assert won == pytest.approx(margin * step.losses[0], abs=1e-3)

    check()
    checked.expect(changes=20)


def test_step_against_several_trees():
    checked = Checked()

    @examples(80)
    @given(SEEDS, st.integers(2, 4), shapes, limits, st.booleans(), st.integers(2, 6), st.data())
    def check(seed, n, shape, limit, augmented, k, data):
        world, sentence, gold = draw_world(seed, n, shape, data)
        how = {"k": k, "limit": limit, "augmented": augmented}
        step, parsing = run(world, sentence, gold, checked=checked, **how)
        world.take(parsing)
        if limit == INFINITY and step.is_clear and distinct(step):
            gains = [
                sum(change * difference[name] for name, change in step.change().items())
                for difference in step.differences
            ]
            # All margins that the multipliers meet are met by the weights.
            for won, loss, gain, violation in zip(
                margins(world, sentence, step), step.losses, gains, step.violations, strict=True
            ):
                if gain >= violation - 1e-6:
                    assert won >= loss - 1e-3

    check()
    checked.expect(changes=20)


@pytest.mark.parametrize("augmented", [True, False])
def test_all_margins_are_met_where_they_can_be(augmented: bool):
    """Words, tags and places tell all arcs apart: any margins go together."""
    templates = ("p.place c.place", "p.tag c.tag", "s.place c.place", "g.place c.place p.place")
    n_trees = 0
    for seed in range(12):
        world, sentence = random_world(seed, 4, order=2, size=64, templates=templates)
        rng = np.random.default_rng(seed)
        heads = projective_reference.all_trees(4)[rng.integers(30)]
        gold = (list(heads), rng.integers(0, 3, 4).tolist())
        step = expect(world, sentence, gold, k=5, augmented=augmented)
        if not (step.is_clear and distinct(step)):
            continue
        parsing = world.parsing()
        learn(parsing, sentence, gold, k=5, augmented=augmented)
        world.take(parsing)
        for won, loss in zip(margins(world, sentence, step), step.losses, strict=True):
            assert won >= loss - 1e-3
            n_trees += loss > 0
    assert n_trees > 40


@pytest.mark.parametrize(("order", "projective"), SHAPES)
@pytest.mark.parametrize("k", [1, 5])
def test_enough_margin_changes_nothing(order: int, projective: bool, k: int):
    """Once the gold tree beats all others by their loss, weights stay as they are, to the bit."""
    world, sentence = random_world(9, 4, order=order, projective=projective, size=32)
    heads = world.trees(sentence)[5][1]
    gold = (list(heads), [1, 0, 2, 1])
    parsing = world.parsing()
    for _ in range(300):
        if learn(parsing, sentence, gold, k=k) == 0:
            break
    world.take(parsing)
    won = [
        world.score(sentence, *gold) - tree[0] - count_mistakes(gold, tree)
        for tree in world.trees(sentence)
        if tree[1:] != (heads, tuple(gold[1]))
    ]
    assert min(won) >= -1e-3
    before = saved(parsing)
    if min(won) > 1e-3:
        assert learn(parsing, sentence, gold, k=k, margin=0.999) == 0
        assert saved(parsing) == before
    assert learn(parsing, sentence, gold, k=k, margin=0.0) == 0
    assert saved(parsing) == before


@pytest.mark.parametrize("how", [{}, {"k": 3}, {"mira": False}, {"augmented": False}])
def test_search_without_labels(how: dict):
    """Without templates for labels in the search they cost nothing there and are not learned."""
    n_clear = 0
    for seed in range(8):
        world, sentence = random_world(seed, 4, order=2, size=64, label=())
        heads = list(projective_reference.all_trees(4)[3 * seed])
        step = expect(world, sentence, (heads, [-1] * 4), **how)
        parsing = world.parsing()
        before = saved(parsing)
        found = learn(parsing, sentence, (heads, [0, 1, 2, 0]), pruner_rate=0.0, **how)
        if step.is_clear:
            assert found == step.mistakes
            check_change(before, saved(parsing), step.change())
            n_clear += any(step.alphas)
        assert parsing.scorer.label_weights.n_features == 0
    assert n_clear > 4


# --- The perceptron --------------------------------------------------------------------------


def test_perceptron_step():
    """The difference to the best tree, once, if that has a mistake."""
    checked = Checked()

    @examples(60)
    @given(SEEDS, st.integers(1, 5), shapes, st.booleans(), st.integers(1, 3), st.data())
    def check(seed, n, shape, augmented, k, data):
        world, sentence, gold = draw_world(seed, n, shape, data)
        how = {"mira": False, "augmented": augmented, "k": k}
        run(world, sentence, gold, checked=checked, **how)

    check()
    checked.expect(changes=15)


# --- Averages --------------------------------------------------------------------------------


@pytest.mark.parametrize("mira", [True, False])
def test_average_is_the_mean_of_snapshots(mira: bool):
    """Over examples with and without updates, labels included."""
    rng = np.random.default_rng(2)
    world = World(order=2)
    sentences = [random_sentence(rng, n) for n in (3, 5, 1, 4, 2)]
    for sentence in sentences:
        world.randomize(sentence, rng, 16)
    parsing = world.parsing()
    totals: tuple[Counter, Counter] = (Counter(), Counter())
    n_changes, time = 0, 0
    for _ in range(3):
        for sentence in sentences:
            before = saved(parsing)
            n = len(sentence)
            trees = projective_reference.all_trees(n)
            gold = (list(trees[n % len(trees)]), [k % 3 for k in range(n)])
            learn(parsing, sentence, gold, time, k=2, mira=mira, augmented=mira)
            after = saved(parsing)
            n_changes += before != after
            for total, weights in zip(totals, after, strict=True):
                total.update(weights)
            time += 1
    assert 4 < n_changes < time
    averages = (
        parsing.scorer.weights.averaged(time),
        parsing.scorer.label_weights.averaged(time),
    )
    parts = dict(zip(averages[0]["indices"].tolist(), averages[0]["values"].tolist(), strict=True))
    keys = np.repeat(averages[1]["keys"], averages[1]["lengths"]).tolist()
    pairs = zip(keys, averages[1]["labels"].tolist(), strict=True)
    labels = dict(zip(pairs, averages[1]["values"].tolist(), strict=True))
    for total, average in zip(totals, (parts, labels), strict=True):
        for place in {*total, *average}:
            assert average.get(place, 0.0) == pytest.approx(total[place] / time, abs=1e-4)


# --- Whole trainings -------------------------------------------------------------------------


def treebank(n_sentences: int) -> list[tuple[Sentence, Gold]]:
    """Words decide: 0 heads all to its left up to the next 0, the first 0 is the root's child and
    heads the others. Labels are the words' numbers."""
    rng = np.random.default_rng(6)
    found = []
    for _ in range(n_sentences):
        n = int(rng.integers(1, 9))
        words = [*rng.integers(0, 3, n - 1).tolist(), 0]
        zeros = [place for place, word in enumerate(words, 1) if word == 0]
        heads = [
            (0 if place == zeros[0] else zeros[0])
            if word == 0
            else next(zero for zero in zeros if zero > place)
            for place, word in enumerate(words, 1)
        ]
        found.append((Sentence(words, [0] * n, [0] * n), (heads, words)))
    return found


@pytest.mark.parametrize(("order", "projective"), SHAPES)
@pytest.mark.parametrize("drop", [0.0, 0.2])
@pytest.mark.parametrize("settings", [{}, {"k": 4}, {"mira": False}, {"augmented": False}])
def test_learns_a_treebank(order: int, projective: bool, drop: float, settings: dict):
    """Until all sentences are right, with a pruner that learns beside it."""
    sentences = treebank(25)
    templates = ("c.form p.form arc.direction", "b.form p.form c.form", "p.form", "s.form c.form")
    parsing = make_parsing(
        compiled((*templates, "g.form c.form", "g.form s.form")),
        HashedWeights(14, trainable=True),
        WeightTable(3, trainable=True),
        HashedWeights(14, trainable=True, adaptive=True),
        order=order,
        projective=projective,
        threshold=0.001,
        max_heads=6,
    )
    training = DependencyTraining(parsing)
    inputs = [(make_input(parsing, s), *map(ints, gold)) for s, gold in sentences]
    for epoch in range(30):
        for i, (words, heads, labels) in enumerate(inputs):
            parsing.scorer.set_dropout(drop if epoch < 5 else 0.0, 100 * epoch + i)
            assert training.learn(words, heads, labels, 25 * epoch + i, **settings) >= 0
        parsing.scorer.set_dropout(0.0, 0)
        wrong = 0
        for words, heads, labels in inputs:
            found = parsing.parse(words, ints([0, len(heads)]))
            wrong += not (np.array_equal(found[0], heads) and np.array_equal(found[1], labels))
        if not wrong:
            break
    assert wrong == 0


def states(order: int, projective: bool, lengths: Sequence[int], share: float) -> list:
    """Weights after some steps on sentences of some lengths."""
    rng = np.random.default_rng(1)
    parsing = make_parsing(
        compiled(),
        HashedWeights(16, trainable=True),
        WeightTable(3, trainable=True),
        HashedWeights(12, trainable=True),
        order=order,
        projective=projective,
        threshold=0.01,
        max_heads=5,
    )
    training = DependencyTraining(parsing)
    found: list = []
    for time, n in enumerate(lengths):
        parsing.scorer.set_dropout(share, time)
        heads = ints([0, *rng.integers(1, np.arange(2, n + 1))] if n > 1 else [0] * n)
        if projective:
            heads = ints(range(n))
        labels = ints(rng.integers(0, 3, n))
        words = make_input(parsing, random_sentence(rng, n))
        found.append(training.learn(words, heads, labels, time, k=2))
    found += list(parsing.scorer.weights.averaged(len(lengths)).values())
    found += list(parsing.scorer.label_weights.averaged(len(lengths)).values())
    return [*found, *parsing.pruner.weights.averaged(len(lengths)).values()]


@pytest.mark.parametrize(("order", "projective"), SHAPES)
def test_deterministic_over_all_lengths(order: int, projective: bool):
    lengths = [4, 1, 0, 12, 2, 300, 3, 1, 40, 60, 80]
    one, two = (states(order, projective, lengths, 0.3) for _ in range(2))
    assert one[: len(lengths)].count(-1) == 0
    assert one[2] == 0
    assert len(one[len(lengths)]) > 100
    for mine, other in zip(one, two, strict=True):
        assert np.array_equal(mine, other)


@pytest.mark.parametrize("margin", [np.nan, INFINITY, -1.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_margins_that_make_no_sense(shape: tuple[int, bool], margin: float):
    world, sentence = random_world(0, 4, order=shape[0], projective=shape[1])
    parsing = world.parsing()
    training = DependencyTraining(parsing)
    heads, labels = ints(world.trees(sentence)[0][1]), ints([0] * 4)
    with pytest.raises(ValueError, match="`margin` must be 0 or more, and finite, not"):
        training.learn(make_input(parsing, sentence), heads, labels, 0, margin=margin)
