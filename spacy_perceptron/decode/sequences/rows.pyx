"""Rows of scores: all tags of a word in a context of tags, ranked, illegal ones ruled out.

A row is computed once per sentence for each position and context, whichever states ask for it, and
keeps its best tags sorted. A constraint says which tags may not stand in the context: they score
-INFINITY, so no search can choose them.

Cost: O(tags * ranked) for a new row, and a walk over the contexts met at the position to find one.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from ...errors import Errors
from .scorer cimport PAD, TaggingScorer

cdef extern from *:
    """
    /* The first of the largest of n scores. The maximum is found in eight lanes, which compilers
       turn into vectors, and then looked for. */
    static inline int sp_first_best(const float* scores, int n) {
        float lanes[8], best = scores[0];
        int t = 0, k;
        for (k = 0; k < 8; k++) lanes[k] = best;
        for (; t + 8 <= n; t += 8)
            for (k = 0; k < 8; k++)
                lanes[k] = scores[t + k] > lanes[k] ? scores[t + k] : lanes[k];
        for (k = 0; k < 8; k++) best = lanes[k] > best ? lanes[k] : best;
        for (; t < n; t++) best = scores[t] > best ? scores[t] : best;
        t = 0;
        while (t < n - 1 && scores[t] != best) t++;
        return t;
    }
    """
    int sp_first_best(const float* scores, int n) noexcept nogil


cdef class Constraint:
    """Says which tags may stand where. This one allows every sequence."""

    def __init__(self):
        self.n_tags = 0
        self.lowest = ANY

    cdef int check(self, const int32_t[::1] tags) except -1:
        """Refuse given or gold tags that no sequence can have."""
        return 0

    cdef void load(self, const int32_t* given, int n) noexcept nogil:
        """Take in the tags given for a sentence: a tag, or a value below 0, per word."""
        pass

    cdef void forbid(self, int i, uint64_t context, float* scores) noexcept nogil:
        """Give tags that may not stand at i in a context the score -INFINITY."""
        pass

    cdef bint agrees(self, const int32_t* gold, int i, int tag) noexcept nogil:
        """Whether a tag at i can be part of a correct sequence."""
        return gold[i] == ANY or gold[i] == tag

    def __reduce__(self):
        return Constraint, ()


cdef class ScoreRows:
    """The score rows of one sentence at a time. Memory is kept between sentences.

    scorer (TaggingScorer): Features and weights.
    constraint (Optional[Constraint]): Which tags may stand where; None allows every sequence.
    """

    def __init__(self, TaggingScorer scorer, Constraint constraint=None):
        self.scorer = scorer
        self.constraint = Constraint() if constraint is None else constraint
        self.n_tags = scorer.n_tags
        if self.constraint.n_tags not in (0, self.n_tags):
            raise ValueError(
                Errors.DECODE_CONSTRAINT.format(n=self.constraint.n_tags, n_tags=self.n_tags)
            )

    cdef void load(
        self, const int32_t* rows, const int32_t* fixed, int n, int n_ranked
    ) noexcept nogil:
        """Take in a sentence and score what does not depend on tags.

        rows: Lexeme rows of the words. fixed: A tag per word given in advance, or a value below 0;
            may be NULL. n_ranked: How many tags of a row to rank: searches can share the rows if
            their beams are no wider.
        """
        cdef int i
        self.n = n
        self.n_ranked = min(n_ranked, self.n_tags)
        self.padded.assign(n + 2 * PAD, 0)
        for i in range(n):
            self.padded[PAD + i] = rows[i]
        for i in range(PAD):
            self.padded[PAD + n + i] = 1
        self.given.assign(n, ANY)
        if fixed != NULL:
            self.given.assign(fixed, fixed + n)
        self.constraint.load(self.given.data(), n)
        self.static.resize(<size_t>n * self.n_tags)
        self.scorer.static_scores(&self.padded[PAD], self.given.data(), n, &self.static[0])
        self.scores.clear()
        self.contexts.clear()
        self.next_rows.clear()
        self.ranking.clear()
        self.first_rows.assign(n, -1)

    cdef void handicap(self, const int32_t* gold, float margin) noexcept nogil:
        """Lower the score of every gold tag, before any row is asked for."""
        cdef int i
        cdef size_t at
        for i in range(self.n):
            if gold[i] >= 0:
                at = <size_t>i * self.n_tags + gold[i]
                self.static[at] = self.static[at] - margin

    cdef int32_t find(self, int i, uint64_t context) noexcept nogil:
        """The row of a position in a packed context."""
        cdef int32_t row = self.first_rows[i]
        cdef float* scores
        while row >= 0:
            if self.contexts[row] == context:
                return row
            row = self.next_rows[row]
        row = <int32_t>self.contexts.size()
        self.contexts.push_back(context)
        self.next_rows.push_back(self.first_rows[i])
        self.first_rows[i] = row
        self.scores.resize(<size_t>(row + 1) * self.n_tags)
        scores = &self.scores[<size_t>row * self.n_tags]
        memcpy(scores, &self.static[<size_t>i * self.n_tags], self.n_tags * sizeof(float))
        self.scorer.add_dynamic_scores(&self.padded[PAD], i, context, scores)
        self.constraint.forbid(i, context, scores)
        self._rank(scores)
        return row

    cdef void _rank(self, const float* scores) noexcept nogil:
        """Append the best tags of a row, best first, the lower tag first on ties."""
        cdef int n_ranked = self.n_ranked
        cdef size_t start = self.ranking.size()
        cdef int t, k, filled = 0
        self.ranking.resize(start + n_ranked)
        cdef int32_t* best = &self.ranking[start]
        if n_ranked == 1:
            best[0] = sp_first_best(scores, self.n_tags)
            return
        for t in range(self.n_tags):
            if filled == n_ranked and scores[t] <= scores[best[n_ranked - 1]]:
                continue
            k = filled if filled < n_ranked else n_ranked - 1
            while k > 0 and scores[best[k - 1]] < scores[t]:
                best[k] = best[k - 1]
                k -= 1
            best[k] = t
            if filled < n_ranked:
                filled += 1

    cdef int best_correct(self, const int32_t* gold, int i, int32_t row) noexcept nogil:
        """The best tag of a row that agrees with gold; -1 if there is none."""
        cdef const float* scores = self.row_scores(row)
        cdef int t, best = -1
        if gold[i] >= 0:
            return gold[i] if scores[gold[i]] > -INFINITY else -1
        for t in range(self.n_tags):
            if scores[t] > -INFINITY and (best < 0 or scores[t] > scores[best]):
                if self.constraint.agrees(gold, i, t):
                    best = t
        return best

    def __reduce__(self):
        return ScoreRows, (self.scorer, self.constraint)
