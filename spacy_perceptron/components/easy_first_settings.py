"""The settings of the easy-first parser, and their defaults."""

from dataclasses import dataclass
from typing import Any

from ..errors import Errors
from ._dependencies.settings import ParserSettings

DEFAULT_CONFIG: dict[str, Any] = {
    "model": {
        "@architectures": "spacy_perceptron.EasyFirstModel.v1",
        "n_bits": 22,
        "min_weight": 0.0,
    },
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.attachments.v1"],
        "extra": [],
        "without": [],
    },
    "tree_label_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.tree_labels.v1"],
        "extra": [],
        "without": [],
    },
    "beam_width": 8,
    "update": "max_violation",
    "learner": "mira",
    "max_step": 0.05,
    "margin": 1.0,
    "loss_augmented": True,
    "adaptive": False,
    "dropout": 0.0,
    "guide": False,
    "guide_dropout": 0.5,
    "confidence": True,
    "nbest": 0,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.parser_scorer.v1"},
}

UPDATES = ("early", "max_violation")
LEARNERS = ("mira", "perceptron")


@dataclass(frozen=True, kw_only=True)
class EasyFirstSettings(ParserSettings):
    """What can be set of an easy-first parser, beside what can be set of all parsers.

    templates (list[str]): Feature templates of attachments.
    tree_label_templates (list[str]): Feature templates for labelling a tree that was found.
    beam_width (int): How many hypotheses to keep. Wider beams are slower and more accurate.
    update (str): Where a sentence is learned from: `early`, where the last correct sequence of
        actions leaves the beam (Ma et al. 2013), or `max_violation`, where the best correct one is
        farthest behind (Huang et al. 2012).
    learner (str): `mira`, with steps as large as it takes for the correct sequence to win by the
        margin, or `perceptron`, with steps of one.
    max_step (float): The largest step of `mira`, and of learning labels.
    margin (float): By how much the correct sequence should win for each mistake of another; above 0
        for `mira`.
    loss_augmented (bool): Let wrong actions score higher by the margin in training.

    `guide` adds templates that look at the heads and labels which are already there (the sets
    `spacy_perceptron.guide.v1` and `.guide_labels.v1`).
    """

    templates: list[str]
    tree_label_templates: list[str]
    beam_width: int
    update: str
    learner: str
    max_step: float
    margin: float
    loss_augmented: bool

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, with the way out."""
        super().__post_init__()
        self._check_choice("update", UPDATES)
        self._check_choice("learner", LEARNERS)
        self._check_least("beam_width", 1)
        self._check_least("max_step", 0)
        self._check_least("margin", 0)
        if self.learner == "mira" and not self.margin:
            raise ValueError(Errors.PARSER_NO_MARGIN)
