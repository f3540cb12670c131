from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libcpp.vector cimport vector


cdef struct Slot:
    uint64_t key
    int32_t start
    uint16_t length
    uint16_t capacity


cdef struct Entry:
    uint32_t label
    float weight


cdef class WeightTable:
    cdef readonly int n_classes
    cdef readonly bint trainable
    cdef readonly bint adaptive
    cdef readonly size_t n_features
    cdef public size_t max_entries
    cdef uint64_t mask
    cdef vector[Slot] slots
    cdef uint64_t filter_mask
    cdef vector[uint64_t] filter
    cdef vector[Entry] entries
    cdef vector[double] totals
    cdef vector[float] squares

    cdef size_t _find(self, uint64_t key) noexcept nogil
    cdef void _grow(self) except *
    cdef void _build_filter(self) except *
    cdef void _mark(self, uint64_t key) noexcept nogil
    cdef void _widen(self, Slot* slot) except *
    cdef int ask(self, const uint64_t* keys, int n, uint64_t* present) noexcept nogil
    cdef void find(self, uint64_t* present, int n) noexcept nogil
    cdef void add_found(self, const uint64_t* found, int n, float* scores) noexcept nogil
    cdef void add_scores(self, const uint64_t* keys, int n, float* scores) noexcept nogil
    cdef int add(self, uint64_t key, int label, float delta, double time) except -1
