"""Settings that the components which tag words share."""

from dataclasses import dataclass

from ...values import MARGIN
from .._shared.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class SequenceSettings(Settings):
    """What can be set of every component that tags words."""

    # Each component has its own defaults of these.
    templates: list[str]
    beam_width: int
    update: str

    margin: float = setting(
        10.0,
        "by how much a correct tag must win in training; 0 to learn from mistakes only",
        **MARGIN.limits,
    )
    adaptive: bool = setting(True, "make smaller steps for weights that have moved a lot")
    hide_rare: float = setting(
        2.0,
        "in training, hide the identity of a word seen n times with probability "
        "`hide_rare / (hide_rare + n)`; 0 for never",
        at_least=0,
    )
