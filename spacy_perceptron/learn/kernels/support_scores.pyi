import numpy as np

from .candidate_dag import CandidateDag
from .support_dag import SupportDag

def support_scores(
    support: SupportDag,
    candidates: CandidateDag,
    *,
    scale: float,
    sum_scale: float,
    skip_common: bool,
) -> np.ndarray: ...

class KernelRows: ...
