"""Tagging: answers, confidences, n-best lists, traces and training over any search.

Knows nothing of spaCy: arrays in, arrays out. Words are rows of a lexeme table, tags are numbers.
Given and gold tags below 0 leave a choice: -1 is any tag, and constraints define others.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...errors import Errors
from ..search.control cimport Control
from .refining cimport Refining
from .rows cimport ScoreRows
from .scorer cimport TaggingScorer, context_tag
from .search cimport TaggingSearch
from .training cimport TaggingTraining


cdef class Tagging:
    """Tags sentences with the weights of a search's scorer, and trains them.

    search (TaggingSearch): How to look for the best tags.
    max_violation (bool): Update at the greatest violation instead of the first.
    refining (Optional[Refining]): A second step, which chooses finer labels for tagged words.
    """

    cdef readonly TaggingSearch search
    cdef readonly Refining refining
    cdef readonly TaggingScorer scorer
    cdef readonly Control control
    # The words of the longest sentence so far: scratch memory grows with it.
    cdef readonly int longest
    cdef ScoreRows rows
    cdef TaggingTraining training

    def __init__(
        self, TaggingSearch search, *, bint max_violation=False, Refining refining=None
    ):
        self.search = search
        self.refining = refining
        self.rows = search.rows
        self.scorer = search.rows.scorer
        self.control = search.control
        self.training = TaggingTraining(search, max_violation=max_violation)

    cdef int _check(self, const int32_t[::1] rows, const int32_t[::1] tags, int width) except -1:
        """Refuse arguments that lead outside the arrays. tags: Gold or given ones; may be None."""
        cdef Py_ssize_t i, n = rows.shape[0]
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        for i in range(n):
            if not 0 <= rows[i] < self.scorer.lexemes.n_rows:
                n_rows = self.scorer.lexemes.n_rows
                raise ValueError(Errors.DECODE_ROW.format(row=rows[i], n=n_rows))
        if tags is None:
            return 0
        if tags.shape[0] != n:
            raise ValueError(Errors.DECODE_TAGS.format(n_tags=tags.shape[0], n_words=n))
        for i in range(n):
            if not self.rows.constraint.lowest <= tags[i] < self.rows.n_tags:
                raise ValueError(Errors.DECODE_TAG.format(tag=tags[i], n=self.rows.n_tags))
        return self.rows.constraint.check(tags)

    cdef int _check_training(
        self, const int32_t[::1] rows, const int32_t[::1] gold, const int32_t[::1] fixed, int width,
        float margin
    ) except -1:
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        self._check(rows, gold, width)
        return self._check(rows, fixed, width)

    # --- Prediction ------------------------------------------------------------------------

    def tag(self, const int32_t[::1] rows not None, const int32_t[::1] starts not None, int width,
            *, double temperature=1.0, const int32_t[::1] fixed=None, int nbest_width=0,
            const int32_t[:, ::1] groups=None):
        """Tag sentences.

        rows (int32 array): Lexeme rows of all words of all sentences.
        starts (int32 array): Where each sentence starts, and finally the number of words.
        width (int): Beam width.
        temperature (float): Divides scores before the softmax that gives the confidences.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        nbest_width (int): Beam width of n-best lists; 0 for no lists.
        groups (int32 matrix): For each thing that tags say, one number per tag: the same for tags
            that say the same. Optional.
        RETURNS (tuple): Tags (int32 array) and confidences (float32 array), one per word, and a
            list with what `nbest` gives for each sentence that has words, or an empty one. With
            groups, there is a confidence per word and group.
        """
        tags = np.empty(rows.shape[0], dtype=np.int32)
        n_groups = 1 if groups is None else groups.shape[0]
        confidences = np.empty(rows.shape[0] * n_groups, dtype=np.float32)
        lists = []
        cdef int32_t[::1] tag_view = tags
        cdef float[::1] confidence_view = confidences
        cdef int s, start, n, n_shares = n_groups
        self._check(rows, fixed, width)
        if groups is not None and not (n_groups and groups.shape[1] == self.rows.n_tags):
            raise ValueError(
                Errors.DECODE_GROUPS.format(n=groups.shape[1], n_tags=self.rows.n_tags)
            )
        cdef const int32_t* group = NULL
        if groups is not None:
            group = &groups[0, 0]
        if nbest_width < 0:
            raise ValueError(Errors.DECODE_WIDTH.format(width=nbest_width))
        if not 0 < temperature < INFINITY:
            raise ValueError(Errors.DECODE_TEMPERATURE.format(value=temperature))
        for s in range(<int>starts.shape[0] - 1):
            if not 0 <= starts[s] <= starts[s + 1] <= rows.shape[0]:
                raise ValueError(Errors.DECODE_BOUNDS.format(n=rows.shape[0]))
            self.longest = max(self.longest, starts[s + 1] - starts[s])
        cdef const int32_t* given = NULL
        if fixed is not None and fixed.shape[0]:
            given = &fixed[0]
        self.control.enter()
        try:
            with nogil:
                for s in range(<int>starts.shape[0] - 1):
                    start = starts[s]
                    n = starts[s + 1] - start
                    if n == 0:
                        continue
                    self.rows.load(
                        &rows[start],
                        given + start if given != NULL else NULL,
                        n,
                        max(width, nbest_width),
                    )
                    self.search.start(width, NULL, False)
                    self.search.search()
                    if self.control.has_stopped:
                        break
                    self.search.read_tags(0, &tag_view[start])
                    self.search.read_confidences(
                        &confidence_view[start * n_shares], temperature, group, n_shares
                    )
                    if nbest_width == 0:
                        continue
                    if nbest_width != width or self.search.merges:
                        self.search.start(nbest_width, NULL, True)
                        self.search.search()
                    with gil:
                        lists.append(self._read_list())
        finally:
            self.control.leave()
        if groups is not None:
            confidences = confidences.reshape(rows.shape[0], n_groups)
        return _check_tagged(tags), confidences, lists

    def _read_list(self):
        """Tags and scores of all states of the last search."""
        cdef int s, n_found = <int>self.search.states.size()
        taggings = np.empty((n_found, self.rows.n), dtype=np.int32)
        scores = np.empty(n_found)
        cdef int32_t[:, ::1] tag_view = taggings
        cdef double[::1] score_view = scores
        for s in range(n_found):
            self.search.read_tags(s, &tag_view[s, 0])
            score_view[s] = self.search.states[s].score
        return _check_tagged(taggings), scores

    def nbest(self, const int32_t[::1] rows not None, int width, *, const int32_t[::1] fixed=None):
        """All taggings in the last beam of one sentence, best first.

        rows (int32 array): Lexeme rows of the words.
        width (int): Beam width, the most taggings to return.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        RETURNS (tuple): Taggings (m x n int32 array) and their scores (float64 array).
        """
        self._check(rows, fixed, width)
        if rows.shape[0] == 0:
            return np.zeros((1, 0), dtype=np.int32), np.zeros(1)
        self.control.enter()
        try:
            self._search(rows, fixed, width, True)
            return self._read_list()
        finally:
            self.control.leave()

    cdef int _search(
        self, const int32_t[::1] rows, const int32_t[::1] fixed, int width, bint distinct
    ) except -1:
        """Search one sentence, which is not empty."""
        cdef const int32_t* given = &fixed[0] if fixed is not None else NULL
        with nogil:
            self.rows.load(&rows[0], given, <int>rows.shape[0], width)
            self.search.start(width, NULL, distinct)
            self.search.search()
        return 0

    def trace(self, const int32_t[::1] rows not None, int width, *, const int32_t[::1] fixed=None):
        """The actions of the best tagging in the order they were taken.

        rows (int32 array): Lexeme rows of the words.
        width (int): Beam width.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        RETURNS (list): Tuples (position, tag, context codes at -2, -1, +1, +2, score of every tag).
        """
        self._check(rows, fixed, width)
        if rows.shape[0] == 0:
            return []
        self.control.enter()
        try:
            self._search(rows, fixed, width, False)
            return self._trace()
        finally:
            self.control.leave()

    def _trace(self):
        """The actions of the last search's best tagging, as `trace` returns them."""
        cdef const float* scores
        found = []
        for position, tag, context, row in self.search.actions(self.search.states[0].history):
            codes = tuple(context_tag(context, offset) for offset in (-2, -1, 1, 2))
            scores = self.rows.row_scores(row)
            values = np.array([scores[t] for t in range(self.rows.n_tags)], dtype=np.float32)
            found.append((position, tag, codes, values))
        return found

    # --- Training --------------------------------------------------------------------------

    def violation(self, const int32_t[::1] rows not None, const int32_t[::1] gold not None,
                  int width, *, float margin=0.0, const int32_t[::1] fixed=None):
        """Decode with the current weights until the search goes wrong.

        rows (int32 array): Lexeme rows of the words of one sentence.
        gold (int32 array): Gold tags, below 0 where unknown.
        width (int): Beam width.
        margin (float): Handicap of every gold tag: correct actions must win by this much.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        RETURNS (tuple): None when the best tagging is correct, else the two action lists (correct,
            predicted) as tuples (position, tag, packed context), and their scores.
        """
        self._check_training(rows, gold, fixed, width, margin)
        if rows.shape[0] == 0:
            return None
        self.control.enter()
        try:
            if not self.training.find(
                &rows[0],
                &gold[0],
                &fixed[0] if fixed is not None else NULL,
                <int>rows.shape[0],
                width,
                margin,
            ):
                return None
            return self._read_violation()
        finally:
            self.control.leave()

    def _read_violation(self):
        """The violation just found, as `violation` returns it."""
        violation = self.training.violation
        correct, predicted = (
            [action[:3] for action in self.search.actions(last)]
            for last in (violation.correct, violation.predicted)
        )
        return correct, predicted, violation.correct_score, violation.predicted_score

    def difference(self, correct, predicted):
        """Features of the correct actions minus features of the predicted ones, for the sentence
        last decoded.

        correct, predicted (list): Actions as returned by `violation`.
        RETURNS (tuple): Feature ids (uint64), tags (int32) and counts (float32); a pair may occur
            more than once.
        """
        self.training.clear_places()
        for is_correct, actions in ((True, correct), (False, predicted)):
            for i, tag, context in actions:
                if not (0 <= i < self.rows.n and 0 <= tag < self.rows.n_tags):
                    raise ValueError(Errors.DECODE_ACTION.format(i=i, n=self.rows.n, tag=tag))
                self.training.place(is_correct, i, tag, context)
        self.training.collect()
        return (
            np.array(self.training.difference_keys, dtype=np.uint64),
            np.array(self.training.difference_labels, dtype=np.int32),
            np.array(self.training.difference_deltas, dtype=np.float32),
        )

    def learn(self, const int32_t[::1] rows not None, const int32_t[::1] gold not None,
              int width, double time, *, bint resume=False, float margin=0.0,
              const int32_t[::1] fixed=None):
        """Perceptron updates on one sentence, straight to the scorer's weights.

        rows (int32 array): Lexeme rows of the words.
        gold (int32 array): Gold tags, below 0 where unknown.
        width (int): Beam width.
        time (float): Number of examples finished before this one.
        resume (bool): After an update, continue from the correct partial tagging instead of
            leaving the sentence.
        margin (float): Handicap of every gold tag: correct actions must win by this much.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        RETURNS (int): Number of updates.
        """
        if not self.scorer.weights.trainable or self.scorer.cached:
            raise ValueError(Errors.TABLE_FROZEN)
        self._check_training(rows, gold, fixed, width, margin)
        if rows.shape[0] == 0:
            return 0
        self.control.enter()
        try:
            return self.training.learn(
                &rows[0],
                &gold[0],
                &fixed[0] if fixed is not None else NULL,
                <int>rows.shape[0],
                width,
                margin,
                time,
                resume,
            )
        finally:
            self.control.leave()

    def __reduce__(self):
        return _rebuild, (self.search, self.training.max_violation, self.refining)


def _check_tagged(tags):
    """Refuse what is left of a search that finds no tag with a finite score."""
    if tags.min(initial=0) < 0:
        raise ValueError(Errors.SCORES_NOT_FINITE)
    return tags


def _rebuild(search, max_violation, refining):
    return Tagging(search, max_violation=max_violation, refining=refining)
