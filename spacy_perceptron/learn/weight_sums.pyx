"""Sums of many weights at a time, without waiting for memory.

A table of weights is larger than the processor's cache, and features are spread over all of it. The
weights of a sum are prefetched as soon as its features are known, and added up once the features of
a few more sums are known; by then they have arrived. This made first-order parsing of English a
quarter faster.
"""
from libc.stdint cimport uint64_t

from .hashed cimport HashedWeights, sp_sum_twins

cdef enum:
    # Number of sums in flight.
    DELAY = 4


cdef class WeightSums:
    """A queue of sums.

    weights (HashedWeights): The table.
    """

    def __init__(self, HashedWeights weights):
        self.weights = weights
        self.pending.resize(DELAY)
        self.start(0)

    cdef void start(self, int width) noexcept nogil:
        """Begin with an empty queue of sums of at most `width` features."""
        cdef size_t k
        self.width = width
        self.place = 0
        self.ids.resize(DELAY * self.width)
        for k in range(DELAY):
            self.pending[k].n = 0

    cdef uint64_t* room(self) noexcept nogil:
        """Where to put the features of the next sum."""
        self._take(self.place)
        return self.ids.data() + self.place * self.width

    cdef void add(self, int n, int n_twins, uint64_t twin, float* target) noexcept nogil:
        """Queue the sum of the n features put there.

        n_twins, twin: The first n_twins count twice: once more with the bits of `twin` flipped.
        target: What to add the sum to. It must stay where it is until `finish`.
        """
        cdef Pending* sum = &self.pending[self.place]
        self.weights.prefetch(self.ids.data() + self.place * self.width, n)
        sum.n = n
        sum.n_twins = n_twins
        sum.twin = twin
        sum.target = target
        self.place = (self.place + 1) % DELAY

    cdef void finish(self) noexcept nogil:
        """Take all pending sums."""
        cdef size_t k
        for k in range(DELAY):
            self._take(k)

    cdef void _take(self, size_t place) noexcept nogil:
        cdef Pending* sum = &self.pending[place]
        if sum.n:
            sum.target[0] += sp_sum_twins(
                self.weights.weights, self.weights.codes, self.weights.unit, self.weights.mask,
                self.ids.data() + place * self.width, sum.n_twins, sum.n, sum.twin
            )
            sum.n = 0
