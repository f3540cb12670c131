from ...features.dropout import FeatureDropout
from ...learn.hashed import HashedWeights
from ...learn.weights import WeightTable
from .features import PartFeatures

class PartScorer(FeatureDropout):
    features: PartFeatures
    weights: HashedWeights
    label_weights: WeightTable
    def __init__(
        self, features: PartFeatures, weights: HashedWeights, label_weights: WeightTable
    ) -> None: ...
    def part_weights(
        self,
        kind: str,
        head: int,
        child: int,
        *,
        inner: int = ...,
        grand: int = ...,
        side: int = ...,
    ) -> list[tuple[int, float]]: ...
    def arc_label_weights(self, head: int, child: int, label: int) -> list[tuple[int, float]]: ...
    def no_child_before(self) -> int: ...
    def no_child_after(self) -> int: ...
