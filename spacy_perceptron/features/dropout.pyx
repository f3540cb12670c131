"""Features left out at random in training, for what scores by features.

Which ones depends on their ids and a salt alone, so that scores and updates leave out the same ones.
"""
from libc.stdint cimport uint64_t

from .hashing cimport mix


cdef class FeatureDropout:
    """Leaves out no features until told."""

    def set_dropout(self, double share, uint64_t salt):
        """Leave out features at random, the same ones until the next call.

        share (float): The share of features to leave out.
        salt (int): Decides which.
        """
        self.dropout_limit = <uint64_t>(share * <double>(1 << 24))
        self.dropout_salt = mix(salt + 1) | 1

    cdef int keep(self, uint64_t* ids, int n) noexcept nogil:
        """Move the features that are not left out to the front. RETURNS how many they are."""
        cdef int k, kept = 0
        if self.dropout_limit == 0:
            return n
        for k in range(n):
            if ((ids[k] * self.dropout_salt) >> 40) >= self.dropout_limit:
                ids[kept] = ids[k]
                kept += 1
        return kept
