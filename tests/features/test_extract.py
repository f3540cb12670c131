import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.features.extract import FeatureProgram
from spacy_perceptron.features.templates import parse_templates

TEXTS = ["w.a", "w.b", "w.a w.b", "w.b w.a", "w+1.a", "w.a w.b w+1.a", "w.a w.a"]
ATOMS = {"w.a": 0, "w.b": 1, "w+1.a": 2}
VALUES = st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3)


def make(texts: list[str]) -> FeatureProgram:
    templates = parse_templates(texts, roles="w", attributes="ab")
    return FeatureProgram(
        [template.seed for template in templates],
        [[ATOMS[str(atom)] for atom in template.atoms] for template in templates],
    )


def extract(texts: list[str], values: list[int]) -> dict[str, int]:
    ids = make(texts).extract(np.array(values, np.uint64))
    assert ids.dtype == np.uint64
    return dict(zip(texts, ids.tolist(), strict=True))


@given(VALUES, st.permutations(TEXTS), st.integers(1, len(TEXTS)))
def test_ids_depend_on_the_template_and_its_values_alone(
    values: list[int], texts: list[str], n: int
):
    alone = {text: extract([text], values)[text] for text in TEXTS}
    assert extract(texts[:n], values) == {text: alone[text] for text in texts[:n]}
    assert len(set(alone.values())) == len(TEXTS), "templates are told apart"
    assert min(alone.values()) > 1, "0 marks empty slots and 1 dropped features"


@given(VALUES, st.integers(0, 2), st.integers(1, 2**64 - 1))
def test_other_values_give_other_ids(values: list[int], atom: int, change: int):
    changed = [*values[:atom], values[atom] ^ change, *values[atom + 1 :]]
    name = next(text for text, index in ATOMS.items() if index == atom)
    before, after = extract(TEXTS, values), extract(TEXTS, changed)
    for text in TEXTS:
        # "w.a w.a" mixes one value in twice; all others can't meet after one change.
        assert (before[text] != after[text]) == (name in text.split())


@pytest.mark.parametrize("values", ["random", "small", "consecutive"])
def test_no_collisions(values: str):
    """200,000 features: by chance two would meet once in 10^9 runs."""
    rng = np.random.default_rng(0)
    n = 40_000
    if values == "random":
        rows = rng.integers(0, 2**64 - 1, (n, 3), dtype=np.uint64)
    elif values == "small":
        rows = np.array([(i % 41, i // 41 % 41, i // 1681) for i in range(n)], np.uint64)
    else:
        rows = np.array([(2**40 + i, 2**40 - i, i) for i in range(n)], np.uint64)
    texts = ["w.a w.b w+1.a", "w.a w+1.a w.b", "w.a w.b", "w.b w.a", "w.a"]
    atoms = [[ATOMS[part] for part in text.split()] for text in texts]
    program = make(texts)
    ids = np.array([program.extract(row) for row in rows])
    for column, used in enumerate(atoms):
        n_distinct = len(np.unique(rows[:, used], axis=0))
        assert len(np.unique(ids[:, column])) == n_distinct
    n_distinct = sum(len(np.unique(rows[:, used], axis=0)) for used in atoms)
    assert len(np.unique(ids)) == n_distinct
    assert ids.min() > 1


def test_ids_spread_over_small_tables():
    """The table's index is the lowest bits: small tag codes must not fall on few of them."""
    program = make(["w.a w.b"])
    pairs = [(a, b) for a in range(50) for b in range(50)]
    ids = np.array([program.extract(np.array([a, b, 0], np.uint64))[0] for a, b in pairs])
    slots = np.bincount(
        ((ids ^ (ids >> np.uint64(32))) & np.uint64(255)).astype(int), minlength=256
    )
    # Chi-square with 255 degrees of freedom: mean 255, standard deviation 22.6.
    expected = len(pairs) / 256
    assert ((slots - expected) ** 2 / expected).sum() < 255 + 5 * 22.6


def test_too_few_values():
    with pytest.raises(IndexError):
        make(["w+1.a"]).extract(np.array([1, 2], np.uint64))


def test_lists_of_different_lengths():
    with pytest.raises(ValueError):  # noqa: PT011
        FeatureProgram([1, 2], [[0]])


def test_pickle():
    program = make(TEXTS)
    copy = pickle.loads(pickle.dumps(program))
    values = np.array([5, 6, 7], np.uint64)
    assert copy.n_templates == len(TEXTS)
    assert np.array_equal(copy.extract(values), program.extract(values))
