from collections.abc import Sequence

from .states import LearnerState

def mix_tables(tables: Sequence[LearnerState], n_examples: Sequence[int]) -> LearnerState: ...
