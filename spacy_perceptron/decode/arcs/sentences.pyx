"""Parsing of sentences over given weights, whatever the search: the best tree of each, with labels
and confidences, and lists of the best trees from the same search.

Knows nothing of spaCy: arrays in, arrays out. Heads are numbered within their sentence: words from
1 on, 0 is the root.
"""
import numpy as np

from libc.stdint cimport int32_t

from ...errors import Errors
from .features cimport PartFeatures
from .input cimport ParsingInput
from .labeler cimport TreeLabeler


cdef class SentenceParsing:
    """Base class of parsers. They implement the methods from `find_trees` to `best_trees`, which
    are about the sentence that is loaded.

    features (PartFeatures): The features of parts or, for other searches, of labels.
    labeler (TreeLabeler): Chooses the labels of a tree.
    """

    def __init__(self, PartFeatures features, TreeLabeler labeler):
        self.features = features
        self.labeler = labeler

    cdef int check(self, ParsingInput words, int longest) except -1:
        """Refuse words of a shape that does not fit the templates.

        longest (int): The length of the longest sentence.
        """
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

    cdef tuple best_trees(self, int k):
        """Read the k best trees. If the search was for fewer, it is done again.

        RETURNS (tuple[ndarray, ndarray]): The heads, a row per tree, and the scores, best first.
        """
        raise NotImplementedError

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
        # With the GIL: threads that share a pipeline share the scratch memory and the lexeme table.
        for s in range(<int>starts.shape[0] - 1):
            start = starts[s]
            end = starts[s + 1]
            if start == end:
                continue
            self.load(words, start, end)
            self.find_trees(1, scale > 0)
            self.read_tree(&heads[start])
            self.label_tree(&heads[start], &labels[start])
            if scale > 0:
                self.read_confidences(&heads[start], scale, &confidences[start])
            if k > 0:
                lists.append(self._list_trees(k))
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
        self.check(sentence, sentence.n_words)
        self.load(sentence, 0, sentence.n_words)
        self.find_trees(k, False)
        return self._list_trees(k)

    cdef tuple _list_trees(self, int k):
        """The k best trees as `nbest` returns them."""
        found, scores = self.best_trees(k)
        cdef const int32_t[:, ::1] heads = found
        cdef int32_t[:, ::1] labels = np.zeros_like(found)
        cdef int i
        for i in range(<int>heads.shape[0]):
            self.label_tree(&heads[i, 0], &labels[i, 0])
        return found, np.asarray(labels), scores
