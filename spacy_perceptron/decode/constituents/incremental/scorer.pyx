"""Scores of events: hashed features of the right edge and the words around, times outcome.

A template's feature of a context picks a cache line of the weight table, and the outcome a place in
it that differs from template to template. So all outcomes of a context are scored with one access
to memory per template. To the weights this is the same as hashing context and outcome together.

A generative model adds the log-probability of the outcome given its context, times a fixed weight.
"""
from collections import Counter

import numpy as np

from libc.math cimport ldexp, log, sqrt
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....features.hashing cimport mix
from ....features.lexemes cimport AFTER, BEFORE, LexemeTable
from ....learn.backoff cimport MAX_DEPTH, BackoffModel
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from .cells cimport NONE, Cell
from .input cimport IncrementalInput

cdef enum:
    # Kinds of atoms, as in `program`.
    LABEL = 0
    NUMBER = 1
    WORD = 2
    # Rows of values after those of readings.
    ROW_BEFORE = 0
    ROW_AFTER = 1
    ROW_NONE = 2
    MAX_SIZE = 5
    # The role of the next word.
    NEXT_WORD = 6

# Outcomes before those of symbols, and the number of the first of these.
OUTCOMES = ("close", "attach")
FIRST_OPENING = FIRST_OPEN

cdef uint64_t NO_VALUE = <uint64_t>0xA0761D6478BD642F
cdef uint64_t PREFIX_SEED = <uint64_t>0x8EBC6AF09C88C6E3
cdef uint64_t OUTCOME_SEED = <uint64_t>0xE7037ED1A0B428DB

cdef extern from *:
    """
    #ifndef SP_PREFETCH
    #if defined(__GNUC__) || defined(__clang__)
    #define SP_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define SP_PREFETCH(address) ((void)0)
    #endif
    #endif
    """
    void SP_PREFETCH(const void* address) noexcept nogil


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


cdef class EventScorer:
    """Features and weights.

    lexemes (LexemeTable): Attributes of word types.
    weights (HashedWeights): The weights.
    program (IncrementalProgram): The templates.
    n_tokens (int): Number of values of a reading beside those of its word type.
    n_phrases (int): Number of phrase symbols.
    symbol_values (uint64 array): A value for each symbol that does not depend on its number.
    generative (GenerativeModel | None): Probabilities of events, given the program's contexts.
    log_weight (float): The weight of log-probabilities.
    """

    def __init__(
        self, LexemeTable lexemes, HashedWeights weights, program, int n_tokens, int n_phrases,
        symbol_values, *, generative=None, double log_weight=1.0
    ):
        cdef int n_outcomes, o, k, g, column
        cdef uint64_t value
        cdef Atom atom
        self.lexemes = lexemes
        self.weights = weights
        self.n_tokens = n_tokens
        self.n_columns = lexemes.n_attributes + n_tokens
        self.symbol_values = np.asarray(symbol_values, dtype=np.uint64)
        self.n_symbols = <int>self.symbol_values.size()
        for atom.kind, atom.role, atom.offset, atom.column in program.atoms:
            if not 0 <= atom.column < max(self.n_columns, 1):
                raise IndexError(atom.column)
            self.program.push_back(atom)
        for g, templates in enumerate((program.nodes, program.words)):
            self._set_templates(&self.groups[g], templates)
            self.lines[g].resize(self.groups[g].seeds.size())
            self.offsets[g].resize(self.groups[g].seeds.size())
        self.atoms.resize(self.program.size())
        n_outcomes = FIRST_OPEN + self.n_symbols + n_phrases
        for g in range(2):
            for o in range(n_outcomes):
                if o < FIRST_OPEN:
                    value = o
                elif o < FIRST_OPEN + self.n_symbols:
                    value = _join(FIRST_OPEN, self.symbol_values[o - FIRST_OPEN])
                else:
                    value = _join(
                        FIRST_OPEN + 1, self.symbol_values[o - FIRST_OPEN - self.n_symbols]
                    )
                if g == 0:
                    self.outcomes.push_back(value)
                for k in range(<int>self.groups[g].seeds.size()):
                    self.slots[g].push_back(
                        <uint8_t>(mix(value ^ self.groups[g].seeds[k] ^ OUTCOME_SEED) & (LINE - 1))
                    )
        self.set_dropout(0, 0)
        self.scores_words = bool(program.words or program.emitted is not None)
        self.scores_readings = program.emitted is None and bool(program.words) and all(
            program.atoms[atom][:2] == (WORD, NEXT_WORD) for _, atoms in program.words for atom in atoms
        )
        self._set_generative(program, generative, log_weight)

    cdef int _set_templates(self, TemplateGroup* group, templates) except -1:
        """Put atoms that many templates have first, so that they share prefixes."""
        counts = Counter(atom for _, atoms in templates for atom in atoms)
        known = {}
        for seed, atoms in templates:
            prefix = ()
            for atom in sorted(atoms, key=lambda atom: (-counts[atom], atom)):
                parent = known.get(prefix, NONE)
                prefix += (atom,)
                if prefix not in known:
                    known[prefix] = len(known)
                    group.parents.push_back(parent)
                    group.atoms.push_back(atom)
            group.seeds.push_back(seed)
            group.prefixes.push_back(known[prefix])
        self.hashes.resize(max(self.hashes.size(), <size_t>len(known)))
        return 0

    def _set_generative(self, program, generative, double log_weight):
        cdef int g
        self.records = False
        self.is_generative = generative is not None
        self.log_weight = log_weight
        self.emitted = NONE if program.emitted is None else program.emitted
        for g, context in enumerate(program.contexts):
            if len(context) > MAX_DEPTH:
                raise ValueError(Errors.INCREMENTAL_GENERATIVE)
            self.contexts[g] = context
        if not self.is_generative:
            return
        self.node_model, self.word_model = generative.nodes, generative.words
        if (
            self.emitted == NONE
            or self.node_model.depth != <int>self.contexts[0].size()
            or self.word_model.depth != <int>self.contexts[1].size()
        ):
            raise ValueError(Errors.INCREMENTAL_GENERATIVE)

    def set_dropout(self, double rate, uint64_t seed):
        """Leave out some features at random, the same ones everywhere in a sentence.

        rate (float): The share.
        seed (int): Which ones.
        """
        self.drop_threshold = <uint64_t>ldexp(rate, 63)
        self.drop_seed = seed

    cdef bint is_probabilistic(self) noexcept nogil:
        """Whether scores are log-probabilities."""
        return (
            self.is_generative
            and self.log_weight == 1
            and self.groups[0].seeds.empty()
            and self.groups[1].seeds.empty()
        )

    cdef double typical_score(self) noexcept nogil:
        """How large the score of an event typically is: the root mean square of a sum of weights
        that are not 0 and have random signs, and of the log-probability of a likely outcome."""
        cdef double squares = 0, weight, total = 0
        cdef size_t n_used = 0, i
        for i in range(<size_t>self.weights.mask + 1):
            weight = (
                self.weights.weights[i] if self.weights.codes == NULL
                else self.weights.unit * self.weights.codes[i]
            )
            squares += weight * weight
            n_used += weight != 0
        if n_used:
            total = squares / n_used * self.groups[0].seeds.size()
        if self.is_generative:
            total += self.log_weight * self.log_weight
        return sqrt(total)

    cdef void load(self, IncrementalInput words) noexcept nogil:
        """Read the words of a sentence."""
        cdef int i, r, a, n_lexical = self.lexemes.n_attributes, n = words.n_words
        cdef const uint64_t* lexical
        cdef uint64_t* values
        self.n_words = n
        self.n_readings = words.starts[n]
        self.values.resize(<size_t>(self.n_readings + 3) * self.n_columns)
        self.positions.resize(self.n_readings)
        self.firsts.resize(n)
        for i in range(n):
            lexical = self.lexemes.attributes(words.rows[i]) if n_lexical else NULL
            self.firsts[i] = words.starts[i]
            for r in range(words.starts[i], words.starts[i + 1]):
                self.positions[r] = i
                values = &self.values[<size_t>r * self.n_columns]
                for a in range(n_lexical):
                    values[a] = lexical[a]
                for a in range(self.n_tokens):
                    values[n_lexical + a] = words.tokens[r, a]
        for a in range(self.n_columns):
            values = &self.values[<size_t>self.n_readings * self.n_columns]
            values[ROW_BEFORE * self.n_columns + a] = BEFORE + 1
            values[ROW_AFTER * self.n_columns + a] = AFTER + 1
            values[ROW_NONE * self.n_columns + a] = NO_VALUE

    cdef const uint64_t* _row(self, int32_t place, int offset) noexcept nogil:
        """Values of a word some words away from a reading; n_readings is the end of a sentence."""
        cdef int position
        cdef int32_t row = place
        if place == NONE:
            row = self.n_readings + ROW_NONE
        elif offset or place == self.n_readings:
            position = self.n_words if place == self.n_readings else self.positions[place]
            position += offset
            if position < 0:
                row = self.n_readings + ROW_BEFORE
            elif position >= self.n_words:
                row = self.n_readings + ROW_AFTER
            else:
                row = self.firsts[position]
        return &self.values[<size_t>row * self.n_columns]

    cdef void see(
        self, const Cell* cells, const Cell& cell, int position, int32_t place, int n_closed
    ) noexcept nogil:
        """Look at an open node before a word.

        cells: All nodes. position: The next word. place: Its reading, n_readings at the end.
        n_closed: How many nodes have been closed since the last word.
        """
        cdef int32_t* labels = self.sight.labels
        cdef int32_t* words = self.sight.words
        cdef int32_t* numbers = self.sight.numbers
        cdef const Cell* parent = NULL
        cdef const Cell* above = NULL
        cdef const Cell* ground
        cdef size_t a
        cdef int value
        if cell.parent != NONE:
            parent = &cells[cell.parent]
            if parent.parent != NONE:
                above = &cells[parent.parent]
        labels[0] = cell.symbol
        labels[1] = NONE if parent == NULL else parent.symbol
        labels[2] = NONE if above == NULL else above.symbol
        labels[3] = cell.kids[0]
        labels[4] = cell.kids[1]
        labels[5] = cell.kids[2]
        labels[6] = NONE if parent == NULL else parent.kids[0]
        labels[7] = NONE if above == NULL else above.kids[0]
        words[0] = cell.head
        words[1] = NONE if parent == NULL else parent.head
        words[2] = NONE if above == NULL else above.head
        words[3] = cell.kid_heads[0]
        words[4] = cell.kid_heads[1]
        words[5] = NONE if parent == NULL else parent.kid_heads[0]
        words[6] = place
        words[7] = self.firsts[cell.start] if cell.start < self.n_words else NONE
        words[8] = NONE if cell.kid_start == NONE else self.firsts[cell.kid_start]
        ground = &cell
        while ground.n_kids == 0 and ground.parent != NONE:
            ground = &cells[ground.parent]
        words[9] = ground.head
        numbers[0] = min(<int>cell.n_kids, MAX_SIZE)
        numbers[1] = _bin(position - cell.start)
        numbers[2] = 0 if cell.kid_start == NONE else _bin(position - cell.kid_start)
        numbers[3] = min(<int>cell.depth, MAX_SIZE)
        numbers[4] = min(n_closed, 3)
        for a in range(self.program.size()):
            if self.program[a].kind == LABEL:
                value = labels[self.program[a].role]
                self.atoms[a] = NO_VALUE if value == NONE else self.symbol_values[value]
            elif self.program[a].kind == NUMBER:
                self.atoms[a] = numbers[self.program[a].role] + 1
            else:
                self.atoms[a] = self._row(
                    words[self.program[a].role], self.program[a].offset
                )[self.program[a].column]

    cdef void choose(self, int group) noexcept nogil:
        """Find the features of the last context. group: 0 for templates of nodes, 1 for words."""
        cdef TemplateGroup* templates = &self.groups[group]
        cdef int k, p
        cdef uint64_t h
        self.group = group
        for p in range(<int>templates.atoms.size()):
            h = PREFIX_SEED if templates.parents[p] == NONE else self.hashes[templates.parents[p]]
            self.hashes[p] = _join(h, self.atoms[templates.atoms[p]])
        for k in range(<int>templates.seeds.size()):
            h = self.hashes[templates.prefixes[k]] ^ templates.seeds[k]
            h *= <uint64_t>0xD6E8FEB86659FD93
            h = (h ^ (h >> 29)) & ~<uint64_t>(LINE - 1)
            self.lines[group][k] = h
            self.offsets[group][k] = <uint32_t>(h & self.weights.mask)
            if self.weights.codes != NULL:
                SP_PREFETCH(&self.weights.codes[h & self.weights.mask])
            else:
                SP_PREFETCH(&self.weights.weights[h & self.weights.mask])
        if self.is_generative:
            self._prepare(group)

    cdef void _prepare(self, int group) noexcept nogil:
        """Find what the generative model knows about the last context."""
        cdef uint64_t context[MAX_DEPTH]
        cdef size_t a
        for a in range(self.contexts[group].size()):
            context[a] = self.atoms[self.contexts[group][a]]
        if group == 0:
            self.node_model.prepare(context, &self.found)
        else:
            self.word_model.prepare(context, &self.found)

    cdef uint64_t _outcome(self, int outcome) noexcept nogil:
        """An outcome as generative models know it: of a word, the word itself or its class."""
        return self.outcomes[outcome] if self.group == 0 else self.atoms[self.emitted]

    cdef float _log_probability(self, int outcome) noexcept nogil:
        """The weighted log-probability of an outcome in the last context."""
        cdef uint64_t value = self._outcome(outcome)
        if self.group == 0:
            return <float>(self.log_weight * log(self.node_model.probability(&self.found, value)))
        return <float>(self.log_weight * log(self.word_model.probability(&self.found, value)))

    cdef void _record(self, int outcome) noexcept nogil:
        cdef size_t a
        for a in range(self.contexts[self.group].size()):
            self.recorded[self.group].push_back(self.atoms[self.contexts[self.group][a]])
        self.recorded[self.group].push_back(self._outcome(outcome))

    cdef bint _dropped(self, uint64_t line) noexcept nogil:
        return (mix(line ^ self.drop_seed) >> 1) < self.drop_threshold

    cdef float score(self, int outcome) noexcept nogil:
        """The score of an outcome in the last context."""
        cdef int k, n = <int>self.groups[self.group].seeds.size(), total = 0
        cdef const uint32_t* offsets = self.offsets[self.group].data()
        cdef const uint8_t* slots
        cdef const int16_t* codes = self.weights.codes
        cdef const float* weights = self.weights.weights
        cdef float sum = self._log_probability(outcome) if self.is_generative else 0
        if n == 0:
            return sum
        slots = &self.slots[self.group][<size_t>outcome * n]
        if codes != NULL:
            for k in range(n):
                total += codes[offsets[k] | slots[k]]
            return sum + self.weights.unit * total
        if self.drop_threshold:
            for k in range(n):
                if not self._dropped(self.lines[self.group][k]):
                    sum += weights[offsets[k] | slots[k]]
            return sum
        for k in range(n):
            sum += weights[offsets[k] | slots[k]]
        return sum

    cdef void collect(self, int outcome, float value, vector[Feature]& features) noexcept nogil:
        """Add the features of an outcome in the last context."""
        cdef int k, n = <int>self.groups[self.group].seeds.size()
        cdef Feature feature
        feature.value = value
        if self.records:
            self._record(outcome)
        for k in range(n):
            if not self.drop_threshold or not self._dropped(self.lines[self.group][k]):
                feature.id = (
                    self.lines[self.group][k] | self.slots[self.group][<size_t>outcome * n + k]
                )
                features.push_back(feature)

    cdef float weight(self, int outcome, int template) noexcept nogil:
        """The weight of one template's feature for an outcome in the last context."""
        cdef int n = <int>self.groups[self.group].seeds.size()
        cdef uint64_t id = self.lines[self.group][template]
        id |= self.slots[self.group][<size_t>outcome * n + template]
        return self.weights.sum(&id, 1)
