"""One decoder, one thread; and searches that can be interrupted.

A decoder keeps its scratch memory between sentences, and works without the interpreter's lock. So
it belongs to one thread at a time: a second one that enters while the first is at work gets an
error, not a crash. Long searches report how much they have done, and now and then look whether the
process got a signal, such as that of Ctrl-C, or another thread has asked them to stop.
"""
from ...errors import Errors

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef class Control:
    """Stands at the door of a decoder. Every search enters first and leaves in the end."""

    cdef int enter(self) except -1:
        """Begin to work; refuse if another thread is at work."""
        if self.is_busy:
            raise RuntimeError(Errors.DECODER_BUSY)
        self.is_busy = True
        self.must_stop = self.has_stopped = False
        self.error = None
        self.work = 0
        return 0

    cdef int leave(self) except -1:
        """End work. Raises what has stopped a search: its results are not complete."""
        self.is_busy = False
        if self.has_stopped:
            self.has_stopped = False
            error, self.error = self.error, None
            raise error
        return 0

    cdef void _look(self) noexcept nogil:
        """Look for a reason to stop."""
        self.work = 0
        with gil:
            try:
                PyErr_CheckSignals()
                if self.must_stop:
                    raise RuntimeError(Errors.DECODER_STOPPED)
            except BaseException as error:
                self.error = error
                self.has_stopped = True

    def stop(self):
        """Ask a search that runs in another thread to stop. It raises an error there."""
        self.must_stop = True

    def __reduce__(self):
        return Control, ()
