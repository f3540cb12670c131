"""A packed forest: all trees of a sentence as a hypergraph, and the best of them.

A node stands for a part of the sentence analysed in some way, an edge for one way to make it out of
at most two smaller nodes and at most one new arc. A derivation of the last node, the goal, is a
whole tree, and its score is the sum over its edges. Builders (`eisner`, `grand_sibling`) add nodes
bottom-up, so that nodes are numbered in topological order and every node has a derivation; they
also make sure that every tree has exactly one. See Huang (2008), "Advanced dynamic programming in
semiring and hypergraph frameworks", for algorithms in this form: Viterbi is here, others in `kbest`
and `marginals`.

Viterbi is linear in the number of edges. Memory is reused from sentence to sentence.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t


@cython.final
cdef class Forest:
    """Nodes and edges in topological order, the goal last. Of equally good edges of a node the one
    added first is the best."""

    def __init__(self):
        self.start()

    cdef void start(self) noexcept nogil:
        """Forget all nodes."""
        self.n_edges = 0
        self.starts.clear()
        self.starts.push_back(0)

    cdef int n_nodes(self) noexcept nogil:
        return <int>self.starts.size() - 1

    cdef int goal(self) noexcept nogil:
        """The last node, or -1 if there is none."""
        return self.n_nodes() - 1

    cdef double best(self) noexcept nogil:
        """Find the best derivation of every node.

        RETURNS (double): The score of the goal, minus infinity if there is no tree.
        """
        cdef int n_nodes = self.n_nodes(), v, e, chosen
        cdef double score, top
        self.values.resize(n_nodes + 1)
        self.choices.resize(n_nodes)
        if n_nodes == 0:
            return -INFINITY
        cdef double* values = &self.values[0]
        cdef const int32_t* starts = &self.starts[0]
        cdef const Edge* edges = &self.edges[0]
        values[0] = 0
        for v in range(n_nodes):
            top = -INFINITY
            chosen = starts[v]
            for e in range(starts[v], starts[v + 1]):
                score = edges[e].score + values[edges[e].left + 1] + values[edges[e].right + 1]
                if score > top:
                    top = score
                    chosen = e
            values[v + 1] = top
            self.choices[v] = chosen
        return values[n_nodes]

    cdef void best_heads(
        self, const int32_t* arc_heads, const int32_t* arc_children, int32_t* heads
    ) noexcept nogil:
        """Write the tree found by `best`. There must be one.

        arc_heads, arc_children (int32_t*): The arcs, by id.
        heads (int32_t*): Gets the head of every word; word 1 comes first.
        """
        cdef Edge edge
        self.stack.clear()
        self.stack.push_back(self.goal())
        while not self.stack.empty():
            edge = self.edges[self.choices[self.stack.back()]]
            self.stack.pop_back()
            if edge.arc >= 0:
                heads[arc_children[edge.arc] - 1] = arc_heads[edge.arc]
            if edge.left >= 0:
                self.stack.push_back(edge.left)
            if edge.right >= 0:
                self.stack.push_back(edge.right)

    def __len__(self):
        """RETURNS (int): The number of nodes."""
        return self.n_nodes()
