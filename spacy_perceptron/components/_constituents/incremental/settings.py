"""What can be set of an incremental parser."""

from dataclasses import dataclass

from ....errors import Errors
from ....values import MARGIN, WIDTH
from ..._shared.settings import setting, templates_setting
from ..settings import ConstituencySettings


@dataclass(frozen=True, kw_only=True)
class IncrementalSettings(ConstituencySettings):
    """What can be set of an incremental parser."""

    factory = "incremental_parser"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.incremental.v1"], "[templates](#templates) of events"
    )
    word_templates: list[str] = templates_setting(
        ["spacy_perceptron.incremental_words.v1"], "templates of words under their tags"
    )
    max_tags: int = setting(
        3,
        "the most tags of a word that the parser chooses from, the tagger's included; 1: it keeps "
        "the tagger's, see [Tags](#tags)",
        at_least=1,
        at_most=100,
    )
    transitions: str = setting(
        "juxtapose",
        "how trees are built, see [Transitions](#transitions)",
        choices=("chains", "juxtapose"),
    )
    loose: bool = setting(
        False, "whether symbols can follow each other that did so in pairs only, not in triples"
    )
    beam_width: int = setting(
        16, "hypotheses to keep, in training and prediction; time grows with it", **WIDTH.limits
    )
    update: str = setting(
        "max_violation",
        "where in the search to learn, see [Training](#training)",
        choices=("early", "max_violation", "final"),
    )
    log_weight: float = setting(
        0.0,
        "the weight of the log-probability of a generative model beside those of features; without "
        "templates it parses alone; 0: no such model, see [Probabilities](#probabilities)",
        at_least=0,
    )
    surprisal: bool = setting(
        False,
        "set `token._.surprisal`, which takes a second search; with `log_weight` only, see "
        "[Probabilities](#probabilities)",
    )
    gamma: float = setting(
        0.0,
        "how far behind the best a hypothesis may be, in typical scores of an event: that of rank "
        "k by gamma / k ** 3 at most; 0: any, as long as it is in the beam",
        at_least=0,
    )
    cache_passes: int = setting(
        0,
        "how often to go over the hypotheses of earlier sentences after each sentence, with "
        "`early` updates only; 0: never",
        at_least=0,
        at_most=1000,
    )
    cache_updates: int = setting(
        50, "how often the hypotheses of a sentence may move the weights again", at_least=0
    )
    cache_size: int = setting(0, "sentences whose hypotheses are kept; 0: all", at_least=0)
    learner: str = setting(
        "mira",
        "`mira`: steps as large as it takes to win by the margin; `perceptron`: steps of one",
        choices=("mira", "perceptron"),
    )
    max_step: float = setting(0.05, "the largest step of `mira`", at_least=0)
    margin: float = setting(
        1.0,
        "by how much the correct tree should win for each word added wrongly; above 0 for `mira`",
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
        if self.log_weight and self.transitions != "chains":
            raise ValueError(Errors.INCREMENTAL_CHAINS)
        if self.surprisal and not self.log_weight:
            raise ValueError(Errors.INCREMENTAL_SURPRISAL)
        if self.cache_passes and (self.update != "early" or self.loss_augmented):
            raise ValueError(Errors.INCREMENTAL_CACHE)
