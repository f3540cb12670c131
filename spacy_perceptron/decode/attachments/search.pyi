from collections.abc import Iterator

from .scorer import AttachmentScorer

Arcs = list[tuple[int, int]]

class AttachmentSearch:
    scorer: AttachmentScorer
    def __init__(self, scorer: AttachmentScorer) -> None: ...
    def actions(self, last: int) -> Arcs: ...
    def steps(
        self, width: int
    ) -> Iterator[list[tuple[Arcs, float, list[tuple[float, float]]]]]: ...
