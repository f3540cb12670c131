"""What all searches for tags share: actions that give a tag to a word, and how answers are read."""
from libc.math cimport exp
from libc.stdint cimport int32_t

from ..search.beam cimport BeamSearch, Candidate, State
from .rows cimport Constraint, ScoreRows
from .scorer cimport TaggingScorer


cdef class TaggingSearch(BeamSearch):
    """A beam search for the tags of the sentence that its rows have loaded.

    scorer (TaggingScorer): Features and weights.
    constraint (Optional[Constraint]): Which tags may stand where; None allows every sequence.
    """

    def __init__(self, TaggingScorer scorer, Constraint constraint=None):
        super().__init__()
        self.rows = ScoreRows(scorer, constraint)

    cdef void start(self, int width, const int32_t* gold, bint distinct) noexcept nogil:
        """Make the first state.

        width: Beam width. gold: A gold tag or a value below 0 per word, for training, or NULL.
        distinct: Keep all taggings apart, even those with the same future.
        """
        self.n = self.rows.n
        self.gold = gold
        self.history.clear()
        self.open(width)

    cdef int32_t record(self, const State& state, const Candidate& candidate) noexcept nogil:
        cdef Action action
        action.previous = state.history
        action.position = candidate.position
        action.label = candidate.label
        action.row = candidate.row
        self.history.push_back(action)
        return <int32_t>self.history.size() - 1

    cdef void read_tags(self, int s, int32_t* tags) noexcept nogil:
        """The tags of a state at the end, given ones included."""
        cdef int i
        cdef int32_t a = self.states[s].history
        for i in range(self.n):
            tags[i] = self.rows.given[i]
        while a >= 0:
            tags[self.history[a].position] = self.history[a].label
            a = self.history[a].previous

    cdef void read_confidences(
        self, float* confidences, double temperature, const int32_t* groups, int n_groups
    ) noexcept nogil:
        """For each tag of the best state, its share in the softmax over all tags when it was
        chosen; 1 where it was given.

        confidences: One per word and group. groups: One row for each thing that tags say, with a
            number per tag: tags that say the same as the chosen one share in its confidence; NULL
            if all tags differ, with one group.
        """
        cdef int i, t, g, n_tags = self.rows.n_tags
        cdef int32_t a = self.states[0].history
        cdef const float* scores
        cdef double total, value, distance
        cdef int label
        cdef float* shares
        for i in range(self.n * n_groups):
            confidences[i] = 1.0
        while a >= 0:
            label = self.history[a].label
            scores = self.rows.row_scores(self.history[a].row)
            shares = &confidences[self.history[a].position * n_groups]
            self.same.assign(n_groups, 0.0)
            total = 0.0
            for t in range(n_tags):
                distance = (scores[t] - scores[label]) / temperature
                # Below e^-20 a tag cannot change the result in float32.
                if distance > -20.0:
                    value = exp(distance)
                    total += value
                    if groups != NULL:
                        for g in range(n_groups):
                            if groups[g * n_tags + t] == groups[g * n_tags + label]:
                                self.same[g] = self.same[g] + value
            for g in range(n_groups):
                shares[g] = <float>((1.0 if groups == NULL else self.same[g]) / total)
            a = self.history[a].previous

    def actions(self, int32_t last):
        """The actions that lead up to one, in the order they were taken.

        last (int): The last action, -1 for none.
        RETURNS (list[tuple]): Position, tag, packed context and score row of each.
        """
        found = []
        while last >= 0:
            action = self.history[last]
            context = self.rows.contexts[action.row]
            found.append((action.position, action.label, context, action.row))
            last = action.previous
        return found[::-1]

    def __reduce__(self):
        return type(self), (self.rows.scorer, self.rows.constraint)
