"""Scores of spans: hashed features of the words at their edges, times what the span can be.

A feature picks a place in the weight table, and the outcomes of a kind lie there side by side. So
all phrases that a span can be are scored together, a row at a time. Rows overlap: two features share
weights no more often than if feature and outcome had been hashed together, but the weights they
share may be those of different outcomes. Shared templates have one weight for all phrases: they say
whether a span is a phrase, whatever its label.

O(templates x outcomes) per span, in steps of eight outcomes or so; hashing is O(templates).
"""
cimport cython
from libc.math cimport ldexp
from libc.stdint cimport int16_t, int32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....features.hashing cimport mix
from ....features.lexemes cimport LexemeTable
from ....features.role_hashes cimport RoleHashes
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from ..incremental.input cimport IncrementalInput

cdef extern from *:
    """
    #ifndef SP_ADD_ROWS
    #define SP_ADD_ROWS
    #include <cstdint>
    #include <cstring>

    template <class Weight, class Total>
    static inline void sp_add_rows(
        const Weight* weights, uint64_t mask, const uint64_t* ids, uint64_t salt, int n,
        int width, Total* totals
    ) {
        for (int k = 0; k < n; k++) {
            uint64_t start = (ids[k] ^ salt) & mask;
            if (start + width <= mask + 1) {
                const Weight* row = weights + start;
                for (int s = 0; s < width; s++) totals[s] += row[s];
            } else {
                for (int s = 0; s < width; s++) totals[s] += weights[(start + s) & mask];
            }
        }
    }

    static inline void sp_prefetch_rows(
        const void* weights, int size, uint64_t mask, const uint64_t* ids, uint64_t salt, int n,
        int width
    ) {
    #if defined(__GNUC__) || defined(__clang__)
        for (int k = 0; k < n; k++) {
            const char* row = (const char*)weights + ((ids[k] ^ salt) & mask) * size;
            for (int at = 0; at < width * size; at += 64) __builtin_prefetch(row + at);
        }
    #endif
    }
    #endif
    """
    void sp_add_rows[W, T](
        const W* weights, uint64_t mask, const uint64_t* ids, uint64_t salt, int n, int width,
        T* totals
    ) noexcept nogil
    void sp_prefetch_rows(
        const void* weights, int size, uint64_t mask, const uint64_t* ids, uint64_t salt, int n,
        int width
    ) noexcept nogil

cdef enum:
    # Longer spans have no sequence of tags.
    MAX_TAGS = 5
    MAX_WORDS = 1 << 20
    # Attributes of spans, as in `program`.
    LENGTH = 0
    TAGS = 1
    KINDS = 2
    N_COMBINED = 8
    # Marks of shared templates, as in `program`.
    SHORT = 1
    THREE = 2
    BASELINE = 4
    FLAT = 8
    N_MARKS = 16
    SHORTEST = 3

cdef uint64_t[5] SALTS
SALTS[PHRASE] = 0
SALTS[WORD] = <uint64_t>0xA0761D6478BD642F
SALTS[UNARY] = <uint64_t>0xE7037ED1A0B428DB
SALTS[SYMBOL] = <uint64_t>0x8EBC6AF09C88C6E3
SALTS[SYMBOL_UNARY] = <uint64_t>0x589965CC75374CC3


cdef inline uint64_t _join(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0x9FB21C651E98DF25
    return h ^ (h >> 32)


cdef inline int _bin(int length) noexcept nogil:
    """Lengths in bins: 1, 2, 3, 4, 5, 6-7, 8-10, 11-15, 16-25, more."""
    if length <= 5:
        return length
    if length <= 7:
        return 6
    if length <= 10:
        return 7
    if length <= 15:
        return 8
    return 9 if length <= 25 else 10


@cython.final
cdef class SpanScorer:
    """Features and weights of spans.

    lexemes (LexemeTable): Attributes of word types.
    weights (HashedWeights): The weights.
    program (SpanProgram): The templates.
    n_tokens (int): Number of values of a word besides those of its type.
    tag_column, kind_column (int): The columns that `span.tags` and `span.kinds` read, -1 for none.
    """

    def __init__(
        self, LexemeTable lexemes, HashedWeights weights, program, int n_tokens, *,
        int tag_column=-1, int kind_column=-1
    ):
        cdef int n_columns = lexemes.n_attributes + n_tokens
        self.lexemes = lexemes
        self.weights = weights
        self.n_tokens = n_tokens
        self.hashes = RoleHashes(lexemes, n_tokens, program.roles)
        if max(tag_column, kind_column) >= n_columns:
            raise IndexError((tag_column, kind_column))
        self.tag_column = tag_column
        self.kind_column = kind_column
        self.n_plain = len(program.spans)
        for seed, first, last, whole in [*program.spans, *program.symbols]:
            if not (0 <= first < self.hashes.width(0) and 0 <= last < self.hashes.width(1)):
                raise IndexError((first, last))
            if not 0 <= whole < N_COMBINED:
                raise IndexError(whole)
            self.seeds.push_back(seed)
            self.firsts.push_back(first)
            self.lasts.push_back(last)
            self.wholes.push_back(whole)
        for seed, first, last, whole, marks in program.shared:
            if not (0 <= first < self.hashes.width(0) and 0 <= last < self.hashes.width(1)):
                raise IndexError((first, last))
            if not (0 <= whole < N_COMBINED and 0 <= marks < N_MARKS):
                raise IndexError((whole, marks))
            self.shared_seeds.push_back(seed)
            self.shared_firsts.push_back(first)
            self.shared_lasts.push_back(last)
            self.shared_wholes.push_back(whole)
            self.shared_marks.push_back(marks)
        self.ids.resize(self.seeds.size())
        self.set_dropout(0, 0)

    def set_dropout(self, double rate, uint64_t seed):
        """Leave out some features of spans at random, the same ones everywhere in a sentence.

        rate (float): The share.
        seed (int): Which ones.
        """
        self.drop_threshold = <uint64_t>ldexp(rate, 63)
        self.drop_seed = seed

    @property
    def role_hashes(self):
        """RETURNS (RoleHashes): The hashes of words, which scorers of heads can share."""
        return self.hashes

    cdef void load(self, IncrementalInput words) noexcept nogil:
        """Prepare a sentence. The first reading of each word is the one that features see."""
        cdef int i, a, n = words.n_words, column
        cdef const uint64_t* values
        self.n_words = n
        self.rows.resize(n + 1)
        self.tokens.resize(<size_t>(n + 1) * self.n_tokens)
        self.tags.resize(n)
        self.kinds.resize(n)
        for i in range(n):
            self.rows[i] = words.rows[i]
            for a in range(self.n_tokens):
                self.tokens[<size_t>i * self.n_tokens + a] = words.tokens[words.starts[i], a]
        for i in range(n):
            self.tags[i] = self._value(i, self.tag_column)
            self.kinds[i] = self._value(i, self.kind_column)
        self.hashes.compute(self.rows.data(), self.tokens.data(), n)
        self.brackets.clear()
        if self.shared_seeds.size() and words.brackets is not None:
            self.brackets.assign(<size_t>n * (n + 1), 0)
            for i in range(<int>words.brackets.shape[0]):
                self.brackets[<size_t>words.brackets[i, 0] * (n + 1) + words.brackets[i, 1]] = (
                    words.brackets[i, 2]
                )

    cdef uint64_t _value(self, int i, int column) noexcept nogil:
        if column < 0:
            return 0
        if column < self.lexemes.n_attributes:
            return self.lexemes.attributes(self.rows[i])[column]
        return self.tokens[<size_t>i * self.n_tokens + column - self.lexemes.n_attributes]

    cdef void see(self, int start, int end) noexcept nogil:
        """Find the features of a span."""
        cdef uint64_t wholes[3]
        cdef uint64_t last = 0
        cdef int i, bits
        cdef size_t k
        cdef const uint64_t* first_hashes = self.hashes.at(0, start + 1)
        cdef const uint64_t* last_hashes = self.hashes.at(1, end)
        wholes[LENGTH] = _bin(end - start)
        wholes[TAGS] = 0
        wholes[KINDS] = 0
        if end - start <= MAX_TAGS:
            for i in range(start, end):
                wholes[TAGS] = _join(wholes[TAGS] + 1, self.tags[i])
        for i in range(start, end if self.kind_column >= 0 else start):
            if i == start or self.kinds[i] != last:
                last = self.kinds[i]
                wholes[KINDS] = _join(wholes[KINDS] + 1, last)
        self.combined[0] = 0
        for bits in range(1, N_COMBINED):
            last = bits
            for i in range(3):
                if bits >> i & 1:
                    last = _join(last, wholes[i])
            self.combined[bits] = mix(last)
        self.ids.resize(self.seeds.size())
        for k in range(self.ids.size()):
            self.ids[k] = (
                self.seeds[k] ^ first_hashes[self.firsts[k]] ^ last_hashes[self.lasts[k]]
                ^ self.combined[self.wholes[k]]
            )
        self.n_plain_ids = self.n_plain
        if self.drop_threshold:
            self._drop()
        if self.shared_seeds.size():
            self._see_shared(start, end)

    cdef void _see_shared(self, int start, int end) noexcept nogil:
        """Find the shared features of a span."""
        cdef const uint64_t* first_hashes = self.hashes.at(0, start + 1)
        cdef const uint64_t* last_hashes = self.hashes.at(1, end)
        cdef int predicted = 0, marks, value
        cdef uint64_t id
        cdef size_t k
        if self.brackets.size():
            predicted = self.brackets[<size_t>start * (self.n_words + 1) + end]
        self.shared_ids.clear()
        self.shared_templates.clear()
        for k in range(self.shared_seeds.size()):
            marks = self.shared_marks[k]
            if marks & SHORT and end - start > SHORTEST or marks & THREE and end - start != 3:
                continue
            # Lengths, then the answers of those who are asked, 1 or 2.
            value = end - start if marks & SHORT else 0
            if marks & BASELINE:
                value += 4 * (1 + (predicted & 1))
            if marks & FLAT:
                value += 16 * (1 + (predicted >> 1 & 1))
            id = (
                self.shared_seeds[k] ^ first_hashes[self.shared_firsts[k]]
                ^ last_hashes[self.shared_lasts[k]] ^ self.combined[self.shared_wholes[k]]
            )
            id = mix(_join(id, value))
            if self.drop_threshold and mix(id ^ self.drop_seed) >> 1 < self.drop_threshold:
                continue
            self.shared_ids.push_back(id & self.weights.mask)
            self.shared_templates.push_back(<int>k)

    cdef float score_shared(self) noexcept nogil:
        """RETURNS (float): What the span at hand scores as a phrase, whatever its label."""
        return self.weights.sum(self.shared_ids.data(), <int>self.shared_ids.size())

    cdef void collect_shared(self, float value, vector[Feature]& features) noexcept nogil:
        """Add the shared features of the span at hand to a list."""
        cdef size_t k
        for k in range(self.shared_ids.size()):
            features.push_back(Feature(self.shared_ids[k], value))

    cdef void _drop(self) noexcept nogil:
        """Leave out features."""
        cdef size_t k, n_kept = 0
        for k in range(self.ids.size()):
            if <int>k == self.n_plain:
                self.n_plain_ids = <int>n_kept
            if mix(self.ids[k] ^ self.drop_seed) >> 1 >= self.drop_threshold:
                self.ids[n_kept] = self.ids[k]
                n_kept += 1
        if self.ids.size() == <size_t>self.n_plain:
            self.n_plain_ids = <int>n_kept
        self.ids.resize(n_kept)

    cdef const uint64_t* _ids_of(self, int kind, int* n) noexcept nogil:
        """RETURNS (uint64_t*): The features of the span at hand that speak of a kind; n gets their
        number."""
        if kind == SYMBOL or kind == SYMBOL_UNARY:
            n[0] = <int>self.ids.size() - self.n_plain_ids
            return self.ids.data() + self.n_plain_ids
        n[0] = self.n_plain_ids
        return self.ids.data()

    cdef void score(self, int kind, int n_outcomes, float* scores) noexcept nogil:
        """Score all outcomes of the span at hand.

        kind (int): PHRASE and the like.
        n_outcomes (int): The number of outcomes.
        scores (float*): Gets their scores.
        """
        cdef int s, n
        cdef const uint64_t* ids = self._ids_of(kind, &n)
        cdef uint64_t mask = self.weights.mask
        if self.weights.codes == NULL:
            sp_prefetch_rows(
                self.weights.weights, 4, mask, ids, SALTS[kind], n, n_outcomes
            )
            for s in range(n_outcomes):
                scores[s] = 0
            sp_add_rows(
                self.weights.weights, mask, ids, SALTS[kind], n, n_outcomes, scores
            )
            return
        sp_prefetch_rows(
            self.weights.codes, 2, mask, ids, SALTS[kind], n, n_outcomes
        )
        self.sums.assign(n_outcomes, 0)
        sp_add_rows(
            self.weights.codes, mask, ids, SALTS[kind], n, n_outcomes,
            self.sums.data(),
        )
        for s in range(n_outcomes):
            scores[s] = self.weights.unit * self.sums[s]

    cdef void score_some(
        self, int kind, const int32_t* outcomes, int n_outcomes, float* scores
    ) noexcept nogil:
        """Score some outcomes of the span at hand.

        kind (int): PHRASE and the like.
        outcomes (int32_t*): The outcomes.
        n_outcomes (int): How many.
        scores (float*): Gets their scores.
        """
        cdef int o, k, n
        cdef const uint64_t* ids = self._ids_of(kind, &n)
        cdef uint64_t mask = self.weights.mask, start
        if self.weights.codes == NULL:
            for o in range(n_outcomes):
                scores[o] = 0
            for k in range(n):
                start = (ids[k] ^ SALTS[kind]) & mask
                for o in range(n_outcomes):
                    scores[o] += self.weights.weights[(start + outcomes[o]) & mask]
            return
        self.sums.assign(n_outcomes, 0)
        for k in range(n):
            start = (ids[k] ^ SALTS[kind]) & mask
            for o in range(n_outcomes):
                self.sums[o] = self.sums[o] + self.weights.codes[(start + outcomes[o]) & mask]
        for o in range(n_outcomes):
            scores[o] = self.weights.unit * self.sums[o]

    cdef void collect(
        self, int kind, int outcome, float value, vector[Feature]& features
    ) noexcept nogil:
        """Add the features of one outcome of the span at hand to a list."""
        cdef int k, n
        cdef const uint64_t* ids = self._ids_of(kind, &n)
        cdef uint64_t mask = self.weights.mask
        for k in range(n):
            features.push_back(
                Feature((((ids[k] ^ SALTS[kind]) & mask) + outcome) & mask, value)
            )
