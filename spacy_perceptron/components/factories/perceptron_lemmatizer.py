"""The `perceptron_lemmatizer` factory, and what can be set of it."""

from dataclasses import dataclass

from ...values import MARGIN
from .._shared.factory import register_factory
from .._shared.settings import Settings, setting, templates_setting


@dataclass(frozen=True, kw_only=True)
class LemmatizerSettings(Settings):
    """What can be set of a lemmatizer."""

    factory = "perceptron_lemmatizer"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.lemmas.v1"], "[templates](#templates) of rules"
    )
    min_tree_freq: int = setting(
        2, "leave out rules that training has less often than this", at_least=1
    )
    margin: float = setting(
        10.0,
        "by how much a correct rule must win in training; 0 to learn from mistakes only",
        **MARGIN.limits,
    )
    adaptive: bool = setting(True, "make smaller steps for weights that have moved a lot")
    hide_rare: float = setting(
        2.0,
        "in training, hide the identity of a word seen n times with probability "
        "`hide_rare / (hide_rare + n)`; 0 for never",
        at_least=0,
    )
    overwrite: bool = setting(True, "overwrite existing lemmas")


make_perceptron_lemmatizer = register_factory(
    LemmatizerSettings,
    "PerceptronLemmatizer",
    model="spacy_perceptron.LinearModel.v1",
    scorer="spacy.lemmatizer_scorer.v1",
    assigns=["token.lemma"],
    default_score_weights={"lemma_acc": 1.0},
)
