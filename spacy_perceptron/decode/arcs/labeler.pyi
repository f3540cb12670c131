from ...learn.weights import WeightTable
from .features import PartFeatures

class TreeLabeler:
    features: PartFeatures
    weights: WeightTable
    def __init__(self, features: PartFeatures, weights: WeightTable) -> None: ...
