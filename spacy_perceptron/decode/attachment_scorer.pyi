from ..learn.hashed import HashedWeights
from .attachment_features import AttachmentFeatures

class AttachmentScorer:
    features: AttachmentFeatures
    weights: HashedWeights
    def __init__(self, features: AttachmentFeatures, weights: HashedWeights) -> None: ...
    def set_dropout(self, share: float, salt: int) -> None: ...
