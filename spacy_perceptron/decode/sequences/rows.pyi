from .scorer import TaggingScorer

class Constraint:
    n_tags: int
    lowest: int
    def __init__(self) -> None: ...

class ScoreRows:
    scorer: TaggingScorer
    constraint: Constraint
    def __init__(self, scorer: TaggingScorer, constraint: Constraint | None = ...) -> None: ...
