"""Repeated use of hypotheses in training (Collins & Roark 2004, figure 4).

The cache keeps the candidates of the sentences parsed so far. After each sentence it goes over all
of them several times, and updates the weights wherever a candidate is not behind the correct tree.
A sentence that has caused too many updates is left alone until it is parsed again.

Taken literally, that is a scoring of all candidates of the corpus, five times per sentence. Here
each candidate is stored as the features of the correct tree minus its own, with the correct tree's
lead; and each weight knows the candidates in which it occurs. An update corrects the leads of these
candidates, so entries that it does not touch cost nothing. The result is the same.

Deviation: a candidate that is level with the correct tree counts as wrong.
Memory: about 24 bytes per feature of a difference.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from .cells cimport NONE


cdef class HypothesisCache:
    """Candidates of sentences, and the weights that they train.

    weights (HashedWeights): The weights. All changes must go through the cache.
    passes (int): How often to go over the candidates after each sentence; the paper's T1.
    max_updates (int): How many updates a sentence may cause each time it is parsed; T2.
    size (int): How many sentences to keep, the last ones parsed; 0 for all.
    """

    def __init__(
        self, HashedWeights weights, *, int passes=5, int max_updates=50, int size=0
    ):
        if not weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self.weights = weights
        self.passes = passes
        self.max_updates = max_updates
        self.size = size
        self.rows.assign(<size_t>1 << weights.n_bits, NONE)
        self.next_turn = 0

    cdef void add(self, uint64_t id, float delta, double time) noexcept nogil:
        """Change a weight, and the leads that depend on it."""
        cdef uint64_t index = id & self.weights.mask
        cdef double before = self.weights.weights[index], change
        cdef vector[Posting]* postings
        cdef Constraint* constraint
        cdef size_t p
        self.weights.add(id, delta, time)
        change = self.weights.weights[index] - before
        if self.rows[index] == NONE or change == 0:
            return
        postings = &self.postings[self.rows[index]]
        for p in range(postings.size()):
            constraint = &self.constraints[postings[0][p].constraint]
            constraint.lead += change * postings[0][p].value
            self.entries[constraint.entry].changed = True

    cdef void clear(self, int32_t entry) noexcept nogil:
        """Forget the candidates of a sentence."""
        cdef vector[Posting]* postings
        cdef Constraint* constraint
        cdef size_t c, t, p
        cdef int32_t number
        for c in range(self.entries[entry].constraints.size()):
            number = self.entries[entry].constraints[c]
            constraint = &self.constraints[number]
            for t in range(constraint.terms.size()):
                postings = &self.postings[self.rows[constraint.terms[t].index]]
                for p in range(postings.size()):
                    if postings[0][p].constraint == number:
                        postings[0][p] = postings.back()
                        postings.pop_back()
                        break
            constraint.terms.clear()
            constraint.terms.shrink_to_fit()
            self.free.push_back(number)
        self.entries[entry].constraints.clear()

    cdef void open(self, int32_t entry) noexcept nogil:
        """Make room for the candidates of a sentence."""
        cdef Entry new
        cdef int32_t oldest
        new.n_updates = 0
        new.turn = 0
        new.changed = False
        while <size_t>entry >= self.entries.size():
            self.entries.push_back(new)
        self.clear(entry)
        self.entries[entry].n_updates = 0
        self.entries[entry].changed = True
        self.entries[entry].turn = self.turns.size()
        self.turns.push_back(entry)
        if self.size and self.turns.size() - self.next_turn > <size_t>self.size:
            oldest = self.turns[self.next_turn]
            if self.entries[oldest].turn == self.next_turn:
                self.clear(oldest)
            self.next_turn = self.next_turn + 1

    cdef void store(
        self, int32_t entry, const vector[Feature]& difference, double offset
    ) noexcept nogil:
        """Add a candidate.

        difference: Features of the correct tree minus its own, merged.
        offset: How far the correct tree is ahead by what is not in the weights.
        """
        cdef int32_t number
        cdef Constraint empty
        cdef Constraint* constraint
        cdef Posting posting
        cdef Term term
        cdef vector[Posting] none
        cdef size_t f
        if self.free.empty():
            number = <int32_t>self.constraints.size()
            self.constraints.push_back(empty)
        else:
            number = self.free.back()
            self.free.pop_back()
        constraint = &self.constraints[number]
        constraint.entry = entry
        constraint.lead = offset
        posting.constraint = number
        for f in range(difference.size()):
            if difference[f].value == 0:
                continue
            term.index = <uint32_t>(difference[f].id & self.weights.mask)
            term.value = posting.value = difference[f].value
            constraint.terms.push_back(term)
            constraint.lead += <double>self.weights.weights[term.index] * term.value
            if self.rows[term.index] == NONE:
                self.rows[term.index] = <int32_t>self.postings.size()
                self.postings.push_back(none)
            self.postings[self.rows[term.index]].push_back(posting)
        constraint.terms.shrink_to_fit()
        self.entries[entry].constraints.push_back(number)

    cdef int32_t _worst(self, int32_t entry) noexcept nogil:
        """The candidate of a sentence that is furthest ahead of the correct tree; NONE if all are
        behind it."""
        cdef int32_t worst = NONE, number
        cdef double lead = INFINITY
        cdef size_t c
        for c in range(self.entries[entry].constraints.size()):
            number = self.entries[entry].constraints[c]
            if self.constraints[number].lead < lead:
                worst, lead = number, self.constraints[number].lead
        return worst if lead <= 0 else NONE

    cdef int revise(self, double time) noexcept nogil:
        """Go over all sentences and update the weights.

        RETURNS (int): The number of updates.
        """
        cdef int turn, before, n_updates = 0
        cdef int32_t entry, worst
        cdef size_t t
        for turn in range(self.passes):
            before = n_updates
            for entry in range(<int32_t>self.entries.size()):
                if (
                    not self.entries[entry].changed
                    or self.entries[entry].n_updates >= self.max_updates
                ):
                    continue
                self.entries[entry].changed = False
                worst = self._worst(entry)
                if worst == NONE:
                    continue
                # The update itself changes the entry.
                for t in range(self.constraints[worst].terms.size()):
                    self.add(
                        self.constraints[worst].terms[t].index,
                        self.constraints[worst].terms[t].value, time
                    )
                self.entries[entry].n_updates = self.entries[entry].n_updates + 1
                n_updates += 1
            if n_updates == before:
                break
        return n_updates

    def insert(self, int32_t entry, differences):
        """Store the candidates of a sentence, for tests and for use from Python.

        entry (int): The number of the sentence.
        differences (list[dict[int, float]]): For each candidate, features of the correct tree minus
            its own.
        """
        cdef vector[Feature] features
        cdef Feature feature
        if entry < 0:
            raise IndexError(entry)
        self.open(entry)
        for difference in differences:
            features.clear()
            for feature.id, feature.value in difference.items():
                features.push_back(feature)
            self.store(entry, features, 0)

    def update(self, double time):
        """Go over all sentences and update the weights.

        time (float): Number of examples finished before this one.
        RETURNS (int): The number of updates.
        """
        return self.revise(time)

    def leads(self, int32_t entry):
        """By how much the correct tree is ahead of each candidate of a sentence.

        entry (int): The sentence.
        RETURNS (list[float]): A number per candidate.
        """
        if not 0 <= entry < <int32_t>self.entries.size():
            return []
        return [self.constraints[c].lead for c in self.entries[entry].constraints]

    @property
    def n_terms(self):
        """RETURNS (int): How many features all differences have."""
        cdef size_t c, n = 0
        for c in range(self.constraints.size()):
            n += self.constraints[c].terms.size()
        return n
