"""The settings of the MIRA parser, and their defaults."""

from dataclasses import dataclass
from typing import Any

from ..errors import Errors
from ._dependencies.settings import ParserSettings

DEFAULT_CONFIG: dict[str, Any] = {
    "model": {
        "@architectures": "spacy_perceptron.ParserModel.v1",
        "n_bits": 22,
        "pruner_bits": 18,
        "min_weight": 0.0,
    },
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.arcs.v1", "spacy_perceptron.second_order.v1"],
        "extra": [],
        "without": [],
    },
    "label_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": [],
        "extra": [],
        "without": [],
    },
    "tree_label_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.tree_labels.v1"],
        "extra": [],
        "without": [],
    },
    "pruner_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.arc_pruner.v1"],
        "extra": [],
        "without": [],
    },
    "order": 2,
    "decoder": "eisner",
    "learner": "mira",
    "k": 1,
    "max_step": 0.05,
    "loss_augmented": True,
    "adaptive": False,
    "dropout": 0.0,
    "pruning": 0.0008,
    "max_heads": 20,
    "narrowing": 0.0,
    "guide": False,
    "guide_dropout": 0.5,
    "confidence": True,
    "nbest": 0,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.parser_scorer.v1"},
}

ORDERS = (1, 2, 3)
DECODERS = ("eisner", "mst")
LEARNERS = ("mira", "perceptron")


@dataclass(frozen=True, kw_only=True)
class MiraSettings(ParserSettings):
    """What can be set of a MIRA parser, beside what can be set of all parsers.

    templates (list[str]): Feature templates of arcs, siblings and grandparents. Those of a higher
        order than `order` are left out.
    label_templates (list[str]): Feature templates of labelled arcs, for finding trees with labels
        (`spacy_perceptron.arc_labels.v1`). Without any, trees are found first and then labelled,
        which is faster and a little less accurate.
    tree_label_templates (list[str]): Feature templates for labelling a tree that was found. Without
        any, the labels of the search stay.
    pruner_templates (list[str]): Feature templates of the first pass, which chooses arcs.
    order (int): 1 scores arcs alone, 2 also neighbouring siblings and grandparents, 3 also both at
        once.
    decoder (str): `eisner` finds projective trees (crossing arcs of the gold trees are lifted for
        training and lowered again after decoding), `mst` any trees, of order 1.
    learner (str): `mira`, or `perceptron`, the averaged perceptron.
    k (int): How many best trees MIRA learns from at a time.
    max_step (float): The most that one tree can move the weights: the constant C of MIRA.
    loss_augmented (bool): Let wrong heads and labels score higher in training, so that trees with
        many of them are found and pushed down. Goes with k = 1.
    pruning (float): Leave out arcs with less than this share of the probability of a word's best
        head, by a quick first model; 0 keeps all.
    max_heads (int): Keep no more heads of a word than this; 0 for no limit.
    narrowing (float): With order 2 or 3, leave out arcs with less than this share of the
        probability of a word's best head, by the scores of arcs alone, before further parts are
        scored. Not in training. 0 keeps all.

    `guide` adds templates that look at the heads and labels which are already there (the sets
    `spacy_perceptron.guide.v1`, `.guide_labels.v1` and `.guide_pruner.v1`).
    """

    templates: list[str]
    label_templates: list[str]
    tree_label_templates: list[str]
    pruner_templates: list[str]
    order: int
    decoder: str
    learner: str
    k: int
    max_step: float
    loss_augmented: bool
    pruning: float
    max_heads: int
    narrowing: float

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, with the way out."""
        super().__post_init__()
        self._check_choice("order", ORDERS)
        self._check_choice("decoder", DECODERS)
        self._check_choice("learner", LEARNERS)
        self._check_least("k", 1)
        self._check_least("max_step", 0)
        self._check_least("max_heads", 0)
        if not 0 <= self.pruning <= 1:
            raise ValueError(Errors.PRUNING_THRESHOLD.format(value=self.pruning))
        if not 0 <= self.narrowing <= 1:
            raise ValueError(Errors.NARROWING_THRESHOLD.format(value=self.narrowing))
        if self.decoder == "mst" and self.order > 1:
            raise ValueError(Errors.PARSER_MST_ORDER.format(order=self.order))
