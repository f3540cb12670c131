"""What can be set of a max-margin parser."""

from dataclasses import dataclass

from ....errors import Errors
from ....values import MARGIN
from ..._shared.settings import setting, templates_setting
from ..settings import ConstituencySettings


@dataclass(frozen=True, kw_only=True)
class MaxMarginSettings(ConstituencySettings):
    """What can be set of a max-margin parser."""

    factory = "max_margin_parser"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.spans.v1"], "[templates](#templates) of spans"
    )
    head_templates: list[str] = templates_setting(
        ["spacy_perceptron.span_heads.v1"], "templates of pairs of head words"
    )
    pruner_templates: list[str] = templates_setting(
        ["spacy_perceptron.span_pruner.v1"], "templates by which spans are pruned"
    )
    head_features: bool = setting(
        True,
        "whether pairs of head words count. That is more accurate, but then the search is not "
        "exact, see [Exactness](#exactness)",
    )
    vertical: int = setting(
        1,
        "how many generations the grammar's symbols remember: 1 for the label alone, 2 for that of "
        "the parent, too, see [Grammar](#grammar)",
        at_least=1,
        at_most=4,
    )
    horizontal: int = setting(
        0,
        "how many siblings the grammar's intermediate symbols remember beside the head; 0: neither",
        at_least=0,
        at_most=10,
    )
    tagging: str = setting(
        "given",
        "`given`: tags are the tagger's, and what it may have mistaken; `chart`: they are those of "
        "the word in the treebank, with fixed scores log P(word | tag)",
        choices=("given", "chart"),
    )
    max_tags: int = setting(
        3,
        "the most tags of a word that the parser chooses from, the tagger's included; 1: it keeps "
        "the tagger's, see [Tags](#tags)",
        at_least=1,
        at_most=100,
    )
    threshold: float = setting(
        11.5,
        "how far the best tree with a phrase may be behind the best of all, in scores of the "
        "pruner; larger values are slower and prune less",
        above=0,
        at_most=1000,
    )
    pruner_epochs: int = setting(
        3,
        "passes over the corpus that train the pruner, in `initialize`; more if it is small; 0: "
        "nothing is pruned",
        at_least=0,
        at_most=1000,
    )
    pruner_step: float = setting(0.05, "the size of the pruner's steps", above=0, at_most=1000)
    learner: str = setting(
        "mira",
        "`mira`: one step a sentence, and averaged weights; `smo`: the paper's, which finds the "
        "optimum, see [Training](#training); `generative`: the relative frequencies of rules, "
        "without features",
        choices=("mira", "smo", "generative"),
    )
    max_step: float = setting(0.01, "the largest step of `mira`", at_least=0)
    c: float = setting(
        1.0,
        "the paper's C for `smo`: how much a violated margin costs, compared with the size of the "
        "weights",
        above=0,
    )
    margin: float = setting(
        1.0,
        "by how much the correct tree should win for each wrong node; above 0",
        **MARGIN.limits,
    )

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        if not self.margin:
            raise ValueError(Errors.MAX_MARGIN_NO_MARGIN)
        if self.learner == "smo" and self.adaptive:
            raise ValueError(Errors.MAX_MARGIN_ADAPTIVE)
