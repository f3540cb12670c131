"""Refining: chooses a finer label for each word of a tagged sentence.

Every fine label belongs to one tag, and those of a word's tag are its candidates. Where there is
only one, there is nothing to choose. Words are refined from left to right. What a label scores
depends on the words, on the tags of two words to the right and on the fine labels of two words to
the left: words can agree with those before them.

A label is made of parts, such as `Case=Gen` and `Number=Sing`, and scores the sum of what its parts
do. So labels learn from each other, and a rare one is known by its parts.

Training is that of a perceptron with a margin, word by word, in sentences with the tags and labels
they should have: the features of each word for the parts of the right label that the best wrong one
does not have are rewarded, those for the other parts of the wrong one punished.

Cost: one row of scores for each word with a choice, whatever the number of labels.
"""
import numpy as np

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from ...errors import Errors
from ...features.extract cimport DROPPED
from ..search.control cimport Control
from .scorer cimport OUTSIDE, PAD, TAG_WINDOW, TaggingScorer, context_tag, pack_context

cdef enum:
    # A label or tag that is not known.
    UNKNOWN = -1
    # Words whose weights are looked up at a time.
    N_LOOKUPS = 3


cdef class Refining:
    """Chooses fine labels and trains the weights of their parts. Memory is kept between sentences.

    scorer (TaggingScorer): Features and weights; its classes are the parts.
    tag_of (Sequence[int]): The tag of each fine label.
    parts (Sequence[Sequence[int]]): The parts of each fine label.
    n_tags (int): How many tags there are. Each has a fine label at least.
    control (Optional[Control]): That of a decoder to work together with.
    """

    def __init__(self, TaggingScorer scorer, tag_of, parts, int n_tags, Control control=None):
        tags = np.asarray(tag_of, dtype=np.int32).reshape(-1)
        flat = [part for found in parts for part in found]
        if len(tags) != len(parts) or {*tags.tolist()} != {*range(n_tags)}:
            raise ValueError(Errors.REFINING_TAGS.format(n=len(tags), n_tags=n_tags))
        if flat and not 0 <= min(flat) <= max(flat) < scorer.n_tags:
            raise ValueError(Errors.REFINING_PARTS.format(n=scorer.n_tags))
        self.scorer = scorer
        self.control = Control() if control is None else control
        self.n_tags = n_tags
        self.n_labels = len(tags)
        self.tag_of = tags
        order = np.argsort(tags, kind="stable")
        self.labels = order
        self.label_starts = np.searchsorted(tags[order], np.arange(n_tags + 1))
        self.part_starts = np.cumsum([0, *(len(found) for found in parts)])
        self.parts = flat
        self.part_scores.resize(scorer.n_tags)
        self.scores.resize(self.n_labels)
        self.n_found.assign(N_LOOKUPS, 0)

    # --- A sentence ------------------------------------------------------------------------

    cdef void _load(self, const int32_t* rows, const int32_t* tags, int n) noexcept nogil:
        """Take in a sentence. tags: A tag per word, or UNKNOWN."""
        cdef int i
        self.padded.assign(n + 2 * PAD, 0)
        for i in range(n):
            self.padded[PAD + i] = rows[i]
        for i in range(PAD):
            self.padded[PAD + n + i] = 1
        self.codes.assign(n + 2 * TAG_WINDOW, OUTSIDE)
        for i in range(n):
            self.codes[TAG_WINDOW + i] = tags[i] + 1

    cdef uint64_t _context(self, int i) noexcept nogil:
        """What is known around word i, packed."""
        return pack_context(self.codes[i], self.codes[i + 1], self.codes[i + 3], self.codes[i + 4])

    cdef int _n_candidates(self, int tag) noexcept nogil:
        return self.label_starts[tag + 1] - self.label_starts[tag]

    cdef void _ask(self, int i) noexcept nogil:
        """First step of scoring word i: ask for the weights of features that do not depend on tags
        and labels. The steps for neighbouring words can be interleaved, so that memory asked for in
        one step has arrived by the next."""
        cdef int place = i % N_LOOKUPS
        cdef int n_ids = self.scorer.static_ids(&self.padded[PAD], i)
        self.lookups.resize(N_LOOKUPS * self.scorer.ids.size())
        self.n_found[place] = self.scorer.weights.ask(
            &self.scorer.ids[0], n_ids, &self.lookups[place * self.scorer.ids.size()]
        )

    cdef void _find(self, int i) noexcept nogil:
        """Second step of scoring word i."""
        cdef int place = i % N_LOOKUPS
        self.scorer.weights.find(
            &self.lookups[place * self.scorer.ids.size()], self.n_found[place]
        )

    cdef void _score(self, int i, int tag) noexcept nogil:
        """Last step of scoring word i: fill the scores of the labels of its tag."""
        cdef float* part_scores = &self.part_scores[0]
        cdef int k, p, label, n_ids, place = i % N_LOOKUPS
        cdef float total
        memset(part_scores, 0, self.part_scores.size() * sizeof(float))
        self.scorer.weights.add_found(
            &self.lookups[place * self.scorer.ids.size()], self.n_found[place], part_scores
        )
        n_ids = self.scorer.dynamic_ids(&self.padded[PAD], i, self._context(i))
        self.scorer.weights.add_scores(&self.scorer.ids[0], n_ids, part_scores)
        for k in range(self.label_starts[tag], self.label_starts[tag + 1]):
            label = self.labels[k]
            total = 0.0
            for p in range(self.part_starts[label], self.part_starts[label + 1]):
                total += part_scores[self.parts[p]]
            self.scores[label] = total

    cdef int _best(self, int tag, int without) noexcept nogil:
        """The best label of a tag, the lower one on ties; UNKNOWN if there is none but `without`."""
        cdef int k, label, best = UNKNOWN
        for k in range(self.label_starts[tag], self.label_starts[tag + 1]):
            label = self.labels[k]
            if label != without and (best == UNKNOWN or self.scores[label] > self.scores[best]):
                best = label
        return best

    cdef void _score_alone(self, int i, int tag) noexcept nogil:
        """All steps of scoring word i."""
        self._ask(i)
        self._find(i)
        self._score(i, tag)

    cdef bint _has_choice(self, int tag, int given) noexcept nogil:
        return given == UNKNOWN and self._n_candidates(tag) > 1

    cdef int _choose(self, int i, int tag, int given, bint asked) noexcept nogil:
        """Choose the label of word i, unless it is given, and remember it for the words after.

        asked: Whether the first two steps of scoring have been taken.
        """
        cdef int label = given
        if label == UNKNOWN:
            if self._n_candidates(tag) > 1:
                if asked:
                    self._score(i, tag)
                else:
                    self._score_alone(i, tag)
                label = self._best(tag, UNKNOWN)
            else:
                label = self.labels[self.label_starts[tag]]
        self.codes[TAG_WINDOW + i] = label + 1
        return label

    # --- Prediction ------------------------------------------------------------------------

    def refine(self, const int32_t[::1] rows not None, const int32_t[::1] starts not None,
               const int32_t[::1] tags not None, *, const int32_t[::1] fixed=None,
               const int32_t[:, ::1] groups=None, double temperature=1.0):
        """Choose the fine labels of sentences.

        rows (int32 array): Lexeme rows of all words of all sentences.
        starts (int32 array): Where each sentence starts, and finally the number of words.
        tags (int32 array): The tag of each word.
        fixed (int32 array): Labels given in advance, or -1; optional.
        groups (int32 matrix): For each thing that labels say, one number per label: the same for
            labels that say the same.
        temperature (float): Divides scores before the softmax that gives the confidences.
        RETURNS (tuple): Labels (int32 array) and, for each word and row of groups, the share of
            the tag's labels that say the same as the chosen one in the softmax over them (float32
            matrix); 1 where a label was given.
        """
        labels = np.empty(rows.shape[0], dtype=np.int32)
        n_groups = 0 if groups is None else groups.shape[0]
        shares = np.ones((rows.shape[0], n_groups), dtype=np.float32)
        cdef int32_t[::1] label_view = labels
        cdef float[:, ::1] share_view = shares
        cdef int s, i, ahead, g, start, n, given, n_shares = n_groups
        self._check(rows, tags, fixed)
        if groups is not None and groups.shape[1] != self.n_labels:
            raise ValueError(
                Errors.REFINING_GROUPS.format(n=groups.shape[1], n_labels=self.n_labels)
            )
        if not 0 < temperature < INFINITY:
            raise ValueError(Errors.DECODE_TEMPERATURE.format(value=temperature))
        for s in range(<int>starts.shape[0] - 1):
            if not 0 <= starts[s] <= starts[s + 1] <= rows.shape[0]:
                raise ValueError(Errors.DECODE_BOUNDS.format(n=rows.shape[0]))
        self.control.enter()
        try:
            with nogil:
                for s in range(<int>starts.shape[0] - 1):
                    start = starts[s]
                    n = starts[s + 1] - start
                    if n == 0:
                        continue
                    self._load(&rows[start], &tags[start], n)
                    for ahead in range(n + 2):
                        if ahead < n:
                            given = fixed[start + ahead] if fixed is not None else UNKNOWN
                            if self._has_choice(tags[start + ahead], given):
                                self._ask(ahead)
                        i = ahead - 1
                        if 0 <= i < n:
                            given = fixed[start + i] if fixed is not None else UNKNOWN
                            if self._has_choice(tags[start + i], given):
                                self._find(i)
                        i = ahead - 2
                        if i < 0:
                            continue
                        given = fixed[start + i] if fixed is not None else UNKNOWN
                        label_view[start + i] = self._choose(i, tags[start + i], given, True)
                        if self._has_choice(tags[start + i], given):
                            for g in range(n_shares):
                                share_view[start + i, g] = self._share(
                                    label_view[start + i], &groups[g, 0], temperature
                                )
                    if self.control.beat(10 * n):
                        break
        finally:
            self.control.leave()
        return labels, shares

    cdef float _share(self, int label, const int32_t* group, double temperature) noexcept nogil:
        """The share of labels that say the same as one in the softmax over those of its tag."""
        cdef int k, tag = self.tag_of[label]
        cdef double value, same = 0.0, total = 0.0
        for k in range(self.label_starts[tag], self.label_starts[tag + 1]):
            value = exp((self.scores[self.labels[k]] - self.scores[label]) / temperature)
            total += value
            if group[self.labels[k]] == group[label]:
                same += value
        return <float>(same / total)

    def alternatives(self, const int32_t[::1] rows not None, const int32_t[::1] tags not None,
                     *, const int32_t[::1] fixed=None):
        """The labels of one sentence, and the next best ones.

        rows (int32 array): Lexeme rows of the words.
        tags (int32 array): The tag of each word.
        fixed (int32 array): Labels given in advance, or -1; optional.
        RETURNS (tuple): Labels (int32 array), for each word the second best label of its tag
            beside the labels before it, -1 if there was no choice (int32 array), and by how much
            it loses (float32 array).
        """
        n = rows.shape[0]
        labels = np.empty(n, dtype=np.int32)
        others = np.full(n, UNKNOWN, dtype=np.int32)
        gaps = np.zeros(n, dtype=np.float32)
        cdef int32_t[::1] label_view = labels
        cdef int32_t[::1] other_view = others
        cdef float[::1] gap_view = gaps
        cdef int i, given
        self._check(rows, tags, fixed)
        if n == 0:
            return labels, others, gaps
        self._load(&rows[0], &tags[0], <int>n)
        for i in range(<int>rows.shape[0]):
            given = fixed[i] if fixed is not None else UNKNOWN
            label_view[i] = self._choose(i, tags[i], given, False)
            if self._has_choice(tags[i], given):
                other_view[i] = self._best(tags[i], label_view[i])
                gap_view[i] = self.scores[label_view[i]] - self.scores[other_view[i]]
        return labels, others, gaps

    def decide(self, const int32_t[::1] rows not None, const int32_t[::1] tags not None, int i,
               *, const int32_t[::1] fixed=None):
        """The decision about one word.

        rows (int32 array): Lexeme rows of one sentence.
        tags (int32 array): The tag of each word.
        i (int): The word.
        fixed (int32 array): Labels given in advance, or -1; optional.
        RETURNS (tuple): The label, the context codes at -2, -1, +1, +2 (0 unknown; to the left a
            label + 1, to the right a tag + 1; 65534 outside the sentence) and a dictionary with
            the score of each label of the tag; empty if there was no choice.
        """
        cdef int k, tag, given, label = UNKNOWN
        self._check(rows, tags, fixed)
        if not 0 <= i < rows.shape[0]:
            raise IndexError(Errors.DECODE_POSITION.format(i=i, n=rows.shape[0]))
        self._load(&rows[0], &tags[0], <int>rows.shape[0])
        for k in range(i + 1):
            given = fixed[k] if fixed is not None else UNKNOWN
            label = self._choose(k, tags[k], given, False)
        context = self._context(i)
        codes = tuple(context_tag(context, offset) for offset in (-2, -1, 1, 2))
        tag = tags[i]
        if given != UNKNOWN or self._n_candidates(tag) < 2:
            return label, codes, {}
        candidates = [
            self.labels[k] for k in range(self.label_starts[tag], self.label_starts[tag + 1])
        ]
        return label, codes, {other: self.scores[other] for other in candidates}

    cdef int _check(
        self, const int32_t[::1] rows, const int32_t[::1] tags, const int32_t[::1] fixed
    ) except -1:
        """Refuse arguments that lead outside the arrays."""
        cdef Py_ssize_t i, n = rows.shape[0]
        cdef int n_rows = self.scorer.lexemes.n_rows
        if tags.shape[0] != n:
            raise ValueError(Errors.DECODE_TAGS.format(n_tags=tags.shape[0], n_words=n))
        if fixed is not None and fixed.shape[0] != n:
            raise ValueError(Errors.DECODE_TAGS.format(n_tags=fixed.shape[0], n_words=n))
        for i in range(n):
            if not 0 <= rows[i] < n_rows:
                raise ValueError(Errors.DECODE_ROW.format(row=rows[i], n=n_rows))
            if not 0 <= tags[i] < self.n_tags:
                raise ValueError(Errors.DECODE_TAG.format(tag=tags[i], n=self.n_tags))
            if fixed is not None and not UNKNOWN <= fixed[i] < self.n_labels:
                raise ValueError(Errors.DECODE_TAG.format(tag=fixed[i], n=self.n_labels))
        return 0

    # --- Training --------------------------------------------------------------------------

    cdef int _check_gold(
        self, const int32_t[::1] rows, const int32_t[::1] gold, float margin
    ) except -1:
        cdef Py_ssize_t i, n = rows.shape[0]
        cdef int n_rows = self.scorer.lexemes.n_rows
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        if gold.shape[0] != n:
            raise ValueError(Errors.DECODE_TAGS.format(n_tags=gold.shape[0], n_words=n))
        for i in range(n):
            if not 0 <= rows[i] < n_rows:
                raise ValueError(Errors.DECODE_ROW.format(row=rows[i], n=n_rows))
            if not UNKNOWN <= gold[i] < self.n_labels:
                raise ValueError(Errors.DECODE_TAG.format(tag=gold[i], n=self.n_labels))
        return 0

    cdef void _load_gold(self, const int32_t[::1] rows, const int32_t[::1] gold) noexcept nogil:
        """Take in a sentence with the tags of its gold labels."""
        cdef int i, n = <int>rows.shape[0]
        self._load(&rows[0], &gold[0], n)
        for i in range(n):
            if gold[i] != UNKNOWN:
                self.codes[TAG_WINDOW + i] = self.tag_of[gold[i]] + 1

    cdef int _rival(self, int i, int right, float margin) noexcept nogil:
        """The best wrong label of word i if the right one does not win by the margin, else UNKNOWN.
        The right one is remembered for the words after."""
        cdef int wrong = UNKNOWN, tag = self.tag_of[right]
        if self._n_candidates(tag) > 1:
            self._score_alone(i, tag)
            wrong = self._best(tag, right)
            if self.scores[right] - self.scores[wrong] > margin:
                wrong = UNKNOWN
        return wrong

    def learn(self, const int32_t[::1] rows not None, const int32_t[::1] gold not None,
              double time, *, float margin=0.0):
        """Perceptron updates on one sentence, straight to the scorer's weights.

        rows (int32 array): Lexeme rows of the words.
        gold (int32 array): Gold labels, -1 where unknown.
        time (float): Number of examples finished before this one.
        margin (float): By how much gold labels must win.
        RETURNS (int): Number of words that led to an update.
        """
        cdef int i, wrong, n_updates = 0
        if not self.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self._check_gold(rows, gold, margin)
        if rows.shape[0] == 0:
            return 0
        self.control.enter()
        try:
            self._load_gold(rows, gold)
            for i in range(<int>rows.shape[0]):
                if gold[i] == UNKNOWN:
                    continue
                wrong = self._rival(i, gold[i], margin)
                if wrong != UNKNOWN:
                    n_updates += 1
                    self._update(i, gold[i], wrong, time)
                self.codes[TAG_WINDOW + i] = gold[i] + 1
        finally:
            self.control.leave()
        return n_updates

    cdef int _update(self, int i, int right, int wrong, double time) except -1:
        cdef const int32_t* rows = &self.padded[PAD]
        cdef int dynamic, k, n_ids
        for dynamic in range(2):
            if dynamic:
                n_ids = self.scorer.dynamic_ids(rows, i, self._context(i))
            else:
                n_ids = self.scorer.static_ids(rows, i)
            for k in range(n_ids):
                if self.scorer.ids[k] != DROPPED:
                    self._add_parts(self.scorer.ids[k], right, wrong, 1.0, time)
                    self._add_parts(self.scorer.ids[k], wrong, right, -1.0, time)
        return 0

    cdef int _add_parts(
        self, uint64_t key, int label, int other, float delta, double time
    ) except -1:
        """Move the weights of a feature for the parts that only the first of two labels has."""
        cdef int p
        for p in range(self.part_starts[label], self.part_starts[label + 1]):
            if not self._has(other, self.parts[p]):
                self.scorer.weights.add(key, self.parts[p], delta, time)
        return 0

    cdef bint _has(self, int label, int part) noexcept nogil:
        cdef int p
        for p in range(self.part_starts[label], self.part_starts[label + 1]):
            if self.parts[p] == part:
                return True
        return False

    def violation(self, const int32_t[::1] rows not None, const int32_t[::1] tags not None,
                  const int32_t[::1] gold not None, *, const int32_t[::1] fixed=None):
        """The first word with the right tag and another label than gold.

        rows (int32 array): Lexeme rows of the words of one sentence.
        tags (int32 array): The tag of each word.
        gold (int32 array): Gold labels, -1 where unknown.
        fixed (int32 array): Labels given in advance, or -1; optional.
        RETURNS (tuple): None if there is none, else by how much the other label wins, and the
            difference of the right one to it: feature ids (uint64), parts (int32) and counts
            (float32).
        """
        cdef int i, given, wrong = UNKNOWN, part
        self._check(rows, tags, fixed)
        self._check_gold(rows, gold, 0.0)
        if rows.shape[0] == 0:
            return None
        self._load(&rows[0], &tags[0], <int>rows.shape[0])
        for i in range(<int>rows.shape[0]):
            given = fixed[i] if fixed is not None else UNKNOWN
            wrong = self._choose(i, tags[i], given, False)
            if (
                given == UNKNOWN
                and gold[i] not in (UNKNOWN, wrong)
                and self.tag_of[gold[i]] == tags[i]
            ):
                break
        else:
            return None
        ids = self.feature_ids(i)
        keys, parts, counts = [], [], []
        for label, other, count in ((gold[i], wrong, 1.0), (wrong, gold[i], -1.0)):
            for part in self.parts_of(label):
                if not self._has(other, part):
                    keys.extend(ids)
                    parts.extend([part] * len(ids))
                    counts.extend([count] * len(ids))
        gap = self.scores[wrong] - self.scores[gold[i]]
        return gap, (
            np.array(keys, dtype=np.uint64),
            np.array(parts, dtype=np.int32),
            np.array(counts, dtype=np.float32),
        )

    def parts_of(self, int label):
        """RETURNS (list[int]): The parts of a label."""
        if not 0 <= label < self.n_labels:
            raise ValueError(Errors.DECODE_TAG.format(tag=label, n=self.n_labels))
        first, last = self.part_starts[label], self.part_starts[label + 1]
        return [self.parts[p] for p in range(first, last)]

    def feature_ids(self, int i):
        """RETURNS (list[int]): Ids of all features of a word of the sentence last looked at, in the
        program's template order.

        i (int): The word.
        """
        cdef const int32_t* rows = &self.padded[PAD]
        cdef int n_words = <int>self.padded.size() - 2 * PAD, n_ids
        if not 0 <= i < n_words:
            raise IndexError(Errors.DECODE_POSITION.format(i=i, n=n_words))
        n_ids = self.scorer.static_ids(rows, i)
        ids = [self.scorer.ids[k] for k in range(n_ids)]
        n_ids = self.scorer.dynamic_ids(rows, i, self._context(i))
        return ids + [self.scorer.ids[k] for k in range(n_ids)]

    def __reduce__(self):
        parts = [self.parts_of(label) for label in range(self.n_labels)]
        return Refining, (self.scorer, list(self.tag_of), parts, self.n_tags, self.control)
