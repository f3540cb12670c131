"""Scores of all tags at one position: word features once per sentence, tag features per context.

Templates fall into three groups. *Lexical* ones look at one word of the window only; with frozen
weights their summed scores are kept per word type and window place, so a known word costs one
vector addition instead of some twenty hash look-ups. *Joint* ones combine words. Neither kind
depends on the tags, so both are scored once per sentence. *Dynamic* ones look at the tags within
two positions, packed as a 64-bit context; with frozen weights their scores are kept too, in small
direct-mapped caches by context and by word and context, because text repeats itself.

Positions index a padded row array: rows[0] is the first word, rows[-PAD..-1] and the PAD rows
behind the last word are the rows that stand for "before" and "after" the sentence.
"""
import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from ...errors import Errors
from ...features.hashing cimport mix
from ...features.extract cimport DROPPED, FeatureProgram
from ...features.lexemes cimport LexemeTable
from ...learn.weights cimport WeightTable


cdef enum:
    CONTEXT_SLOTS = 1 << 12
    PAIR_SLOTS = 1 << 16
    PAIR_BYTES = 1 << 24
    LEXICAL_BYTES = 1 << 25
    # Positions whose joint features are looked up at a time.
    N_LOOKUPS = 3


cdef class TaggingScorer:
    """Joins a compiled template set with a weight table.

    lexemes (LexemeTable): Word attributes.
    weights (WeightTable): The weights; its classes are the tags.
    program (TaggingProgram): The compiled templates.
    cached (bool): Keep lexical scores per word type. Only for weights that do not change.
    """

    def __init__(self, LexemeTable lexemes, WeightTable weights, program, *, bint cached=False):
        self.lexemes = lexemes
        self.weights = weights
        self.n_tags = weights.n_classes
        self.lexical = FeatureProgram(program.lexical_seeds, program.lexical_atoms)
        self.joint = FeatureProgram(program.joint_seeds, program.joint_atoms)
        self.dynamic = FeatureProgram(program.dynamic_seeds, program.dynamic_atoms)
        self.group_offsets = program.group_offsets
        self.group_starts = program.group_starts
        self.joint_offsets = [offset for offset, _ in program.joint_values]
        self.joint_columns = [column for _, column in program.joint_values]
        self.dynamic_offsets = [offset for offset, _ in program.dynamic_values]
        self.dynamic_columns = [column for _, column in program.dynamic_values]
        self.values.resize(1 + max(len(program.joint_values), len(program.dynamic_values)))
        self.ids.resize(
            1 + max(self.lexical.n_templates + self.joint.n_templates, self.dynamic.n_templates)
        )
        self.program = program
        self.is_identity = program.is_identity
        self.cached = cached
        self.cache_generation = -1
        self.n_tag_only = program.n_tag_only
        self.local = program.local
        cdef PairKey empty
        cdef size_t n_pairs
        empty.context = 0
        empty.row = -1
        empty.generation = -1
        if cached:
            # No context is all ones: a tag code never reaches 65,535.
            self.context_keys.assign(CONTEXT_SLOTS, <uint64_t>0xFFFFFFFFFFFFFFFF)
            self.context_scores.resize(<size_t>CONTEXT_SLOTS * self.n_tags)
            n_pairs = PAIR_SLOTS
            while n_pairs > CONTEXT_SLOTS and n_pairs * self.n_tags * sizeof(float) > PAIR_BYTES:
                n_pairs //= 2
            self.pair_mask = n_pairs - 1
            self.pair_keys.assign(n_pairs, empty)
            self.pair_scores.resize(n_pairs * self.n_tags)
        self.drop_threshold = 0
        self.drop_seed = 0

    def set_dropout(self, double rate, uint64_t seed, *, const double[::1] hiding=None):
        """Leave out features until the next call: at random, and those that identify hidden words.

        What is dropped depends on the seed, the position and the template alone, so scoring and
        updating a sentence see the same features.

        rate (float): Share of features to drop; 0 switches dropout off.
        seed (int): A number that differs from sentence to sentence.
        hiding (Optional[float64 array]): Probability of hiding each word of the sentence.
        """
        cdef Py_ssize_t i
        if not 0 <= rate <= 1:
            raise ValueError(Errors.DROPOUT.format(value=rate))
        self.drop_threshold = <uint64_t>(rate * 4294967296.0)
        self.drop_seed = seed
        self.hidden.clear()
        if hiding is not None:
            self.hidden.resize(hiding.shape[0])
            for i in range(hiding.shape[0]):
                self.hidden[i] = (mix(~seed + i) >> 32) < <uint64_t>(hiding[i] * 4294967296.0)

    cdef void _drop(self, int i, int first, int n) noexcept nogil:
        cdef int k
        cdef bint hidden = <size_t>i < self.hidden.size() and self.hidden[i]
        if self.drop_threshold == 0 and not hidden:
            return
        for k in range(n):
            if (
                mix(self.drop_seed + (<uint64_t>i << 16) + first + k) >> 32
            ) < self.drop_threshold or (hidden and self.is_identity[first + k]):
                self.ids[k] = DROPPED

    cdef int static_ids(self, const int32_t* rows, int i) noexcept nogil:
        """Put the ids of all features that do not depend on tags into self.ids.

        RETURNS (int): How many there are.
        """
        cdef size_t g
        for g in range(self.group_offsets.size()):
            self.lexical.run(
                self.lexemes.attributes(rows[i + self.group_offsets[g]]),
                self.group_starts[g],
                self.group_starts[g + 1],
                &self.ids[self.group_starts[g]],
            )
        cdef int n = self.lexical.n_templates + self._joint_ids(
            rows, i, &self.ids[self.lexical.n_templates]
        )
        self._drop(i, 0, n)
        return n

    cdef int _joint_ids(self, const int32_t* rows, int i, uint64_t* ids) noexcept nogil:
        cdef size_t v
        for v in range(self.joint_offsets.size()):
            self.values[v] = self.lexemes.attributes(rows[i + self.joint_offsets[v]])[
                self.joint_columns[v]
            ]
        self.joint.run(&self.values[0], 0, self.joint.n_templates, ids)
        return self.joint.n_templates

    cdef void _fill_values(self, const int32_t* rows, int i, uint64_t context) noexcept nogil:
        """Values of the atoms of dynamic templates."""
        cdef size_t v
        for v in range(self.dynamic_offsets.size()):
            if self.dynamic_columns[v] < 0:
                self.values[v] = context_tag(context, self.dynamic_offsets[v])
            else:
                self.values[v] = self.lexemes.attributes(rows[i + self.dynamic_offsets[v]])[
                    self.dynamic_columns[v]
                ]

    cdef int dynamic_ids(self, const int32_t* rows, int i, uint64_t context) noexcept nogil:
        """Put the ids of all features that look at tags into self.ids.

        RETURNS (int): How many there are.
        """
        self._fill_values(rows, i, context)
        self.dynamic.run(&self.values[0], 0, self.dynamic.n_templates, &self.ids[0])
        self._drop(i, self.lexical.n_templates + self.joint.n_templates, self.dynamic.n_templates)
        return self.dynamic.n_templates

    cdef const float* _lexical_scores(self, int row, int group) noexcept nogil:
        """Score vector of one word type at one window place, valid until the next call.

        As many as fit are kept, those of the first rows: frequent words come early.
        """
        cdef size_t n_groups = self.group_offsets.size()
        cdef size_t index = <size_t>row * n_groups + group
        cdef size_t n_kept = self.cache_ready.size()
        if index < n_kept and self.cache_ready[index]:
            return &self.cache[index * self.n_tags]
        cdef size_t limit = LEXICAL_BYTES / (self.n_tags * sizeof(float))
        cdef int first = self.group_starts[group], last = self.group_starts[group + 1]
        if n_kept <= index and n_kept < limit:
            n_kept = min(<size_t>(row + 1) * n_groups, limit)
            self.cache_ready.resize(n_kept, 0)
            # The last place is for words that are not kept.
            self.cache.resize((n_kept + 1) * self.n_tags)
        cdef bint is_kept = index < n_kept
        cdef float* scores = &self.cache[(index if is_kept else n_kept) * self.n_tags]
        memset(scores, 0, self.n_tags * sizeof(float))
        self.lexical.run(self.lexemes.attributes(row), first, last, &self.ids[0])
        self.weights.add_scores(&self.ids[0], last - first, scores)
        if is_kept:
            self.cache_ready[index] = 1
        return scores

    cdef void static_scores(
        self, const int32_t* rows, const int32_t* given, int n, float* scores
    ) noexcept nogil:
        """Fill an n x n_tags matrix with the part of the scores that does not depend on tags. Words
        whose tag is given are not scored."""
        cdef int i
        memset(scores, 0, <size_t>n * self.n_tags * sizeof(float))
        if not self.cached:
            for i in range(n):
                if given[i] < 0:
                    self.weights.add_scores(
                        &self.ids[0], self.static_ids(rows, i), &scores[<size_t>i * self.n_tags]
                    )
            return
        if self.cache_generation != self.lexemes.generation:
            self.cache_ready.clear()
            self.cache.clear()
            self.cache_generation = self.lexemes.generation
        self._cached_scores(rows, given, n, scores)

    cdef void _cached_scores(
        self, const int32_t* rows, const int32_t* given, int n, float* scores
    ) noexcept nogil:
        """The same from cached scores of single words.

        What joint templates add is looked up in three steps, each of them at a different position
        at a time, so that memory asked for in one step has arrived by the next.
        """
        cdef int i, g, t, place, n_joint = self.joint.n_templates
        cdef int n_found[N_LOOKUPS]
        cdef float* row_scores
        cdef const float* cached
        self.lookups.resize(<size_t>N_LOOKUPS * n_joint + 1)
        for i in range(n + 2):
            if i < n:
                n_found[i % N_LOOKUPS] = 0
            if i < n and given[i] < 0:
                place = i % N_LOOKUPS
                self._joint_ids(rows, i, &self.ids[self.lexical.n_templates])
                n_found[place] = self.weights.ask(
                    &self.ids[self.lexical.n_templates], n_joint, &self.lookups[place * n_joint]
                )
                row_scores = &scores[<size_t>i * self.n_tags]
                for g in range(<int>self.group_offsets.size()):
                    cached = self._lexical_scores(rows[i + self.group_offsets[g]], g)
                    for t in range(self.n_tags):
                        row_scores[t] += cached[t]
            if 1 <= i <= n:
                place = (i - 1) % N_LOOKUPS
                self.weights.find(&self.lookups[place * n_joint], n_found[place])
            if i >= 2:
                place = (i - 2) % N_LOOKUPS
                self.weights.add_found(
                    &self.lookups[place * n_joint], n_found[place],
                    &scores[<size_t>(i - 2) * self.n_tags]
                )

    cdef const float* _context_row(self, uint64_t context) noexcept nogil:
        """Cached scores of the tag-only templates. Expects the atoms' values."""
        cdef size_t slot = mix(context) & (CONTEXT_SLOTS - 1)
        cdef float* scores = &self.context_scores[slot * self.n_tags]
        if self.context_keys[slot] != context:
            self.context_keys[slot] = context
            memset(scores, 0, self.n_tags * sizeof(float))
            self.dynamic.run(&self.values[0], 0, self.n_tag_only, &self.ids[0])
            self.weights.add_scores(&self.ids[0], self.n_tag_only, scores)
        return scores

    cdef const float* _pair_row(
        self, const int32_t* rows, int i, uint64_t context
    ) noexcept nogil:
        """Cached scores of all dynamic templates for a word in a context of tags."""
        cdef size_t slot = mix(context + mix(rows[i])) & self.pair_mask
        cdef PairKey* key = &self.pair_keys[slot]
        cdef float* scores = &self.pair_scores[slot * self.n_tags]
        cdef int n_ids = self.dynamic.n_templates - self.n_tag_only
        if (
            not self.local
            or key.context != context
            or key.row != rows[i]
            or key.generation != self.lexemes.generation
        ):
            key.context = context
            key.row = rows[i]
            key.generation = self.lexemes.generation
            self._fill_values(rows, i, context)
            memcpy(scores, self._context_row(context), self.n_tags * sizeof(float))
            self.dynamic.run(
                &self.values[0], self.n_tag_only, self.dynamic.n_templates, &self.ids[0]
            )
            self.weights.add_scores(&self.ids[0], n_ids, scores)
        return scores

    cdef void add_dynamic_scores(
        self, const int32_t* rows, int i, uint64_t context, float* scores
    ) noexcept nogil:
        """Add the part of the scores that depends on the tags around position i."""
        cdef int t, n_ids
        cdef const float* cached
        if self.cached:
            cached = self._pair_row(rows, i, context)
            for t in range(self.n_tags):
                scores[t] += cached[t]
        else:
            n_ids = self.dynamic_ids(rows, i, context)
            self.weights.add_scores(&self.ids[0], n_ids, scores)

    def tag_offsets(self):
        """RETURNS (list[int]): Places of the tags that templates look at."""
        values = zip(self.dynamic_offsets, self.dynamic_columns, strict=True)
        return sorted({offset for offset, column in values if column < 0})

    def feature_ids(self, rows, int i, context):
        """Ids of all features of one position, in the program's template order.

        rows (int32 array): Lexeme rows of the sentence.
        i (int): Position.
        context (Sequence[int]): Tag codes at -2, -1, +1, +2: 0 untagged, tag + 1, 65534
            outside the sentence.
        RETURNS (uint64 array): Lexical, then joint, then dynamic feature ids.
        """
        if not 0 <= i < len(rows):
            raise IndexError(Errors.DECODE_POSITION.format(i=i, n=len(rows)))
        cdef const int32_t[::1] padded = pad_rows(rows)
        cdef uint64_t packed = pack_context(context[0], context[1], context[2], context[3])
        cdef int n_static = self.static_ids(&padded[PAD], i)
        ids = [self.ids[k] for k in range(n_static)]
        cdef int n_dynamic = self.dynamic_ids(&padded[PAD], i, packed)
        return np.array(ids + [self.ids[k] for k in range(n_dynamic)], dtype=np.uint64)

    def __reduce__(self):
        return _rebuild, (self.lexemes, self.weights, self.program, self.cached)


def _rebuild(lexemes, weights, program, cached):
    return TaggingScorer(lexemes, weights, program, cached=cached)


def pad_rows(rows):
    """Rows of one sentence with the boundary rows around them."""
    return np.concatenate(
        [np.zeros(PAD, np.int32), np.asarray(rows, dtype=np.int32), np.ones(PAD, np.int32)]
    )
