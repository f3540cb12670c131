"""Random dropout of features in training.

Which features are dropped depends only on their ids and a salt, so scoring and updating drop the
same ones.
"""
from libc.stdint cimport uint64_t

from ..errors import Errors
from .hashing cimport mix


cdef class FeatureDropout:
    """Drops nothing until `set_dropout` is called."""

    def set_dropout(self, double share, uint64_t salt):
        """Drop features at random, the same ones until the next call.

        share (float): Share of features to drop.
        salt (int): Decides which ones.
        """
        if not 0 <= share <= 1:
            raise ValueError(Errors.DROPOUT.format(value=share))
        self.dropout_limit = <uint64_t>(share * <double>(1 << 24))
        self.dropout_salt = mix(salt + 1) | 1

    cdef int keep(self, uint64_t* ids, int n) noexcept nogil:
        """Move the features that are kept to the front. RETURNS how many there are."""
        cdef int k, kept = 0
        if self.dropout_limit == 0:
            return n
        for k in range(n):
            if ((ids[k] * self.dropout_salt) >> 40) >= self.dropout_limit:
                ids[kept] = ids[k]
                kept += 1
        return kept
