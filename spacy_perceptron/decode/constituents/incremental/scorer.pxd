from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ....features.lexemes cimport LexemeTable
from ....learn.backoff cimport MAX_DEPTH, BackoffModel, FoundRows
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from .cells cimport Cell
from .input cimport IncrementalInput

cdef enum:
    # Outcomes of events: closing a node, a word that is attached as it is, then for each symbol
    # its opening, then for each phrase its wrapping around the last child.
    CLOSE = 0
    ATTACH = 1
    FIRST_OPEN = 2
    # How many roles there are, as in `program`.
    N_LABELS = 8
    N_WORDS = 10
    N_NUMBERS = 5
    # Weights of one feature and all outcomes are in one cache line.
    LINE = 16


cdef struct Atom:
    int32_t kind
    int32_t role
    int32_t offset
    int32_t column


# Templates that begin with the same atoms share the hashes of these. Prefix p adds atom atoms[p] to
# prefix parents[p], or to nothing if that is NONE; template k is prefix prefixes[k].
cdef struct TemplateGroup:
    vector[uint64_t] seeds
    vector[int32_t] prefixes
    vector[int32_t] parents
    vector[int32_t] atoms


# What an event is seen in: symbols, places of words and numbers, in the order of `program`.
cdef struct Sight:
    int32_t labels[N_LABELS]
    int32_t words[N_WORDS]
    int32_t numbers[N_NUMBERS]


cdef class EventScorer:
    cdef readonly LexemeTable lexemes
    cdef readonly HashedWeights weights
    cdef readonly int n_columns
    cdef int n_tokens
    cdef int n_symbols
    cdef int n_words
    cdef vector[Atom] program
    cdef TemplateGroup groups[2]
    cdef vector[uint64_t] symbol_values
    # For each group and outcome, the place of each template's weight in its cache line.
    cdef vector[uint8_t] slots[2]
    # Of the sentence: values of each reading, then of the places before, after and nowhere.
    cdef vector[uint64_t] values
    cdef vector[int32_t] positions
    cdef vector[int32_t] firsts
    cdef int n_readings
    # Of the last context.
    cdef Sight sight
    cdef vector[uint64_t] atoms
    cdef vector[uint64_t] lines[2]
    # Where these lines are in the table.
    cdef vector[uint32_t] offsets[2]
    cdef vector[uint64_t] hashes
    cdef int group
    cdef uint64_t drop_threshold
    cdef uint64_t drop_seed
    # Whether words under their tags are events.
    cdef readonly bint scores_words
    # Whether these scores depend on the words and their tags alone.
    cdef readonly bint scores_readings
    # The generative model: contexts are atoms, the outcome of a word is one as well.
    cdef bint is_generative
    cdef readonly double log_weight
    cdef BackoffModel node_model
    cdef BackoffModel word_model
    cdef vector[int32_t] contexts[2]
    cdef int32_t emitted
    cdef vector[uint64_t] outcomes
    cdef FoundRows found
    # Events seen while recording: contexts, each with its outcome behind it.
    cdef bint records
    cdef vector[uint64_t] recorded[2]

    cdef int _set_templates(self, TemplateGroup* group, templates) except -1
    cdef bint is_probabilistic(self) noexcept nogil
    cdef double typical_score(self) noexcept nogil
    cdef void load(self, IncrementalInput words) noexcept nogil
    cdef const uint64_t* _row(self, int32_t place, int offset) noexcept nogil
    cdef void see(
        self, const Cell* cells, const Cell& cell, int position, int32_t place, int n_closed
    ) noexcept nogil
    cdef bint _dropped(self, uint64_t line) noexcept nogil
    cdef void choose(self, int group) noexcept nogil
    cdef float score(self, int outcome) noexcept nogil
    cdef void _prepare(self, int group) noexcept nogil
    cdef uint64_t _outcome(self, int outcome) noexcept nogil
    cdef float _log_probability(self, int outcome) noexcept nogil
    cdef void _record(self, int outcome) noexcept nogil
    cdef void collect(self, int outcome, float value, vector[Feature]& features) noexcept nogil
    cdef float weight(self, int outcome, int template) noexcept nogil
