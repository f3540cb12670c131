from ....learn.hashed import HashedWeights

class HypothesisCache:
    weights: HashedWeights
    passes: int
    max_updates: int
    size: int
    def __init__(
        self,
        weights: HashedWeights,
        *,
        passes: int = ...,
        max_updates: int = ...,
        size: int = ...,
    ) -> None: ...
    def insert(self, entry: int, differences: list[dict[int, float]]) -> None: ...
    def update(self, time: float) -> int: ...
    def leads(self, entry: int) -> list[float]: ...
    @property
    def n_terms(self) -> int: ...
