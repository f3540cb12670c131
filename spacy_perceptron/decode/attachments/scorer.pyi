from ..learn.hashed import HashedWeights
from .attachment_features import AttachmentFeatures
from .feature_dropout import FeatureDropout

class AttachmentScorer(FeatureDropout):
    features: AttachmentFeatures
    weights: HashedWeights
    def __init__(self, features: AttachmentFeatures, weights: HashedWeights) -> None: ...
