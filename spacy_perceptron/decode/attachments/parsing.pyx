"""Easy-first dependency parsing with a beam (Ma, Zhu, Xiao, Yang 2013), with labels.

Knows nothing of spaCy: arrays in, arrays out. Heads are numbered within their sentence: words from
1 on, 0 is the root, of which there is one. Trees are projective. Deviation from the paper, which is
unlabelled: once the tree is found, its arcs are labelled by `TreeLabeler`.

Confidences are an approximation. There is no chart to sum over, so the share of the final beam's
hypotheses that have the same head (a softmax of their scores) is multiplied by how clear the action
was: a sigmoid of its score above that of the best action that was possible at any point of the
derivation and would have given the word another head or made it the head of its own. A beam of 1
has only the latter.
"""
import numpy as np

from libc.math cimport exp
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...errors import Errors
from ...learn.hashed cimport HashedWeights
from ...learn.weights cimport WeightTable
from .program import GROUPS
from .features cimport N_GROUPS
from .margins cimport AttachmentMargins
from .scorer cimport AttachmentScorer
from .search cimport NO_HEAD, AttachmentSearch
from .state cimport MAX_WORDS, Tree, Window
from ..arcs.input cimport ParsingInput
from ..arcs.labeler cimport TreeLabeler

# The least confidence: a word's head is never known to be wrong.
cdef double LEAST = 1e-12


cdef class EasyFirstParsing:
    """A parser over given weights.

    scorer (AttachmentScorer): Scores actions.
    label_weights (WeightTable): A class per label.
    width (int): How many hypotheses the search keeps.
    """

    def __init__(self, AttachmentScorer scorer, WeightTable label_weights, *, int width=8):
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        self.scorer = scorer
        self.features = scorer.features
        self.width = width
        self.search = AttachmentSearch(scorer)
        self.clearness = AttachmentMargins(self.search)
        self.labeler = TreeLabeler(scorer.features.parts, label_weights)

    cdef int check(self, ParsingInput words, int longest) except -1:
        """Refuse words of another shape than the templates are for, and sentences too long."""
        if longest > MAX_WORDS:
            raise ValueError(Errors.ATTACHMENT_WORDS.format(n=longest, limit=MAX_WORDS))
        return words.check_shape(
            self.features.parts.hashes.n_token_columns,
            self.features.parts.hashes.lexemes.n_rows,
        )

    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil:
        """Take in one sentence."""
        self.features.parts.load(
            &words.rows[start],
            &words.tokens[start, 0] if words.tokens.shape[1] else NULL,
            &words.marks[start],
            &words.guides[start],
            end - start,
        )

    cdef void find_trees(self, int n_words, int width) noexcept nogil:
        """Search the sentence that is loaded; the trees are the search's states, best first."""
        self.search.start(n_words, width, NULL)
        self.search.search()

    cdef void label(self, const int32_t* heads, int32_t* labels, int n_words) noexcept nogil:
        self.labeler.load_tree(heads, n_words)
        self.labeler.label(heads, labels)

    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil:
        """How sure the heads of the best tree are, after a self.search."""
        cdef int n = self.search.n_words, s, i
        cdef double total = 0, share
        self.shares.assign(n, 0)
        self.other_heads.resize(n)
        for s in range(<int>self.search.states.size()):
            share = exp(scale * (self.search.states[s].score - self.search.states[0].score))
            total += share
            self.search.read_heads(self.search.states[s].history, self.other_heads.data())
            for i in range(n):
                if self.other_heads[i] == heads[i]:
                    self.shares[i] = self.shares[i] + share
        for i in range(n):
            confidences[i] = self.shares[i] / total
        self.margins.resize(n)
        self.clearness.find(self.search.states[0].history, heads, self.margins.data())
        for i in range(n):
            if n > 1:
                confidences[i] /= 1 + exp(-scale * self.margins[i])
            confidences[i] = max(LEAST, min(1.0, confidences[i]))

    def parse(self, ParsingInput words, const int32_t[::1] starts, *, double scale=0.0):
        """Parse sentences.

        words (ParsingInput): The words of all sentences.
        starts (int32 array): First word of each sentence, and at last the number of words.
        scale (float): What to multiply scores by for confidences; 0: no confidences are needed.
        RETURNS (tuple): Arrays with the head and label number of each word, and with the
            confidence of its head (1 if not asked for).
        """
        cdef int n = words.n_words, s, start, end
        cdef int32_t[::1] heads = np.zeros(n + 1, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(n + 1, dtype=np.int32)
        cdef double[::1] confidences = np.ones(n + 1, dtype=np.float64)
        self.check(words, words.check_starts(starts))
        self.search.logs = scale > 0
        with nogil:
            for s in range(<int>starts.shape[0] - 1):
                start = starts[s]
                end = starts[s + 1]
                if start == end:
                    continue
                self.load(words, start, end)
                self.find_trees(end - start, self.width)
                self.search.read_heads(self.search.states[0].history, &heads[start])
                self.label(&heads[start], &labels[start], end - start)
                if scale > 0:
                    self.read_confidences(&heads[start], scale, &confidences[start])
        return np.asarray(heads)[:n], np.asarray(labels)[:n], np.asarray(confidences)[:n]

    def nbest(self, ParsingInput sentence, int k):
        """The best trees of the final beam, which is at least k wide.

        sentence (ParsingInput): The sentence; not empty.
        k (int): How many; there can be fewer.
        RETURNS (tuple): Arrays of heads and labels, a row per tree, best first, and of scores.
        """
        cdef int n = sentence.n_words, i, n_found
        cdef int32_t[:, ::1] heads
        cdef int32_t[:, ::1] labels
        cdef double[::1] scores
        if k < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=k))
        self.check(sentence, n)
        self.load(sentence, 0, n)
        self.find_trees(n, max(self.width, k))
        n_found = min(k, <int>self.search.states.size())
        heads = np.zeros((n_found, n), dtype=np.int32)
        labels = np.zeros((n_found, n), dtype=np.int32)
        scores = np.zeros(n_found, dtype=np.float64)
        for i in range(n_found):
            self.search.read_heads(self.search.states[i].history, &heads[i, 0])
            self.label(&heads[i, 0], &labels[i, 0], n)
            scores[i] = self.search.states[i].score
        return np.asarray(heads), np.asarray(labels), np.asarray(scores)

    def without(self, ParsingInput sentence, int word, int head):
        """The best tree found in which a word has another head.

        sentence (ParsingInput): The sentence; not empty.
        word (int): A word, from 1 on.
        head (int): The head it must not have.
        RETURNS (tuple): Heads, labels and score; None if there is no such tree.
        """
        cdef int n = sentence.n_words
        cdef int32_t[::1] heads = np.zeros(n, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(n, dtype=np.int32)
        if not 1 <= word <= n:
            raise ValueError(Errors.DECODE_POSITION.format(i=word, n=n))
        self.check(sentence, n)
        if n == 1 and head == 0:
            return None
        self.load(sentence, 0, n)
        self.search.forbidden_child = word
        self.search.forbidden_head = head
        try:
            self.find_trees(n, self.width)
        finally:
            self.search.forbidden_child = self.search.forbidden_head = NO_HEAD
        self.search.read_heads(self.search.states[0].history, &heads[0])
        self.label(&heads[0], &labels[0], n)
        return np.asarray(heads), np.asarray(labels), self.search.states[0].score

    # --- A window for explanations and tests ---------------------------------------------------

    def derivation(self, int rank=0):
        """The actions of a hypothesis in the final beam of the last search.

        rank (int): Which one; 0 is the best.
        RETURNS (list[tuple[int, int]]): Head and child of each action, in order.
        """
        if not 0 <= rank < <int>self.search.states.size():
            raise IndexError(rank)
        return self.search.actions(self.search.states[rank].history)

    def replay(self, ParsingInput sentence, actions):
        """Carry out actions and tell what each one's features see and weigh.

        sentence (ParsingInput): The sentence; not empty.
        actions (list[tuple[int, int]]): Head and child of each action, as of `derivation`.
        RETURNS (list[tuple]): For each action the place of every role (words from 1 on, `none` for
            nothing there) and of every tree attribute its value (-1 for no tree), and for each
            feature the group of its template, its number there and its weight.
        """
        cdef int n = sentence.n_words, slot = 3, pair
        cdef Tree* trees
        self.check(sentence, n)
        self.load(sentence, 0, n)
        self.search.start(n, 1, NULL)
        trees = self.search.trees_of(slot)
        self.search.open_trees(trees)
        found = []
        for head, child in actions:
            pair = 0
            while pair < n - 1 and not (
                (trees[pair].word == head and trees[pair + 1].word == child)
                or (trees[pair].word == child and trees[pair + 1].word == head)
            ):
                pair += 1
            if pair >= n - 1:
                raise ValueError(Errors.ATTACHMENT_ACTION.format(head=head, child=child))
            found.append(self._look(slot, n, pair, head < child))
            self.search.join(trees, n, pair, head < child)
            n -= 1
        return found

    def _look(self, int slot, int n_trees, int pair, bint direction):
        """Places and weights of one action on a list of trees."""
        cdef Window window
        cdef vector[int32_t] templates
        cdef int g, k, n, n_arc = <int>self.features.parts.arc.size()
        cdef HashedWeights weights = self.scorer.weights
        self.features.see(&window, self.search.trees_of(slot), n_trees, pair)
        self.features.place(&window, direction)
        places = self.features.roles()
        templates.resize(self.features.max_ids() + 1)
        n = self.features.parts.arc_ids(
            self.features.places[0], self.features.places[1], self.scorer.ids.data(),
            templates.data()
        )
        features = []
        for k in range(n):
            kind, number = ("arc", templates[k]) if templates[k] < n_arc else (
                "between", templates[k] - n_arc
            )
            features.append((kind, number, weights.weight(self.scorer.ids[k])))
        for g in range(N_GROUPS):
            n = self.features.group_ids(g, self.scorer.ids.data())
            for k in range(n):
                number = self.features.groups[g].templates[k]
                features.append((GROUPS[g], number, weights.weight(self.scorer.ids[k])))
        return places, features
