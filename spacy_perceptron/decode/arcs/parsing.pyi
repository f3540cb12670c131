import numpy as np

from .decoder import ArcDecoder
from .input import ParsingInput
from .narrowing import ArcNarrowing
from .parts import Parts
from .pruner import ArcPruner
from .scorer import PartScorer
from .sentences import SentenceParsing

class DependencyParsing(SentenceParsing):
    scorer: PartScorer
    pruner: ArcPruner
    narrowing: ArcNarrowing | None
    decoder: ArcDecoder
    order: int
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
    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None: ...
    def search_labels(self, heads: np.ndarray) -> np.ndarray: ...
    def allowed(self, sentence: ParsingInput, *, narrowed: bool = ...) -> list[tuple[int, int]]: ...
