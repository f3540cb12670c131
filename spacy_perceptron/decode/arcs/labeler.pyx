"""Labels for the arcs of a tree that has been found.

During the search, a label can depend only on its arc. Once the tree is known, each arc is labelled
anew by a linear classifier that also sees the children of the child, the other children of the head
and the head's head: a clause with a marker gets another label than one without. It learns from gold
trees by passive-aggressive steps (Crammer et al. 2006), that is, by MIRA with k = 1, arc by arc.

Cost: O(templates) a word, times the number of children for templates that look at each of them.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libcpp.algorithm cimport sort

from ...learn.weights cimport WeightTable
from .features cimport C, G, L, P, R, TABLE_KEY, X, PartFeatures, TemplateRow

# Keeps these features apart from those of labels in the search, which share the table.
cdef uint64_t SALT = <uint64_t>0x5851F42D4C957F2D


cdef enum:
    # How many words are looked up at a time.
    N_LOOKUPS = 3


cdef class TreeLabeler:
    """Labels trees of the sentence that is loaded.

    features (PartFeatures): Computes the hashes of tokens and arcs.
    weights (WeightTable): A class per label.
    """

    def __init__(self, PartFeatures features, WeightTable weights):
        self.features = features
        self.weights = weights
        self.lookups.resize(N_LOOKUPS)
        self.n_found.resize(N_LOOKUPS)

    cdef void _load_tree(self, const int32_t* heads, int n_words) noexcept nogil:
        """List the children of every position."""
        cdef int i, k
        self.n_words = n_words
        # After the first loop child_starts[h + 2] counts the children of h, after the second
        # child_starts[h + 1] is where they begin, and after the third where they end.
        self.child_starts.assign(n_words + 3, 0)
        for i in range(n_words):
            k = heads[i] + 2
            self.child_starts[k] = self.child_starts[k] + 1
        for k in range(1, n_words + 3):
            self.child_starts[k] = self.child_starts[k] + self.child_starts[k - 1]
        self.children.resize(n_words)
        for i in range(n_words):
            k = heads[i] + 1
            self.children[self.child_starts[k]] = i + 1
            self.child_starts[k] = self.child_starts[k] + 1

    cdef void _collect(self, const int32_t* heads, int child) noexcept nogil:
        """Put the features of a child's arc in `ids`."""
        cdef int head = heads[child - 1], k, role, start, end, member, n_seen
        cdef int none = self.features.first_place()
        cdef int grand = heads[head - 1] if head else none
        cdef const uint64_t* p = self.features.hashes.at(P, head)
        cdef const uint64_t* c = self.features.hashes.at(C, child)
        cdef const uint64_t* g = self.features.hashes.at(G, grand)
        cdef const uint64_t* arc = self.features.arc_hashes(head, child)
        cdef TemplateRow row
        cdef uint64_t h
        cdef size_t t
        self.ids.clear()
        for t in range(self.features.tree_label.size()):
            row = self.features.tree_label[t]
            h = SALT ^ p[row.p] ^ c[row.c] ^ g[row.g] ^ arc[row.arc]
            if row.l == 0 and row.r == 0 and row.x == 0:
                self.ids.push_back(h | TABLE_KEY)
                continue
            role = L if row.l else R if row.r else X
            k = row.l if row.l else row.r if row.r else row.x
            start = self.child_starts[head if role == X else child]
            end = self.child_starts[(head if role == X else child) + 1]
            n_seen = 0
            for start in range(start, end):
                member = self.children[start]
                if role == X and member == child:
                    continue
                if (role == L and member > child) or (role == R and member < child):
                    continue
                self.ids.push_back((h ^ self.features.hashes.at(role, member)[k]) | TABLE_KEY)
                n_seen += 1
            if n_seen == 0:
                self.ids.push_back((h ^ self.features.hashes.at(role, none)[k]) | TABLE_KEY)

    cdef int _best_by_ids(self, int gold, float margin) noexcept nogil:
        """The best label by the features in `ids`; all but the gold one get the margin."""
        self.scores.assign(self.weights.n_classes, 0)
        self.weights.add_scores(self.ids.data(), <int>self.ids.size(), self.scores.data())
        return self._best_label(gold, margin)

    cdef int _best_label(self, int gold, float margin) noexcept nogil:
        cdef int label, best = 0, n = self.weights.n_classes
        cdef float score, best_score = -INFINITY
        for label in range(n):
            score = self.scores[label] + (margin if label != gold else 0)
            if score > best_score:
                best = label
                best_score = score
        return best

    cdef void label(self, const int32_t* heads, int32_t* labels, int n_words) noexcept nogil:
        """Label all arcs of a tree.

        Each step works on three words, so that what one of them needs from memory has arrived when
        its turn comes: the features of one word, the rows of the word before it, the scores of the
        word before that.
        """
        cdef int child, place
        self._load_tree(heads, n_words)
        for child in range(1, self.n_words + 3):
            if child <= self.n_words:
                place = child % N_LOOKUPS
                self._collect(heads, child)
                self.lookups[place].resize(self.ids.size())
                self.n_found[place] = self.weights.ask(
                    self.ids.data(), <int>self.ids.size(), self.lookups[place].data()
                )
            if 1 <= child - 1 <= self.n_words:
                place = (child - 1) % N_LOOKUPS
                self.weights.find(self.lookups[place].data(), self.n_found[place])
            if 1 <= child - 2:
                place = (child - 2) % N_LOOKUPS
                self.scores.assign(self.weights.n_classes, 0)
                self.weights.add_found(
                    self.lookups[place].data(), self.n_found[place], self.scores.data()
                )
                labels[child - 3] = self._best_label(-1, 0)

    cdef double _norm(self) noexcept nogil:
        """The sum of squared counts of the features in `ids`, which are sorted."""
        cdef double norm = 0, count = 0
        cdef size_t k
        sort(self.ids.begin(), self.ids.end())
        for k in range(self.ids.size()):
            count = count + 1 if k and self.ids[k] == self.ids[k - 1] else 1
            # count^2 - (count - 1)^2
            norm += 2 * count - 1
        return norm

    cdef int learn(
        self, const int32_t* tree, const int32_t* heads, const int32_t* labels, int n_words,
        double limit, double time
    ) except -1:
        """Learn the labels of a gold tree.

        tree (int32_t*): The gold tree, with gaps filled.
        heads, labels (int32_t*): The heads and labels given; -1 for unknown. Only the labels of
            given heads count.
        limit (double): The largest step.
        time (double): Number of examples finished before this one.
        RETURNS (int): How many labels were wrong or won by less than the margin, 1.
        """
        cdef int child, gold, found, n_wrong = 0
        cdef size_t k
        cdef double step
        self._load_tree(tree, n_words)
        for child in range(1, n_words + 1):
            gold = labels[child - 1]
            if gold < 0 or heads[child - 1] < 0:
                continue
            self._collect(tree, child)
            found = self._best_by_ids(gold, 1)
            if found == gold:
                continue
            n_wrong += 1
            step = (1 + self.scores[found] - self.scores[gold]) / (2 * self._norm())
            step = min(limit, step)
            for k in range(self.ids.size()):
                self.weights.add(self.ids[k], gold, <float>step, time)
                self.weights.add(self.ids[k], found, <float>-step, time)
        return n_wrong
