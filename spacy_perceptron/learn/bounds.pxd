"""How large a weight can get.

Scores are sums of weights, in float32. With this bound the sum over all features of any part stays
finite: scores can always be compared, and no search is left without a best answer.
"""
from libc.math cimport copysignf, fabsf


cdef inline float largest_weight() noexcept nogil:
    """RETURNS (float): The bound, 2 ** 99 or 6.3e29. The largest float32 is 3.4e38. A power of two
    stays the same however few digits weights are saved with."""
    return 633825300114114700748351602688.0


cdef inline float bound(float weight) noexcept nogil:
    """RETURNS (float): The weight itself, or the bound if it lies beyond; 0 if it is no number."""
    if fabsf(weight) <= largest_weight():
        return weight
    return copysignf(largest_weight(), weight) if weight == weight else 0
