from ...search.beam import BeamSearch
from .grammar import Grammar
from .scorer import EventScorer

class IncrementalSearch(BeamSearch):
    scorer: EventScorer
    grammar: Grammar
    is_partial: bool
    def __init__(
        self,
        scorer: EventScorer,
        grammar: Grammar,
        *,
        tag_events: bool = ...,
        gamma: float = ...,
        exponent: float = ...,
    ) -> None: ...
