from libc.stdint cimport int8_t, uint32_t
from libcpp.vector cimport vector

from .mira cimport Feature

cdef enum:
    # Sentences are numbered from 0.
    MAX_SENTENCES = 10000000


cdef struct ActiveTree:
    # The features of the correct tree minus those of this one, by table index, ascending. A code is
    # a value, or it says that the value is the next one of `others`.
    vector[uint32_t] indices
    vector[int8_t] codes
    vector[float] others
    # The part of its loss that fixed weights do not make up for.
    double loss
    # The dual weight.
    double alpha


cdef struct ActiveTrees:
    # Those of one sentence: first the correct tree, which has no difference and no loss.
    vector[ActiveTree] trees
    # Inner products of differences: the lower triangle, row by row.
    vector[double] gram


cdef void pack(vector[Feature]& features, int n_bits, ActiveTree& tree) noexcept nogil
cdef void unpack(
    const ActiveTree* tree, double factor, vector[Feature]& features
) noexcept nogil
cdef double score(const ActiveTree* tree, const double* weights) noexcept nogil
cdef void add_to(double* weights, const ActiveTree* tree, double factor) noexcept nogil
cdef bint equal(const ActiveTree* a, const ActiveTree* b) noexcept nogil
cdef size_t cell(size_t i, size_t j) noexcept nogil
cdef void start(ActiveTrees* active) noexcept nogil
cdef void multiply(
    ActiveTrees* active, size_t place, vector[Feature]& left, vector[Feature]& right
) noexcept nogil
cdef dict saved_trees(const vector[ActiveTrees]& sentences, int n_bits)
cdef vector[ActiveTrees] restored_trees(state, int n_bits) except *
