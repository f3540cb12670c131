"""Scores of parts against sums of the weights of their named features."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .projective.reference import all_ids
from .reference import (
    LABEL,
    Feature,
    Part,
    Sentence,
    all_parts,
    compiled,
    features_of,
    looks,
)
from .world import (
    INDICES,
    KEYS,
    World,
    examples,
    ints,
    make_input,
    make_parsing,
    random_sentence,
    random_world,
    read_weights,
)

SEEDS = st.integers(0, 2**32 - 1)


def part_scores(parsing: DependencyParsing) -> dict[Part, float]:
    """The scores of the sentence at hand, by part."""
    scores = parsing.parts.get_scores()
    return {
        (kind, members): float(scores[kind][i])
        for kind, ids in all_ids(parsing.parts).items()
        for members, i in ids.items()
    }


def parse_one(parsing: DependencyParsing, sentence: Sentence) -> tuple[list[int], list[int]]:
    words = make_input(parsing, sentence)
    heads, labels, *_ = parsing.parse(words, ints([0, len(sentence)]))
    return heads.tolist(), labels.tolist()


@examples(40)
@given(SEEDS, st.integers(1, 6), st.integers(1, 3), st.booleans())
def test_scores_are_sums_of_weights(seed, n, order, guided):
    world, sentence = random_world(seed, n, order=order, guided=guided)
    parsing = world.parsing()
    parse_one(parsing, sentence)
    found = part_scores(parsing)
    for part in all_parts(n, order):
        if part[0] == "arc":
            assert found[part] == world.arc_scores(sentence, part[1])[0]
        else:
            assert found[part] == world.part_score(sentence, part), part


@pytest.mark.parametrize("order", [1, 2, 3])
def test_scores_of_pruned_arcs(order: int):
    """The parts of the arcs that are left have the same scores as among all arcs."""
    world, sentence = random_world(order, 9, order=order)
    parsing = world.parsing(threshold=0.0, max_heads=3)
    parse_one(parsing, sentence)
    found = part_scores(parsing)
    assert sum(kind == "arc" for kind, _ in found) == 9 * 3
    expected = {part for part in all_parts(9, order) if part in found}
    for part in expected:
        score = (
            world.arc_scores(sentence, part[1])[0]
            if part[0] == "arc"
            else world.part_score(sentence, part)
        )
        assert found[part] == score
    # What can't be in a tree has no score: the root's other parts, heads' heads under an arc.
    assert all(found[part] == 0 for part in set(found) - expected)


@pytest.mark.parametrize("kind", ["arc", "sibling", "grand", "grand_sibling"])
def test_templates_of_one_kind_alone(kind: str):
    """Without templates of a kind its parts have no score, and nothing else changes."""
    rng = np.random.default_rng(5)
    texts = {
        "arc": "p.tag c.tag arc.distance",
        "sibling": "s.form c.tag arc.direction",
        "grand": "g.form c.tag arc.direction",
        "grand_sibling": "g.tag s.form c.tag",
    }
    world = World(order=3, templates=(texts[kind],), label=("c.tag arc.direction",))
    sentence = random_sentence(rng, 6)
    world.randomize(sentence, rng, 128)
    parsing = world.parsing()
    parse_one(parsing, sentence)
    found = part_scores(parsing)
    for part in all_parts(6, 3):
        labels = world.label_scores(sentence, part[1]).max() if part[0] == "arc" else 0
        assert found[part] == world.part_score(sentence, part) + labels
    assert len({found[part] for part in all_parts(6, 3) if part[0] == kind}) > 5


# --- Labels and costs ------------------------------------------------------------------------


def test_equal_labels_give_the_first():
    world, sentence = random_world(2, 4, n_labels=4)
    for row in world.label_weights.values():
        row[:] = [0.0, 1.5, 1.5, -1.0]
    assert parse_one(world.parsing(), sentence)[1] == [1] * 4
    for row in world.label_weights.values():
        row[:] = 0.0
    assert parse_one(world.parsing(), sentence)[1] == [0] * 4
    for row in world.label_weights.values():
        row[:] = [-3.0, -2.0, -1.0, -1.0]
    assert parse_one(world.parsing(), sentence)[1] == [2] * 4


def learn_nothing(
    parsing: DependencyParsing, sentence: Sentence, heads: list[int], labels: list[int], **settings
) -> int:
    """Score and decode a sentence for training, but leave all weights as they are."""
    words = make_input(parsing, sentence)
    settings = {"limit": 0.0, "pruner_rate": 0.0, **settings}
    return DependencyTraining(parsing).learn(words, ints(heads), ints(labels), 0, **settings)


@examples(60)
@given(SEEDS, st.integers(1, 5), st.integers(1, 2), st.booleans(), st.data())
def test_costs(seed, n, order, augmented, data):
    """Wrong heads and wrong labels of right heads cost the margin, where gold is known."""
    world, sentence = random_world(seed, n, order=order, size=64)
    margin = data.draw(st.sampled_from([0.5, 1.0, 3.0]))
    tree = data.draw(st.sampled_from(world.trees(sentence)))[1]
    heads = [data.draw(st.sampled_from([-1, head, head])) for head in tree]
    labels = [data.draw(st.integers(-1, 2)) for _ in tree]
    parsing = world.parsing()
    mistakes = learn_nothing(parsing, sentence, heads, labels, augmented=augmented, margin=margin)
    assert mistakes >= 0
    found = part_scores(parsing)
    cost = margin if augmented else 0.0
    for part in all_parts(n, order):
        if part[0] == "arc":
            assert found[part] == world.arc_scores(sentence, part[1], (heads, labels), cost)[0]
        else:
            assert found[part] == world.part_score(sentence, part)


def test_no_costs_where_nothing_is_known():
    world, sentence = random_world(8, 5, order=2)
    parsing = world.parsing()
    parse_one(parsing, sentence)
    before = part_scores(parsing)
    assert learn_nothing(parsing, sentence, [-1] * 5, [-1] * 5, margin=7.0) == 0
    assert part_scores(parsing) == before


# --- Windows ---------------------------------------------------------------------------------


@examples(20)
@given(SEEDS, st.integers(1, 5))
def test_windows_show_the_weights(seed, n):
    """What explanations add up is what was scored."""
    world, sentence = random_world(seed, n, order=3)
    parsing = world.parsing()
    parse_one(parsing, sentence)
    found = part_scores(parsing)
    label_names = looks(LABEL)
    for part in all_parts(n, 3):
        total = sum(weight for _, weight in read_weights(parsing, part))
        if part[0] != "arc":
            assert total == found[part]
            continue
        score, best = world.arc_scores(sentence, part[1])
        rows = parsing.scorer.arc_label_weights(*part[1], best)
        assert total + sum(weight for _, weight in rows) == found[part] == score
        by_name = {
            str(parsing.scorer.features.program.templates["label"][k]): weight for k, weight in rows
        }
        assert by_name == {
            feature[0]: world.label_weights[feature][best]
            for feature in features_of(sentence, part, label_names)
        }


# --- Dropout ---------------------------------------------------------------------------------


def kept_features(world: World, sentence: Sentence, share: float, salt: int) -> set[Feature]:
    """The features whose weight shows in scores although there is dropout, one after the other."""
    kept = set()
    for part in all_parts(len(sentence), world.order):
        for feature in features_of(sentence, part, world.templates):
            if feature not in kept:
                world.weights = {INDICES[feature]: 1.0}
                parsing = world.parsing()
                parsing.scorer.set_dropout(share, salt)
                parse_one(parsing, sentence)
                if part_scores(parsing)[part]:
                    kept.add(feature)
    return kept


def ones(n_bits: int) -> HashedWeights:
    numbers = np.arange(1 << n_bits, dtype=np.uint32)
    return HashedWeights.from_arrays(n_bits, numbers, np.ones(len(numbers), np.float32))


def n_kept(share: float, salt: int) -> tuple[float, np.ndarray]:
    """The share of arc features that are scored, and how many at each arc."""
    program = compiled(("p.place c.place", "p.place", "c.form p.place", "c.place"))
    parsing = make_parsing(program, ones(10), WeightTable(2))
    parsing.scorer.set_dropout(share, salt)
    sentence = random_sentence(np.random.default_rng(0), 60)
    parsing.nbest(make_input(parsing, sentence), 1)
    scores = parsing.parts.get_scores()["arc"]
    return float(scores.sum()) / (4 * len(scores)), scores


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("salt", [0, 12345, 2**64 - 1])
def test_share_of_features_left_out(share: float, salt: int):
    kept, _ = n_kept(share, salt)
    # The features of one end alone, 60 of a template, come with many arcs.
    assert kept == pytest.approx(1 - share, abs=0.06 if 0 < share < 1 else 0)


def test_salts_leave_out_different_features():
    _, one = n_kept(0.5, 2)
    assert np.array_equal(one, n_kept(0.5, 2)[1])
    _, other = n_kept(0.5, 4)
    assert 0.5 < np.mean(one != other) < 0.9
    # A larger share leaves out what a smaller one does, and more.
    assert (n_kept(0.2, 2)[1] >= one).all()


def test_features_left_out_of_one_part_are_left_out_of_all():
    """The same feature at several parts, computed with or without the short cut for one end."""
    world, sentence = random_world(11, 5, order=2)
    for row in world.label_weights.values():
        row[:] = 0
    weights = world.weights
    kept = kept_features(world, sentence, 0.4, 77)
    names = {p: features_of(sentence, p, world.templates) for p in all_parts(5, 2)}
    assert 0.45 < len(kept) / len({f for features in names.values() for f in features}) < 0.75
    # Now with all weights at once: every part has the sum of what is kept.
    world.weights = weights
    parsing = world.parsing()
    for share in (0.4, 0.0):
        parsing.scorer.set_dropout(share, 77)
        parse_one(parsing, sentence)
        found = part_scores(parsing)
        for part, features in names.items():
            scored = [f for f in features if f in kept or not share]
            assert found[part] == sum(weights[INDICES[feature]] for feature in scored)


def test_label_features_are_left_out_too():
    world, sentence = random_world(12, 30, templates=("arc.distance",))
    world.weights = dict.fromkeys(world.weights, 0.0)
    for row in world.label_weights.values():
        row[:] = 1.0
    parsing = world.parsing()
    parsing.scorer.set_dropout(0.25, 5)
    parsing.nbest(make_input(parsing, sentence), 1)
    counts = parsing.parts.get_scores()["arc"]
    assert 0.6 < counts.mean() / len(LABEL) < 0.9
    assert len(KEYS) > 100
