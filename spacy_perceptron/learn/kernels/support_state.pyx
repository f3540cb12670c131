"""The graph of support candidates as arrays, and back.

Nodes are written group by group in the order of their ranks, without holes: the graph that is made
of them adds up numbers in the same order, and so gives the very same scores.
"""
import numpy as np


from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from ...errors import Errors
from .support_dag cimport Entry, Mistake, Place, SupportDag

cdef enum:
    SUBSET_TREE = 0


def support_state(SupportDag support):
    """Write a graph as arrays.

    support (SupportDag): The graph.
    RETURNS (dict[str, np.ndarray]): Per node `group_ids`, `identities`, `words`, `shapes` (none for
        trees), `n_children`, `weights` and `sums`; the nodes' numbers of all `children`. Per mistake
        `examples`, `base_deltas` and `n_entries`; for all their entries `entry_nodes` and
        `entry_deltas`.
    """
    cdef vector[vector[int]] numbers
    _number_nodes(support, numbers)
    state = {name: [] for name in ("group_ids", "words", "shapes", "n_children", "children")}
    state.update(identities=[], weights=[], sums=[])
    cdef size_t group, rank, j, m
    cdef Place child
    for group in range(numbers.size()):
        for rank in range(numbers[group].size()):
            if numbers[group][rank] < 0:
                continue
            state["group_ids"].append(support.group_ids[group])
            state["identities"].append(support.identities[group][rank])
            state["weights"].append(support.weights[group][rank])
            state["sums"].append(support.sums[group][rank])
            if support.kind != SUBSET_TREE:
                state["words"].append(support.words[group][rank])
                state["shapes"].append(support.shapes[group][rank])
            n_children = 0
            for j in range(rank * support.arities[group], (rank + 1) * support.arities[group]):
                child = support.children[group][j]
                if child.group >= 0:
                    state["children"].append(numbers[child.group][child.rank])
                    n_children += 1
            state["n_children"].append(n_children)
    state["entry_nodes"] = [
        numbers[entry.place.group][entry.place.rank]
        for m in range(support.entries.size())
        for entry in support.entries[m]
    ]
    state["entry_deltas"] = [
        entry.delta for m in range(support.entries.size()) for entry in support.entries[m]
    ]
    state["n_entries"] = [support.entries[m].size() for m in range(support.entries.size())]
    state["examples"], state["base_deltas"] = support.mistake_arrays()
    return {name: np.array(state[name], dtype=dtype) for name, dtype in DTYPES.items()}


DTYPES = {
    "group_ids": np.uint64,
    "identities": np.uint64,
    "words": np.uint64,
    "shapes": np.uint64,
    "n_children": np.int32,
    "children": np.int64,
    "weights": np.float64,
    "sums": np.float64,
    "examples": np.int64,
    "base_deltas": np.float64,
    "n_entries": np.int64,
    "entry_nodes": np.int64,
    "entry_deltas": np.float64,
}


def restore_support(settings, state):
    """Make a graph of arrays.

    settings (KernelSettings): The kernel.
    state (dict[str, np.ndarray]): What `support_state` wrote. Raises ValueError if it contradicts
        itself.
    RETURNS (SupportDag): The graph.
    """
    _check_state(state, settings.kind == "subset_tree")
    cdef SupportDag support = SupportDag(settings)
    cdef vector[Place] places
    cdef Place place, child
    cdef Mistake mistake
    cdef Entry entry
    cdef size_t i, j, position = 0
    cdef size_t n = len(state["group_ids"]), n_mistakes = len(state["examples"])
    cdef const uint64_t[::1] group_ids = state["group_ids"], identities = state["identities"]
    cdef const uint64_t[::1] words = state["words"], shapes = state["shapes"]
    cdef const int[::1] n_children = state["n_children"]
    cdef const int64_t[::1] children = state["children"], entry_nodes = state["entry_nodes"]
    cdef const int64_t[::1] examples = state["examples"], n_entries = state["n_entries"]
    cdef const double[::1] weights = state["weights"], sums = state["sums"]
    cdef const double[::1] deltas = state["entry_deltas"], base_deltas = state["base_deltas"]
    for i in range(n):
        place.group = support.find_group(group_ids[i])
        if place.group < 0:
            arity = n_children[i] if support.kind == SUBSET_TREE else 1
            place.group = support.add_group(group_ids[i], arity)
        if support.kind == SUBSET_TREE and support.arities[place.group] != n_children[i]:
            raise ValueError(Errors.KERNEL_STATE.format(why="a production has two lengths"))
        place = support.new_place(place.group)
        places.push_back(place)
        support.places[identities[i]] = place
        support.identities[place.group][place.rank] = identities[i]
        support.weights[place.group][place.rank] = weights[i]
        support.sums[place.group][place.rank] = sums[i]
        if support.kind != SUBSET_TREE:
            support.words[place.group][place.rank] = words[i]
            support.shapes[place.group][place.rank] = shapes[i]
    for i in range(n):
        place = places[i]
        for j in range(n_children[i]):
            child = places[children[position]]
            support.children[place.group][place.rank * support.arities[place.group] + j] = child
            support.refer(child, 1)
            position += 1
    position = 0
    for i in range(n_mistakes):
        mistake.example, mistake.base_delta = examples[i], base_deltas[i]
        support.mistakes.push_back(mistake)
        support.entries.push_back(vector[Entry]())
        for j in range(n_entries[i]):
            entry.place, entry.delta = places[entry_nodes[position]], deltas[position]
            support.entries.back().push_back(entry)
            support.refer(entry.place, 1)
            position += 1
    return support


cdef void _number_nodes(SupportDag support, vector[vector[int]]& numbers) noexcept nogil:
    """Number the nodes in the order in which they are written; holes get -1."""
    cdef size_t group, i
    cdef int n = 0
    numbers.resize(support.weights.size())
    for group in range(numbers.size()):
        numbers[group].assign(support.weights[group].size(), 0)
        for i in range(support.holes[group].size()):
            numbers[group][support.holes[group][i]] = -1
        for i in range(numbers[group].size()):
            if numbers[group][i] == 0:
                numbers[group][i] = n
                n += 1


cdef bint _is_acyclic(const int[::1] n_children, const int64_t[::1] children):
    """Whether every node can be removed once all nodes above it are."""
    cdef Py_ssize_t i, n = n_children.shape[0], n_removed = 0
    cdef int64_t j
    cdef vector[int64_t] starts, free
    cdef vector[int] n_above
    starts.push_back(0)
    n_above.assign(n, 0)
    for i in range(n):
        starts.push_back(starts[i] + n_children[i])
    for i in range(children.shape[0]):
        n_above[children[i]] += 1
    for i in range(n):
        if n_above[i] == 0:
            free.push_back(i)
    while not free.empty():
        i = free.back()
        free.pop_back()
        n_removed += 1
        for j in range(starts[i], starts[i + 1]):
            n_above[children[j]] -= 1
            if n_above[children[j]] == 0:
                free.push_back(children[j])
    return n_removed == n


def _check_state(state, is_tree):
    """Raise ValueError if arrays are missing or do not fit each other."""

    def check(right, why):
        if not right:
            raise ValueError(Errors.KERNEL_STATE.format(why=why))

    for name, dtype in DTYPES.items():
        array = state.get(name)
        right = isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == dtype
        check(right and array.flags.c_contiguous, f"`{name}` is missing or of another type")
        if dtype == np.float64:
            check(np.isfinite(array).all(), f"`{name}` has numbers that are not finite")
    n, n_mistakes = len(state["group_ids"]), len(state["examples"])
    lengths = {name: n for name in ("identities", "n_children", "weights", "sums")}
    lengths.update(words=0 if is_tree else n, shapes=0 if is_tree else n)
    lengths.update(base_deltas=n_mistakes, n_entries=n_mistakes)
    lengths.update(entry_deltas=len(state["entry_nodes"]))
    for name, length in lengths.items():
        check(len(state[name]) == length, f"`{name}` has {len(state[name])} numbers, not {length}")
    check(is_tree or not n or state["n_children"].max() <= 1, "a word has more than one next word")
    for counts, members in (("n_children", "children"), ("n_entries", "entry_nodes")):
        right = (state[counts] >= 0).all() and state[counts].sum() == len(state[members])
        check(right, f"`{counts}` do not add up to the length of `{members}`")
        right = ((state[members] >= 0) & (state[members] < n)).all()
        check(right, f"`{members}` names nodes that are not there")
    check(len(np.unique(state["identities"])) == n, "a node is there twice")
    check(_is_acyclic(state["n_children"], state["children"]), "a node is below itself")
    check((np.diff(state["examples"], prepend=0) > 0).all(), "mistakes are not in order")
    examples = np.repeat(state["examples"], state["n_entries"]) - 1
    for name, factor in (("weights", 1), ("sums", examples)):
        parts = factor * state["entry_deltas"]
        totals = np.bincount(state["entry_nodes"], weights=parts, minlength=n)
        tolerance = 1e-6 * max(1.0, np.abs(parts).sum())
        check(np.allclose(totals, state[name], rtol=0, atol=tolerance), f"`{name}` are wrong")
