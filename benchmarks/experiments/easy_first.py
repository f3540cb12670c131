"""Experiments of the easy-first benchmark."""

from __future__ import annotations

from ..systems.own.easy_first import BASE_BEAM, EARLY_UPDATES, easy_first_parser
from ..systems.own.guided import (
    OWN_EPOCHS,
    OWN_FOLDS,
    OWN_GUIDE_KEY,
    own_guide_maker,
    stacked_mira,
)
from ..systems.own.mira import mira_system
from .base import Experiment, Pair
from .parser import BEST_ORDER

EXPERIMENTS = {
    "updates": "train with early updates too; accuracy on dev",
    "stacked": "train mira_parser with the easy-first parser as guide too",
}


def make_experiments(*, small: bool = False) -> dict[str, Experiment]:
    """All experiments by the name of their option.

    small (bool): whether the corpus is small.
    RETURNS (dict[str, Experiment]): the experiments.
    """
    shipped = easy_first_parser(BASE_BEAM, small=small)
    early = easy_first_parser(BASE_BEAM, "early updates", EARLY_UPDATES, small=small)
    second = mira_system(BEST_ORDER, small=small)
    stacked = stacked_mira(BEST_ORDER, shipped, small=small)
    experiments = (
        Experiment(
            name="updates",
            title="Early updates against max-violation",
            systems=[shipped, early],
            split="dev",
            pairs=[Pair(shipped.key, early.key, labelled=False)],
            note="Early updates are made without loss augmentation, which does not go with them. "
            "Same tags; only the first training time includes jackknifing.",
        ),
        Experiment(
            name="stacked",
            title="Stacked parsing",
            systems=[shipped, second, stacked],
            pairs=[Pair(stacked.key, alone.key, labelled=True) for alone in (shipped, second)],
            note="The guided parser reads the fine and coarse tags and the arcs of the easy-first "
            f"pipeline, jackknifed on train: first tags, then arcs in {OWN_FOLDS} folds of "
            f"{OWN_EPOCHS} epochs. Its training time does not include the guide's.",
            before=lambda workshop: workshop.make(
                OWN_GUIDE_KEY, "easy-first guide's annotation", own_guide_maker(shipped)
            ),
        ),
    )
    return {experiment.name: experiment for experiment in experiments}
