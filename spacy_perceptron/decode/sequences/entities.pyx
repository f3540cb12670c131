"""Easy-first tagging of entities that can never form an illegal tag sequence.

Tags stand in the order O, then B I of each label (`bio`) or B I L U of each label (`biluo`). A tag
that may not stand between its neighbours, or after which the words between could not be tagged any
more, has the score -INFINITY in the row of its position and context, so no search can take it.

Two places on each side are enough to tell. A tag asks something of an untagged neighbour if it goes
on with an entity (I, L) or must be gone on with (B, I in `biluo`). A gap of one word can serve both
its sides unless the left one must be gone on with, the right one goes on, and their labels differ;
a gap of two words or more always can.

Words may be tagged before the search. Given and gold tags below 0 leave a choice: -1 any tag, -2
any tag that does not go on with the entity before, as behind an entity that was given.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

from ...errors import Errors
from .easy_first cimport EasyFirstTagging
from .scorer cimport OUTSIDE, TaggingScorer, context_tag
from .search cimport NO_GOLD, TaggingSearch

# Prefixes of the tags of one label, in order.
SCHEMES = {"bio": "BI", "biluo": "BILU"}


def tag_names(labels, scheme):
    """All tags of some labels, in the order of their numbers.

    labels (Sequence[str]): The labels.
    scheme (str): `bio` or `biluo`.
    RETURNS (list[str]): Names such as `B-PER`.
    """
    return ["O", *(f"{prefix}-{label}" for label in labels for prefix in SCHEMES[scheme])]


cdef class EntityTagging(EasyFirstTagging):
    """Tags sentences in the order of ease, and trains.

    scorer (TaggingScorer): Features and weights; its classes are the tags.
    scheme (str): `bio` or `biluo`.
    """

    def __init__(self, TaggingScorer scorer, str scheme):
        super().__init__(scorer)
        if scheme not in SCHEMES:
            raise ValueError(Errors.ENTITY_SCHEME.format(value=scheme))
        prefixes = SCHEMES[scheme]
        if (scorer.n_tags - 1) % len(prefixes):
            raise ValueError(Errors.ENTITY_TAGS.format(n=scorer.n_tags, scheme=scheme))
        kinds = ["O", *(prefixes * ((scorer.n_tags - 1) // len(prefixes)))]
        self.scheme = scheme
        self.lowest = NEW_START
        self.label_of = [(t - 1) // len(prefixes) if t else -1 for t in range(scorer.n_tags)]
        self.continues = [kind in "IL" for kind in kinds]
        self.may_go_on = [kind in "BI" for kind in kinds]
        self.must_go_on = [kind in "BI" and scheme == "biluo" for kind in kinds]

    cdef int _check(self, const int32_t[::1] rows, const int32_t[::1] tags, int width) except -1:
        """Refuse also tags that go on with an entity that is not there."""
        cdef Py_ssize_t i
        cdef int left
        EasyFirstTagging._check(self, rows, tags, width)
        if tags is None:
            return 0
        for i in range(rows.shape[0]):
            left = tags[i - 1] if i > 0 else BORDER
            if tags[i] >= 0 and self.continues[tags[i]] and (
                left < 0 or not self._follows(left, tags[i], False)
            ):
                raise ValueError(Errors.ENTITY_GIVEN.format(i=i))
        return 0

    # --- Which tags may stand where --------------------------------------------------------

    cdef bint _follows(self, int left, int tag, bint barrier) noexcept nogil:
        """Whether a tag may stand right after another; either may be the BORDER of the text."""
        if tag == BORDER:
            return left == BORDER or not self.must_go_on[left]
        if left == BORDER:
            return not self.continues[tag]
        if self.continues[tag]:
            return (
                not barrier and self.may_go_on[left] and self.label_of[left] == self.label_of[tag]
            )
        return not self.must_go_on[left]

    cdef bint _is_legal(
        self, int tag, int i, int before2, int before1, int after1, int after2
    ) noexcept nogil:
        """Whether a tag may stand at i beside neighbours that are tags, UNKNOWN or the BORDER."""
        cdef bint barrier = self.barriers[i]
        cdef bint next_barrier = i + 1 < self.n and self.barriers[i + 1]
        if before1 != UNKNOWN:
            if not self._follows(before1, tag, barrier):
                return False
        elif self.continues[tag]:
            if barrier:
                return False
            if before2 >= 0 and self.must_go_on[before2]:
                if self.label_of[before2] != self.label_of[tag]:
                    return False
        if after1 != UNKNOWN:
            return self._follows(tag, after1, next_barrier)
        if not self.must_go_on[tag]:
            return True
        if next_barrier:
            return False
        return (
            after2 < 0
            or not self.continues[after2]
            or self.label_of[after2] == self.label_of[tag]
        )

    cdef void _forbid(self, int i, uint64_t context, float* scores) noexcept nogil:
        cdef int places[4]
        cdef int k, t, code
        for k in range(4):
            code = context_tag(context, k - 2 if k < 2 else k - 1)
            places[k] = BORDER if code == OUTSIDE else code - 1
        for t in range(self.n_tags):
            if not self._is_legal(t, i, places[0], places[1], places[2], places[3]):
                scores[t] = -INFINITY

    cdef int _neighbour(self, const int32_t* gold, int i) noexcept nogil:
        if i < 0 or i >= self.n:
            return BORDER
        return gold[i] if gold[i] >= 0 else UNKNOWN

    cdef bint _agrees(self, const int32_t* gold, int i, int label) noexcept nogil:
        """Also a free tag must leave the gold tags around it possible."""
        if gold[i] >= 0:
            return gold[i] == label
        if gold[i] == NEW_START and self.continues[label]:
            return False
        return self._is_legal(
            label,
            i,
            self._neighbour(gold, i - 2),
            self._neighbour(gold, i - 1),
            self._neighbour(gold, i + 1),
            self._neighbour(gold, i + 2),
        ) and not (
            i + 1 < self.n and gold[i + 1] == NEW_START and self.must_go_on[label]
        )

    cdef void _set_barriers(self, const int32_t* fixed) noexcept nogil:
        cdef int i
        self.barriers.assign(self.n, 0)
        if fixed != NULL:
            for i in range(self.n):
                self.barriers[i] = fixed[i] == NEW_START

    cdef void _open(self, const int32_t* fixed) noexcept nogil:
        self._set_barriers(fixed)
        EasyFirstTagging._open(self, fixed)

    def __reduce__(self):
        return EntityTagging, (self.scorer, self.scheme)
