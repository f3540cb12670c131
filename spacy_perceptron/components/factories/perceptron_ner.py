"""The `perceptron_ner` factory, and what can be set of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import Errors
from ...values import WIDTH
from .._sequences.settings import SequenceSettings
from .._shared.factory import register_factory
from .._shared.settings import setting, templates_setting


@dataclass(frozen=True, kw_only=True)
class NerSettings(SequenceSettings):
    """What can be set of an entity recognizer."""

    factory = "perceptron_ner"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.entities.v1"], "[templates](#templates) of tags"
    )
    scheme: str = setting(
        "bio",
        "tags of an entity's words: `biluo` also marks last words (L) and entities of one word (U)",
        choices=("bio", "biluo"),
    )
    search: str = setting(
        "left_to_right",
        "`easy_first`: decide the easiest word next, with tags on both sides as features",
        choices=("left_to_right", "easy_first"),
    )
    beam_width: int = setting(
        4, "partial answers to keep at each step, in training and prediction", **WIDTH.limits
    )
    update: str = setting(
        "resume",
        "what training does after a mistake, see [Training](#training)",
        choices=("early", "resume", "max_violation"),
    )
    entity_bonus: float = setting(
        0.0,
        "added to the score of each entity in prediction: more than 0 finds more entities, less "
        "than 0 fewer, see [Precision and recall](#precision-and-recall)",
        at_least=-1000.0,
        at_most=1000.0,
    )
    lists: str | Path | list[str] | dict[str, Any] = setting(
        {}, "lists of names to look up, see [Lists of names](#lists-of-names)"
    )

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        if self.update == "max_violation" and self.search == "easy_first":
            raise ValueError(Errors.ENTITY_EASY_UPDATE)


make_perceptron_ner = register_factory(
    NerSettings,
    "PerceptronNer",
    model="spacy_perceptron.LinearModel.v1",
    scorer="spacy_perceptron.ner_scorer.v1",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_score_weights={
        "ents_f": 1.0,
        "ents_p": 0.0,
        "ents_r": 0.0,
        "ents_per_type": None,
        "ents_boundary_f": 0.0,
    },
)
