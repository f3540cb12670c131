from libc.stdint cimport int16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef SP_SUM_WEIGHTS
    #define SP_SUM_WEIGHTS
    #include <cstdint>

    /* Four sums at once: one alone would wait for each addition. */
    template <class Total, class Weight>
    static inline Total sp_sum_ids(const Weight* weights, uint64_t mask, const uint64_t* ids, int n) {
        Total a = 0, b = 0, c = 0, d = 0;
        int k = 0;
        for (; k + 4 <= n; k += 4) {
            a += weights[ids[k] & mask];
            b += weights[ids[k + 1] & mask];
            c += weights[ids[k + 2] & mask];
            d += weights[ids[k + 3] & mask];
        }
        for (; k < n; k++) a += weights[ids[k] & mask];
        return (a + b) + (c + d);
    }

    /* The same, but the first n_twins features count twice: once more with other low bits, in the
       same cache line. */
    template <class Total, class Weight>
    static inline Total sp_sum_twin_ids(
        const Weight* weights, uint64_t mask, const uint64_t* ids, int n_twins, int n,
        uint64_t twin
    ) {
        Total a = 0, b = 0;
        for (int k = 0; k < n_twins; k++) {
            a += weights[ids[k] & mask];
            b += weights[(ids[k] ^ twin) & mask];
        }
        return a + b + sp_sum_ids<Total>(weights, mask, ids + n_twins, n - n_twins);
    }

    /* The summed weights of n features in a table, compact or not. */
    static inline float sp_sum_twins(
        const float* weights, const int16_t* codes, float unit, uint64_t mask,
        const uint64_t* ids, int n_twins, int n, uint64_t twin
    ) {
        return codes ? unit * sp_sum_twin_ids<int32_t>(codes, mask, ids, n_twins, n, twin)
                     : sp_sum_twin_ids<float>(weights, mask, ids, n_twins, n, twin);
    }
    #endif
    """
    float sp_sum_twins(
        const float* weights, const int16_t* codes, float unit, uint64_t mask,
        const uint64_t* ids, int n_twins, int n, uint64_t twin
    ) noexcept nogil


cdef class HashedWeights:
    cdef readonly int n_bits
    cdef readonly bint trainable
    cdef readonly bint adaptive
    # The weight of a feature is weights[id & mask], or in a compact table unit * codes[id & mask].
    # The other pointer is NULL.
    cdef float* weights
    cdef int16_t* codes
    cdef float unit
    cdef uint64_t mask
    # Only in trainable and in adaptive tables; otherwise NULL.
    cdef double* totals
    cdef float* squares
    # The arrays that own the memory.
    cdef list arrays

    cdef void* _zeros(self, dtype) except NULL
    cdef void _set_codes(
        self, const uint32_t[::1] indices, const float[::1] values
    ) noexcept nogil
    cdef void add(self, uint64_t id, float delta, double time) noexcept nogil
    cdef void prefetch(self, const uint64_t* ids, int n) noexcept nogil
    cdef float sum(self, const uint64_t* ids, int n) noexcept nogil
