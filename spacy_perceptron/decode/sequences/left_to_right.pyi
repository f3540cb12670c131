from .entities import EntityTagging
from .scorer import TaggingScorer

class LeftToRight(EntityTagging):
    def __init__(
        self, scorer: TaggingScorer, scheme: str, *, max_violation: bool = ...
    ) -> None: ...
