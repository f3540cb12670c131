cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

cdef enum:
    # In place of a node: nothing is needed here; nothing is possible here.
    EMPTY = -1
    IMPOSSIBLE = -2


# left, right: earlier nodes or EMPTY; item: what the edge adds to a derivation, or -1 for nothing.
cdef struct Edge:
    int32_t left
    int32_t right
    float score
    int32_t item


@cython.final
cdef class Forest:
    # The first n_edges are in use.
    cdef vector[Edge] edges
    cdef readonly int n_edges
    # The edges of node v are starts[v] .. starts[v + 1] - 1.
    cdef vector[int32_t] starts
    # After `best`: the score of the best derivation of node v is values[v + 1], with values[0] = 0
    # for EMPTY, and its last edge is choices[v].
    cdef vector[double] values
    cdef vector[int32_t] choices
    cdef vector[int32_t] stack

    cdef void start(self) noexcept nogil
    cdef int n_nodes(self) noexcept nogil
    cdef int goal(self) noexcept nogil
    cdef double best(self) noexcept nogil
    cdef void best_items(self, vector[int32_t]& items) noexcept nogil


cdef inline Edge* new_edges(Forest forest, int at_most) noexcept nogil:
    """Make room for the edges of the next node.

    RETURNS (Edge*): The first of them, to be filled in; `add_node` says how many there are.
    """
    cdef size_t needed = <size_t>forest.n_edges + at_most + 1
    if forest.edges.size() < needed:
        forest.edges.resize(needed + needed // 2)
    return &forest.edges[forest.n_edges]


cdef inline int add_node(Forest forest, const Edge* end) noexcept nogil:
    """Make a node of the edges filled in, up to `end`.

    RETURNS (int): Its number, or IMPOSSIBLE if there are no such edges.
    """
    cdef int n_edges = <int>(end - &forest.edges[0])
    if n_edges == forest.n_edges:
        return IMPOSSIBLE
    forest.n_edges = n_edges
    forest.starts.push_back(n_edges)
    return <int>forest.starts.size() - 2


cdef inline void set_edge(Edge* edge, int left, int right, float score, int item) noexcept nogil:
    edge.left = left
    edge.right = right
    edge.score = score
    edge.item = item
