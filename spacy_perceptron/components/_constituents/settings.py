"""What constituency parsers share: settings, and what spaCy is told about them."""

from dataclasses import dataclass
from typing import Any

from ...values import SHARE
from .._shared.settings import Settings, setting

CONSTITUENCY_META: dict[str, Any] = {
    "assigns": ["doc.spans"],
    "requires": ["token.tag"],
    "default_score_weights": {
        "const_p": 0.0,
        "const_r": 0.0,
        "const_f": 1.0,
        "const_exact": 0.0,
        "const_per_type": None,
    },
}


@dataclass(frozen=True, kw_only=True)
class ConstituencySettings(Settings):
    """What can be set of every constituency parser."""

    adaptive: bool = setting(False, "make smaller steps for weights that have moved a lot")
    dropout: float | None = setting(
        0.0,
        "share of features to leave out at random in training; null: the value of `[training]`, "
        "which is meant for the taggers",
        **SHARE.limits,
    )
    confidence: bool = setting(True, "set `span._.confidence`, which takes a little time")
