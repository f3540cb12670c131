"""What dependency parsers share: settings, and what spaCy is told about them."""

from dataclasses import dataclass
from typing import Any

from ...values import SHARE
from .._shared.settings import Settings, setting

PARSER_META: dict[str, Any] = {
    "assigns": ["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    "requires": ["token.tag"],
    "default_score_weights": {
        "dep_uas": 0.0,
        "dep_las": 1.0,
        "dep_las_per_type": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
}


@dataclass(frozen=True, kw_only=True)
class ParserSettings(Settings):
    """What can be set of every dependency parser."""

    adaptive: bool = setting(False, "make smaller steps for weights that have moved a lot")
    dropout: float | None = setting(
        0.0,
        "share of features to leave out at random in training; null: the value of `[training]`, "
        "which is meant for the taggers",
        **SHARE.limits,
    )
    guide: bool = setting(False, "use heads and labels that are already there as features")
    guide_dropout: float = setting(
        0.5,
        "with a guide: share of training sentences in which it is hidden, so that the other "
        "features are learned too",
        **SHARE.limits,
    )
    confidence: bool = setting(True, "set `token._.head_confidence`, which takes a little time")
