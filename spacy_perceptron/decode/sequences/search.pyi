from ..search.beam import BeamSearch
from .rows import Constraint, ScoreRows
from .scorer import TaggingScorer

class TaggingSearch(BeamSearch):
    rows: ScoreRows
    merges: bool
    def __init__(self, scorer: TaggingScorer, constraint: Constraint | None = ...) -> None: ...
    def actions(self, last: int) -> list[tuple[int, int, int, int]]: ...
