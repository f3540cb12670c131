"""Which spans of a sentence a chart looks at, and which classes of symbols it allows in each.

With a limit on their width, longer spans are left out unless they reach to within two words of the
start or the end of the sentence, as the clauses that hold a long sentence together do. A sentence
of n words then has O(n w) spans, and a chart O(n w^2 + n^2) ways to split them.
"""
import numpy as np

cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

cdef enum:
    # Quotes and full stops stand outside of the clauses they belong to.
    MARGIN = 2


@cython.final
cdef class Spans:
    """The spans of a sentence.

    n_words (int): The length of the sentence.
    n_classes (int): The number of classes of symbols.
    width (int): The limit on the width of spans, 0 for none.
    """

    def __init__(self, int n_words=0, int n_classes=1, *, int width=0):
        self.start(n_words, n_classes, width, True)

    cdef void start(self, int n_words, int n_classes, int width, bint allow) noexcept nogil:
        """Number the spans.

        allow (bint): Whether all classes are allowed, or none.
        """
        cdef int i, j
        self.n_words = n_words
        self.n_classes = n_classes
        self.n_cells = 0
        self.cells.assign(<size_t>(n_words + 1) * (n_words + 1), -1)
        # In the order in which a chart fills them.
        for j in range(1, n_words + 1):
            for i in range(j - 1, -1, -1):
                if width == 0 or j - i <= width or i < MARGIN or n_words - j < MARGIN:
                    self.cells[<size_t>i * (n_words + 1) + j] = self.n_cells
                    self.n_cells = self.n_cells + 1
        self.allowed.assign(<size_t>self.n_cells * n_classes, allow)

    cdef void narrow(self, const uint8_t* kept, int n_classes) noexcept nogil:
        """Keep some of the spans and number these anew. Nothing is allowed in them.

        kept (uint8_t*): Which, by cell.
        n_classes (int): The number of classes from now on.
        """
        cdef int i, j, cell
        self.n_cells = 0
        self.n_classes = n_classes
        for j in range(1, self.n_words + 1):
            for i in range(j - 1, -1, -1):
                cell = self.cell(i, j)
                if cell < 0:
                    continue
                self.cells[<size_t>i * (self.n_words + 1) + j] = self.n_cells if kept[cell] else -1
                self.n_cells = self.n_cells + kept[cell]
        self.allowed.assign(<size_t>self.n_cells * n_classes, False)

    def to_array(self):
        """RETURNS (ndarray): Start, end and class of everything allowed, a row for each."""
        cdef int i, j, c, cell
        rows = []
        for i in range(self.n_words):
            for j in range(i + 1, self.n_words + 1):
                cell = self.cell(i, j)
                for c in range(self.n_classes if cell >= 0 else 0):
                    if self.allowed[<size_t>cell * self.n_classes + c]:
                        rows.append((i, j, c))
        return np.array(rows, dtype=np.int32).reshape(-1, 3)
