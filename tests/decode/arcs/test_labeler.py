"""Labels of trees that were found, against sums over named features."""

import functools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .projective.reference import all_trees
from .reference import Feature, Heads, Sentence, compiled, looks, see_arc, see_token
from .world import examples, ints, make_input, make_parsing, random_sentence, read_keys

SEARCH = ("c.form",)
TREE_LABEL = (
    "p.tag c.tag arc.direction",
    "c.form arc.guide arc.punct",
    "g.tag p.parity c.tag",
    "l.tag c.form",
    "r.form arc.distance",
    "l-1.tag l.tag",
    "x.tag p.tag c.tag",
    "x+1.form g.form",
)
N_LABELS = 3
SEEDS = st.integers(0, 2**32 - 1)


def features_of(sentence: Sentence, heads: Heads, child: int, texts: tuple[str, ...]) -> Counter:
    """The features of a child's label in a tree: where a template looks at several children, one
    for each of them, or one for none."""
    head = heads[child - 1]
    under = {h: [c for c, of in enumerate(heads, 1) if of == h] for h in (head, child)}
    bags = {
        "l": [c for c in under[child] if c < child],
        "r": [c for c in under[child] if c > child],
        "x": [c for c in under[head] if c != child],
    }
    places = {"p": head, "c": child, "g": heads[head - 1] if head else "first"}
    whole = see_arc(sentence, head, child)
    found: Counter = Counter()
    for look in looks(texts):
        bag = next((atom.role for atom in look.atoms if atom.role in bags), None)
        for member in [0] if bag is None else bags[bag] or ["first"]:
            values = tuple(
                whole[atom.attribute]
                if atom.role == "arc"
                else see_token(sentence, atom, member if atom.role == bag else places[atom.role])
                for atom in look.atoms
            )
            found[look.text, values] += 1
    return found


def make(
    texts: tuple[str, ...], labels: WeightTable, weights: HashedWeights | None = None, **settings
) -> DependencyParsing:
    weights = HashedWeights(10, trainable=True) if weights is None else weights
    return make_parsing(compiled(("p.tag c.tag",), SEARCH, texts), weights, labels, **settings)


def table_of(rows: dict[int, list[float]]) -> WeightTable:
    keys = sorted(rows)
    return WeightTable.from_arrays(
        N_LABELS,
        np.array(keys, np.uint64),
        np.full(len(keys), N_LABELS, np.uint16),
        np.tile(np.arange(N_LABELS, dtype=np.uint16), len(keys)),
        np.array([rows[key] for key in keys], np.float32).ravel(),
        trainable=True,
    )


def changes(sentence: Sentence, heads: Heads, child: int, text: str) -> dict[int, float]:
    """What an update of one label changes: keys and how much the gold label gains there."""
    searched = {key for arc in read_search(sentence).values() for _, key in arc}
    table = WeightTable(N_LABELS, trainable=True)
    parsing = make((text,), table)
    labels = [1 if c == child else -1 for c in range(1, len(heads) + 1)]
    training = DependencyTraining(parsing)
    words = make_input(parsing, sentence)
    training.learn(words, ints(heads), ints(labels), 0, pruner_rate=0.0)
    keys = set(table.averaged(0)["keys"].tolist()) - searched
    return {key: table.row(key)[1] for key in keys}


# No two words alike: counts are 1.
SENTENCE = Sentence([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 0], [2, 0, -1, 3])


@functools.cache
def known_keys() -> dict[Feature, int]:
    """The keys of all features of the sentence's trees, from labels that have but one."""
    keys: dict[Feature, int] = {}
    for text in TREE_LABEL:
        for heads in all_trees(4):
            for child in range(1, 5):
                features = features_of(SENTENCE, heads, child, (text,))
                if len(features) == 1 and next(iter(features)) not in keys:
                    (key,) = changes(SENTENCE, heads, child, text)
                    keys[next(iter(features))] = key
    return keys


@functools.cache
def search_keys() -> dict:
    return read_keys(SENTENCE, SEARCH)


def read_search(sentence: Sentence) -> dict:
    return search_keys() if sentence is SENTENCE else read_keys(sentence, SEARCH)


def test_names_and_keys_are_one_to_one():
    keys = known_keys()
    assert len(keys) > 60
    assert len(set(keys.values())) == len(keys)
    # Features of labels in the search share the table.
    searched = {key for arc in search_keys().values() for _, key in arc}
    assert not searched & set(keys.values())
    assert min(keys.values()) > 1


@pytest.mark.parametrize("text", TREE_LABEL)
def test_features_of_all_trees(text: str):
    """Every child that a template looks at, each once, and the step of one update."""
    keys = known_keys()
    n_several = 0
    for heads in all_trees(4)[::2]:
        for child in range(1, 5):
            features = features_of(SENTENCE, heads, child, (text,))
            found = changes(SENTENCE, heads, child, text)
            assert set(found) == {keys[feature] for feature in features}
            # (1 - 0) / 2 n: n features gain it, and another label loses it.
            n = sum(features.values())
            assert found == {keys[f]: pytest.approx(k / (2 * n)) for f, k in features.items()}
            n_several += len(features) > 1
    assert n_several > 0 or not {"l", "r", "x"} & {a[0] for a in text.split()}


def scores(rows: dict[int, list[float]], features: Counter) -> np.ndarray:
    keys = known_keys()
    return sum((n * np.array(rows[keys[f]]) for f, n in features.items()), np.zeros(N_LABELS))


def random_rows(seed: int, size: int) -> dict[int, list[float]]:
    rng = np.random.default_rng(seed)
    rows = {
        key: (rng.integers(-size, size + 1, N_LABELS) / 64).tolist()
        for key in known_keys().values()
    }
    # Labels in the search: it must not matter what they are.
    for arc in search_keys().values():
        rows |= {key: rng.integers(-9, 9, N_LABELS).tolist() for _, key in arc}
    return rows


@examples(20)
@given(SEEDS, st.sampled_from([64, 1]))
def test_labels_of_all_trees(seed, size):
    """The best label by the sum of its features, of equal ones the first."""
    rows = random_rows(seed, size)
    weights = HashedWeights.from_arrays(
        10, np.arange(1024, dtype=np.uint32), np.random.default_rng(seed).random(1024)
    )
    parsing = make(TREE_LABEL, table_of(rows), weights)
    words = make_input(parsing, SENTENCE)
    trees, labels, _ = parsing.nbest(words, 100)
    assert len(trees) == len(all_trees(4))
    for tree, found in zip(trees.tolist(), labels.tolist(), strict=True):
        expected = [
            int(np.argmax(scores(rows, features_of(SENTENCE, tuple(tree), child, TREE_LABEL))))
            for child in range(1, 5)
        ]
        assert found == expected
    heads, best, *_ = parsing.parse(words, ints([0, 4]))
    assert best.tolist() == labels[trees.tolist().index(heads.tolist())].tolist()


def test_step_with_equal_children():
    """Two equal children give a feature the count 2: |difference|^2 is 2 * 2^2, the step 1/8, and
    the gold label then wins by 1."""
    sentence = Sentence([0, 0, 1], [0, 0, 1], [0, 0, 0])
    heads, text = (3, 3, 0), "l.tag c.form"
    (gain,) = (gain for gain in changes(sentence, heads, 3, text).values())
    assert gain == pytest.approx(2 / 8)


@examples(30)
@given(SEEDS, st.sampled_from([float("inf"), 0.05]), st.data())
def test_learning_step(seed, limit, data):
    """Word after word, the smallest change after which the gold label wins by 1, up to a limit."""
    rows = random_rows(seed, 64)
    table = table_of(rows)
    heads = data.draw(st.sampled_from(all_trees(4)))
    gold = [data.draw(st.integers(-1, N_LABELS - 1)) for _ in heads]
    parsing = make(TREE_LABEL, table)
    training = DependencyTraining(parsing)
    words = make_input(parsing, SENTENCE)
    training.learn(words, ints(heads), ints(gold), 0, limit=limit, pruner_rate=0.0)
    keys = known_keys()
    for child, label in enumerate(gold, 1):
        if label < 0:
            continue
        features = features_of(SENTENCE, heads, child, TREE_LABEL)
        totals = scores(rows, features)
        totals += 1.0
        totals[label] -= 1.0
        best = int(np.argmax(totals))
        step = (totals[best] - totals[label]) / (2 * sum(n * n for n in features.values()))
        for feature, n in features.items():
            rows[keys[feature]][label] += min(limit, step) * n
            rows[keys[feature]][best] -= min(limit, step) * n
    for key in keys.values():
        found = table.row(key)
        assert [found[k] for k in range(N_LABELS)] == pytest.approx(rows[key], abs=1e-4)


def test_labels_without_templates_are_those_of_the_search():
    rows = {key: [0.0, 1.0, 0.0] for arc in search_keys().values() for _, key in arc}
    parsing = make((), table_of(rows))
    _, labels, *_ = parsing.parse(make_input(parsing, SENTENCE), ints([0, 4]))
    assert labels.tolist() == [1] * 4


@pytest.mark.parametrize("n", [1, 30, 300])
def test_sentences_of_any_length(n: int):
    """Also one after another, with the memory of the last."""
    rng = np.random.default_rng(n)
    parsing = make(TREE_LABEL, WeightTable(N_LABELS, trainable=True), max_heads=5)
    training = DependencyTraining(parsing)
    for length in (n, 3, n):
        words = make_input(parsing, random_sentence(rng, length))
        gold, labels = ints(range(length)), ints(rng.integers(0, N_LABELS, length))
        assert training.learn(words, gold, labels, 0) >= 0
        _, found, *_ = parsing.parse(words, ints([0, length]))
        assert set(found.tolist()) <= set(range(N_LABELS))
