"""Experiments of the parsing benchmark."""

from __future__ import annotations

from ..systems.own.guided import GUIDE_KEY, MAX_STEPS, N_FOLDS, guided_mira, spacy_guide_maker
from ..systems.own.mira import gold_tag_mira, mira_system, mira_variant
from ..systems.peers.spacy_pipelines import SpacySystem
from .base import Experiment, Pair

EXPERIMENTS = {
    "k_table": "train with each number of best trees; accuracy on dev",
    "learners": "train with the averaged perceptron too",
    "gold_tags": "train and test on gold tags too",
    "guide": "train with spaCy's parser as guide too",
}
KS = (1, 2, 5, 10)
FIRST_ORDER = 1
BEST_ORDER = 2


def make_experiments(guide: SpacySystem, *, small: bool = False) -> dict[str, Experiment]:
    """All experiments by the name of their option.

    guide (SpacySystem): spaCy's pipeline.
    small (bool): whether the corpus is small.
    RETURNS (dict[str, Experiment]): the experiments.
    """
    first = mira_system(FIRST_ORDER, small=small)
    perceptron = mira_variant(FIRST_ORDER, "perceptron", {"learner": "perceptron"}, small=small)
    guided = guided_mira(BEST_ORDER, guide, small=small)
    steps = min(MAX_STEPS, guide.overrides.get("training.max_steps", MAX_STEPS))
    experiments = (
        Experiment(
            name="k_table",
            title="Accuracy against k",
            systems=[mira_variant(FIRST_ORDER, f"k {k}", {"k": k}, small=small) for k in KS],
            split="dev",
            note="The parser learns from the k best trees of a sentence. Training times leave out "
            "jackknifing.",
        ),
        Experiment(
            name="learners",
            title="MIRA against the averaged perceptron",
            systems=[first, perceptron],
            pairs=[Pair(first.key, perceptron.key, labelled=False)],
            note="Same features and tags. Only the first training time includes jackknifing.",
        ),
        Experiment(
            name="gold_tags",
            title="Gold tags",
            systems=[gold_tag_mira(order, small=small) for order in (FIRST_ORDER, BEST_ORDER)],
            note="Trained and tested on gold tags, fine and coarse. Training times are those of "
            "the parser alone.",
        ),
        Experiment(
            name="guide",
            title="Guided parsing",
            systems=[guide, guided],
            pairs=[Pair(guided.key, guide.key, labelled=True)],
            note="The guided parser reads the tags and arcs of spaCy's pipeline, jackknifed on "
            f"train in {N_FOLDS} folds. Its training time does not include spaCy's.",
            before=lambda workshop: workshop.make(
                GUIDE_KEY, "guide annotation", spacy_guide_maker(guide, steps)
            ),
        ),
    )
    return {experiment.name: experiment for experiment in experiments}
