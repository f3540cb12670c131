from collections.abc import Sequence

from .rows import Constraint

SCHEMES: dict[str, str]

def tag_names(labels: Sequence[str], scheme: str) -> list[str]: ...

class LegalEntities(Constraint):
    scheme: str
    bonus: float
    def __init__(self, scheme: str, n_tags: int, *, bonus: float = 0.0) -> None: ...
    def starts(self, tag: int) -> bool: ...
