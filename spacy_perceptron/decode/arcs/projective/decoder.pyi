from ...search.forest import Forest
from ..decoder import ArcDecoder

class ProjectiveDecoder(ArcDecoder):
    forest: Forest
