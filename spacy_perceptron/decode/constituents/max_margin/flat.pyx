"""A flat classifier of spans: is a span a phrase or not, each on its own, whatever the others are.

Logistic regression on the shared features of spans, trained by stochastic gradient steps. It is one
of the auxiliary classifiers of Taskar et al. (2004), whose answers are features of a parser.

O(n^2 templates) per sentence.
"""
import numpy as np

cimport cython
from libc.math cimport exp
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ....errors import Errors
from ..incremental.input cimport IncrementalInput
from .scorer cimport SpanScorer

# Smaller gradients are not worth the time.
cdef double LEAST_GRADIENT = 0.003


@cython.final
cdef class FlatSpans:
    """Classifies spans.

    scorer (SpanScorer): Scores spans by its shared templates.
    """
    cdef readonly SpanScorer scorer
    cdef vector[uint8_t] is_gold

    def __init__(self, SpanScorer scorer not None):
        self.scorer = scorer

    def predict(self, IncrementalInput sentence not None):
        """Find phrases.

        sentence (IncrementalInput): The sentence.
        RETURNS (int32 array): Start and end of each span that is more likely a phrase than not.
        """
        cdef int n = sentence.n_words, i, j
        cdef vector[int32_t] found
        self._check(sentence)
        with nogil:
            self.scorer.load(sentence)
            for i in range(n):
                for j in range(i + 1, n + 1):
                    self.scorer.see(i, j)
                    if self.scorer.score_shared() > 0:
                        found.push_back(i)
                        found.push_back(j)
        return np.array(found, dtype=np.int32).reshape(-1, 2)

    def learn(
        self, IncrementalInput sentence not None, const int32_t[:, ::1] phrases, double step,
        double time
    ):
        """Learn from a sentence.

        sentence (IncrementalInput): The sentence.
        phrases (int32 array): Start and end of each phrase.
        step (float): The size of steps.
        time (float): Number of examples finished before this one.
        RETURNS (int): The number of spans that were classified wrongly.
        """
        cdef int n = sentence.n_words, i, j, mistakes = 0
        cdef size_t k
        cdef double score, gradient
        cdef bint is_gold
        if not self.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self._check(sentence)
        self.is_gold.assign(<size_t>n * (n + 1), False)
        for i in range(<int>phrases.shape[0]):
            if phrases.shape[1] != 2 or not 0 <= phrases[i, 0] < phrases[i, 1] <= n:
                raise ValueError(Errors.SPAN_NODES)
            self.is_gold[<size_t>phrases[i, 0] * (n + 1) + phrases[i, 1]] = True
        with nogil:
            self.scorer.load(sentence)
            for i in range(n):
                for j in range(i + 1, n + 1):
                    self.scorer.see(i, j)
                    is_gold = self.is_gold[<size_t>i * (n + 1) + j]
                    score = self.scorer.score_shared()
                    mistakes += is_gold != (score > 0)
                    gradient = is_gold - 1 / (1 + exp(-score))
                    if not LEAST_GRADIENT < gradient and not gradient < -LEAST_GRADIENT:
                        continue
                    for k in range(self.scorer.shared_ids.size()):
                        self.scorer.weights.add(
                            self.scorer.shared_ids[k], <float>(step * gradient), time
                        )
        return mistakes

    cdef int _check(self, IncrementalInput sentence) except -1:
        return sentence.check(self.scorer.n_tokens, self.scorer.lexemes.n_rows, 0, 0x7FFFFFFF)
