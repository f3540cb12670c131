from ...search.control import Control
from .arborescence import Arborescence

class RankedTrees(Arborescence):
    def __init__(self, control: Control) -> None: ...
