import numpy as np

from .candidate_dag import CandidateDag
from .support_dag import SupportDag

class MistakeIndex:
    def __init__(self, support: SupportDag) -> None: ...
    def scores(self, candidates: CandidateDag, *, skip_common: bool) -> np.ndarray: ...
