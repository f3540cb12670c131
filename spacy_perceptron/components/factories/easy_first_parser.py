"""The `easy_first_parser` factory, and what can be set of it."""

from dataclasses import dataclass

from ...errors import Errors
from ...values import MARGIN, WIDTH
from .._dependencies.settings import PARSER_META, ParserSettings
from .._shared.factory import register_factory
from .._shared.settings import setting, templates_setting


@dataclass(frozen=True, kw_only=True)
class EasyFirstSettings(ParserSettings):
    """What can be set of an easy-first parser."""

    factory = "easy_first_parser"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.attachments.v1"], "[templates](#templates) of actions"
    )
    tree_label_templates: list[str] = templates_setting(
        ["spacy_perceptron.tree_labels.v1"], "templates for labelling a tree"
    )
    beam_width: int = setting(
        8, "hypotheses to keep, in training and prediction; time grows with it", **WIDTH.limits
    )
    update: str = setting(
        "max_violation",
        "where in the search to learn, see [Training](#training)",
        choices=("early", "max_violation"),
    )
    learner: str = setting(
        "mira",
        "`mira`: steps as large as it takes to win by the margin; `perceptron`: steps of one",
        choices=("mira", "perceptron"),
    )
    max_step: float = setting(
        0.05, "the largest step of `mira`, and of learning labels", at_least=0
    )
    margin: float = setting(
        1.0,
        "by how much the correct sequence should win for each mistake of another; above 0 for "
        "`mira`",
        **MARGIN.limits,
    )
    loss_augmented: bool = setting(
        True, "in training, wrong actions score higher by the margin; set `false` for `early`"
    )

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        if self.learner == "mira" and not self.margin:
            raise ValueError(Errors.PARSER_NO_MARGIN)


make_easy_first_parser = register_factory(
    EasyFirstSettings,
    "EasyFirstParser",
    model="spacy_perceptron.EasyFirstModel.v1",
    scorer="spacy_perceptron.parser_scorer.v1",
    **PARSER_META,
)
