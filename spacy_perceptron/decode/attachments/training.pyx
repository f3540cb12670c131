"""Online training of easy-first parsers with valid updates (Ma, Zhu, Xiao, Yang 2013).

The correct sequence of actions is rewarded and the predicted one punished at the step that
`AttachmentViolation` finds: where the correct sequences leave the beam (`early`, as in the paper)
or where the violation is largest (`max_violation`). Every update is valid: the correct sequence
does not score above the predicted one. UAS on the development part of English EWT with a beam of 8,
perceptron steps and 10 epochs, one run each: 85.75 for `early`, 86.40 for `max_violation`.
`augmented` does not work with `early`: the correct sequences leave the beam too soon (83.34).

Deviations from the paper, which takes perceptron steps of one: steps can be passive-aggressive
(Crammer et al. 2006), just large enough for the correct sequence to win by a margin for each
mistake. With `augmented`, wrong actions gain the margin during the search, and updates are valid in
terms of these scores. Labels are learned separately, from the gold trees.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...errors import Errors
from ..arcs.input cimport ParsingInput
from .difference cimport AttachmentDifference
from .parsing cimport EasyFirstParsing
from .search cimport AttachmentSearch
from .violation cimport AttachmentViolation

UPDATES = ("early", "max_violation")


cdef class EasyFirstTraining:
    """Learns from one sentence at a time.

    parsing (EasyFirstParsing): The parser to train; its weights must be trainable. After `learn`,
        `label_mistakes` says how many labels of the gold tree were wrong or won too narrowly.
    """

    def __init__(self, EasyFirstParsing parsing):
        if not (parsing.scorer.weights.trainable and parsing.labeler.weights.trainable):
            raise ValueError(Errors.TABLE_FROZEN)
        self.parsing = parsing
        self.search = parsing.search
        self.violation = AttachmentViolation(parsing.search)
        self.difference = AttachmentDifference(parsing.search)

    def learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, *, str update="max_violation", double limit=INFINITY, double margin=1.0,
        bint augmented=True, bint mira=True
    ):
        """Learn from a sentence.

        sentence (ParsingInput): The sentence.
        heads (int32 array): Gold head per word: 0 for the root, -1 for unknown.
        labels (int32 array): Gold label per word, -1 for unknown.
        time (float): Number of examples finished before this one.
        update (str): `early` or `max_violation`.
        limit (float): Largest step: the constant C of passive-aggressive learning.
        margin (float): By how much the correct sequence should win for each mistake of another one.
        augmented (bool): Add the margin to the scores of wrong actions during the search.
        mira (bool): Passive-aggressive steps if true, else steps of one.
        RETURNS (int): Mistakes of the sequence that was punished, 0 if there was none, or -1 if no
            tree has the gold heads.
        """
        cdef int n = sentence.n_words
        if update not in UPDATES:
            raise ValueError(Errors.ATTACHMENT_UPDATE.format(value=update))
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        self.parsing.check(sentence, n)
        sentence.check_gold(heads, labels, self.parsing.labeler.weights.n_classes)
        self.label_mistakes = 0
        self.violation.forget()
        if n == 0:
            return 0
        self.search.control.enter()
        try:
            return self._learn(
                sentence, heads, labels, time, update == "early", limit, margin, augmented, mira
            )
        finally:
            self.search.control.leave()

    cdef int _learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, bint early, double limit, double margin, bint augmented, bint mira
    ) except -2:
        """Learn from a sentence with words; see `learn`."""
        cdef int n = sentence.n_words
        self.parsing.load(sentence, 0, n)
        if not self.violation.complete_gold(&heads[0], n):
            return -1
        self.label_mistakes = self.parsing.labeler.learn(
            self.violation.gold_heads.data(), &heads[0], &labels[0], n, limit, time
        )
        self.search.bonus = <float>margin if augmented else 0
        self.search.start(n, self.parsing.width, &heads[0])
        self.violation.find(early)
        self.search.bonus = 0
        if self.violation.predicted < 0:
            return 0
        return self.update(0 if augmented else margin, limit if mira else -1, time)

    cdef int update(self, double margin, double limit, double time) except -1:
        """Move the weights.

        margin (double): What each mistake adds to the violation, if the scores do not contain it.
        limit (double): Largest passive-aggressive step; below 0 for a step of one.
        RETURNS (int): The number of mistakes in the predicted sequence.
        """
        cdef double step = 1, norm
        cdef int mistakes
        cdef size_t k
        self.difference.compute(self.violation.correct, self.violation.predicted)
        mistakes = self.difference.count_mistakes()
        if limit >= 0:
            norm = self.difference.norm()
            step = self.violation.predicted_score - self.violation.correct_score
            step = min(limit, (step + margin * mistakes) / norm) if norm > 0 else 0
        for k in range(self.difference.features.size()):
            self.parsing.scorer.weights.add(
                self.difference.features[k].id,
                <float>(step * self.difference.features[k].value),
                time,
            )
        return mistakes

    def gold_tree(self):
        """RETURNS (int32 array): The gold heads of the last sentence, with gaps filled."""
        return np.array(self.violation.gold_heads, dtype=np.int32)

    # --- A window for tests -------------------------------------------------------------------

    def last_violation(self):
        """The two sequences of the last update, and their scores before it.

        RETURNS (Optional[tuple]): The correct and the predicted actions as lists of (head, child),
            and their scores, with what wrong actions gained; None if there was no update.
        """
        if self.violation.predicted < 0:
            return None
        return (
            self.search.actions(self.violation.correct),
            self.search.actions(self.violation.predicted),
            self.violation.correct_score,
            self.violation.predicted_score,
        )
