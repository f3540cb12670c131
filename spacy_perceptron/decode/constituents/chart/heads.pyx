"""Scores of pairs of head words that a binary rule brings together: bilexical features of a chart.

Which child is the head depends on the rule alone. A feature joins words and tags at the head and at
the other child's head with what the rule stands for. Conjuncts of a word are hashed once per
sentence, so a pair costs one operation and one look-up per template. The score of a pair is kept for
the rest of the sentence: many rules and splits bring the same words together.
"""
cimport cython
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....features.hashing cimport mix
from ....features.role_hashes cimport RoleHashes
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature

cdef enum:
    # Pairs that are kept, a power of two; and the longest sentences, in words, and most outcomes
    # whose pairs are.
    N_KNOWN = 1 << 14
    MAX_KNOWN = 1 << 13


cdef inline uint64_t _distance(int head, int other) noexcept nogil:
    """The distance in bins; the rule knows the direction."""
    cdef int distance = other - head if other > head else head - other
    if distance <= 3:
        return distance
    return 4 if distance <= 6 else 5 if distance <= 12 else 6


@cython.final
cdef class HeadScorer:
    """Scores pairs of heads.

    weights (HashedWeights): The weights.
    hashes (RoleHashes): Hashes of conjuncts, computed for the sentence at hand.
    role (int): The number of the role of heads; that of the others comes next.
    templates (list): Seed, conjunct of the head, conjunct of the other word, and whether the
        distance counts.
    is_right (array): For each rule of the grammar, in its order, whether its right child is the
        head.
    outcomes (array): What each rule stands for, as a 64-bit value.
    """

    def __init__(
        self, HashedWeights weights not None, RoleHashes hashes not None, int role, templates,
        is_right, outcomes
    ):
        if not 0 <= role < hashes.n_roles - 1 or len(is_right) != len(outcomes):
            raise IndexError((role, len(is_right), len(outcomes)))
        self.weights = weights
        self.hashes = hashes
        self.head_role = role
        for seed, head, other, uses_distance in templates:
            if not (0 <= head < hashes.width(role) and 0 <= other < hashes.width(role + 1)):
                raise IndexError((head, other))
            self.seeds.push_back(seed)
            self.heads.push_back(head)
            self.others.push_back(other)
            self.uses_distance.push_back(uses_distance)
        self.is_right = is_right
        self.outcomes = outcomes
        self.ids.resize(self.seeds.size())
        numbers = {}
        for outcome in outcomes:
            self.outcome_numbers.push_back(numbers.setdefault(int(outcome), len(numbers)))
        self.known.resize(N_KNOWN)
        self.n_sentences = 0
        self.start()

    cdef void start(self) noexcept nogil:
        """Forget the scores of pairs, because words or weights have changed."""
        cdef size_t k
        self.n_sentences = self.n_sentences + 1
        # Keys have 25 bits for the sentence, and 0 is none.
        if self.n_sentences >> 25:
            self.n_sentences = 1
        if self.n_sentences == 1:
            for k in range(self.known.size()):
                self.known[k].key = 0

    cdef void _find(self, int rule, int head, int other) noexcept nogil:
        """Find the features of a pair."""
        cdef const uint64_t* heads = self.hashes.at(self.head_role, head + 1)
        cdef const uint64_t* others = self.hashes.at(self.head_role + 1, other + 1)
        cdef uint64_t outcome = self.outcomes[rule], far = mix(outcome + _distance(head, other))
        cdef size_t k
        for k in range(self.ids.size()):
            self.ids[k] = (
                self.seeds[k] ^ heads[self.heads[k]] ^ others[self.others[k]]
                ^ (far if self.uses_distance[k] else outcome)
            )

    cdef float score(self, int rule, int head, int other) noexcept nogil:
        """RETURNS (float): The score of a pair.

        rule (int): The binary rule.
        head, other (int): The head of the child that is the head, and that of the other child.
        """
        cdef int32_t number = self.outcome_numbers[rule]
        cdef uint64_t key
        cdef Known* known
        if number >= MAX_KNOWN or head >= MAX_KNOWN or other >= MAX_KNOWN:
            self._find(rule, head, other)
            return self.weights.sum(self.ids.data(), <int>self.ids.size())
        key = ((self.n_sentences << 13 | <uint64_t>number) << 13 | <uint64_t>head) << 13
        key |= <uint64_t>other
        known = &self.known[mix(key) & (N_KNOWN - 1)]
        if known.key != key:
            self._find(rule, head, other)
            known.key = key
            known.score = self.weights.sum(self.ids.data(), <int>self.ids.size())
        return known.score

    cdef void collect(
        self, int rule, int head, int other, float value, vector[Feature]& features
    ) noexcept nogil:
        """Add the features of a pair to a list."""
        cdef size_t k
        self._find(rule, head, other)
        for k in range(self.ids.size()):
            features.push_back(Feature(self.ids[k] & self.weights.mask, value))
