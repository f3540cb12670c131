"""k-best MIRA (McDonald, Crammer & Pereira 2005): the smallest change of the weights after which
the correct structure beats each of k others by its loss.

Let d_j be the features of the correct structure minus those of the j-th other one, and b_j the
missing part of its margin (loss minus difference of scores). The change is sum_j alpha_j d_j where
the alphas maximize

    sum_j alpha_j b_j - 1/2 |sum_j alpha_j d_j|^2,    0 <= alpha_j <= C

(for infinite C, margins that can be met are met exactly). Hildreth's method (Censor & Zenios 1997)
cycles through the alphas; each step finds the exact maximum for one of them. Deviation from the
paper: the multipliers are capped by C, as in the passive-aggressive algorithms (Crammer et al.
2006), so that one wrong annotation can't move the weights far.

Cost: sorting the k differences, k^2 / 2 dot products linear in their length, k^2 per pass.
"""
import numpy as np


from libc.math cimport fabs
from libc.stdint cimport uint32_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from ..errors import Errors

# How far a margin may be missed, in units of the largest violation.
TOLERANCE = 1e-8
MAX_PASSES = 10_000

# Longer runs of unsorted features are left to the library's sort.
cdef enum:
    MAX_INSERTION = 16

cdef double DEFAULT_TOLERANCE = TOLERANCE
cdef int DEFAULT_PASSES = MAX_PASSES


cdef bint _before(const Feature& a, const Feature& b) noexcept nogil:
    return a.id < b.id


cdef void _sort(vector[Feature]& features) noexcept nogil:
    """Sort by id. Ids are hashes, so their top bits put almost every feature in its place. Equal
    ids keep their order unless many ids share their top bits."""
    cdef size_t n = features.size(), i, j, start, bucket
    cdef int shift = 63
    cdef vector[Feature] old = features
    cdef vector[uint32_t] ends
    cdef Feature feature
    while (<uint64_t>1 << (64 - shift)) < n:
        shift -= 1
    ends.assign((<size_t>1 << (64 - shift)) + 1, 0)
    for i in range(n):
        bucket = old[i].id >> shift
        ends[bucket + 1] = ends[bucket + 1] + 1
    for bucket in range(1, ends.size()):
        ends[bucket] = ends[bucket] + ends[bucket - 1]
    # From here on ends[bucket] is where the bucket's next feature goes, and finally its end.
    for i in range(n):
        bucket = old[i].id >> shift
        features[ends[bucket]] = old[i]
        ends[bucket] = ends[bucket] + 1
    start = 0
    for bucket in range(ends.size() - 1):
        if ends[bucket] - start > MAX_INSERTION:
            sort(features.begin() + start, features.begin() + ends[bucket], &_before)
        for i in range(start + 1, ends[bucket]):
            feature = features[i]
            j = i
            while j > start and features[j - 1].id > feature.id:
                features[j] = features[j - 1]
                j -= 1
            features[j] = feature
        start = ends[bucket]


cdef void merge(vector[Feature]& features) noexcept nogil:
    """Sort features by id, add up the values of equal ids, and drop those that add up to 0."""
    cdef size_t i = 0, n_kept = 0
    cdef Feature total
    _sort(features)
    while i < features.size():
        total = features[i]
        i += 1
        while i < features.size() and features[i].id == total.id:
            total.value = total.value + features[i].value
            i += 1
        if total.value != 0:
            features[n_kept] = total
            n_kept += 1
    features.resize(n_kept)


cdef double dot(const vector[Feature]& a, const vector[Feature]& b) noexcept nogil:
    """Dot product of two merged vectors."""
    cdef size_t i = 0, j = 0, n_a = a.size(), n_b = b.size()
    cdef const Feature* x = a.data()
    cdef const Feature* y = b.data()
    cdef uint64_t x_id, y_id
    cdef double total = 0
    # Without branches: which id comes next can't be predicted.
    while i < n_a and j < n_b:
        x_id = x[i].id
        y_id = y[j].id
        total += <double>x[i].value * <double>y[j].value * (x_id == y_id)
        i += x_id <= y_id
        j += y_id <= x_id
    return total


cdef int hildreth_passes(
    const double* gram,
    const double* violations,
    int n,
    double limit,
    double tolerance,
    int max_passes,
    double* alphas,
    double* missing,
) noexcept nogil:
    """Hildreth's method from alphas of 0.

    `missing` is scratch space for n numbers: what each margin still lacks. A difference without
    features gets an alpha of 0, as it would change nothing. Stops when no alpha's step moves its
    margin by more than the tolerance (in units of the largest violation), or after the last pass.
    Returns the number of passes.
    """
    cdef double largest = 0, alpha, norm, moved
    cdef int i, j, n_passes = 0
    for j in range(n):
        alphas[j] = 0
        missing[j] = violations[j]
        largest = max(largest, violations[j])
    while n_passes < max_passes:
        n_passes += 1
        moved = 0
        for j in range(n):
            norm = gram[j * n + j]
            if norm <= 0:
                continue
            alpha = min(max(alphas[j] + missing[j] / norm, 0.0), limit)
            if alpha == alphas[j]:
                continue
            moved = max(moved, fabs(alpha - alphas[j]) * norm)
            for i in range(n):
                missing[i] = missing[i] - gram[j * n + i] * (alpha - alphas[j])
            alphas[j] = alpha
        if moved <= tolerance * largest:
            break
    return n_passes


cdef class MiraStep:
    """Finds the alphas of one example after another, reusing its memory."""

    cdef void solve(
        self, const vector[Feature]* differences, const double* violations, int n, double limit
    ) noexcept nogil:
        """Find `alphas` for n merged differences.

        `violations` are the missing parts of the margins (b), `limit` is the cap C.
        """
        cdef int i, j
        self.alphas.assign(n, 0.0)
        self.missing.assign(n, 0.0)
        self.gram.assign(n * n, 0.0)
        for i in range(n):
            for j in range(i, n):
                self.gram[i * n + j] = dot(differences[i], differences[j])
                self.gram[j * n + i] = self.gram[i * n + j]
        # One constraint is solved by the first step: min(C, max(0, b / |d|^2)).
        hildreth_passes(
            self.gram.data(),
            violations,
            n,
            limit,
            DEFAULT_TOLERANCE,
            1 if n == 1 else DEFAULT_PASSES,
            self.alphas.data(),
            self.missing.data(),
        )


def hildreth(gram, violations, double C=float("inf"),
             *, double tolerance=TOLERANCE, int max_passes=MAX_PASSES):
    """Maximize sum_j alpha_j b_j - 1/2 |sum_j alpha_j d_j|^2 subject to 0 <= alpha_j <= C.

    gram (float64 matrix): Dot products d_i . d_j.
    violations (float64 array): b, the missing parts of the margins.
    C (float): The cap; may be infinite. Contradictory margins then have no solution, and the alphas
        grow with every pass.
    tolerance (float): Stop when no step moves a margin by more than this part of the largest
        violation; 1e-8 by default.
    max_passes (int): Stop after this many passes over all alphas; 10,000 by default.
    RETURNS (float64 array): The alphas.
    """
    cdef const double[::1] violation_view = np.ascontiguousarray(violations, dtype=np.float64)
    cdef const double[:, ::1] gram_view = np.ascontiguousarray(gram, dtype=np.float64)
    cdef Py_ssize_t n = violation_view.shape[0]
    if not gram_view.shape[0] == gram_view.shape[1] == n:
        raise ValueError(Errors.MIRA_GRAM.format(shape=np.shape(gram), n=n))
    _check_cap(C)
    alphas, missing = np.zeros(n), np.zeros(n)
    cdef double[::1] alpha_view = alphas
    cdef double[::1] missing_view = missing
    if n:
        hildreth_passes(
            &gram_view[0, 0], &violation_view[0], <int>n, C, tolerance, max_passes,
            &alpha_view[0], &missing_view[0],
        )
    return alphas


def merged(ids, values):
    """Merge a sparse vector: each id once, sorted, without zeros.

    ids (uint64 array): Feature ids.
    values (float32 array): Their values.
    RETURNS (tuple): The merged ids and values.
    """
    cdef vector[Feature] features = as_features(ids, values)
    merge(features)
    return (
        np.array([feature.id for feature in features], dtype=np.uint64),
        np.array([feature.value for feature in features], dtype=np.float32),
    )


def mira_step(differences, violations, double C=float("inf")):
    """The multipliers of the smallest change of the weights that meets the margins.

    differences (Sequence): Pairs of feature ids and values: the correct structure's features minus
        those of another one. An id may occur more than once.
    violations (float64 array): The missing part of each margin: loss - (score of the correct
        structure - score of the other).
    C (float): The cap of a multiplier; may be infinite.
    RETURNS (float64 array): A multiplier per difference.
    """
    cdef const double[::1] violation_view = np.ascontiguousarray(violations, dtype=np.float64)
    cdef Py_ssize_t n = violation_view.shape[0]
    cdef vector[vector[Feature]] features
    cdef MiraStep step = MiraStep()
    if len(differences) != n:
        raise ValueError(Errors.MIRA_DIFFERENCES.format(n=n, differences=len(differences)))
    _check_cap(C)
    for ids, values in differences:
        features.push_back(as_features(ids, values))
        merge(features.back())
    if n:
        step.solve(features.data(), &violation_view[0], <int>n, C)
    return np.array(step.alphas, dtype=np.float64)


cdef vector[Feature] as_features(ids, values) except *:
    """A sparse vector from arrays; ValueError if they differ in length."""
    cdef const uint64_t[::1] id_view = np.ascontiguousarray(ids, dtype=np.uint64)
    cdef const float[::1] value_view = np.ascontiguousarray(values, dtype=np.float32)
    cdef vector[Feature] features
    cdef Py_ssize_t i
    if id_view.shape[0] != value_view.shape[0]:
        raise ValueError(
            Errors.HASHED_UPDATE.format(ids=id_view.shape[0], deltas=value_view.shape[0])
        )
    features.resize(id_view.shape[0])
    for i in range(id_view.shape[0]):
        features[i].id = id_view[i]
        features[i].value = value_view[i]
    return features


cdef _check_cap(double C):
    if not C >= 0:
        raise ValueError(Errors.MIRA_CAP.format(value=C))
