from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ...search.beam cimport BeamSearch, Candidate, State
from .cells cimport Cell
from .grammar cimport Grammar
from .input cimport IncrementalInput
from .scorer cimport EventScorer, Sight

cdef enum:
    # In place of a chain: the sentence is over, and everything is closed.
    END = -1


# What adds a word to a tree: nodes are closed, the last of them may get a new parent, and a chain
# of nodes is opened down to a reading of the word.
cdef struct Action:
    int32_t n_closed
    int32_t wrapping
    int32_t chain
    int32_t place


cdef struct Step:
    int32_t previous
    # The lowest open nodes before and after.
    int32_t before
    int32_t after
    int32_t position
    Action action


cdef struct Phrase:
    int32_t symbol
    int32_t start
    int32_t end
    # Phrases are found from the bottom up.
    int32_t order


cdef inline bint comes_before(const Phrase& a, const Phrase& b) noexcept nogil:
    """Whether a phrase begins before another one, or is around it."""
    return a.start < b.start or (a.start == b.start and a.end > b.end)


# An event of an action, for explanations.
cdef struct Event:
    int32_t position
    int32_t outcome
    int32_t group
    Sight sight


# A node that may be opened, below the chain so far.
cdef struct Pending:
    int32_t symbol
    int32_t node
    double score


# A node just closed that may get a new parent, in state s below the cell `parent`.
cdef struct Wrapping:
    double score
    int32_t s
    int32_t parent
    Action action
    Cell closed


cdef class IncrementalSearch(BeamSearch):
    cdef readonly EventScorer scorer
    cdef readonly Grammar grammar
    # Whether tags are events of their own under the nodes of a chain.
    cdef bint tag_events
    cdef double gamma
    cdef double exponent
    cdef double scale
    cdef int empty_chain
    cdef int n_words
    cdef int position
    # Whether any word could only be attached against the grammar.
    cdef readonly bint is_partial
    cdef bint is_relaxed
    cdef vector[int32_t] tags
    cdef vector[int32_t] firsts
    # Scores of readings, where these do not depend on the tree.
    cdef vector[float] reading_scores
    cdef vector[Cell] cells
    cdef vector[Step] history
    cdef vector[vector[Pending]] pending
    cdef vector[Wrapping] wrappings
    # In training: the correct actions, and what wrong ones gain.
    cdef vector[Action] gold
    cdef bint has_gold
    cdef float bonus
    # While `logs`: the events of actions that are replayed, and the weights of their features.
    cdef bint logs
    cdef vector[Event] log
    cdef vector[float] logged_weights
    # How a word must not be added; NONE for no word.
    cdef int forbidden_position
    cdef Action forbidden

    cdef int take_gold(
        self, IncrementalInput sentence, const int32_t[:, ::1] actions
    ) except -1
    cdef void start(self, IncrementalInput words, int width) noexcept nogil
    cdef void forbid(
        self, int position, int n_closed, int wrapping, int chain, int place
    ) noexcept nogil
    cdef void _offer_all(self) noexcept nogil
    cdef void _offer(self, int s, int32_t place) noexcept nogil
    cdef void _offer_end(self, int s) noexcept nogil
    cdef void _open(
        self, int s, const Cell& site, double score, const Action& action
    ) noexcept nogil
    cdef void _descend(
        self, int s, int32_t parent, int32_t node, double score, const Action& action, int level
    ) noexcept nogil
    cdef void _push(self, int s, double score, const Action& action) noexcept nogil
    cdef double _tag_score(self, int tag) noexcept nogil
    cdef double _word_score(self) noexcept nogil
    cdef int32_t replay(
        self, int32_t top, int position, const Action& action, double* score,
        vector[Feature]* features, float value
    ) noexcept nogil
    cdef void _event(
        self, int outcome, double* score, vector[Feature]* features, float value
    ) noexcept nogil
    cdef bint has_filter(self) noexcept nogil
    cdef void scale_filter(self) noexcept nogil
    cdef void _filter(self) noexcept nogil
    cdef bint is_gold(self, const State& state, const Action& action) noexcept nogil
    cdef void read_phrases(self, int32_t last, vector[Phrase]& phrases) noexcept nogil
    cdef void read_places(self, int32_t last, int32_t* places) noexcept nogil
    cdef void _list_wrappings(
        self, const Cell& cell, double score, Wrapping& wrapping
    ) noexcept nogil
    cdef void _offer_wrapping(self, const Wrapping& wrapping) noexcept nogil
    cdef bint _same(self, const Action& a, const Action& b) noexcept nogil
    cdef bint _allows(self, const Cell& cell, int symbol) noexcept nogil
    cdef bint _allows_end(self, const Cell& cell) noexcept nogil
    cdef void _log(self, int outcome) noexcept nogil
    cdef bint _sees_words(self) noexcept nogil
    cdef void _see_reading(self, int position, int32_t place) noexcept nogil
