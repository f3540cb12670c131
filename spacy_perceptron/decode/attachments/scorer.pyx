"""Scores of easy-first attachments.

The score of an action is a sum over groups of templates (see `program`). What an action of the
search does not touch keeps its score; a group that has to be scored again is scored in both
directions at once. Beams wider than 1 first look up each group's context in a memory: hypotheses
mostly differ elsewhere, so a context is scored once per sentence, whichever hypothesis needs it.
The memory is bounded; when it is full, it is cleared.

Features are looked up in a table without keys. All look-ups of a group are independent, so the
processor can wait for many of them at once. Without the memory, no score is needed before `finish`,
and the weights of a group are added up once the features of the next ones are known
(`learn/weight_sums`).
"""
from libc.stdint cimport int32_t, uint64_t

from ...features.dropout cimport FeatureDropout
from ...features.hashing cimport mix
from ...learn.hashed cimport HashedWeights
from ...learn.weight_sums cimport WeightSums
from .features cimport N_GROUPS, AttachmentFeatures
from .state cimport ALL, ARC, LEFT_SIDE, OWN, RIGHT_SIDE, Tree, Window

cdef enum:
    FIRST_ENTRIES = 1 << 11
    MAX_ENTRIES = 1 << 18

cdef uint64_t MULTIPLIER = <uint64_t>0x9FB21C651E98DF25


cdef inline float* _scores(Tree* tree, int group) noexcept nogil:
    """RETURNS (float*): Where a tree keeps the scores of a group."""
    if group == OWN:
        return &tree.own[0]
    if group == LEFT_SIDE:
        return &tree.left[0]
    if group == RIGHT_SIDE:
        return &tree.right[0]
    return &tree.arc[0] if group == ARC else &tree.mixed[0]


cdef class AttachmentScorer(FeatureDropout):
    """Scores actions in the sentence that is loaded.

    features (AttachmentFeatures): Computes the features of actions.
    weights (HashedWeights): Their weights.
    """

    def __init__(self, AttachmentFeatures features, HashedWeights weights):
        self.features = features
        self.weights = weights
        self.sums = WeightSums(weights)
        self.sentence = 0
        self.remembers = False
        self.n_remembered = 0
        self.memo.resize(FIRST_ENTRIES)
        self.memo_mask = FIRST_ENTRIES - 1

    cdef void start(self, bint remembers) noexcept nogil:
        """Get ready for the sentence that is loaded, and forget the one before.

        remembers (bint): Whether contexts can come up again.
        """
        self.features.start()
        self.ids.resize(2 * self.features.max_ids() + 1)
        self.remembers = remembers
        if not remembers:
            self.sums.start(self.features.max_ids() + 1)
        self.n_remembered = 0
        self.sentence = self.sentence + 1
        if self.sentence == 0x7FFFFFFF:
            self._make_room()
            self.sentence = 1

    cdef void score_pair(self, Tree* trees, int n_trees, int i, int groups) noexcept nogil:
        """Score some groups of a pair. The scores are complete after `finish`.

        groups (int): The groups, as bits.
        """
        cdef Tree* tree = &trees[i]
        cdef Window window
        groups &= self.features.groups_used
        self.features.see(&window, trees, n_trees, i)
        if not self.remembers:
            self._queue(&window, tree, groups)
            return
        groups = self._recall(&window, tree, groups)
        if groups:
            self._compute(&window, tree, groups)
            self._remember(&window, tree, groups)

    cdef void finish(self) noexcept nogil:
        """Complete all scores. Until then, trees must stay where they are in memory."""
        if not self.remembers:
            self.sums.finish()

    cdef void _queue(self, const Window* window, Tree* tree, int groups) noexcept nogil:
        """Start scoring some groups of a pair in both directions."""
        cdef int direction, k
        cdef uint64_t* ids
        cdef float* score
        for direction in range(2):
            if groups != ARC:
                self.features.place(window, direction)
            for k in range(-1, N_GROUPS):
                if groups & (ARC << (k + 1)):
                    ids = self.sums.room()
                    score = _scores(tree, ARC << (k + 1)) + direction
                    score[0] = 0
                    self.sums.add(self._group_ids(window, direction, k, ids), 0, 0, score)

    cdef int _group_ids(
        self, const Window* window, int direction, int group, uint64_t* ids
    ) noexcept nogil:
        """Compute the features of a group (-1 for that of arcs), without those left out by dropout.

        RETURNS (int): Their number.
        """
        if group < 0:
            return self.keep(ids, self.features.arc_ids(window, direction, ids))
        return self.keep(ids, self.features.group_ids(group, ids))

    cdef void _compute(self, const Window* window, Tree* tree, int groups) noexcept nogil:
        """Score some groups of a pair in both directions."""
        cdef int direction, k, n
        cdef int starts[2 * N_GROUPS + 3]
        cdef float* scores[2 * N_GROUPS + 2]
        cdef int n_sums = 0
        cdef uint64_t* ids = self.ids.data()
        starts[0] = 0
        # First all ids: many weights are then on their way when the first one is needed.
        for direction in range(2):
            if groups != ARC:
                self.features.place(window, direction)
            for k in range(-1, N_GROUPS):
                if not groups & (ARC << (k + 1)):
                    continue
                ids = self.ids.data() + starts[n_sums]
                n = self._group_ids(window, direction, k, ids)
                self.weights.prefetch(ids, n)
                scores[n_sums] = _scores(tree, ARC << (k + 1)) + direction
                starts[n_sums + 1] = starts[n_sums] + n
                n_sums += 1
        ids = self.ids.data()
        for k in range(n_sums):
            scores[k][0] = self.weights.sum(ids + starts[k], starts[k + 1] - starts[k])

    # --- The memory of contexts ---------------------------------------------------------------

    cdef int _recall(self, const Window* window, Tree* tree, int groups) noexcept nogil:
        """Take scores from memory.

        RETURNS (int): The groups that are not there.
        """
        cdef int g = ARC, missing = 0
        cdef float* scores
        cdef const Entry* entry
        while g < ALL:
            if groups & g:
                entry = self._find(self._key(window, g))
                if entry.sentence == self.sentence:
                    scores = _scores(tree, g)
                    scores[0] = entry.scores[0]
                    scores[1] = entry.scores[1]
                else:
                    missing |= g
            g <<= 1
        return missing

    cdef void _remember(self, const Window* window, Tree* tree, int groups) noexcept nogil:
        """Put scores in memory."""
        cdef int g = ARC
        cdef uint64_t key
        cdef Entry* entry
        while g < ALL:
            if groups & g:
                if 2 * self.n_remembered >= self.memo.size():
                    self._make_room()
                key = self._key(window, g)
                entry = self._find(key)
                entry.key = key
                entry.sentence = self.sentence
                entry.scores[0] = _scores(tree, g)[0]
                entry.scores[1] = _scores(tree, g)[1]
                self.n_remembered = self.n_remembered + 1
            g <<= 1

    cdef uint64_t _key(self, const Window* window, int group) noexcept nogil:
        """RETURNS (uint64_t): A hash of all that a group's features depend on."""
        cdef uint64_t pair = (
            <uint64_t>window.first.word | <uint64_t>window.second.word << 16
            | <uint64_t>group << 48
        )
        if group == ARC:
            return mix(pair)
        if group == OWN:
            return mix(window.first.key * MULTIPLIER + window.second.key)
        if group == LEFT_SIDE:
            pair |= <uint64_t>window.left2.word << 32
            return mix(window.left.key * MULTIPLIER + pair)
        if group == RIGHT_SIDE:
            pair |= <uint64_t>window.right2.word << 32
            return mix(window.right.key * MULTIPLIER + pair)
        pair = mix(window.first.key * MULTIPLIER + window.second.key + 1)
        pair = mix((pair + window.left.key) * MULTIPLIER + window.right.key)
        return mix(
            pair + (<uint64_t>window.left2.word | <uint64_t>window.right2.word << 16)
        )

    cdef Entry* _find(self, uint64_t key) noexcept nogil:
        """RETURNS (Entry*): The entry of a key, or where to put it."""
        cdef uint64_t i = key & self.memo_mask
        cdef Entry* entries = self.memo.data()
        while entries[i].sentence == self.sentence and entries[i].key != key:
            i = (i + 1) & self.memo_mask
        return &entries[i]

    cdef void _make_room(self) noexcept nogil:
        """Clear the memory, and double it unless it has reached its limit."""
        cdef Entry empty
        empty.key = 0
        empty.sentence = 0
        empty.scores[0] = empty.scores[1] = 0
        cdef size_t n = min(2 * self.memo.size(), <size_t>MAX_ENTRIES)
        self.memo.assign(n, empty)
        self.memo_mask = n - 1
        self.n_remembered = 0
