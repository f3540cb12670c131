"""Finds trees for sentences: the face of the incremental search."""
import numpy as np

from libc.math cimport exp, log
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors
from .cells cimport NONE
from .input cimport IncrementalInput
from .scorer cimport N_LABELS, N_NUMBERS, N_WORDS
from .search cimport END, Action, Event, IncrementalSearch, Phrase, comes_before


cdef class IncrementalParsing:
    """A parser over given weights.

    search (IncrementalSearch): The search.
    width (int): How many hypotheses it keeps.
    labels (Optional[Sequence[Sequence[int]]]): The labels of the phrases that each phrase symbol
        stands for; None: each is a label of its own.
    """

    def __init__(self, IncrementalSearch search, *, int width=16, labels=None):
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        if labels is None:
            labels = [[symbol] for symbol in range(search.grammar.n_phrases)]
        if len(labels) != search.grammar.n_phrases:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.labels = labels
        self.search = search
        self.width = width
        self.longest = 0
        search.scale_filter()

    @property
    def control(self):
        """RETURNS (Control): Lets other threads stop a search."""
        return self.search.control

    @property
    def lexemes(self):
        """RETURNS (LexemeTable): The words that sentences are made of."""
        return self.search.scorer.lexemes

    cdef int check(self, IncrementalInput words) except -1:
        """Refuse words of a shape that does not fit."""
        self.longest = max(self.longest, words.n_words)
        return words.check(
            self.search.scorer.n_tokens, self.search.scorer.lexemes.n_rows,
            self.search.grammar.n_phrases, self.search.grammar.n_symbols,
        )

    def parse(self, IncrementalInput words, const int32_t[::1] starts, *, double scale=0, int k=0):
        """Parse sentences.

        words (IncrementalInput): The words of all sentences.
        starts (int32 array): The first word of each sentence, and at the end the number of words.
        scale (float): What scores are multiplied by for confidences; 0 for no confidences.
        k (int): How many trees of each sentence to list; 0 for no lists.
        RETURNS (list[tuple]): For each sentence, the phrases of its best tree as rows of symbol,
            start and end (int32 array), the share of the beam that has each of their labels,
            whether the grammar has no tree for it, the reading of each word, and the k best trees
            that differ in more than readings, as `nbest` returns them.
        """
        cdef int s
        found = []
        for s in range(starts.shape[0] - 1):
            sentence = words.cut(starts[s], starts[s + 1])
            self._search(sentence, k)
            best = self._tree(0, sentence.n_words)
            shares = self._shares(scale)
            listed = self._list_different(sentence.n_words, k)
            found.append((best[1], shares, self.search.is_partial, best[2], listed))
        return found

    def nbest(self, IncrementalInput sentence, int k):
        """The k best trees of a sentence.

        sentence (IncrementalInput): The sentence; not empty.
        k (int): How many.
        RETURNS (list[tuple]): For each tree its score, its phrases in pre-order as rows of symbol,
            start and end (int32 array), and the reading of each word.
        """
        self._search(sentence, k)
        return self._list(sentence.n_words, k)

    def without(self, IncrementalInput sentence, int word, actions):
        """The best tree of a sentence in which a word is added in another way.

        sentence (IncrementalInput): The sentence; not empty.
        word (int): Which word.
        actions (int32 array): The actions of the tree that is not wanted, as of `actions`.
        RETURNS (bool): Whether there is one; then it is the best of the last search.
        """
        cdef const int32_t[:, ::1] rows = np.ascontiguousarray(actions, dtype=np.int32)
        if not 0 <= word < sentence.n_words or rows.shape[0] <= word or rows.shape[1] != 4:
            raise ValueError(Errors.DECODE_POSITION.format(i=word, n=sentence.n_words))
        self.search.forbid(word, rows[word, 0], rows[word, 1], rows[word, 2], rows[word, 3])
        try:
            self._search(sentence, 0)
        finally:
            self.search.forbidden_position = NONE
        # There may be no other way, even against the grammar.
        if self.search.states.empty():
            return False
        found = self.actions()
        return not (found[word] == np.asarray(rows[word])).all()

    cdef int _search(self, IncrementalInput sentence, int k) except -1:
        """Search with a beam at least k wide."""
        self.check(sentence)
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.start(sentence, max(self.width, k))
                self.search.search()
        finally:
            self.search.control.leave()
        return 0

    def _list(self, int n_words, int k):
        return [self._tree(s, n_words) for s in range(min(k, <int>self.search.states.size()))]

    def _list_different(self, int n_words, int k):
        """The k best trees that differ in more than readings, each with its best readings."""
        cdef int s
        found = {}
        for s in range(<int>self.search.states.size()):
            if len(found) >= k:
                break
            tree = self._tree(s, n_words)
            found.setdefault(tree[1].tobytes(), tree)
        return list(found.values())

    def _tree(self, int s, int n_words):
        """Score, phrases and readings of a state."""
        cdef int32_t[::1] places = np.zeros(n_words + 1, np.int32)
        self.search.read_phrases(self.search.states[s].history, self.phrases)
        self.search.read_places(self.search.states[s].history, &places[0])
        return self.search.states[s].score, self._rows(), np.asarray(places)[:n_words]

    def _shares(self, double scale):
        """The share of the beam that has each phrase of the best tree: the last one read. All of
        it without a scale."""
        cdef size_t n = self.phrases.size(), n_labels = 0, p, q, i, m
        cdef double[::1] shares
        cdef double total = 0, share
        cdef int s
        for p in range(n):
            n_labels += self.labels[self.phrases[p].symbol].size()
        if not scale:
            return np.ones(n_labels)
        shares = np.zeros(n_labels)
        for s in range(<int>self.search.states.size()):
            share = exp(scale * (self.search.states[s].score - self.search.states[0].score))
            total += share
            self.search.read_phrases(self.search.states[s].history, self.others)
            q = i = 0
            # Both are in pre-order.
            for p in range(n):
                while q < self.others.size() and comes_before(self.others[q], self.phrases[p]):
                    q += 1
                for m in range(self.labels[self.phrases[p].symbol].size()):
                    if self._has(q, self.phrases[p], self.labels[self.phrases[p].symbol][m]):
                        shares[i] += share
                    i += 1
        return np.asarray(shares) / total

    cdef bint _has(self, size_t first, const Phrase& phrase, int32_t label) noexcept nogil:
        """Whether a phrase with a label is among others, from some place on."""
        cdef size_t m
        cdef const vector[int32_t]* labels
        while first < self.others.size() and (
            self.others[first].start == phrase.start and self.others[first].end == phrase.end
        ):
            labels = &self.labels[self.others[first].symbol]
            for m in range(labels.size()):
                if labels[0][m] == label:
                    return True
            first += 1
        return False

    def actions(self, int rank=0):
        """The actions of a hypothesis in the final beam of the last search.

        rank (int): Which one; 0 is the best.
        RETURNS (int32 array): For each word, how many nodes are closed before it, what the last of
            them is wrapped in (-1 for nothing), the chain opened and the reading of the word.
        """
        cdef int32_t last
        cdef int32_t[:, ::1] rows
        cdef Action action
        if not 0 <= rank < <int>self.search.states.size():
            raise IndexError(rank)
        rows = np.zeros((self.search.n_words, 4), np.int32)
        last = self.search.states[rank].history
        while last >= 0:
            action = self.search.history[last].action
            if action.chain != END:
                rows[self.search.history[last].position, 0] = action.n_closed
                rows[self.search.history[last].position, 1] = action.wrapping
                rows[self.search.history[last].position, 2] = action.chain
                rows[self.search.history[last].position, 3] = action.place
            last = self.search.history[last].previous
        return np.asarray(rows)

    def _rows(self):
        cdef int32_t[:, ::1] rows = np.zeros((self.phrases.size(), 3), np.int32)
        cdef size_t p
        for p in range(self.phrases.size()):
            rows[p, 0] = self.phrases[p].symbol
            rows[p, 1] = self.phrases[p].start
            rows[p, 2] = self.phrases[p].end
        return np.asarray(rows)

    def surprisal(self, IncrementalInput words, const int32_t[::1] starts):
        """How unexpected each word is after those before it: -log2 of its probability, from the
        summed probabilities of all hypotheses in the beam before and after it (Hale 2001, Roark
        et al. 2009). The scores must be log-probabilities.

        words (IncrementalInput): The words of all sentences.
        starts (int32 array): The first word of each sentence, and at the end the number of words.
        RETURNS (float64 array): Bits for each word.
        """
        cdef int s
        cdef double[::1] bits = np.zeros(words.n_words)
        if not self.search.scorer.is_probabilistic():
            raise ValueError(Errors.INCREMENTAL_SURPRISAL)
        for s in range(starts.shape[0] - 1):
            sentence = words.cut(starts[s], starts[s + 1])
            self._measure(sentence, bits[starts[s]:starts[s + 1]])
        return np.asarray(bits)

    cdef int _measure(self, IncrementalInput sentence, double[::1] bits) except -1:
        """The surprisal of the words of a sentence."""
        cdef double before = 0, after
        cdef int i = 0
        self.check(sentence)
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.start(sentence, self.width)
                while i < sentence.n_words and not self.search.beat() and self.search.step():
                    self.search.advance()
                    after = self._log_sum()
                    bits[i] = (before - after) / log(2.0)
                    before = after
                    i += 1
        finally:
            self.search.control.leave()
        return 0

    cdef double _log_sum(self) noexcept nogil:
        """The log of the summed probabilities of all hypotheses."""
        cdef double total = 0, best = self.search.states[0].score
        cdef size_t s
        for s in range(self.search.states.size()):
            total += exp(self.search.states[s].score - best)
        return best + log(total)

    def rescored(self, int rank=0):
        """The score of a hypothesis in the final beam of the last search, computed anew.

        rank (int): Which one; 0 is the best.
        RETURNS (float): Its score.
        """
        cdef int32_t last
        cdef double score = 0
        cdef size_t n_cells = self.search.cells.size()
        if not 0 <= rank < <int>self.search.states.size():
            raise IndexError(rank)
        last = self.search.states[rank].history
        while last >= 0:
            self.search.replay(
                self.search.history[last].before, self.search.history[last].position,
                self.search.history[last].action, &score, NULL, 0
            )
            self.search.cells.resize(n_cells)
            last = self.search.history[last].previous
        return score

    def events(self, int rank=0):
        """The events of a hypothesis in the final beam of the last search, first to last.

        rank (int): Which one; 0 is the best.
        RETURNS (list[tuple]): For each event the next word, the outcome, the group of its
            templates, what they saw (symbols, readings and numbers, in the order of
            `program.LABEL_ROLES`, `WORD_ROLES` and `NUMBERS`; -1 for none), and the weight of each
            template's feature.
        """
        cdef int32_t last
        cdef double score = 0
        cdef size_t n_cells = self.search.cells.size(), e, k = 0, n
        cdef vector[int32_t] path
        cdef Event event
        if not 0 <= rank < <int>self.search.states.size():
            raise IndexError(rank)
        last = self.search.states[rank].history
        while last >= 0:
            path.push_back(last)
            last = self.search.history[last].previous
        self.search.log.clear()
        self.search.logged_weights.clear()
        self.search.logs = True
        while not path.empty():
            last = path.back()
            path.pop_back()
            self.search.position = self.search.history[last].position
            self.search.replay(
                self.search.history[last].before, self.search.history[last].position,
                self.search.history[last].action, &score, NULL, 0
            )
            self.search.cells.resize(n_cells)
        self.search.logs = False
        found = []
        for e in range(self.search.log.size()):
            event = self.search.log[e]
            n = self.search.scorer.groups[event.group].seeds.size()
            seen = [
                [event.sight.labels[i] for i in range(N_LABELS)],
                [event.sight.words[i] for i in range(N_WORDS)],
                [event.sight.numbers[i] for i in range(N_NUMBERS)],
            ]
            weights = [self.search.logged_weights[k + i] for i in range(n)]
            found.append((event.position, event.outcome, event.group, seen, weights))
            k += n
        return found
