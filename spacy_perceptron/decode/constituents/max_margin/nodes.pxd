from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..chart.grammar cimport Grammar
from ..chart.heads cimport HeadScorer


# A node of a binary tree: a symbol over a span, and what is above it in the same span.
cdef struct Node:
    int32_t start
    int32_t end
    int32_t symbol
    # Rules by their places in the grammar; -1 for none, and for one that the grammar does not have.
    int32_t unary
    int32_t rule
    # The heads that the rule brings together: of the head child and of the other one.
    int32_t head
    int32_t other


cdef bint read_nodes(
    const int32_t[:, ::1] rows, Grammar grammar, HeadScorer heads, vector[Node]& nodes
) noexcept nogil


cdef inline bint is_same(const Node& a, const Node& b) noexcept nogil:
    return (
        a.start == b.start
        and a.end == b.end
        and a.symbol == b.symbol
        and a.unary == b.unary
        and a.rule == b.rule
        and a.head == b.head
        and a.other == b.other
    )
