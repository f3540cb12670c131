import numpy as np

from .input import ParsingInput
from .labeler import TreeLabeler
from .narrowing import ArcNarrowing
from .nonprojective.decoder import SpanningDecoder
from .parts import Parts
from .projective.decoder import ProjectiveDecoder
from .pruner import ArcPruner
from .scorer import PartScorer

class DependencyParsing:
    scorer: PartScorer
    pruner: ArcPruner
    narrowing: ArcNarrowing | None
    projective: ProjectiveDecoder
    spanning: SpanningDecoder
    labeler: TreeLabeler
    order: int
    is_projective: bool
    parts: Parts
    def __init__(
        self,
        scorer: PartScorer,
        pruner: ArcPruner,
        order: int,
        *,
        projective: bool = ...,
        narrowing: ArcNarrowing | None = ...,
    ) -> None: ...
    def parse(
        self, words: ParsingInput, starts: np.ndarray, *, scale: float = ...
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def nbest(
        self, sentence: ParsingInput, k: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None: ...
    def search_labels(self, heads: np.ndarray) -> np.ndarray: ...
    def allowed(self, sentence: ParsingInput, *, narrowed: bool = ...) -> list[tuple[int, int]]: ...
