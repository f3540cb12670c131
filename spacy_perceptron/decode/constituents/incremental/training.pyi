import numpy as np

from .cache import HypothesisCache
from .input import IncrementalInput
from .parsing import IncrementalParsing

SCALE_EVERY: int
UPDATES: tuple[str, ...]

class IncrementalTraining:
    parsing: IncrementalParsing
    cache: HypothesisCache | None
    n_cache_updates: int
    def __init__(
        self, parsing: IncrementalParsing, *, cache: HypothesisCache | None = ...
    ) -> None: ...
    def learn(
        self,
        sentence: IncrementalInput,
        actions: np.ndarray,
        time: float,
        *,
        update: str = ...,
        limit: float = ...,
        margin: float = ...,
        augmented: bool = ...,
        mira: bool = ...,
        entry: int = ...,
    ) -> int: ...
