"""The easy-first tagger: taggings, confidences, n-best lists and traces out of the beam search."""
import numpy as np

from libc.math cimport exp
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...errors import Errors
from .scorer cimport context_tag
from .training cimport TaggingTraining


cdef class EasyFirstTagging(TaggingTraining):
    """Tags sentences with a scorer's weights, and trains them.

    scorer (TaggingScorer): Features and weights.
    """

    cdef void _read_tags(self, int s, int32_t* tags) noexcept nogil:
        cdef const int32_t* blocks = &self.state_blocks[<size_t>s * self.n_blocks]
        cdef int i
        for i in range(self.n):
            tags[i] = self._code(blocks, i) - 1

    cdef void _read_confidences(self, float* confidences, double temperature) noexcept nogil:
        """Softmax share of each tag among all when it was chosen; 1 where it was given."""
        cdef int i, t
        cdef int32_t a = self.states[0].history
        cdef const float* scores
        cdef double total, distance
        for i in range(self.n):
            confidences[i] = 1.0
        while a >= 0:
            scores = &self.rows[<size_t>self.history[a].row * self.n_tags]
            total = 0.0
            for t in range(self.n_tags):
                distance = (scores[t] - scores[self.history[a].label]) / temperature
                # Below e^-20 a tag cannot change the result in float32.
                if distance > -20.0:
                    total += exp(distance)
            confidences[self.history[a].position] = <float>(1.0 / total)
            a = self.history[a].previous

    def tag(self, const int32_t[::1] rows not None, const int32_t[::1] starts not None,
            int width,
            *, double temperature=1.0, const int32_t[::1] fixed=None):
        """Tag sentences.

        rows (int32 array): Lexeme rows of all words of all sentences.
        starts (int32 array): Where each sentence starts, and at last the number of words.
        width (int): Beam width.
        temperature (float): Divides scores before the softmax that gives the confidences.
        fixed (int32 array): Tags given in advance, or -1; optional.
        RETURNS (tuple): Tags (int32 array) and confidences (float32 array), one per word.
        """
        tags = np.empty(rows.shape[0], dtype=np.int32)
        confidences = np.empty(rows.shape[0], dtype=np.float32)
        cdef int32_t[::1] tag_view = tags
        cdef float[::1] confidence_view = confidences
        cdef int s, start, n
        self._check(rows, fixed, width)
        for s in range(<int>starts.shape[0] - 1):
            if not 0 <= starts[s] <= starts[s + 1] <= rows.shape[0]:
                raise ValueError(Errors.DECODE_BOUNDS.format(n=rows.shape[0]))
        # With the GIL: threads that share a pipeline share the scratch memory and the lexeme table.
        for s in range(<int>starts.shape[0] - 1):
            start = starts[s]
            n = starts[s + 1] - start
            if n == 0:
                continue
            self._start(&rows[start], &fixed[start] if fixed is not None else NULL, n, width)
            self._search()
            self._read_tags(0, &tag_view[start])
            self._read_confidences(&confidence_view[start], temperature)
        return tags, confidences

    def nbest(self, const int32_t[::1] rows not None, int width, *, const int32_t[::1] fixed=None):
        """All taggings in the last beam of one sentence, best first.

        rows (int32 array): Lexeme rows of the words.
        width (int): Beam width, the most taggings to return.
        fixed (int32 array): Tags given in advance, or -1; optional.
        RETURNS (tuple): Taggings (m x n int32 array) and their scores (float64 array).
        """
        cdef int n = <int>rows.shape[0], s
        self._check(rows, fixed, width)
        if n == 0:
            return np.zeros((1, 0), dtype=np.int32), np.zeros(1)
        self._start(&rows[0], &fixed[0] if fixed is not None else NULL, n, width)
        self._search()
        taggings = np.empty((self.states.size(), n), dtype=np.int32)
        cdef int32_t[:, ::1] view = taggings
        for s in range(<int>self.states.size()):
            self._read_tags(s, &view[s, 0])
        return taggings, np.array([self.states[s].score for s in range(self.states.size())])

    def trace(self, const int32_t[::1] rows not None, int width, *, const int32_t[::1] fixed=None):
        """The actions of the best tagging in the order they were taken.

        rows (int32 array): Lexeme rows of the words.
        width (int): Beam width.
        fixed (int32 array): Tags given in advance, or -1; optional.
        RETURNS (list): Tuples (position, tag, context codes at -2, -1, +1, +2, score of every tag).
        """
        cdef int n = <int>rows.shape[0]
        self._check(rows, fixed, width)
        if n == 0:
            return []
        self._start(&rows[0], &fixed[0] if fixed is not None else NULL, n, width)
        self._search()
        actions = []
        cdef int32_t a = self.states[0].history
        while a >= 0:
            action = self.history[a]
            context = self.row_context[action.row]
            codes = tuple(context_tag(context, offset) for offset in (-2, -1, 1, 2))
            row = [self.rows[action.row * self.n_tags + t] for t in range(self.n_tags)]
            actions.append((action.position, action.label, codes, np.array(row, dtype=np.float32)))
            a = action.previous
        return actions[::-1]

    def __reduce__(self):
        return EasyFirstTagging, (self.scorer,)
