import numpy as np

from .settings import KernelSettings
from .support_dag import SupportDag

def support_state(support: SupportDag) -> dict[str, np.ndarray]: ...
def restore_support(settings: KernelSettings, state: dict[str, np.ndarray]) -> SupportDag: ...
