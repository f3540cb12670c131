from libc.stdint cimport int64_t

cdef enum:
    # Work between two looks at signals, in units of about a tenth of a microsecond.
    WORK_LIMIT = 500000


cdef class Control:
    # Only accessed while holding the GIL.
    cdef bint is_busy
    cdef bint must_stop
    cdef object error
    # Only accessed by the thread at work.
    cdef bint has_stopped
    cdef int64_t work

    cdef int enter(self) except -1
    cdef int leave(self) except -1
    cdef void _look(self) noexcept nogil

    cdef inline bint beat(self, int64_t work) noexcept nogil:
        """Report work done since the last call, in units of about a tenth of a microsecond.

        RETURNS (bint): Whether to stop.
        """
        # Not in place: with checks that takes the GIL.
        self.work = self.work + work
        if self.work >= WORK_LIMIT:
            self._look()
        return self.has_stopped
