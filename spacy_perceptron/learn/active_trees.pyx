"""The trees that a max-margin learner has met, sentence by sentence, with their dual weights.

A tree is kept as a sparse vector, the features of the correct tree minus its own. Features are
table indices (the low bits of their ids), so that inner products are exact in the hashed space.

Memory: most values are small counts and take 1 byte, others 5; an index takes 4. The inner products
of a sentence's k trees take 4 k^2 bytes.
"""
from typing import TypedDict

import numpy as np


from libc.math cimport fabs, fabsf, isfinite, rintf
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ..errors import Errors
from .bounds cimport largest_weight
from .mira cimport Feature, dot, merge

cdef enum:
    LARGEST_CODE = 127
    # The value is among the others.
    ESCAPE = -128

# How far a sentence's saved dual weights may sum up to something other than 1.
cdef double ROUNDING = 1e-6

# All trees as plain arrays: see `MaxMargin.get_state`.
SavedTrees = TypedDict(
    "SavedTrees",
    {
        "n_bits": np.ndarray,
        "n_trees": np.ndarray,
        "n_features": np.ndarray,
        "losses": np.ndarray,
        "alphas": np.ndarray,
        "indices": np.ndarray,
        "values": np.ndarray,
    },
)


cdef void _append(ActiveTree& tree, uint32_t index, float value) noexcept nogil:
    tree.indices.push_back(index)
    if fabsf(value) <= LARGEST_CODE and value == rintf(value):
        tree.codes.push_back(<int8_t>value)
    else:
        tree.codes.push_back(<int8_t>ESCAPE)
        tree.others.push_back(value)


cdef void pack(vector[Feature]& features, int n_bits, ActiveTree& tree) noexcept nogil:
    """Write features into an empty tree, those with the same index in a table of 2 ** n_bits
    weights as one. They are merged on the way."""
    cdef int shift = 64 - n_bits
    cdef size_t k
    # `merge` sorts by the top bits first.
    for k in range(features.size()):
        features[k].id = features[k].id << shift
    merge(features)
    tree.indices.reserve(features.size())
    tree.codes.reserve(features.size())
    for k in range(features.size()):
        _append(tree, <uint32_t>(features[k].id >> shift), features[k].value)


cdef void unpack(
    const ActiveTree* tree, double factor, vector[Feature]& features
) noexcept nogil:
    """Append a tree's features, their values times a factor."""
    cdef size_t k, n_others = 0
    cdef Feature feature
    for k in range(tree.indices.size()):
        feature.id = tree.indices[k]
        if tree.codes[k] == ESCAPE:
            feature.value = <float>(factor * tree.others[n_others])
            n_others += 1
        else:
            feature.value = <float>(factor * tree.codes[k])
        features.push_back(feature)


cdef double score(const ActiveTree* tree, const double* weights) noexcept nogil:
    """The score of the correct tree minus that of this one."""
    cdef size_t k, n_others = 0
    cdef double total = 0
    for k in range(tree.indices.size()):
        if tree.codes[k] == ESCAPE:
            total += weights[tree.indices[k]] * <double>tree.others[n_others]
            n_others += 1
        else:
            total += weights[tree.indices[k]] * <double>tree.codes[k]
    return total


cdef void add_to(double* weights, const ActiveTree* tree, double factor) noexcept nogil:
    """Add a tree's difference, times a factor, to weights."""
    cdef size_t k, n_others = 0
    for k in range(tree.indices.size()):
        if tree.codes[k] == ESCAPE:
            weights[tree.indices[k]] += factor * tree.others[n_others]
            n_others += 1
        else:
            weights[tree.indices[k]] += factor * tree.codes[k]


cdef bint equal(const ActiveTree* a, const ActiveTree* b) noexcept nogil:
    """Whether two trees have the same difference and the same loss."""
    cdef size_t k
    if a.loss != b.loss or a.indices.size() != b.indices.size():
        return False
    if a.others.size() != b.others.size():
        return False
    for k in range(a.indices.size()):
        if a.indices[k] != b.indices[k] or a.codes[k] != b.codes[k]:
            return False
    for k in range(a.others.size()):
        if a.others[k] != b.others[k]:
            return False
    return True


cdef size_t cell(size_t i, size_t j) noexcept nogil:
    """Where the inner product of trees i and j is."""
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i


cdef void start(ActiveTrees* active) noexcept nogil:
    """Give all dual weight of a new sentence to the correct tree."""
    active.trees.resize(1)
    active.trees[0].loss = 0
    active.trees[0].alpha = 1
    active.gram.assign(1, 0.0)


cdef void multiply(
    ActiveTrees* active, size_t place, vector[Feature]& left, vector[Feature]& right
) noexcept nogil:
    """Compute a tree's inner products with all trees of the sentence.

    left, right: Scratch.
    """
    cdef size_t k
    left.clear()
    unpack(&active.trees[place], 1, left)
    for k in range(active.trees.size()):
        right.clear()
        unpack(&active.trees[k], 1, right)
        active.gram[cell(place, k)] = dot(left, right)


cdef dict saved_trees(const vector[ActiveTrees]& sentences, int n_bits):
    """Write all trees as arrays."""
    cdef size_t i, j, k, n_trees = 0, n_features = 0
    cdef const ActiveTree* tree
    cdef vector[Feature] features
    for i in range(sentences.size()):
        n_trees += sentences[i].trees.size()
        for j in range(sentences[i].trees.size()):
            n_features += sentences[i].trees[j].indices.size()
    state = {
        "n_bits": np.array([n_bits], dtype=np.int64),
        "n_trees": np.zeros(sentences.size(), dtype=np.int64),
        "n_features": np.zeros(n_trees, dtype=np.int64),
        "losses": np.zeros(n_trees),
        "alphas": np.zeros(n_trees),
        "indices": np.zeros(n_features, dtype=np.uint32),
        "values": np.zeros(n_features, dtype=np.float32),
    }
    cdef int64_t[::1] tree_counts = state["n_trees"]
    cdef int64_t[::1] feature_counts = state["n_features"]
    cdef double[::1] losses = state["losses"]
    cdef double[::1] alphas = state["alphas"]
    cdef uint32_t[::1] indices = state["indices"]
    cdef float[::1] values = state["values"]
    n_trees = n_features = 0
    with nogil:
        for i in range(sentences.size()):
            tree_counts[i] = sentences[i].trees.size()
            for j in range(sentences[i].trees.size()):
                tree = &sentences[i].trees[j]
                feature_counts[n_trees] = tree.indices.size()
                losses[n_trees] = tree.loss
                alphas[n_trees] = tree.alpha
                n_trees += 1
                features.clear()
                unpack(tree, 1, features)
                for k in range(features.size()):
                    indices[n_features] = <uint32_t>features[k].id
                    values[n_features] = features[k].value
                    n_features += 1
    return state


cdef vector[ActiveTrees] restored_trees(state, int n_bits) except *:
    """Read all trees from arrays, or raise ValueError if they are not what `saved_trees` returns
    for a table of this size."""
    _check_sizes(state, n_bits)
    cdef const int64_t[::1] tree_counts = np.ascontiguousarray(state["n_trees"], np.int64)
    cdef const int64_t[::1] feature_counts = np.ascontiguousarray(state["n_features"], np.int64)
    cdef const double[::1] losses = np.ascontiguousarray(state["losses"], np.float64)
    cdef const double[::1] alphas = np.ascontiguousarray(state["alphas"], np.float64)
    cdef const uint32_t[::1] indices = np.ascontiguousarray(state["indices"], np.uint32)
    cdef const float[::1] values = np.ascontiguousarray(state["values"], np.float32)
    cdef vector[ActiveTrees] sentences
    cdef vector[Feature] left, right
    cdef ActiveTree* tree
    cdef Py_ssize_t i, j, k, n_trees = 0, n_features = 0
    cdef bint damaged = False
    sentences.resize(tree_counts.shape[0])
    with nogil:
        for i in range(tree_counts.shape[0]):
            sentences[i].trees.resize(tree_counts[i])
            sentences[i].gram.assign(cell(tree_counts[i], 0), 0.0)
            for j in range(tree_counts[i]):
                tree = &sentences[i].trees[j]
                tree.loss = losses[n_trees]
                tree.alpha = alphas[n_trees]
                tree.indices.reserve(feature_counts[n_trees])
                tree.codes.reserve(feature_counts[n_trees])
                for k in range(feature_counts[n_trees]):
                    damaged |= k > 0 and indices[n_features] <= indices[n_features - 1]
                    _append(tree[0], indices[n_features], values[n_features])
                    n_features += 1
                n_trees += 1
                multiply(&sentences[i], j, left, right)
            damaged |= _is_damaged(sentences[i])
    if damaged:
        raise ValueError(Errors.MARGIN_DAMAGED)
    return sentences


cdef bint _is_damaged(const ActiveTrees& active) noexcept nogil:
    """Whether a sentence has neither no trees, nor a distribution over some, the correct first."""
    cdef size_t k
    cdef double total = 0
    cdef bint damaged = False
    if active.trees.empty():
        return False
    for k in range(active.trees.size()):
        total += active.trees[k].alpha
        damaged |= not (active.trees[k].alpha >= 0 and isfinite(active.trees[k].loss))
    damaged |= not fabs(total - 1) <= ROUNDING
    return damaged or active.trees[0].loss != 0 or not active.trees[0].indices.empty()


cdef _check_sizes(state, int n_bits):
    """Raise ValueError if saved arrays don't fit each other or the table."""
    if not SavedTrees.__annotations__.keys() <= state.keys():
        raise ValueError(Errors.MARGIN_DAMAGED)
    arrays = {name: np.asarray(state[name]) for name in SavedTrees.__annotations__}
    if any(array.ndim != 1 or array.dtype.kind not in "iuf" for array in arrays.values()):
        raise ValueError(Errors.MARGIN_DAMAGED)
    if len(arrays["n_bits"]) == 1 and arrays["n_bits"][0] != n_bits:
        raise ValueError(Errors.MARGIN_BITS.format(saved=arrays["n_bits"][0], n_bits=n_bits))
    n_trees, n_features, indices, values = (
        arrays[name] for name in ("n_trees", "n_features", "indices", "values")
    )
    fitting = (
        len(arrays["n_bits"]) == 1
        and len(n_trees) <= MAX_SENTENCES
        and n_trees.min(initial=0) >= 0
        and n_features.min(initial=0) >= 0
        and indices.min(initial=0) >= 0
        and indices.max(initial=0) < 1 << n_bits
        # Neither NaN nor so large that scores could overflow.
        and np.abs(values).max(initial=0) <= largest_weight()
        # As Python numbers, which can't overflow.
        and sum(n_trees.tolist()) == len(n_features) == len(arrays["losses"])
        and len(n_features) == len(arrays["alphas"])
        and sum(n_features.tolist()) == len(indices) == len(values)
    )
    if not fitting:
        raise ValueError(Errors.MARGIN_DAMAGED)
