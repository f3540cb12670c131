from collections.abc import Iterator

from ..search.control import Control
from .scorer import AttachmentScorer

Arcs = list[tuple[int, int]]

class AttachmentSearch:
    scorer: AttachmentScorer
    control: Control
    def __init__(self, scorer: AttachmentScorer) -> None: ...
    def actions(self, last: int) -> Arcs: ...
    def steps(
        self, width: int
    ) -> Iterator[list[tuple[Arcs, float, list[tuple[float, float]]]]]: ...
