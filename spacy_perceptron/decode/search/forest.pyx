"""A packed forest: all analyses of a sentence as a hypergraph, and the best of them.

A node stands for one way to look at a part of the sentence, such as a span with a symbol. An edge
is one way to build a node out of at most two smaller ones; it has a score and may add one item to
the analysis, a number such as that of an arc. A derivation of the last node, the goal, is a whole
analysis: its score is the sum over its edges, and its items are what the edges add. What items mean
is known only to the code that built the forest. It adds nodes bottom-up, so nodes are numbered in
topological order and every node has a derivation; if each analysis is to be counted once, it must
give each of them one derivation. See Huang (2008), "Advanced dynamic programming in semiring and
hypergraph frameworks", for algorithms in this form: Viterbi is here, others in `kbest` and
`marginals`.

Viterbi is linear in the number of edges. Memory is reused from sentence to sentence.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...errors import Errors


@cython.final
cdef class Forest:
    """Nodes and edges in topological order, the goal last. Among equally good edges of a node, the
    one added first is the best."""

    def __init__(self):
        self.start()

    cdef void start(self) noexcept nogil:
        """Remove all nodes."""
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

        RETURNS (double): The score of the goal, minus infinity if there are no nodes.
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

    cdef void best_items(self, vector[int32_t]& items) noexcept nogil:
        """Collect the items of the derivation found by `best`. There must be one.

        items (vector[int32_t]&): Gets the items. What a node adds comes before what the nodes below
            it add.
        """
        cdef Edge edge
        items.clear()
        self.stack.clear()
        self.stack.push_back(self.goal())
        while not self.stack.empty():
            edge = self.edges[self.choices[self.stack.back()]]
            self.stack.pop_back()
            if edge.item >= 0:
                items.push_back(edge.item)
            if edge.left >= 0:
                self.stack.push_back(edge.left)
            if edge.right >= 0:
                self.stack.push_back(edge.right)

    # --- From Python -----------------------------------------------------------------------

    def add(self, edges):
        """Add a node, for tests and for use from Python.

        edges (list[tuple[int, int, float, int]]): For each edge two earlier nodes (-1 for none),
            the score and the item (-1 for none).
        RETURNS (int): The number of the node.
        """
        cdef Edge* edge = new_edges(self, <int>len(edges))
        cdef int n_nodes = self.n_nodes(), left, right
        for left, right, score, item in edges:
            if not (EMPTY <= left < n_nodes and EMPTY <= right < n_nodes):
                raise ValueError(Errors.FOREST_EDGE.format(left=left, right=right, n=n_nodes))
            set_edge(edge, left, right, score, item)
            edge += 1
        return add_node(self, edge)

    def derivation(self):
        """RETURNS (tuple[float, list[int]]): The score of the best derivation of the goal, minus
        infinity if there are no nodes, and its items."""
        cdef vector[int32_t] items
        cdef double score = self.best()
        if self.n_nodes():
            self.best_items(items)
        return score, list(items)

    def __len__(self):
        """RETURNS (int): The number of nodes."""
        return self.n_nodes()
