"""Experiments of the easy-first benchmark."""

from __future__ import annotations

from benchmarks.experiments.easy_first import EXPERIMENTS, make_experiments


def test_every_experiment_has_an_option() -> None:
    experiments = make_experiments()
    assert list(experiments) == list(EXPERIMENTS)
    for experiment in experiments.values():
        keys = [system.key for system in experiment.systems]
        assert len(set(keys)) == len(keys)
        assert {key for pair in experiment.pairs for key in (pair.a, pair.b)} <= set(keys)
    assert experiments["updates"].split == "dev"


def test_stacked_parser_is_compared_with_each_alone() -> None:
    experiment = make_experiments()["stacked"]
    keys = ["easy-first-beam8", "ours-order2", "ours-order2-stacked"]
    assert [system.key for system in experiment.systems] == keys
    assert [(p.a, p.b, p.labelled) for p in experiment.pairs] == [
        (keys[2], alone, True) for alone in keys[:2]
    ]
    assert experiment.split == "test"
