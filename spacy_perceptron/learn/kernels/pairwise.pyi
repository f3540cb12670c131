import numpy as np

from .settings import KernelSettings
from .structures import Structures

def kernel_matrix(
    settings: KernelSettings, first: Structures, second: Structures
) -> np.ndarray: ...
def inverse_norms(settings: KernelSettings, structures: Structures) -> np.ndarray: ...

class PairKernel: ...
