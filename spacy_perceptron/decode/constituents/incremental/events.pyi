import numpy as np

from .input import IncrementalInput
from .parsing import IncrementalParsing

class EventReader:
    parsing: IncrementalParsing
    def __init__(self, parsing: IncrementalParsing) -> None: ...
    def read(
        self, sentence: IncrementalInput, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]: ...
