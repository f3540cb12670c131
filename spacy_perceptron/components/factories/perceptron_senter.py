"""The `perceptron_senter` factory, and what can be set of it."""

from dataclasses import dataclass

from ...values import SHARE, WIDTH
from .._sequences.settings import SequenceSettings
from .._shared.factory import register_factory
from .._shared.settings import setting, templates_setting


@dataclass(frozen=True, kw_only=True)
class SenterSettings(SequenceSettings):
    """What can be set of a sentence segmenter."""

    factory = "perceptron_senter"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.sentences.v1"], "[templates](#templates) of sentence starts"
    )
    beam_width: int = setting(
        2,
        "partial answers to keep at each step, in training and prediction",
        **WIDTH.limits,
    )
    update: str = setting(
        "resume",
        "what training does after a mistake, see [Training](#training)",
        choices=("early", "resume", "max_violation"),
    )
    quiet_share: float = setting(
        0.002,
        "do not look at words in contexts of letter case and white space in which at most this "
        "share of training words starts a sentence; 0 to look at all words",
        **SHARE.limits,
    )
    overwrite: bool = setting(False, "overwrite boundaries that are already there")


make_perceptron_senter = register_factory(
    SenterSettings,
    "PerceptronSenter",
    model="spacy_perceptron.LinearModel.v1",
    scorer="spacy_perceptron.senter_scorer.v1",
    assigns=["token.is_sent_start", "doc.sents"],
    default_score_weights={"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0},
)
