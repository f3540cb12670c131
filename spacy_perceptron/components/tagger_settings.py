"""The settings of the easy-first tagger, and their defaults."""

from dataclasses import dataclass
from typing import Any

from spacy.attrs import POS, TAG

from ..errors import Errors
from ._sequences.settings import SequenceSettings

DEFAULT_CONFIG: dict[str, Any] = {
    "model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": 0.0},
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.tagging.v1"],
        "extra": [],
        "without": [],
    },
    "attribute": "tag",
    "beam_width": 3,
    "update": "resume",
    "margin": 10.0,
    "adaptive": True,
    "hide_rare": 2.0,
    "nbest": 0,
    "dictionary_min_count": 0,
    "overwrite": True,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.tagger_scorer.v1"},
}

TOKEN_ATTRIBUTES = {"tag": TAG, "pos": POS}
UPDATES = ("early", "resume")


@dataclass(frozen=True, kw_only=True)
class TaggerSettings(SequenceSettings):
    """What can be set of a tagger, beside what can be set of all that tag words.

    attribute (str): What to predict: `tag` (fine-grained) or `pos` (coarse).
    dictionary_min_count (int): Words with at least this many occurrences in training and always
        the same tag get it without search; 0 switches this off.
    overwrite (bool): Overwrite tags that are already there.

    `update` is `early`, which goes on to the next sentence (the paper), or `resume`, which goes on
    behind the mistake with the correct partial tagging (LaSO; Daumé & Marcu 2005). A `margin` of 0
    is the paper's rule.
    """

    beam_width: int = 3
    attribute: str = "tag"
    dictionary_min_count: int = 0
    overwrite: bool = True

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, with the way out."""
        if self.attribute not in TOKEN_ATTRIBUTES:
            raise ValueError(Errors.TAGGER_ATTRIBUTE.format(value=self.attribute))
        if self.update not in UPDATES:
            raise ValueError(Errors.TAGGER_UPDATE.format(value=self.update))
        self._check_not_negative("margin", "hide_rare", "nbest", "dictionary_min_count")
        self._check_beam_width()
