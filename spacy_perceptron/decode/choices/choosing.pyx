"""Chooses a class for each word among its candidates, and learns to.

Words are rows of a lexeme table, classes are numbers. A decision depends on nothing but the row, so
whoever asks can keep it for the next time the row occurs. A word costs a look-up for each template
and a step for each candidate. Training is the multiclass perceptron with a margin (Crammer and
Singer 2003): where the gold class does not win by the margin over the best other candidate, the
features of the word move from this one to the gold one.
"""
import numpy as np

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from ...errors import Errors
from ...features.dropout cimport FeatureDropout
from ...features.extract cimport FeatureProgram
from ...features.hashing cimport mix
from ...features.lexemes cimport LexemeTable
from ...learn.weights cimport WeightTable
from ..search.control cimport Control


cdef class Choosing(FeatureDropout):
    """Joins compiled templates with a weight table.

    lexemes (LexemeTable): The attributes of words.
    weights (WeightTable): The weights of features, a row of classes each.
    program (ChoiceProgram): The compiled templates.
    """

    cdef readonly LexemeTable lexemes
    cdef readonly WeightTable weights
    cdef readonly Control control
    # Scratch memory does not grow with sentences.
    cdef readonly int longest
    cdef object program
    cdef FeatureProgram features
    cdef int n_visible
    cdef vector[uint64_t] ids
    cdef vector[float] class_scores

    def __init__(self, LexemeTable lexemes, WeightTable weights, program):
        self.lexemes = lexemes
        self.weights = weights
        self.program = program
        self.control = Control()
        self.longest = 0
        self.features = FeatureProgram(program.seeds, program.atoms)
        self.n_visible = program.n_visible
        self.ids.resize(self.features.n_templates + 1)
        self.class_scores.resize(weights.n_classes)

    cdef int _check(
        self, const int32_t[::1] rows, const int32_t[::1] starts, const int32_t[::1] candidates
    ) except -1:
        """Refuse arguments that lead outside the arrays, and words without candidates."""
        cdef Py_ssize_t i, n = rows.shape[0], n_candidates = candidates.shape[0]
        if starts.shape[0] != n + 1 or starts[0] != 0 or starts[n] != n_candidates:
            raise ValueError(Errors.CHOICE_CANDIDATES.format(n=n))
        for i in range(n):
            if not 0 <= rows[i] < self.lexemes.n_rows:
                raise ValueError(Errors.DECODE_ROW.format(row=rows[i], n=self.lexemes.n_rows))
            if not starts[i] < starts[i + 1] <= n_candidates:
                raise ValueError(Errors.CHOICE_CANDIDATES.format(n=n))
        for i in range(n_candidates):
            if not 0 <= candidates[i] < self.weights.n_classes:
                raise ValueError(
                    Errors.DECODE_TAG.format(tag=candidates[i], n=self.weights.n_classes)
                )
        return 0

    cdef int _score(self, int row, int n_templates) noexcept nogil:
        """Score all classes for a row, by the first templates, without the features dropped.

        RETURNS (int): How many features there are in self.ids.
        """
        self.features.run(self.lexemes.attributes(row), 0, n_templates, &self.ids[0])
        cdef int n = self.keep(&self.ids[0], n_templates)
        memset(&self.class_scores[0], 0, self.class_scores.size() * sizeof(float))
        self.weights.add_scores(&self.ids[0], n, &self.class_scores[0])
        return n

    # --- Prediction ------------------------------------------------------------------------

    def choose(self, const int32_t[::1] rows not None, const int32_t[::1] starts not None,
               const int32_t[::1] candidates not None, *, double temperature=1.0):
        """The best candidate of each word; of equal ones the first.

        rows (int32 array): Lexeme rows of the words.
        starts (int32 array): Where the candidates of each word start, and finally their number.
        candidates (int32 array): The candidates of all words, at least one each.
        temperature (float): Divides scores before the softmax that gives the confidences.
        RETURNS (tuple): Classes (int32 array) and confidences (float32 array), one per word.
        """
        self._check(rows, starts, candidates)
        if not 0 < temperature < INFINITY:
            raise ValueError(Errors.DECODE_TEMPERATURE.format(value=temperature))
        classes = np.empty(rows.shape[0], dtype=np.int32)
        confidences = np.empty(rows.shape[0], dtype=np.float32)
        cdef int32_t[::1] class_view = classes
        cdef float[::1] confidence_view = confidences
        cdef Py_ssize_t i
        cdef int k, best
        cdef double gap, total
        self.control.enter()
        try:
            with nogil:
                for i in range(rows.shape[0]):
                    self._score(rows[i], self.features.n_templates)
                    best = candidates[starts[i]]
                    for k in range(starts[i] + 1, starts[i + 1]):
                        if self.class_scores[candidates[k]] > self.class_scores[best]:
                            best = candidates[k]
                    total = 0.0
                    for k in range(starts[i], starts[i + 1]):
                        gap = (
                            self.class_scores[candidates[k]] - self.class_scores[best]
                        ) / temperature
                        # Smaller shares make no difference to 32 bits.
                        if gap > -20.0:
                            total += exp(gap)
                    class_view[i] = best
                    confidence_view[i] = <float>(1.0 / total)
                    if self.control.beat(self.features.n_templates + starts[i + 1] - starts[i]):
                        break
        finally:
            self.control.leave()
        return classes, confidences

    def score(self, int row, const int32_t[::1] candidates not None):
        """The scores of a word's candidates.

        row (int): Lexeme row of the word.
        candidates (int32 array): The candidates.
        RETURNS (float32 array): A score each.
        """
        starts = np.array([0, candidates.shape[0]], np.int32)
        self._check(np.array([row], np.int32), starts, candidates)
        scores = np.empty(candidates.shape[0], dtype=np.float32)
        cdef float[::1] view = scores
        cdef Py_ssize_t k
        self.control.enter()
        try:
            self._score(row, self.features.n_templates)
            for k in range(candidates.shape[0]):
                view[k] = self.class_scores[candidates[k]]
        finally:
            self.control.leave()
        return scores

    def feature_ids(self, int row):
        """The features of a word.

        row (int): Its lexeme row.
        RETURNS (uint64 array): An id per template, in the program's order.
        """
        if not 0 <= row < self.lexemes.n_rows:
            raise ValueError(Errors.DECODE_ROW.format(row=row, n=self.lexemes.n_rows))
        return self.features.extract(np.array(self.lexemes.row_values(row), dtype=np.uint64))

    # --- Training --------------------------------------------------------------------------

    def learn(self, const int32_t[::1] rows not None, const int32_t[::1] starts not None,
              const int32_t[::1] candidates not None, double time, *, float margin=0.0,
              const double[::1] hiding=None, uint64_t seed=0):
        """Learn from words, one after the other.

        rows (int32 array): Lexeme rows of the words.
        starts (int32 array): Where the candidates of each word start, and finally their number.
        candidates (int32 array): The candidates of all words. The gold class of a word is the
            first of its candidates.
        time (float): Number of examples finished before this one.
        margin (float): By how much the gold class must win.
        hiding (Optional[float64 array]): The probability of hiding which word it is, for each.
        seed (int): Decides which words are hidden.
        RETURNS (int): How many words led to a change of weights.
        """
        cdef Py_ssize_t i
        cdef int k, n, n_templates, gold, best, n_updates = 0
        if not self.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        self._check(rows, starts, candidates)
        if hiding is not None and hiding.shape[0] != rows.shape[0]:
            raise ValueError(Errors.CHOICE_CANDIDATES.format(n=rows.shape[0]))
        self.control.enter()
        try:
            for i in range(rows.shape[0]):
                n_templates = self.features.n_templates
                if hiding is not None and (
                    mix(~seed + i) >> 32
                ) < <uint64_t>(hiding[i] * 4294967296.0):
                    n_templates = self.n_visible
                n = self._score(rows[i], n_templates)
                gold = candidates[starts[i]]
                best = -1
                for k in range(starts[i] + 1, starts[i + 1]):
                    if best < 0 or self.class_scores[candidates[k]] > self.class_scores[best]:
                        best = candidates[k]
                if best < 0 or self.class_scores[gold] > self.class_scores[best] + margin:
                    continue
                for k in range(n):
                    self.weights.add(self.ids[k], gold, 1.0, time)
                    self.weights.add(self.ids[k], best, -1.0, time)
                n_updates += 1
        finally:
            self.control.leave()
        return n_updates

    def __reduce__(self):
        return Choosing, (self.lexemes, self.weights, self.program)
