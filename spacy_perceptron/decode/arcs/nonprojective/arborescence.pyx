"""The best tree over allowed arcs, projective or not.

Chu and Liu (1965) and Edmonds (1967): every word takes its best incoming arc. A cycle becomes one
component, in which an arc is worth what it gains over the arc it replaces. At the end, cycles are
opened where the tree enters them. Cycles are found by growing a path from head to head, with the
best arc from every word to a cycle in an array (Tarjan 1977; Gabow et al. 1986).

To leave the root one child, arcs from the root are lowered by more than scores can differ: one such
arc less is worth more than anything else. The amount is a power of two, so sums of scores stay as
exact as they were.

Deviation: words keep their arcs as they are until they become part of a cycle.
O(n^2) time, and O(n) memory for each cycle that is on the path at the same time; memory is reused.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ..parts cimport RIGHT, ROOT, Parts

cdef enum:
    NONE = -1

cdef enum:
    NEW = 0
    ON_PATH = 1
    DONE = 2


cdef class Arborescence:
    """The arcs of one sentence at a time, with restrictions on which of them to use. Among equal
    arcs into a word, the one with the leftmost head is preferred; equal trees come in a fixed
    order."""

    cdef void load(self, Parts parts) noexcept nogil:
        """Load the scores of a sentence, and lift all restrictions."""
        cdef int n_arcs = parts.n_arcs(), a, c
        cdef double low, high, spread = 0, step = 1
        for c in range(1, parts.n_words + 1):
            if parts.incoming[c] == parts.incoming[c + 1]:
                continue
            low = INFINITY
            high = -INFINITY
            for a in range(parts.incoming[c], parts.incoming[c + 1]):
                low = min(low, <double>parts.arc[a])
                high = max(high, <double>parts.arc[a])
            spread += high - low
        while step <= spread and step < INFINITY:
            step *= 2
        self.weights.resize(n_arcs)
        for a in range(n_arcs):
            self.weights[a] = parts.arc[a] - (step if parts.heads[a] == ROOT else 0)
        self.allow_all()

    cdef void allow_all(self) noexcept nogil:
        """Lift all restrictions."""
        self.allowed.assign(self.weights.size(), 1)

    cdef void ban(self, int arc) noexcept nogil:
        """Never use this arc."""
        self.allowed[arc] = 0

    cdef void fix(self, Parts parts, int arc) noexcept nogil:
        """Always use this arc: no other one into its word and, if it leaves the root, no other one
        from there."""
        cdef int a, c = parts.children[arc], i
        for a in range(parts.incoming[c], parts.incoming[c + 1]):
            if a != arc:
                self.allowed[a] = 0
        if parts.heads[arc] == ROOT:
            for i in range(parts.outgoing[2 * ROOT + RIGHT], parts.outgoing[2 * ROOT + RIGHT + 1]):
                if parts.outgoing_arcs[i] != arc:
                    self.allowed[parts.outgoing_arcs[i]] = 0

    cdef double solve(self, Parts parts) noexcept nogil:
        """Find the best tree.

        RETURNS (double): Its lowered score, minus infinity if there is no tree with one child of
            the root.
        """
        cdef double score
        if not self._choose(parts):
            return -INFINITY
        score = self._expand(parts)
        return score if self.root_word(parts) != NONE else -INFINITY

    # --- Choosing arcs into components ---------------------------------------------------

    cdef int _find(self, int component) noexcept nogil:
        """The outermost component around one."""
        while self.outermost[component] != component:
            self.outermost[component] = self.outermost[self.outermost[component]]
            component = self.outermost[component]
        return component

    cdef int _best_arc(self, Parts parts, int component) noexcept nogil:
        """Note the best arc into an outermost component.

        RETURNS (int): The arc, or NONE.
        """
        cdef int a, head, best = NONE
        cdef double key = -INFINITY
        cdef const double* row
        if self.slots[component] == NONE:
            for a in range(parts.incoming[component], parts.incoming[component + 1]):
                if self.allowed[a] and (best == NONE or self.weights[a] > key):
                    best = a
                    key = self.weights[a]
        else:
            row = &self.row_keys[<size_t>self.slots[component] * self.width]
            for head in range(self.width):
                if row[head] > key:
                    best = head
                    key = row[head]
            if best != NONE:
                best = self.row_arcs[<size_t>self.slots[component] * self.width + best]
        self.best_arcs[component] = best
        self.best_keys[component] = key
        return best

    cdef int _contract(self, Parts parts, int last) noexcept nogil:
        """Contract the path from its end back to `last` into one component.

        RETURNS (int): The new component.
        """
        cdef int cycle = self.n_components, member = NONE, slot = self._new_slot(), word
        self.n_components = cycle + 1
        self.slots[cycle] = slot
        while member != last:
            member = self.path.back()
            self.path.pop_back()
            self.parent[member] = self.outermost[member] = cycle
            self._add_member(parts, member, slot)
        # Arcs inside the cycle do not enter it.
        for word in range(1, self.width):
            if self._find(word) == cycle:
                self.row_keys[<size_t>slot * self.width + word] = -INFINITY
        return cycle

    cdef int _new_slot(self) noexcept nogil:
        """RETURNS (int): The slot of a row without arcs."""
        cdef int slot, head
        if self.free_slots.empty():
            slot = <int>(self.row_keys.size() / self.width)
            self.row_keys.resize(self.row_keys.size() + self.width)
            self.row_arcs.resize(self.row_keys.size())
        else:
            slot = self.free_slots.back()
            self.free_slots.pop_back()
        for head in range(self.width):
            self.row_keys[<size_t>slot * self.width + head] = -INFINITY
        return slot

    cdef void _add_member(self, Parts parts, int member, int slot) noexcept nogil:
        """Add the arcs into a member of a cycle to the row of the cycle."""
        cdef double* keys = &self.row_keys[<size_t>slot * self.width]
        cdef int32_t* arcs = &self.row_arcs[<size_t>slot * self.width]
        cdef const double* own_keys
        cdef const int32_t* own_arcs
        cdef double best_key = self.best_keys[member], key
        cdef int a, head
        if self.slots[member] == NONE:
            for a in range(parts.incoming[member], parts.incoming[member + 1]):
                head = parts.heads[a]
                key = self.weights[a] - best_key
                if self.allowed[a] and key > keys[head]:
                    keys[head] = key
                    arcs[head] = a
            return
        own_keys = &self.row_keys[<size_t>self.slots[member] * self.width]
        own_arcs = &self.row_arcs[<size_t>self.slots[member] * self.width]
        for head in range(self.width):
            key = own_keys[head] - best_key
            if key > keys[head]:
                keys[head] = key
                arcs[head] = own_arcs[head]
        self.free_slots.push_back(self.slots[member])

    cdef bint _choose(self, Parts parts) noexcept nogil:
        """Choose an arc into every component, contracting cycles into components.

        RETURNS (bint): Whether all words can be reached from the root.
        """
        cdef int n_words = parts.n_words, limit = 2 * n_words + 1, word, c, a, i
        self.parent.assign(limit, NONE)
        self.slots.assign(limit, NONE)
        self.states.assign(limit, NEW)
        self.best_arcs.assign(limit, NONE)
        self.best_keys.assign(limit, 0)
        self.outermost.resize(limit)
        for c in range(limit):
            self.outermost[c] = c
        self.states[ROOT] = DONE
        self.width = n_words + 1
        self.row_keys.clear()
        self.row_arcs.clear()
        self.free_slots.clear()
        self.n_components = n_words + 1
        for word in range(1, n_words + 1):
            c = self._find(word)
            self.path.clear()
            while self.states[c] != DONE:
                self.states[c] = ON_PATH
                self.path.push_back(c)
                a = self._best_arc(parts, c)
                if a == NONE:
                    return False
                c = self._find(parts.heads[a])
                if self.states[c] == ON_PATH:
                    c = self._contract(parts, c)
            for i in range(<int>self.path.size()):
                self.states[self.path[i]] = DONE
        return True

    cdef double _expand(self, Parts parts) noexcept nogil:
        """Open the cycles: a component loses its arc if the tree enters a larger one through it.

        RETURNS (double): The lowered score of the tree.
        """
        cdef int c, a, inner
        cdef double score = 0
        self.kept.assign(self.n_components, 1)
        self.tree.assign(parts.n_words + 1, NONE)
        for c in range(self.n_components - 1, ROOT, -1):
            if self.kept[c]:
                a = self.best_arcs[c]
                inner = parts.children[a]
                self.tree[inner] = a
                score += self.weights[a]
                while inner != c:
                    self.kept[inner] = 0
                    inner = self.parent[inner]
        return score

    cdef int root_word(self, Parts parts) noexcept nogil:
        """After `solve`: the root's child, or NONE if the root does not have exactly one."""
        cdef int c, found = NONE
        for c in range(1, parts.n_words + 1):
            if parts.heads[self.tree[c]] == ROOT:
                if found != NONE:
                    return NONE
                found = c
        return found
