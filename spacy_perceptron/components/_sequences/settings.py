"""Settings that the components which tag words share."""

from dataclasses import dataclass

from ...errors import Errors


@dataclass(frozen=True, kw_only=True)
class SequenceSettings:
    """What can be set of every component that tags words.

    templates (list[str]): Feature templates.
    beam_width (int): Partial taggings kept at each step, in training and prediction.
    update (str): What training does after a mistake.
    margin (float): By how much each correct tag must win in training. 0: only mistakes count.
    adaptive (bool): Make each weight's steps smaller the more it has moved.
    hide_rare (float): Training hides which word it is, for a word with n occurrences in
        hide_rare / (hide_rare + n) of the cases, so that spelling and context learn to do without.
        0 switches this off.
    nbest (int): Number of best answers to keep in `doc._.nbest[name]`; 0 for none.
    seed (int): Seed of the order of examples and of dropout.
    """

    templates: list[str]
    beam_width: int
    update: str = "resume"
    margin: float = 10.0
    adaptive: bool = True
    hide_rare: float = 2.0
    nbest: int = 0
    seed: int = 0

    def _check_not_negative(self, *settings: str) -> None:
        for setting in settings:
            value = getattr(self, setting)
            if value < 0:
                raise ValueError(Errors.TAGGER_NEGATIVE.format(setting=setting, value=value))

    def _check_beam_width(self) -> None:
        if self.beam_width < 1:
            raise ValueError(Errors.BEAM_WIDTH.format(value=self.beam_width))
