"""Experiments of the easy-first benchmark."""

from __future__ import annotations

from .experiments import Experiment, Pair
from .systems.easy_first_parser import BASE_BEAM, EARLY_UPDATES, easy_first_parser

EXPERIMENTS = {
    "updates": "train with early updates too; accuracy on dev",
}


def make_experiments(*, small: bool = False) -> dict[str, Experiment]:
    """All experiments by the name of their option.

    small (bool): whether the corpus is small.
    RETURNS (dict[str, Experiment]): the experiments.
    """
    shipped = easy_first_parser(BASE_BEAM, small=small)
    early = easy_first_parser(BASE_BEAM, "early updates", EARLY_UPDATES, small=small)
    experiments = (
        Experiment(
            name="updates",
            title="Early updates against max-violation",
            systems=[shipped, early],
            split="dev",
            pairs=[Pair(shipped.key, early.key, labelled=False)],
            note="Early updates without loss augmentation, which does not go with them. Same "
            "tags; only the first one's time includes their jackknifing.",
        ),
    )
    return {experiment.name: experiment for experiment in experiments}
