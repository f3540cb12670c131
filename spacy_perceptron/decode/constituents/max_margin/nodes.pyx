"""Binary trees as lists of nodes, children before their parents.

From outside, a tree is an array with a row per node: start, end, symbol, and the number of the unary
rule above it in the same span, or -1.
"""
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..chart.grammar cimport Grammar
from ..chart.heads cimport HeadScorer


cdef struct Open:
    int32_t start
    int32_t end
    # The symbol on top, and the head word.
    int32_t top
    int32_t head


cdef bint read_nodes(
    const int32_t[:, ::1] rows, Grammar grammar, HeadScorer heads, vector[Node]& nodes
) noexcept nogil:
    """Read a tree.

    rows (int32 array): The tree.
    grammar (Grammar): The grammar.
    heads (HeadScorer): Tells which children are heads, or None.
    nodes (vector[Node]&): Gets the nodes.
    RETURNS (bint): Whether the rows are a tree of the grammar's symbols.
    """
    cdef vector[Open] stack
    cdef Open left, right
    cdef Node node
    cdef int at, symbol
    nodes.clear()
    for at in range(<int>rows.shape[0]):
        symbol = rows[at, 2]
        if not 0 <= symbol < grammar.n_symbols or not 0 <= rows[at, 0] < rows[at, 1]:
            return False
        node.start, node.end, node.symbol = rows[at, 0], rows[at, 1], symbol
        node.rule, node.head, node.other = -1, rows[at, 0], rows[at, 0]
        if node.end - node.start > 1:
            if stack.size() < 2:
                return False
            right = stack.back()
            stack.pop_back()
            left = stack.back()
            stack.pop_back()
            if left.start != node.start or left.end != right.start or right.end != node.end:
                return False
            node.rule = grammar.find_rule(symbol, left.top, right.top)
            node.head, node.other = left.head, right.head
            if heads is not None and node.rule >= 0 and heads.is_right[node.rule]:
                node.head, node.other = right.head, left.head
        node.unary = grammar.find_unary(symbol, rows[at, 3])
        if node.unary >= 0:
            symbol = grammar.unary_parents[node.unary]
        stack.push_back(Open(node.start, node.end, symbol, node.head))
        nodes.push_back(node)
    return stack.size() <= 1
