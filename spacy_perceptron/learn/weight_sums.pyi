from .hashed import HashedWeights

class WeightSums:
    weights: HashedWeights
    def __init__(self, weights: HashedWeights) -> None: ...
