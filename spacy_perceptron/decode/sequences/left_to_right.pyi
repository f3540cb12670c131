from .entity_tagging import EntityTagging
from .tagging_scorer import TaggingScorer

class LeftToRight(EntityTagging):
    def __init__(
        self, scorer: TaggingScorer, scheme: str, *, max_violation: bool = ...
    ) -> None: ...
