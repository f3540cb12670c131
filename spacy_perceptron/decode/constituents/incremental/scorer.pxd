from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ....features.lexemes cimport LexemeTable
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


cdef struct TemplateGroup:
    vector[uint64_t] seeds
    vector[int32_t] starts
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
    cdef int group
    cdef uint64_t drop_threshold
    cdef uint64_t drop_seed

    cdef void load(self, IncrementalInput words) noexcept nogil
    cdef const uint64_t* _row(self, int32_t place, int offset) noexcept nogil
    cdef void see(
        self, const Cell* cells, const Cell& cell, int position, int32_t place, int n_closed
    ) noexcept nogil
    cdef bint _dropped(self, uint64_t line) noexcept nogil
    cdef void choose(self, int group) noexcept nogil
    cdef float score(self, int outcome) noexcept nogil
    cdef void collect(self, int outcome, float value, vector[Feature]& features) noexcept nogil
    cdef float weight(self, int outcome, int template) noexcept nogil
