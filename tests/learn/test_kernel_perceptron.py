"""The dual perceptron against the primal one on enumerated fragments."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.learn.kernel_perceptron import COMBINATIONS, KernelPerceptron
from spacy_perceptron.learn.kernel_settings import KernelSettings

from .kernel_reference import PrimalPerceptron, make_structures
from .kernel_strategies import candidate_lists, kernel_settings, training_sets


def train(how: KernelSettings, examples: list[Any], **options: Any) -> KernelPerceptron:
    model = KernelPerceptron(how, **options)
    for candidates, base_scores, target in examples:
        model.learn(make_structures(how, candidates), base_scores, target)
    return model


@settings(deadline=None, max_examples=300)
@given(st.data(), st.sampled_from(COMBINATIONS), st.sampled_from([0, 1, 2]))
def test_primal(data: st.DataObject, combine: str, budget: int):
    """The same mistakes and scores as with explicit vectors, ties included."""
    how = data.draw(kernel_settings(normalize=False))
    model = KernelPerceptron(how, combine=combine, budget=budget)
    primal = PrimalPerceptron(how, combine=combine, budget=budget)
    n_mistakes = 0
    for candidates, base_scores, target in data.draw(training_sets(how)):
        mistake = primal.learn(candidates, base_scores, target)
        assert model.learn(make_structures(how, candidates), base_scores, target) == mistake
        n_mistakes += mistake
    assert (model.n_examples, model.n_mistakes) == (primal.n_examples, n_mistakes)
    assert model.n_supports == len(primal.mistakes)
    candidates, base_scores = data.draw(candidate_lists(how))
    expected = primal.scores(candidates, base_scores)
    structures = make_structures(how, candidates)
    found = model.scores(structures, base_scores)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    relative = model.scores(structures, base_scores, relative=True)
    np.testing.assert_allclose(relative - relative[0], expected - expected[0], atol=1e-12)
