"""Dependency parsing: prune arcs, score the parts that are left, find the best trees.

Projective trees of any order are found by `ProjectiveDecoder`, trees with crossing arcs, of first
order only, by `SpanningDecoder`. If pruning leaves no tree, arcs between neighbours and from the
root are added, so that there is always one.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from ...errors import Errors
from .input cimport ParsingInput
from .labeler cimport TreeLabeler
from .narrowing cimport ArcNarrowing
from .nonprojective.decoder cimport SpanningDecoder
from .parts cimport Parts
from .projective.decoder cimport ProjectiveDecoder
from .pruner cimport ArcPruner
from .scorer cimport PartScorer
from .sentences cimport SentenceParsing


cdef class DependencyParsing(SentenceParsing):
    """A parser over given weights. Confidences are the probabilities of arcs.

    scorer (PartScorer): Scores parts.
    pruner (ArcPruner): Chooses arcs.
    order (int): 1 for arcs alone, 2 for siblings and grandparents, 3 for both at once.
    projective (bool): Whether arcs must not cross.
    narrowing (Optional[ArcNarrowing]): Leaves out more arcs before parts of order 2 and higher are
        scored.
    """

    def __init__(
        self, PartScorer scorer, ArcPruner pruner, int order, *, bint projective=True,
        ArcNarrowing narrowing=None
    ):
        if order != 1 and not projective:
            raise ValueError(Errors.PARSER_MST_ORDER.format(order=order))
        self.decoder = ProjectiveDecoder(order) if projective else SpanningDecoder()
        super().__init__(
            scorer.features, TreeLabeler(scorer.features, scorer.label_weights),
            self.decoder.control
        )
        self.scorer = scorer
        self.pruner = pruner
        self.order = order
        self.narrowing = narrowing
        self.is_narrowed = narrowing is not None and order > 1
        self.parts = Parts()

    cdef bint score_sentence(self) noexcept nogil:
        """Prune and score the sentence that is loaded.

        RETURNS (bint): False if there is certainly no tree left.
        """
        self.pruner.prune(self.features, self.parts, NULL, self.order)
        self.scorer.score_arcs(self.parts, NULL, NULL, 0)
        if self.is_narrowed and not self.narrowing.narrow(self.parts, self.scorer, self.order):
            return False
        self.scorer.score_further(self.parts)
        return True

    cdef void find_trees(self, int k, bint confidently) noexcept nogil:
        """Prune, score and decode: that is the search for any number of trees."""
        if not self.score_sentence() or self.decoder.solve(self.parts) == -INFINITY:
            self.pruner.allow_chains(self.features, self.parts, NULL, self.order)
            self.scorer.score(self.parts, NULL, NULL, 0)
            self.decoder.solve(self.parts)

    cdef int64_t work(self) noexcept nogil:
        """Charts grow with the arcs and the length of a sentence."""
        return SentenceParsing.work(self) + <int64_t>self.parts.n_arcs() * self.parts.n_words // 10

    cdef void read_tree(self, int32_t* heads) noexcept nogil:
        self.decoder.read_heads(self.parts, heads)

    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil:
        cdef int i
        self.probabilities.resize(self.parts.n_arcs())
        self.decoder.marginals_into(self.parts, scale, self.probabilities.data())
        for i in range(self.parts.n_words):
            # Sums of shares can exceed 1 by rounding.
            confidences[i] = min(1.0, self.probabilities[self.parts.find(heads[i], i + 1)])

    cdef int list_trees(self, int k, int32_t* heads, double* scores) noexcept nogil:
        return self.decoder.nbest_into(self.parts, k, heads, scores)

    cdef void label_tree(self, const int32_t* heads, int32_t* labels) noexcept nogil:
        """Label the arcs of a tree: by the labeler or, if it has no templates, as in the search."""
        if self.features.tree_label.size():
            SentenceParsing.label_tree(self, heads, labels)
        else:
            self.read_labels(heads, labels)

    cdef void read_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil:
        """Read the labels that the arcs of a tree have in the search."""
        cdef int i
        for i in range(self.parts.n_words):
            labels[i] = self.scorer.best_label[self.parts.find(heads[i], i + 1)]

    def without(self, ParsingInput sentence, int word, int head):
        """Find the best tree of a sentence in which a word has another head.

        It is searched for among the arcs that `parse` considers, then among all arcs that pruning
        leaves, then with arcs between neighbours and from the root added.

        sentence (ParsingInput): The sentence; not empty.
        word (int): A word, from 1 on.
        head (int): The head it must not have.
        RETURNS (tuple): Heads, labels and score; None if there is no such tree.
        """
        cdef int n = sentence.n_words
        cdef int32_t[::1] heads = np.zeros(n, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(n, dtype=np.int32)
        cdef double score = 0
        cdef bint found
        if not 1 <= word <= n:
            raise ValueError(Errors.DECODE_POSITION.format(i=word, n=n))
        self.check(sentence, n)
        self.control.enter()
        try:
            with nogil:
                self.load(sentence, 0, n)
                found = self._find_without(word, head, &heads[0], &labels[0], &score)
            if found:
                return np.asarray(heads), np.asarray(labels), score
        finally:
            self.control.leave()
        return None

    cdef bint _find_without(
        self, int word, int head, int32_t* heads, int32_t* labels, double* score
    ) noexcept nogil:
        """Find the tree of `without`. RETURNS (bint): Whether there is one."""
        cdef int arc, width
        for width in range(0 if self.is_narrowed else 1, 3):
            if width == 0:
                if not self.score_sentence():
                    continue
            else:
                if width == 1:
                    self.pruner.prune(self.features, self.parts, NULL, self.order)
                else:
                    self.pruner.allow_chains(self.features, self.parts, NULL, self.order)
                self.scorer.score(self.parts, NULL, NULL, 0)
            arc = self.parts.find(head, word)
            if arc >= 0:
                self.parts.arc[arc] = self.parts.arc[arc] - FORBIDDEN
            score[0] = self.decoder.decode_into(self.parts, heads)
            if score[0] != -INFINITY and heads[word - 1] != head:
                self.label_tree(heads, labels)
                return True
        return False

    def search_labels(self, heads):
        """Read the labels that the arcs of a tree had in the last search.

        heads (int32 array): A tree of the sentence that was parsed last.
        RETURNS (int32 array): Label numbers.
        """
        cdef const int32_t[::1] view = np.ascontiguousarray(heads, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(self.parts.n_words + 1, dtype=np.int32)
        cdef int i
        if view.shape[0] != self.parts.n_words:
            raise ValueError(
                Errors.DECODE_HEADS.format(n=view.shape[0], n_words=self.parts.n_words)
            )
        for i in range(self.parts.n_words):
            if self.parts.find(view[i], i + 1) < 0:
                raise ValueError(Errors.PARSING_ARC.format(head=view[i], child=i + 1))
        if view.shape[0]:
            self.read_labels(&view[0], &labels[0])
        return np.asarray(labels)[: self.parts.n_words]

    def allowed(self, ParsingInput sentence, *, bint narrowed=True):
        """Find the arcs that `parse` considers in a sentence.

        sentence (ParsingInput): The sentence.
        narrowed (bool): Whether to leave out what `narrowing` does, or only what pruning does.
        RETURNS (list[tuple[int, int]]): Heads and children.
        """
        if not sentence.n_words:
            return []
        self.check(sentence, sentence.n_words)
        self.control.enter()
        try:
            with nogil:
                self.load(sentence, 0, sentence.n_words)
                if narrowed and self.is_narrowed:
                    self.score_sentence()
                else:
                    self.pruner.prune(self.features, self.parts, NULL, self.order)
            return self.parts.arcs()
        finally:
            self.control.leave()
