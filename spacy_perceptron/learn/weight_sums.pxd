"""Sums of weights of a table without keys."""
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <cstdint>
    /* Four sums at once: one alone would wait for each addition. */
    static inline float sp_sum_weights(
        const float* weights, int shift, const uint64_t* ids, int n
    ) {
        float a = 0, b = 0, c = 0, d = 0;
        int k = 0;
        for (; k + 4 <= n; k += 4) {
            a += weights[ids[k] >> shift];
            b += weights[ids[k + 1] >> shift];
            c += weights[ids[k + 2] >> shift];
            d += weights[ids[k + 3] >> shift];
        }
        for (; k < n; k++) a += weights[ids[k] >> shift];
        return (a + b) + (c + d);
    }
    /* Ask for weights ahead of their use. */
    static inline void sp_prefetch_weights(
        const float* weights, int shift, const uint64_t* ids, int n
    ) {
    #if defined(__GNUC__) || defined(__clang__)
        for (int k = 0; k < n; k++) __builtin_prefetch(weights + (ids[k] >> shift));
    #endif
    }
    """
    float sp_sum_weights(
        const float* weights, int shift, const uint64_t* ids, int n
    ) noexcept nogil
    void sp_prefetch_weights(
        const float* weights, int shift, const uint64_t* ids, int n
    ) noexcept nogil
