"""Updates of weight tables, shared by the tests."""

import numpy as np
from hypothesis import strategies as st

from spacy_perceptron.learn.weights import WeightTable

KEYS = [2, 3, 1 << 32, (1 << 32) + 2, 5 << 40, 2**64 - 1]
Update = tuple[int, int, float]


def add(table: WeightTable, updates: list[Update], time: float, **settings: float) -> None:
    keys, labels, deltas = zip(*updates, strict=True) if updates else ((), (), ())
    table.update(
        np.array(keys, np.uint64),
        np.array(labels, np.int32),
        np.array(deltas, np.float32),
        time,
        **settings,
    )


def examples(n_classes: int) -> st.SearchStrategy[list[list[Update]]]:
    """Updates of one example after another; some have none. Deltas are exact in float32."""
    update = st.tuples(
        st.sampled_from(KEYS),
        st.integers(0, n_classes - 1),
        st.integers(-8, 8).map(lambda n: n / 4),
    )
    return st.lists(st.lists(update, max_size=6), max_size=12)
