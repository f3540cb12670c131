"""Dependency parsing: prune arcs, score the parts that are left, find the best trees.

Knows nothing of spaCy: arrays in, arrays out. Heads are numbered within their sentence: words from 1
on, 0 is the root. Projective trees of any order are found by `ProjectiveDecoder`, non-projective ones
of the first order by `SpanningDecoder`. If pruning has left no tree, arcs between neighbours and from
the root are added; with them there always is one.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...errors import Errors
from .narrowing cimport ArcNarrowing
from .pruner cimport ArcPruner
from .scorer cimport PartScorer
from .input cimport ParsingInput
from .parts cimport Parts
from .projective.decoder cimport ProjectiveDecoder
from .nonprojective.decoder cimport SpanningDecoder
from .labeler cimport TreeLabeler


cdef class DependencyParsing:
    """A parser over given weights.

    scorer (PartScorer): Scores parts.
    pruner (ArcPruner): Chooses arcs.
    order (int): 1 for arcs alone, 2 for siblings and grandparents, 3 for both at once.
    projective (bool): Whether arcs must not cross.
    narrowing (Optional[ArcNarrowing]): Leaves out further arcs before parts of order 2 and more.
    """

    def __init__(
        self, PartScorer scorer, ArcPruner pruner, int order, *, bint projective=True,
        ArcNarrowing narrowing=None
    ):
        if order > 1 and not projective:
            raise ValueError(Errors.PARSER_MST_ORDER.format(order=order))
        self.scorer = scorer
        self.pruner = pruner
        self.order = order
        self.narrowing = narrowing
        self.is_narrowed = narrowing is not None and order > 1
        self.is_projective = projective
        self.features = scorer.features
        self.parts = Parts()
        self.labeler = TreeLabeler(scorer.features, scorer.label_weights)
        self.projective = ProjectiveDecoder(order)
        self.spanning = SpanningDecoder()

    cdef int check(self, ParsingInput words) except -1:
        """Refuse words of another shape than the templates are for."""
        return words.check_shape(
            self.features.hashes.n_token_columns, self.features.hashes.lexemes.n_rows
        )

    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil:
        """Take in one sentence."""
        cdef int n_columns = <int>words.tokens.shape[1]
        self.features.load(
            &words.rows[start],
            &words.tokens[start, 0] if n_columns else NULL,
            &words.marks[start],
            &words.guides[start],
            end - start,
        )

    cdef double decode(self, int32_t* heads) noexcept nogil:
        """The best tree over the scored parts. RETURNS its score, -INFINITY if there is none."""
        if self.is_projective:
            return self.projective.decode_into(self.parts, heads)
        return self.spanning.decode_into(self.parts, heads)

    cdef double score_tree(self, const int32_t* heads) noexcept nogil:
        if self.is_projective:
            return self.projective.score_tree(self.parts, heads)
        return self.spanning.score_tree(self.parts, heads)

    cdef bint score_sentence(self) noexcept nogil:
        """Prune and score the sentence that is loaded. RETURNS False if surely no tree is left."""
        self.pruner.prune(self.features, self.parts, NULL, self.order)
        self.scorer.score_arcs(self.parts, NULL, NULL, 0)
        if self.is_narrowed and not self.narrowing.narrow(self.parts, self.scorer, self.order):
            return False
        self.scorer.score_further(self.parts)
        return True

    cdef double find_tree(self, int32_t* heads) noexcept nogil:
        """Prune, score and decode the sentence that is loaded."""
        cdef double score
        score = self.decode(heads) if self.score_sentence() else -INFINITY
        if score == -INFINITY:
            self.pruner.allow_chains(self.features, self.parts, NULL, self.order)
            self.scorer.score(self.parts, NULL, NULL, 0)
            score = self.decode(heads)
        return score

    cdef void final_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil:
        """The labels of a tree: those of the labeler, or of the search if there is none."""
        if self.features.tree_label.size():
            self.labeler.load_tree(heads, self.parts.n_words)
            self.labeler.label(heads, labels)
        else:
            self.read_labels(heads, labels)

    cdef void read_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil:
        """The labels of a tree's arcs in the search."""
        cdef int i
        for i in range(self.parts.n_words):
            labels[i] = self.scorer.best_label[self.parts.find(heads[i], i + 1)]

    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil:
        """The probability of each arc of the tree that was decoded last."""
        cdef int i
        self.probabilities.resize(self.parts.n_arcs())
        if self.is_projective:
            self.projective.marginals_into(self.parts, scale, self.probabilities.data())
        else:
            self.spanning.marginals_into(self.parts, scale, self.probabilities.data())
        for i in range(self.parts.n_words):
            # Sums of shares can be a hair more than 1.
            confidences[i] = min(1.0, self.probabilities[self.parts.find(heads[i], i + 1)])

    def parse(self, ParsingInput words, const int32_t[::1] starts, *, double scale=0.0):
        """Parse sentences.

        words (ParsingInput): The words of all sentences.
        starts (int32 array): First word of each sentence, and at last the number of words.
        scale (float): What to multiply scores by for confidences; 0: no confidences are needed.
        RETURNS (tuple): Arrays with the head and label number of each word, and with the
            probability of its head (1 if not asked for).
        """
        cdef int n = words.n_words, s
        cdef int32_t[::1] heads = np.zeros(n + 1, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(n + 1, dtype=np.int32)
        cdef double[::1] confidences = np.ones(n + 1, dtype=np.float64)
        self.check(words)
        words.check_starts(starts)
        for s in range(<int>starts.shape[0] - 1):
            if starts[s] < starts[s + 1]:
                self.load(words, starts[s], starts[s + 1])
                self.find_tree(&heads[starts[s]])
                self.final_labels(&heads[starts[s]], &labels[starts[s]])
                if scale > 0:
                    self.read_confidences(&heads[starts[s]], scale, &confidences[starts[s]])
        return np.asarray(heads)[:n], np.asarray(labels)[:n], np.asarray(confidences)[:n]

    def nbest(self, ParsingInput sentence, int k):
        """The k best trees of a sentence, each arc with its best label.

        sentence (ParsingInput): The sentence; not empty.
        k (int): How many.
        RETURNS (tuple): Arrays of heads and labels, a row per tree, best first, and of scores.
        """
        cdef int32_t[::1] first = np.zeros(sentence.n_words, dtype=np.int32)
        cdef int32_t[:, ::1] heads
        cdef int32_t[:, ::1] labels
        cdef int i
        self.check(sentence)
        self.load(sentence, 0, sentence.n_words)
        self.find_tree(&first[0])
        found, scores = self.best_trees(k)
        heads = np.ascontiguousarray(found)
        labels = np.zeros((heads.shape[0], sentence.n_words), dtype=np.int32)
        for i in range(<int>heads.shape[0]):
            self.final_labels(&heads[i, 0], &labels[i, 0])
        return found, np.asarray(labels), scores

    cdef tuple best_trees(self, int k):
        """Heads and scores of the k best trees over the scored parts."""
        if self.is_projective:
            return self.projective.nbest(self.parts, k)
        return self.spanning.nbest(self.parts, k)

    def without(self, ParsingInput sentence, int word, int head):
        """The best tree of a sentence in which a word has another head, over the arcs that are
        looked at. If there is none, all arcs that pruning leaves are, and if there is still none,
        arcs between neighbours and from the root are added.

        sentence (ParsingInput): The sentence; not empty.
        word (int): A word, from 1 on.
        head (int): The head it must not have.
        RETURNS (tuple): Heads, labels and score; None if there is no such tree.
        """
        cdef int32_t[::1] heads = np.zeros(sentence.n_words, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(sentence.n_words, dtype=np.int32)
        cdef int arc, width
        cdef double score
        self.check(sentence)
        self.load(sentence, 0, sentence.n_words)
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
            score = self.decode(&heads[0])
            if score != -INFINITY and heads[word - 1] != head:
                self.final_labels(&heads[0], &labels[0])
                return np.asarray(heads), np.asarray(labels), score
        return None

    def search_labels(self, heads):
        """The labels that the arcs of a tree have in the search, over the arcs looked at last.

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
        """The arcs that are looked at in a sentence.

        sentence (ParsingInput): The sentence.
        narrowed (bool): False: all arcs that pruning leaves.
        RETURNS (list[tuple[int, int]]): Heads and children.
        """
        if not sentence.n_words:
            return []
        self.check(sentence)
        self.load(sentence, 0, sentence.n_words)
        if narrowed and self.is_narrowed:
            self.score_sentence()
        else:
            self.pruner.prune(self.features, self.parts, NULL, self.order)
        return self.parts.arcs()
