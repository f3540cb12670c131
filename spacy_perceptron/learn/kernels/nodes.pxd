from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector


cdef class StructureNodes:
    cdef readonly int kind
    cdef readonly double decay
    cdef readonly int n_structures
    cdef vector[int] starts
    # Per node. Nodes of one group match: a production, or a tag (with a window's length).
    cdef vector[uint64_t] groups
    cdef vector[uint64_t] identities
    cdef vector[uint64_t] words
    cdef vector[uint64_t] shapes
    # Whether fragments that start at the node count, or only inside larger ones.
    cdef vector[char] counted
    # Whether the node has a parent.
    cdef vector[char] inner
    # Where the node stands in the arrays that were read.
    cdef vector[int] positions
    cdef vector[int] child_starts
    cdef vector[int] children

    cdef void read_trees(
        self, const uint64_t[::1] labels, const int[::1] n_children, const int64_t[::1] offsets
    ) noexcept nogil
    cdef void read_sequences(
        self,
        const uint64_t[::1] tags,
        const uint64_t[::1] words,
        const uint64_t[::1] shapes,
        const int64_t[::1] offsets,
        int max_length,
    ) noexcept nogil
    cdef void _add_window(
        self, uint64_t tag, uint64_t word, uint64_t shape, int level, int child
    ) noexcept nogil


cdef StructureNodes read_nodes(settings, structures)
cdef double base_value(
    int kind, double decay, uint64_t word, uint64_t shape, uint64_t other_word, uint64_t other_shape
) noexcept nogil
cdef double child_scale(int kind, double decay) noexcept nogil
