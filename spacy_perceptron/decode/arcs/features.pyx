"""Feature ids of the parts of dependency trees: arcs, siblings, grandparents, labels.

After McDonald, Crammer and Pereira (2005) for arcs, McDonald and Pereira (2006) for siblings and
Carreras (2007) for grandparents; templates decide which features there are. A sentence is loaded
once (`RoleHashes`); then a feature id costs a few exclusive ors. The positions before the first
child of a head and after the last one count as siblings without words.

Cost: O(templates) a part, and for arcs O(distance) more, for the tokens between their ends.
"""
import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ...features.hashing cimport mix
from ...features.role_hashes cimport RoleHashes

cdef enum:
    MAX_COUNT = 3
    DIRECTION = 0
    DISTANCE = 1
    PUNCT_BETWEEN = 2
    VERBS_BETWEEN = 3
    GUIDE = 4


cdef int _distance_bin(int distance) noexcept nogil:
    """1 to 5 as they are, then 6 up to 10, 7 up to 20, 8 beyond."""
    if distance <= 5:
        return distance
    return 6 if distance <= 10 else 7 if distance <= 20 else 8


cdef class PartFeatures:
    """Computes feature ids, for one sentence at a time.

    hashes (RoleHashes): Hashes of what single tokens add to features.
    program (ParsingProgram): The templates.
    """

    def __init__(self, RoleHashes hashes, program):
        self.hashes = hashes
        self.program = program
        self.arc = [_row(values) for values in program.arc]
        self.between = [_row(values) for values in program.between]
        self.sibling = [_row(values) for values in program.sibling]
        self.grand = [_row(values) for values in program.grand]
        self.grand_sibling = [_row(values) for values in program.grand_sibling]
        self.label = [_row(values) for values in program.label]
        self.pruner = [_row(values) for values in program.pruner]
        self.tree_label = [_row(values) for values in program.tree_label]
        self.conjunct_seeds = [seed for seed, _ in program.arc_conjuncts]
        self.conjunct_attributes = [numbers for _, numbers in program.arc_conjuncts]
        self.n_arc_ends[0], self.n_arc_ends[1] = program.n_arc_ends
        self.n_arc_twins = program.n_arc_twins
        ends = sum(program.n_arc_ends)
        self.group_starts = [0, program.n_arc_ends[0], ends, len(program.arc)]
        self.n_label_ends[0], self.n_label_ends[1] = program.n_label_ends
        self.n_conjuncts = len(program.arc_conjuncts) + 1
        self._tabulate()

    cdef void load(
        self, const int32_t* rows, const uint64_t* tokens, const uint8_t* marks,
        const int32_t* guides, int n_words
    ) noexcept nogil:
        """Load a sentence.

        rows (int32_t*): The lexeme row of each word.
        tokens (uint64_t*): The token columns.
        marks (uint8_t*): PUNCT, VERB or 0 for each word.
        guides (int32_t*): The head that a guide gives each word (0 for the root, NO_GUIDE if
            unknown), or NULL.
        """
        cdef int i
        self.n_words = n_words
        self.hashes.compute(rows, tokens, n_words)
        self.n_punct_before.assign(n_words + 2, 0)
        self.n_verbs_before.assign(n_words + 2, 0)
        self.guides.assign(n_words + 1, NO_GUIDE)
        for i in range(n_words):
            # By position: how many of the words before it.
            self.n_punct_before[i + 2] = self.n_punct_before[i + 1] + ((marks[i] & PUNCT) != 0)
            self.n_verbs_before[i + 2] = self.n_verbs_before[i + 1] + ((marks[i] & VERB) != 0)
            if guides != NULL:
                self.guides[i + 1] = guides[i]
        self._number_between()

    cdef void _number_between(self) noexcept nogil:
        """Give equal conjuncts of the role `b` the same number, so that each counts once an arc."""
        cdef int width = self.hashes.width(B), n = self.n_words, i, j, k
        self.between_kinds.assign(<size_t>(n + 1) * width, 0)
        for k in range(1, width):
            for i in range(1, n + 1):
                j = 1
                while self.hashes.at(B, j)[k] != self.hashes.at(B, i)[k]:
                    j += 1
                self.between_kinds[i * width + k] = j
        self.last_met.assign(<size_t>(n + 1) * width, 0)
        self.n_meetings = 0

    cdef int first_place(self) noexcept nogil:
        """The position that stands for "no child before"."""
        return self.n_words + 1

    cdef int last_place(self) noexcept nogil:
        """The position that stands for "no child after"."""
        return self.n_words + 2

    cdef int max_ids(self) noexcept nogil:
        """The most ids that any part can have."""
        cdef size_t n = self.arc.size() + self.between.size() * self.n_words
        n = max(n, self.sibling.size())
        n = max(n, self.grand.size())
        n = max(n, self.grand_sibling.size())
        n = max(n, self.label.size())
        return <int>max(n, self.pruner.size())

    # --- What is known of an arc as a whole -------------------------------------------------

    def _tabulate(self):
        """Hash all conjuncts of the role `arc` for all values of its attributes; there are few."""
        cdef int32_t values[N_ARC_ATTRIBUTES]
        cdef int distance, punct, verbs, guide, direction
        for distance in range(2 * N_DISTANCES):
            for punct in range(MAX_COUNT + 1):
                for verbs in range(MAX_COUNT + 1):
                    for guide in range(3):
                        values[DIRECTION] = distance & 1
                        values[DISTANCE] = distance >> 1
                        values[PUNCT_BETWEEN] = punct
                        values[VERBS_BETWEEN] = verbs
                        values[GUIDE] = guide - 1
                        self._hash_conjuncts(values, self.arc_table)
        for distance in range(N_DISTANCES):
            for direction in range(4):
                values[DIRECTION] = direction
                values[DISTANCE] = distance
                values[PUNCT_BETWEEN] = values[VERBS_BETWEEN] = values[GUIDE] = 0
                self._hash_conjuncts(values, self.part_table)

    cdef void _hash_conjuncts(
        self, const int32_t* values, vector[uint64_t]& table
    ) noexcept nogil:
        """Add a row to a table: 0 for no conjunct, then one hash per conjunct.

        A distance changes only the lowest four bits of the hash for the direction, so that the
        features of both twins share a line of the processor's cache.
        """
        cdef size_t k, a
        cdef int attribute
        cdef uint64_t h, near
        table.push_back(0)
        for k in range(self.conjunct_seeds.size()):
            h = self.conjunct_seeds[k]
            near = 0
            for a in range(self.conjunct_attributes[k].size()):
                attribute = self.conjunct_attributes[k][a]
                if attribute == DISTANCE:
                    attribute = DIRECTION
                    near = DISTANCE_CODE + values[DISTANCE]
                h = mix(h ^ <uint64_t>(values[attribute] + 2))
            table.push_back(h ^ near)

    cdef const uint64_t* arc_hashes(self, int head, int child) noexcept nogil:
        """The row of an arc."""
        cdef int low = min(head, child), high = max(head, child), guide = 0
        # Words low + 1 .. high - 1.
        cdef int punct = self.n_punct_before[high] - self.n_punct_before[low + 1]
        cdef int verbs = self.n_verbs_before[high] - self.n_verbs_before[low + 1]
        if self.guides[child] != NO_GUIDE:
            guide = 1 + (self.guides[child] == head)
        cdef int row = 2 * _distance_bin(high - low) + (child > head)
        row = row * (MAX_COUNT + 1) + min(<int>MAX_COUNT, punct)
        row = row * (MAX_COUNT + 1) + min(<int>MAX_COUNT, verbs)
        return &self.arc_table[<size_t>(row * 3 + guide) * self.n_conjuncts]

    cdef const uint64_t* _part_hashes(self, int direction, int head, int child) noexcept nogil:
        """The row of a part beyond arcs; the position after the last child has no distance."""
        cdef int distance = child - head if child > head else head - child
        cdef int row = 4 * (_distance_bin(distance) if child <= self.n_words else 0) + direction
        return &self.part_table[<size_t>row * self.n_conjuncts]

    # --- Feature ids ------------------------------------------------------------------------

    cdef int arc_ids(
        self, int head, int child, uint64_t* ids, int32_t* templates
    ) noexcept nogil:
        """Compute the ids of an arc's features.

        ids (uint64_t*): Gets the ids.
        templates (int32_t*): Gets the number of each feature's template; those with the role `b`
            come after all others. Or NULL.
        RETURNS (int): The number of features. All methods below work in the same way.
        """
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef const TemplateRow* row = self.arc.data()
        cdef int n = <int>self.arc.size(), t
        for t in range(n):
            ids[t] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        if templates != NULL:
            for t in range(n):
                templates[t] = t
        if self.between.size():
            n = self.between_ids(head, child, n, ids, templates)
        return n

    cdef int arc_pair_ids(self, int head, int child, uint64_t* ids) noexcept nogil:
        """Ids of an arc, without the templates that look at one end only."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef int first = self.n_arc_ends[0] + self.n_arc_ends[1]
        cdef const TemplateRow* row = self.arc.data() + first
        cdef int n = <int>self.arc.size() - first, t
        for t in range(n):
            ids[t] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        if self.between.size():
            n = self.between_ids(head, child, n, ids, NULL)
        return n

    cdef int arc_end_ids(self, int head, int child, bint of_child, uint64_t* ids) noexcept nogil:
        """Ids of the templates that look at the head only, or at the child only."""
        cdef const uint64_t* token = (
            self.hashes.at(C, child) if of_child else self.hashes.at(P, head)
        )
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef const TemplateRow* row = self.arc.data() + (self.n_arc_ends[0] if of_child else 0)
        cdef int n = self.n_arc_ends[of_child], t
        for t in range(n):
            ids[t] = token[row[t].c if of_child else row[t].p] ^ a[row[t].arc]
        return n

    cdef int distance_value(self, int head, int child) noexcept nogil:
        """A value for the distance and direction of an arc, below 2 * N_DISTANCES."""
        return 2 * _distance_bin(max(head, child) - min(head, child)) + (child > head)

    cdef int group_ids(self, int group, int head, int child, uint64_t* ids) noexcept nogil:
        """Ids of the templates that look at the head only (0), at the child only (1) or at both
        (2), without second twins. First twins come first."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef int start = self.group_starts[group], t, n_twins = self.n_arc_twins[group]
        cdef int n = self.group_starts[group + 1] - start
        cdef const TemplateRow* row = self.arc.data() + start
        for t in range(n_twins):
            ids[t] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        for t in range(2 * n_twins, n):
            ids[t - n_twins] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        return n - n_twins

    cdef uint64_t distance_code(self, int head, int child) noexcept nogil:
        """What sets the features of a distance apart from their twins of the direction."""
        return DISTANCE_CODE + _distance_bin(max(head, child) - min(head, child))

    cdef int between_ids(
        self, int head, int child, int n, uint64_t* ids, int32_t* templates
    ) noexcept nogil:
        """Add an id per template and distinct conjunct of the tokens between head and child, after
        the first n ids."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef const TemplateRow* row = self.between.data()
        cdef int width = self.hashes.width(B), n_rows = <int>self.between.size()
        cdef int first = 0, last, i, k, t, seen
        cdef uint64_t h
        self.n_meetings = self.n_meetings + 1
        # Templates with the same conjunct of `b` stand together.
        while first < n_rows:
            k = row[first].b
            last = first
            while last < n_rows and row[last].b == k:
                last += 1
            for i in range(min(head, child) + 1, max(head, child)):
                seen = self.between_kinds[i * width + k] * width + k
                if self.last_met[seen] == self.n_meetings:
                    continue
                self.last_met[seen] = self.n_meetings
                h = self.hashes.at(B, i)[k]
                for t in range(first, last):
                    ids[n] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc] ^ h
                    if templates != NULL:
                        templates[n] = <int32_t>self.arc.size() + t
                    n += 1
            first = last
        return n

    cdef int label_ids(
        self, int head, int child, int first, int last, uint64_t* ids
    ) noexcept nogil:
        """Ids of the label templates first..last - 1 for an arc, as `WeightTable` needs them."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef const TemplateRow* row = self.label.data()
        cdef int t
        for t in range(first, last):
            # Some small ids have a special meaning in weight tables.
            ids[t - first] = (p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]) | TABLE_KEY
        return last - first

    cdef int pruner_ids(self, int head, int child, uint64_t* ids) noexcept nogil:
        """Ids for the pruner's score of an arc."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self.arc_hashes(head, child)
        cdef const TemplateRow* row = self.pruner.data()
        cdef int t, n = <int>self.pruner.size()
        for t in range(n):
            ids[t] = p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        return n

    cdef int sibling_ids(
        self, int head, int inner, int outer, int side, uint64_t* ids
    ) noexcept nogil:
        """Ids of two neighbouring children on one side of their head; either of them may be the
        position before or after all children."""
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* s = self.hashes.at(S, inner)
        cdef const uint64_t* c = self.hashes.at(C, outer)
        cdef const uint64_t* a = self._part_hashes(side, head, outer)
        cdef const TemplateRow* row = self.sibling.data()
        cdef int t, n = <int>self.sibling.size()
        for t in range(n):
            ids[t] = p[row[t].p] ^ s[row[t].s] ^ c[row[t].c] ^ a[row[t].arc]
        return n

    cdef int grand_ids(self, int grand, int head, int child, uint64_t* ids) noexcept nogil:
        """Ids of an arc below an arc."""
        cdef const uint64_t* g = self.hashes.at(G, grand)
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* c = self.hashes.at(C, child)
        cdef const uint64_t* a = self._part_hashes(
            (child > head) + 2 * (head > grand), head, child
        )
        cdef const TemplateRow* row = self.grand.data()
        cdef int t, n = <int>self.grand.size()
        for t in range(n):
            ids[t] = g[row[t].g] ^ p[row[t].p] ^ c[row[t].c] ^ a[row[t].arc]
        return n

    cdef int grand_sibling_ids(
        self, int grand, int head, int inner, int outer, uint64_t* ids
    ) noexcept nogil:
        """Ids of two neighbouring children and their head's head."""
        cdef const uint64_t* g = self.hashes.at(G, grand)
        cdef const uint64_t* p = self.hashes.at(P, head)
        cdef const uint64_t* s = self.hashes.at(S, inner)
        cdef const uint64_t* c = self.hashes.at(C, outer)
        cdef const uint64_t* a = self._part_hashes(
            (outer > head) + 2 * (head > grand), head, outer
        )
        cdef const TemplateRow* row = self.grand_sibling.data()
        cdef int t, n = <int>self.grand_sibling.size()
        for t in range(n):
            ids[t] = g[row[t].g] ^ p[row[t].p] ^ s[row[t].s] ^ c[row[t].c] ^ a[row[t].arc]
        return n


cdef TemplateRow _row(values) except *:
    cdef TemplateRow row
    row.p, row.c, row.s, row.g, row.b, row.l, row.r, row.x, row.arc = values
    return row
