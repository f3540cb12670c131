import numpy as np

from .settings import KernelSettings
from .structures import Structures

def node_arrays(settings: KernelSettings, structures: Structures) -> dict[str, np.ndarray]: ...

class StructureNodes: ...
