"""The probability of every arc, over all trees with one child of the root, projective or not.

A tree's probability is proportional to exp(scale * score). The sum over all trees is a determinant
(the matrix-tree theorem: Tutte 1984; with one child of the root: Koo et al. 2007; see also Smith
and Smith 2007, McDonald and Satta 2007), and the marginals are the derivatives of its logarithm.

Deviation: the textbook formula inverts a matrix whose diagonal is a sum of weights, and loses all
digits where words prefer to form a cycle. Here, words are eliminated one by one as in Grassmann,
Taksar and Heyman (1985), which never subtracts weights: eliminating v turns every path u -> v -> w
into weight of u -> w. The last word left is one that can head all others (the root's child in the
best tree). Derivatives are then carried back step by step. Weights are kept as logarithms, so
scores may be of any size. O(n^3) time, O(n^2) memory, which is reused.
"""
from libc.math cimport INFINITY, exp, log, log1p
from libc.stdint cimport int32_t

from ..parts cimport ROOT, Parts

# A term this many times smaller than another one does not change their sum in double precision.
cdef double LOG_EPSILON = -37.0
# Marginals below this are not split any further.
cdef double NEGLIGIBLE = 1e-20


cdef inline double log_add(double a, double b) noexcept nogil:
    cdef double difference = b - a
    if a == -INFINITY or difference > -LOG_EPSILON:
        return b
    if difference < LOG_EPSILON:
        return a
    return a + log1p(exp(difference)) if difference < 0 else b + log1p(exp(-difference))


cdef class MatrixTree:
    """Sum and marginals of one sentence at a time. It must have a tree."""

    cdef double log_z(self, Parts parts, double scale, int root_word) noexcept nogil:
        """Sum over all trees.

        scale (double): What scores are multiplied by.
        root_word (int): The root's child in some tree.
        RETURNS (double): The logarithm of the sum.
        """
        cdef int n = parts.n_words, i
        cdef double log_sum = self._load(parts, scale, root_word)
        for i in range(n - 1):
            self._eliminate(i)
            log_sum += self.totals[i]
        return log_sum + self.logs[<size_t>(n - 1) * self.width + n]

    cdef double marginals(
        self, Parts parts, double scale, int root_word, double* probabilities
    ) noexcept nogil:
        """Find the probability of every arc.

        scale (double): What scores are multiplied by.
        root_word (int): The root's child in some tree.
        probabilities (double*): Gets a value per arc.
        RETURNS (double): The logarithm of the sum over all trees.
        """
        cdef int n = parts.n_words, i, a
        cdef size_t at
        cdef double log_sum = self.log_z(parts, scale, root_word)
        self.shares.assign(<size_t>n * self.width, 0)
        self.shares[<size_t>(n - 1) * self.width + n] = 1
        for i in range(n - 2, -1, -1):
            self._restore(i)
        for a in range(parts.n_arcs()):
            at = self.places[parts.children[a]]
            at = at * self.width + self.places[parts.heads[a]]
            probabilities[a] = min(1.0, self.shares[at])
        return log_sum

    cdef double _load(self, Parts parts, double scale, int root_word) noexcept nogil:
        """Put the words in order, the given one last, and read the weights. Those of a word's heads
        are divided by the largest of them, which changes no probability and keeps logarithms small.

        RETURNS (double): The logarithm of the product of all divisors.
        """
        cdef int n = parts.n_words, word, a
        cdef double top, divided = 0
        cdef double* row
        self.n_words = n
        self.width = n + 1
        self.places.resize(n + 1)
        for word in range(1, n + 1):
            self.places[word] = word - 1
        self.places[n] = root_word - 1
        self.places[root_word] = n - 1
        self.places[ROOT] = n
        self.totals.assign(n, -INFINITY)
        self.logs.assign(<size_t>n * self.width, -INFINITY)
        for word in range(1, n + 1):
            row = &self.logs[<size_t>self.places[word] * self.width]
            top = -INFINITY
            for a in range(parts.incoming[word], parts.incoming[word + 1]):
                top = max(top, scale * parts.arc[a])
            divided += top
            for a in range(parts.incoming[word], parts.incoming[word + 1]):
                row[self.places[parts.heads[a]]] = scale * parts.arc[a] - top
        return divided

    cdef void _eliminate(self, int word) noexcept nogil:
        """Hand a word's children over to its heads among the words after it."""
        cdef const double* heads = &self.logs[<size_t>word * self.width]
        cdef double* row
        cdef double top = -INFINITY, total = 0, handed
        cdef int child, head
        for head in range(word + 1, self.n_words):
            top = max(top, heads[head])
        for head in range(word + 1, self.n_words):
            total += exp(heads[head] - top)
        self.totals[word] = top + log(total)
        for child in range(word + 1, self.n_words):
            row = &self.logs[<size_t>child * self.width]
            handed = row[word] - self.totals[word]
            if handed == -INFINITY:
                continue
            for head in range(word + 1, self.width):
                if head != child and heads[head] != -INFINITY:
                    row[head] = log_add(row[head], handed + heads[head])

    cdef void _restore(self, int word) noexcept nogil:
        """Undo `_eliminate`, and give back the shares of marginals that came through the word."""
        cdef const double* heads = &self.logs[<size_t>word * self.width]
        cdef double* own = &self.shares[<size_t>word * self.width]
        cdef double* shares
        cdef double* row
        cdef double handed, part, share, rest = 1
        cdef int child, head
        for child in range(word + 1, self.n_words):
            row = &self.logs[<size_t>child * self.width]
            shares = &self.shares[<size_t>child * self.width]
            handed = row[word] - self.totals[word]
            if handed == -INFINITY:
                continue
            for head in range(word + 1, self.width):
                if shares[head] < NEGLIGIBLE or head == child or heads[head] == -INFINITY:
                    continue
                part = exp(min(0.0, handed + heads[head] - row[head]))
                share = part * shares[head]
                shares[head] = shares[head] - share
                row[head] = row[head] + log1p(-part) if part < 1 else -INFINITY
                shares[word] = shares[word] + share
                own[head] = own[head] + share
                rest -= share
        # Each child of the word uses up one choice of its head; the root gets only what was shared.
        for head in range(word + 1, self.n_words):
            own[head] = max(0.0, own[head] + rest * exp(heads[head] - self.totals[word]))
