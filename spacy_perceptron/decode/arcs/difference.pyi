from .scorer import PartScorer

class TreeDifference:
    scorer: PartScorer
    order: int
    def __init__(self, scorer: PartScorer, order: int) -> None: ...
