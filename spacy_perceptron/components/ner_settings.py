"""The settings of the entity recognizer, and their defaults."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..decode.sequences.entities import SCHEMES
from ..errors import Errors
from ._sequences.settings import SequenceSettings

DEFAULT_CONFIG: dict[str, Any] = {
    "model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": 0.0},
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.entities.v1"],
        "extra": [],
        "without": [],
    },
    "scheme": "bio",
    "search": "left_to_right",
    "beam_width": 4,
    "update": "resume",
    "margin": 10.0,
    "adaptive": True,
    "hide_rare": 2.0,
    "lists": {},
    "nbest": 0,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.ner_scorer.v1"},
}

SEARCHES = ("left_to_right", "easy_first")
UPDATES = ("early", "resume", "max_violation")


@dataclass(frozen=True, kw_only=True)
class NerSettings(SequenceSettings):
    """What can be set of an entity recognizer, beside what can be set of all that tag words.

    scheme (str): Tags of an entity's words: `bio`, or `biluo`, which knows last words and entities
        of one word.
    search (str): `left_to_right`, or `easy_first`, which decides the easiest word next.
    lists (ListSource): Lists of names to look up, read by `initialize` and saved with the
        component: a path, several paths, or names or a path by label. Templates see the matches as
        the attribute `listed`.

    `update` is `early`, which goes on to the next sentence, `resume`, which goes on behind the
    mistake with the correct tags (LaSO; Daumé & Marcu 2005), or `max_violation`, which searches to
    the end and updates where the mistake weighs most (Huang, Fayong, Guo 2012; left to right only).
    """

    beam_width: int = 4
    scheme: str = "bio"
    search: str = "left_to_right"
    lists: str | Path | list[str] | dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, with the way out."""
        if self.scheme not in SCHEMES:
            raise ValueError(Errors.ENTITY_SCHEME.format(value=self.scheme))
        if self.search not in SEARCHES:
            raise ValueError(Errors.ENTITY_SEARCH.format(value=self.search))
        if self.update not in UPDATES:
            raise ValueError(Errors.ENTITY_UPDATE.format(value=self.update))
        if self.update == "max_violation" and self.search == "easy_first":
            raise ValueError(Errors.ENTITY_EASY_UPDATE)
        self._check_beam_width()
        self._check_not_negative("margin", "hide_rare", "nbest")
