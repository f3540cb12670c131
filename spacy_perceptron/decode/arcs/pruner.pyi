from ...learn.hashed import HashedWeights

class ArcPruner:
    weights: HashedWeights
    threshold: float
    max_heads: int
    def __init__(self, weights: HashedWeights, threshold: float, max_heads: int) -> None: ...
