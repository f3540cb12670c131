"""The cache of hypotheses as arrays, and back.

All of it is written as it is, the order of postings included: leads are sums of float64, which
depend on the order of additions.
"""
import numpy as np


from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.states import read_number, read_numbers
from .cache cimport Constraint, Entry, HypothesisCache, Posting, Term
from .cells cimport NONE

DTYPES = {
    "constraint_entries": np.int32,
    "constraint_leads": np.float64,
    "constraint_terms": np.int64,
    "term_places": np.uint32,
    "term_values": np.float32,
    "entry_constraints": np.int64,
    "entry_updates": np.int32,
    "entry_turns": np.int64,
    "entry_changed": np.int8,
    "constraints": np.int32,
    "free": np.int32,
    "turns": np.int32,
    "row_places": np.uint32,
    "row_postings": np.int64,
    "postings": np.int32,
    "posting_values": np.float32,
}


def cache_state(HypothesisCache cache not None):
    """Write a cache as arrays.

    cache (HypothesisCache): The cache.
    RETURNS (dict[str, np.ndarray]): Per constraint its entry, lead and number of terms; all terms.
        Per entry its number of constraints, updates, turn and whether it has changed; all its
        `constraints`. Those that are `free`, and `turns`. Per weight that occurs its place and
        number of postings; all `postings`. And the `next_turn`.
    """
    cdef size_t i, j
    cdef uint32_t place
    found = {name: [] for name in DTYPES}
    for i in range(cache.constraints.size()):
        found["constraint_entries"].append(cache.constraints[i].entry)
        found["constraint_leads"].append(cache.constraints[i].lead)
        found["constraint_terms"].append(cache.constraints[i].terms.size())
        for j in range(cache.constraints[i].terms.size()):
            found["term_places"].append(cache.constraints[i].terms[j].index)
            found["term_values"].append(cache.constraints[i].terms[j].value)
    for i in range(cache.entries.size()):
        found["entry_constraints"].append(cache.entries[i].constraints.size())
        found["entry_updates"].append(cache.entries[i].n_updates)
        found["entry_turns"].append(cache.entries[i].turn)
        found["entry_changed"].append(cache.entries[i].changed)
        found["constraints"] += cache.entries[i].constraints
    found["free"] = cache.free
    found["turns"] = cache.turns
    places = np.zeros(cache.postings.size(), np.uint32)
    for place in range(cache.rows.size()):
        if cache.rows[place] != NONE:
            places[cache.rows[place]] = place
    found["row_places"] = places
    for i in range(cache.postings.size()):
        found["row_postings"].append(cache.postings[i].size())
        for j in range(cache.postings[i].size()):
            found["postings"].append(cache.postings[i][j].constraint)
            found["posting_values"].append(cache.postings[i][j].value)
    state = {name: np.array(found[name], dtype) for name, dtype in DTYPES.items()}
    return {**state, "next_turn": np.array(cache.next_turn, np.int64)}


def restore_cache(HypothesisCache cache not None, state):
    """Fill an empty cache.

    cache (HypothesisCache): A cache over the weights that go with the state.
    state (dict[str, np.ndarray]): What `cache_state` returned. Raises ValueError if it is something
        else.
    """
    found = {name: read_numbers(state, name, dtype) for name, dtype in DTYPES.items()}
    next_turn = read_number(state, "next_turn")
    if not _is_sound(found, next_turn, cache.rows.size()):
        raise ValueError(Errors.STATE_SENTENCES)
    cdef const int32_t[::1] entries = found["constraint_entries"]
    cdef const double[::1] leads = found["constraint_leads"]
    cdef const int64_t[::1] term_counts = found["constraint_terms"]
    cdef const uint32_t[::1] term_places = found["term_places"]
    cdef const float[::1] term_values = found["term_values"]
    cdef const int64_t[::1] counts = found["entry_constraints"]
    cdef const int32_t[::1] updates = found["entry_updates"]
    cdef const int64_t[::1] entry_turns = found["entry_turns"]
    cdef const int8_t[::1] changed = found["entry_changed"]
    cdef const int32_t[::1] constraints = found["constraints"]
    cdef const uint32_t[::1] row_places = found["row_places"]
    cdef const int64_t[::1] posting_counts = found["row_postings"]
    cdef const int32_t[::1] postings = found["postings"]
    cdef const float[::1] posting_values = found["posting_values"]
    cdef Py_ssize_t i, j, n = 0
    cdef Term term
    cdef Posting posting
    cache.constraints.resize(entries.shape[0])
    for i in range(entries.shape[0]):
        cache.constraints[i].entry = entries[i]
        cache.constraints[i].lead = leads[i]
        for j in range(term_counts[i]):
            term.index, term.value = term_places[n], term_values[n]
            cache.constraints[i].terms.push_back(term)
            n += 1
    n = 0
    cache.entries.resize(counts.shape[0])
    for i in range(counts.shape[0]):
        cache.entries[i].n_updates = updates[i]
        cache.entries[i].turn = entry_turns[i]
        cache.entries[i].changed = changed[i] != 0
        for j in range(counts[i]):
            cache.entries[i].constraints.push_back(constraints[n])
            n += 1
    n = 0
    cache.postings.resize(row_places.shape[0])
    for i in range(row_places.shape[0]):
        cache.rows[row_places[i]] = <int32_t>i
        for j in range(posting_counts[i]):
            posting.constraint, posting.value = postings[n], posting_values[n]
            cache.postings[i].push_back(posting)
            n += 1
    cache.free = found["free"].tolist()
    cache.turns = found["turns"].tolist()
    cache.next_turn = next_turn


def _is_sound(found, next_turn, n_weights):
    """Whether arrays fit each other: all numbers are those of things that are there."""
    n_entries, n_constraints = len(found["entry_updates"]), len(found["constraint_entries"])
    used = np.sort(np.concatenate([found["constraints"], found["free"]]))
    counts = {
        "constraint_terms": len(found["term_places"]),
        "entry_constraints": len(found["constraints"]),
        "row_postings": len(found["postings"]),
    }
    return (
        all(_counts_to(found[name], n) for name, n in counts.items())
        and _fit(found, {"constraint_leads": "constraint_entries", "term_values": "term_places"})
        and _fit(found, {"constraint_terms": "constraint_entries", "row_postings": "row_places"})
        and _fit(found, {name: "entry_updates" for name in _OF_ENTRIES})
        and _fit(found, {"posting_values": "postings"})
        and np.array_equal(used, np.arange(n_constraints))
        and _below(found["constraint_entries"], n_entries)
        and _below(found["turns"], n_entries)
        and _below(found["postings"], n_constraints)
        and _below(found["row_places"], n_weights)
        and len(np.unique(found["row_places"])) == len(found["row_places"])
        # Each term is posted once under its weight.
        and np.array_equal(
            np.sort(found["term_places"]),
            np.sort(np.repeat(found["row_places"], found["row_postings"])),
        )
        and next_turn <= len(found["turns"])
        and np.isfinite(found["constraint_leads"]).all()
        and np.isfinite(found["term_values"]).all()
        and np.isfinite(found["posting_values"]).all()
    )


_OF_ENTRIES = ("entry_constraints", "entry_turns", "entry_changed")


def _counts_to(counts, n):
    return counts.min(initial=0) >= 0 and sum(counts.tolist()) == n


def _fit(found, pairs):
    return all(len(found[one]) == len(found[other]) for one, other in pairs.items())


def _below(numbers, n):
    return numbers.min(initial=0) >= 0 and (not len(numbers) or numbers.max() < n)
