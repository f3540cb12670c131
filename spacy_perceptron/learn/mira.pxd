from libc.stdint cimport uint64_t
from libcpp.vector cimport vector


cdef struct Feature:
    uint64_t id
    float value


cdef vector[Feature] as_features(ids, values) except *
cdef void merge(vector[Feature]& features) noexcept nogil
cdef double dot(const vector[Feature]& a, const vector[Feature]& b) noexcept nogil
cdef int hildreth_passes(
    const double* gram,
    const double* violations,
    int n,
    double limit,
    double tolerance,
    int max_passes,
    double* alphas,
    double* missing,
) noexcept nogil


cdef class MiraStep:
    # The multipliers that `solve` found.
    cdef vector[double] alphas
    cdef vector[double] gram
    cdef vector[double] missing

    cdef void solve(
        self, const vector[Feature]* differences, const double* violations, int n, double limit
    ) noexcept nogil
