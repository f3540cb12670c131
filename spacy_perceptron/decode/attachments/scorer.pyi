from ...features.dropout import FeatureDropout
from ...learn.hashed import HashedWeights
from .features import AttachmentFeatures

class AttachmentScorer(FeatureDropout):
    features: AttachmentFeatures
    weights: HashedWeights
    def __init__(self, features: AttachmentFeatures, weights: HashedWeights) -> None: ...
