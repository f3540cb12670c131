from collections.abc import Sequence

from .easy_first import EasyFirstTagging
from .scorer import TaggingScorer

SCHEMES: dict[str, str]

def tag_names(labels: Sequence[str], scheme: str) -> list[str]: ...

class EntityTagging(EasyFirstTagging):
    scheme: str
    def __init__(self, scorer: TaggingScorer, scheme: str) -> None: ...
