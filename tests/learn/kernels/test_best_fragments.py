"""The fragments that decide, against all fragments enumerated."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.kernels.fragments import Fragment, TagFragment, TreeFragment
from spacy_perceptron.learn.kernels.perceptron import COMBINATIONS, KernelPerceptron
from spacy_perceptron.learn.kernels.settings import KernelSettings

from .reference import (
    BASE,
    PrimalPerceptron,
    features,
    make_structures,
    make_trees,
    normalized,
    weight,
)
from .strategies import candidate_lists, kernel_settings, training_sets


def reference_form(fragment: Fragment) -> Any:
    """A fragment as the enumeration writes it."""
    if isinstance(fragment, TagFragment):
        rows = zip(fragment.tags, fragment.words, fragment.shapes, strict=True)
        return tuple(
            ("tag", tag, None)
            if word is None and shape is None
            else ("shape", tag, shape)
            if word is None
            else ("word", tag, word)
            for tag, word, shape in rows
        )
    rest = list(zip(fragment.labels, fragment.n_children, fragment.cut, strict=True))

    def read() -> Any:
        label, n_children, cut = rest.pop(0)
        if not n_children:
            return ("cut" if cut else "word", label)
        assert not cut
        return (label, tuple(read() for _ in range(n_children)))

    form = read()
    assert not rest
    return form


@settings(deadline=None, max_examples=150)
@given(st.data(), st.sampled_from(COMBINATIONS))
def test_all_fragments(data: st.DataObject, combine: str):
    """All fragments with their parts in the difference, each once, largest first."""
    how = data.draw(kernel_settings(normalize=False))
    model = KernelPerceptron(how, combine=combine)
    primal = PrimalPerceptron(how, combine=combine)
    for candidates, base_scores, target in data.draw(training_sets(how)):
        model.learn(make_structures(how, candidates), base_scores, target)
        primal.learn(candidates, base_scores, target)
    candidates, _ = data.draw(candidate_lists(how))
    index, other = (data.draw(st.integers(0, len(candidates) - 1)) for _ in range(2))
    weights: Counter[Any] = Counter()
    for example in range(1, primal.n_examples + 1):
        if combine != "final" or example == primal.n_examples:
            weights.update(primal.hypothesis(example))
    n_hypotheses = 1 if combine == "final" else primal.n_examples
    difference = Counter(normalized(how, features(how, candidates[index])))
    difference.subtract(features(how, candidates[other]))
    expected = {
        f: weight(how, f) * value * weights[f] / n_hypotheses
        for f, value in difference.items()
        if f != BASE and abs(value * weights[f]) > 1e-12
    }
    found = model.fragments(make_structures(how, candidates), index, other, 10_000)
    sizes = [abs(f.weight) for f in found]
    assert sizes == sorted(sizes, reverse=True)
    kept = [f for f in found if abs(f.weight) > 1e-12]
    forms = [reference_form(f) for f in kept]
    assert len(set(forms)) == len(forms)
    assert set(forms) == set(expected)
    for form, fragment in zip(forms, kept, strict=True):
        assert fragment.weight == pytest.approx(expected[form])
    few = model.fragments(make_structures(how, candidates), index, other, 2)
    assert [abs(f.weight) for f in few] == pytest.approx(sizes[:2])


def test_by_hand():
    """One mistake: NP above a word was right, VP was chosen. S -> NP, NP -> man: 0.5 each, the
    whole 0.25; the same with VP count against, so that without VP they are missing."""
    how = KernelSettings("subset_tree", decay=0.5, base_weight=1.0, normalize=True)
    trees = make_trees([(1, [(3, [(4, [])])]), (1, [(2, [(4, [])])])])
    model = KernelPerceptron(how, combine="final")
    model.learn(trees, [0.0, 0.0], 1)
    found = model.fragments(trees, 1, 0, 3)
    # The norm of both is sqrt(1.25), and it divides twice.
    assert [f.weight for f in found] == pytest.approx([0.4] * 3)
    assert TreeFragment([2, 4], [1, 0], [False, False], found[0].weight) in model.fragments(
        trees, 1, 0, 6
    )
    total = sum(f.weight for f in model.fragments(trees, 1, 0, 100))
    assert total == pytest.approx(-np.diff(model.scores(trees, [0.0, 0.0])[::-1])[0])
    with pytest.raises(ValueError, match="no candidate 2"):
        model.fragments(trees, 0, 2, 3)
