"""Hashing of 64-bit values."""
from libc.stdint cimport uint64_t


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    """A well-mixed 64-bit value (the finalizer of SplitMix64)."""
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)
