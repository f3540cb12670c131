"""Experiments of the parsing benchmark."""

from __future__ import annotations

import pytest

from benchmarks.experiments.parser import EXPERIMENTS, make_experiments
from benchmarks.systems.own.mira import MiraSystem
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system


@pytest.mark.parametrize("small", [False, True])
def test_every_experiment_has_an_option(small: bool) -> None:
    experiments = make_experiments(spacy_parser_system(), small=small)
    # A small corpus ends before the usual first evaluation: nothing but the start would be saved.
    for system in (s for e in experiments.values() for s in e.systems if s.group == "ours"):
        assert isinstance(system, MiraSystem)
        assert ("training.eval_frequency" in system.overrides) == small
    assert set(experiments) == set(EXPERIMENTS)
    assert [s.setting for s in experiments["k_table"].systems] == [
        f"order 1, k {k}" for k in (1, 2, 5, 10)
    ]
