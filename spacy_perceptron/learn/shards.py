"""Mixing the states of a learner that several shards of a corpus have trained, range by range.

The keys of each table are cut into ranges. Each range of all shards is mixed on its own, so that
several workers can share the work and nobody needs all states. `learn.mixing` says what is mixed.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from .mixing import mix_tables
from .states import LearnerState, part_of, put_under

N_EXAMPLES = "n_examples"
_KEYS = ("keys", "indices")
# What begins like this is 1 once it has happened.
_HAPPENED = "has_"
# What a table has of each entry, if rows have several.
_OF_ENTRIES = ("labels", "values", "totals", "squares")

# For each table, the first key of all ranges but the first.
Bounds = dict[str, np.ndarray]


def range_bounds(state: LearnerState, n_ranges: int) -> Bounds:
    """Choose ranges of keys of about equal size.

    state (LearnerState): The state of one shard. Those of others have about the same keys.
    n_ranges (int): How many.
    RETURNS (Bounds): Where they begin.
    """
    bounds = {}
    for name in _table_names(state):
        keys = _keys(part_of(state, name))
        places = np.arange(1, n_ranges) * len(keys) // n_ranges
        bounds[name] = keys[places] if len(keys) else np.zeros(n_ranges - 1, keys.dtype)
    return bounds


def cut_state(state: LearnerState, bounds: Bounds, n_ranges: int) -> list[LearnerState]:
    """Cut the tables of a state into ranges.

    state (LearnerState): The state.
    bounds (Bounds): Where ranges begin.
    n_ranges (int): How many there are.
    RETURNS (list[LearnerState]): The ranges. Each has a view of its part of the tables and a count
        of examples; the first has all the rest, too.
    """
    tables = {name: part_of(state, name) for name in _table_names(state)}
    slices: list[LearnerState] = [{N_EXAMPLES: state[N_EXAMPLES]} for _ in range(n_ranges)]
    slices[0].update(_rest(state, tables))
    for name, table in tables.items():
        for number, part in enumerate(_cut_table(table, bounds[name])):
            slices[number].update(put_under(name, part))
    return slices


def join_states(slices: Sequence[LearnerState]) -> LearnerState:
    """Put ranges together again.

    slices (Sequence[LearnerState]): All ranges, in order.
    RETURNS (LearnerState): The state.
    """
    names = [f"{table}/" for table in _table_names(slices[0])]
    joined = {}
    for key, array in slices[0].items():
        if len(slices) > 1 and key.startswith(tuple(names)):
            array = np.concatenate([part[key] for part in slices])
        joined[key] = array
    return joined


def mix_states(before: LearnerState, shards: Sequence[LearnerState]) -> LearnerState:
    """Mix the states of shards.

    before (LearnerState): The state that all of them started from, or a range of it.
    shards (Sequence[LearnerState]): The state of each after a round, or the same range of it.
    RETURNS (LearnerState): The mixed state. What is in no table is as it was before, but for the
        number of examples and what has happened in one of the shards. With a single shard, it is
        that shard's state.
    """
    if len(shards) == 1:
        return dict(shards[0])
    counts = [int(state[N_EXAMPLES]) for state in (before, *shards)]
    tables = {name: part_of(shards[0], name) for name in _table_names(shards[0])}
    n_examples = counts[0] + sum(count - counts[0] for count in counts[1:])
    mixed = {**_rest(before, tables), N_EXAMPLES: np.array(n_examples, np.int64)}
    for key in mixed:
        if key.startswith(_HAPPENED):
            mixed[key] = np.array(max(state[key] for state in shards), np.int64)
    for name in tables:
        parts = [part_of(state, name) for state in (before, *shards)]
        mixed.update(put_under(name, mix_tables(parts, counts)))
    return mixed


def _table_names(state: Iterable[str]) -> list[str]:
    """The names of the tables in a state."""
    places = (key.rpartition("/") for key in state)
    return [name for name, _, last in places if name and last in _KEYS]


def _rest(state: LearnerState, tables: Iterable[str]) -> LearnerState:
    """What is in no table."""
    starts = tuple(f"{name}/" for name in tables)
    return {key: array for key, array in state.items() if not key.startswith(starts)}


def _keys(table: LearnerState) -> np.ndarray:
    """The keys of a table's rows."""
    return next(table[key] for key in _KEYS if key in table)


def _cut_table(table: LearnerState, bounds: np.ndarray) -> list[LearnerState]:
    """The ranges of a table."""
    keys = _keys(table)
    rows = [0, *np.searchsorted(keys, bounds).tolist(), len(keys)]
    entries = rows
    if "lengths" in table:
        ends = np.concatenate([[0], np.cumsum(table["lengths"], dtype=np.int64)])
        entries = ends[rows].tolist()
    slices = []
    for k in range(len(rows) - 1):
        places = {
            key: entries[k : k + 2] if key in _OF_ENTRIES else rows[k : k + 2] for key in table
        }
        slices.append({key: table[key][first:end] for key, (first, end) in places.items()})
    return slices
