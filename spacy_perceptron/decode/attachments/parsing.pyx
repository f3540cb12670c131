"""Easy-first dependency parsing with a beam (Ma, Zhu, Xiao, Yang 2013), with labels.

Trees are projective and have one child of the root. Deviation from the paper, which is unlabelled:
once the tree is found, its arcs are labelled by `TreeLabeler`.

Confidences are an approximation, since there is no chart to sum over. The share of the final beam's
hypotheses that agree on a head (a softmax of their scores) is multiplied by how clear its action
was: a sigmoid of the action's score minus that of the best action that was possible at any point of
the derivation and would have given the word another head, or made it the head of its own head. With
a beam of 1, the share is always 1.
"""
import numpy as np

from libc.math cimport exp
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...errors import Errors
from ...learn.hashed cimport HashedWeights
from ...learn.weights cimport WeightTable
from ..arcs.input cimport ParsingInput
from ..arcs.labeler cimport TreeLabeler
from ..arcs.sentences cimport SentenceParsing
from .features cimport N_GROUPS, AttachmentFeatures
from .margins cimport AttachmentMargins
from .program import GROUPS
from .scorer cimport AttachmentScorer
from .search cimport NO_HEAD, AttachmentSearch
from .state cimport MAX_WORDS, Tree, Window

# The lowest confidence: no head is certainly wrong.
cdef double LEAST = 1e-12


cdef class EasyFirstParsing(SentenceParsing):
    """A parser over given weights.

    scorer (AttachmentScorer): Scores actions.
    label_weights (WeightTable): A class per label.
    width (int): How many hypotheses the search keeps.
    """

    def __init__(self, AttachmentScorer scorer, WeightTable label_weights, *, int width=8):
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        self.search = AttachmentSearch(scorer)
        super().__init__(
            scorer.features.parts, TreeLabeler(scorer.features.parts, label_weights),
            self.search.control
        )
        self.scorer = scorer
        self.width = width
        self.clearness = AttachmentMargins(self.search)

    cdef int check(self, ParsingInput words, int longest) except -1:
        """Refuse sentences that are too long, and words of a shape that does not fit."""
        if longest > MAX_WORDS:
            raise ValueError(Errors.ATTACHMENT_WORDS.format(n=longest, limit=MAX_WORDS))
        return SentenceParsing.check(self, words, longest)

    cdef void find_trees(self, int k, bint confidently) noexcept nogil:
        """Search with a beam at least k wide. The states of the search are the trees, best first.
        """
        self.search.logs = confidently
        self.search.start(self.features.n_words, max(self.width, k), NULL)
        self.search.search()

    cdef void read_tree(self, int32_t* heads) noexcept nogil:
        self.search.read_heads(self.search.states[0].history, heads)

    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil:
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

    cdef int list_trees(self, int k, int32_t* heads, double* scores) noexcept nogil:
        cdef int n = self.search.n_words, i, n_found
        if k > self.search.width:
            self.find_trees(k, False)
        n_found = min(k, <int>self.search.states.size())
        for i in range(n_found):
            self.search.read_heads(self.search.states[i].history, heads + <size_t>i * n)
            scores[i] = self.search.states[i].score
        return n_found

    def without(self, ParsingInput sentence, int word, int head):
        """Find the best tree in which a word has another head.

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
        self.control.enter()
        try:
            self.load(sentence, 0, n)
            self.search.forbidden_child = word
            self.search.forbidden_head = head
            self.find_trees(1, False)
            self.search.forbidden_child = self.search.forbidden_head = NO_HEAD
            self.read_tree(&heads[0])
            self.label_tree(&heads[0], &labels[0])
            return np.asarray(heads), np.asarray(labels), self.search.states[0].score
        finally:
            self.control.leave()

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
        """Carry out actions and report what the features of each one see and weigh.

        sentence (ParsingInput): The sentence; not empty.
        actions (list[tuple[int, int]]): Head and child of each action, as of `derivation`.
        RETURNS (list[tuple]): For each action the word of every role (from 1 on, None if there is
            none) with the value of every tree attribute (-1 without a tree), and for each feature
            the group of its template, the template's number in the group and the weight.
        """
        self.check(sentence, sentence.n_words)
        self.control.enter()
        try:
            return self._replay(sentence, actions)
        finally:
            self.control.leave()

    def _replay(self, ParsingInput sentence, actions):
        cdef int n = sentence.n_words, slot = 3, pair
        cdef Tree* trees
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
        cdef AttachmentFeatures features = self.scorer.features
        cdef int g, k, n, n_arc = <int>self.features.arc.size()
        cdef HashedWeights weights = self.scorer.weights
        features.see(&window, self.search.trees_of(slot), n_trees, pair)
        features.place(&window, direction)
        places = features.roles()
        templates.resize(features.max_ids() + 1)
        n = self.features.arc_ids(
            features.places[0], features.places[1], self.scorer.ids.data(), templates.data()
        )
        found = []
        for k in range(n):
            kind, number = ("arc", templates[k]) if templates[k] < n_arc else (
                "between", templates[k] - n_arc
            )
            found.append((kind, number, weights.weight(self.scorer.ids[k])))
        for g in range(N_GROUPS):
            n = features.group_ids(g, self.scorer.ids.data())
            for k in range(n):
                number = features.groups[g].templates[k]
                found.append((GROUPS[g], number, weights.weight(self.scorer.ids[k])))
        return places, found
