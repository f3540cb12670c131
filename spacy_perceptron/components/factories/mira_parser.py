"""The `mira_parser` factory, and what can be set of it."""

from dataclasses import dataclass

from ...errors import Errors
from ...values import SHARE, WIDTH
from .._dependencies.settings import PARSER_META, ParserSettings
from .._shared.factory import register_factory
from .._shared.settings import setting, templates_setting


@dataclass(frozen=True, kw_only=True)
class MiraSettings(ParserSettings):
    """What can be set of a MIRA parser."""

    factory = "mira_parser"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.arcs.v1", "spacy_perceptron.second_order.v1"],
        "[templates](#templates) of arcs, siblings and grandparents; those of a higher order than "
        "`order` are left out",
    )
    label_templates: list[str] = templates_setting(
        [],
        "templates of labelled arcs, to search for trees with labels; without any, trees are found "
        "first and then labelled, which is faster and a little less accurate",
    )
    tree_label_templates: list[str] = templates_setting(
        ["spacy_perceptron.tree_labels.v1"],
        "templates for labelling a tree; without any, the labels of the search stay",
    )
    pruner_templates: list[str] = templates_setting(
        ["spacy_perceptron.arc_pruner.v1"], "templates of the first pass, which chooses arcs"
    )
    order: int = setting(
        2, "1 scores arcs, 2 also siblings and grandparents, 3 also both at once", choices=(1, 2, 3)
    )
    decoder: str = setting(
        "eisner",
        "`eisner`: projective trees, crossing arcs lifted and lowered; `mst`: any trees, order 1",
        choices=("eisner", "mst"),
    )
    learner: str = setting(
        "mira", "MIRA or the averaged perceptron", choices=("mira", "perceptron")
    )
    k: int = setting(1, "number of best trees that MIRA learns from at a time", **WIDTH.limits)
    max_step: float = setting(
        0.05, "the most that one tree can move the weights: the constant C of MIRA", at_least=0
    )
    loss_augmented: bool = setting(
        True, "in training, wrong heads and labels add to a tree's score; goes with `k = 1`"
    )
    pruning: float = setting(
        0.0008,
        "leave out arcs with less than this share of the probability of a word's best head; 0 "
        "keeps all",
        **SHARE.limits,
    )
    max_heads: int = setting(
        20, "largest number of heads to keep for a word; 0 for no limit", at_least=0
    )
    narrowing: float = setting(
        0.0,
        "order 2 and 3, not in training: leave out arcs with less than this share of the "
        "probability of a word's best head, by the scores of arcs alone, before other parts are "
        "scored; 0 keeps all",
        **SHARE.limits,
    )

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        if self.decoder == "mst" and self.order > 1:
            raise ValueError(Errors.PARSER_MST_ORDER.format(order=self.order))


make_mira_parser = register_factory(
    MiraSettings,
    "MiraParser",
    model="spacy_perceptron.ParserModel.v1",
    scorer="spacy_perceptron.parser_scorer.v1",
    **PARSER_META,
)
