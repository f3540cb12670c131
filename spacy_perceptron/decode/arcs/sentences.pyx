"""Parsing of sentences over given weights, whatever the search: the best tree of each, with labels
and confidences, and lists of the best trees from the same search.

Knows nothing of spaCy: arrays in, arrays out. Heads are numbered within their sentence: words from
1 on, 0 is the root.
"""
import numpy as np

from libc.stdint cimport int32_t, int64_t

from ...errors import Errors
from ..search.control cimport Control
from .features cimport PartFeatures
from .input cimport ParsingInput
from .labeler cimport TreeLabeler

cdef enum:
    # What parsing a word takes at least, in units of `Control`.
    WORD_WORK = 100


cdef class SentenceParsing:
    """Base class of parsers. They implement the methods from `find_trees` to `list_trees`, which
    are about the sentence that is loaded.

    features (PartFeatures): The features of parts or, for other searches, of labels.
    labeler (TreeLabeler): Chooses the labels of a tree.
    control (Control): That of the search.
    """

    def __init__(self, PartFeatures features, TreeLabeler labeler, Control control):
        self.features = features
        self.labeler = labeler
        self.control = control

    @property
    def lexemes(self):
        """RETURNS (LexemeTable): The words that sentences are made of."""
        return self.features.hashes.lexemes

    cdef int check(self, ParsingInput words, int longest) except -1:
        """Refuse words of a shape that does not fit the templates.

        longest (int): The length of the longest sentence.
        """
        self.longest = max(self.longest, longest)
        return words.check_shape(
            self.features.hashes.n_token_columns, self.features.hashes.lexemes.n_rows
        )

    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil:
        """Load one sentence."""
        self.features.load(
            &words.rows[start],
            &words.tokens[start, 0] if words.tokens.shape[1] else NULL,
            &words.marks[start],
            &words.guides[start],
            end - start,
        )

    cdef int64_t work(self) noexcept nogil:
        """RETURNS (int64_t): What the last search has taken, in units of `Control`."""
        return WORD_WORK * self.features.n_words

    cdef void find_trees(self, int k, bint confidently) noexcept nogil:
        """Search for the best trees.

        k (int): How many are needed at least.
        confidently (bint): Whether `read_confidences` will be called.
        """
        pass

    cdef void read_tree(self, int32_t* heads) noexcept nogil:
        """Read the best tree.

        heads (int32_t*): Gets the head of every word.
        """
        pass

    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil:
        """Read how sure the heads of the best tree are.

        heads (int32_t*): The best tree.
        scale (double): What scores are multiplied by, the inverse of a temperature.
        confidences (double*): Gets a number per word, at most 1.
        """
        pass

    cdef int list_trees(self, int k, int32_t* heads, double* scores) noexcept nogil:
        """Read the k best trees. If the search was for fewer, it is done again.

        heads (int32_t*): Gets the heads of the trees, one tree after another; room for k.
        scores (double*): Gets their scores, best first; room for k.
        RETURNS (int): The number found, less than k if there are fewer.
        """
        return 0

    cdef void label_tree(self, const int32_t* heads, int32_t* labels) noexcept nogil:
        """Label the arcs of a tree.

        labels (int32_t*): Gets the label number of every word.
        """
        self.labeler.label(heads, labels, self.features.n_words)

    def parse(
        self, ParsingInput words, const int32_t[::1] starts, *, double scale=0.0, int k=0
    ):
        """Parse sentences.

        words (ParsingInput): The words of all sentences.
        starts (int32 array): The first word of each sentence, and at the end the number of words.
        scale (float): What scores are multiplied by for confidences; 0 for no confidences.
        k (int): How many trees of each sentence to list; 0 for no lists.
        RETURNS (tuple): Arrays with the head and label number of each word and the confidence of
            its head (1 without confidences), and for each sentence that is not empty, the list of
            trees that `nbest` returns (no lists without k).
        """
        cdef int n = words.n_words, s, start, end
        cdef int32_t[::1] heads = np.zeros(n + 1, dtype=np.int32)
        cdef int32_t[::1] labels = np.zeros(n + 1, dtype=np.int32)
        cdef double[::1] confidences = np.ones(n + 1, dtype=np.float64)
        self.check(words, words.check_starts(starts))
        lists = []
        self.control.enter()
        try:
            with nogil:
                for s in range(<int>starts.shape[0] - 1):
                    start = starts[s]
                    end = starts[s + 1]
                    if start == end:
                        continue
                    self.load(words, start, end)
                    self.find_trees(1, scale > 0)
                    if self.control.beat(self.work()):
                        break
                    self.read_tree(&heads[start])
                    self.label_tree(&heads[start], &labels[start])
                    if scale > 0:
                        self.read_confidences(&heads[start], scale, &confidences[start])
                    if k > 0:
                        with gil:
                            lists.append(self._list_trees(k))
        finally:
            self.control.leave()
        return (
            np.asarray(heads)[:n], np.asarray(labels)[:n], np.asarray(confidences)[:n], lists
        )

    def nbest(self, ParsingInput sentence, int k):
        """Find the k best trees of a sentence, with labels.

        sentence (ParsingInput): The sentence; not empty.
        k (int): How many.
        RETURNS (tuple): Arrays of heads and labels, a row per tree, best first, and of scores.
            There can be fewer than k.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        if sentence.n_words == 0:
            raise ValueError(Errors.PARSING_EMPTY)
        self.check(sentence, sentence.n_words)
        self.control.enter()
        try:
            with nogil:
                self.load(sentence, 0, sentence.n_words)
                self.find_trees(k, False)
            return self._list_trees(k)
        finally:
            self.control.leave()

    cdef tuple _list_trees(self, int k):
        """The k best trees as `nbest` returns them."""
        cdef int n = self.features.n_words, n_found, i
        cdef int32_t[:, ::1] heads = np.zeros((k, n), dtype=np.int32)
        cdef int32_t[:, ::1] labels = np.zeros((k, n), dtype=np.int32)
        cdef double[::1] scores = np.zeros(k, dtype=np.float64)
        with nogil:
            n_found = self.list_trees(k, &heads[0, 0], &scores[0])
            for i in range(n_found):
                self.label_tree(&heads[i, 0], &labels[i, 0])
        return (
            np.asarray(heads)[:n_found], np.asarray(labels)[:n_found], np.asarray(scores)[:n_found]
        )
