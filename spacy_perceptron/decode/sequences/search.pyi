from .scorer import TaggingScorer

class TaggingSearch:
    scorer: TaggingScorer
    def __init__(self, scorer: TaggingScorer) -> None: ...
