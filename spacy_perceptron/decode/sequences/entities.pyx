"""Tags of entities, and which sequences of them are legal.

Tags stand in the order O, then B I of each label (`bio`) or B I L U of each label (`biluo`).
`LegalEntities` rules out every tag that may not stand between its neighbours, or that would leave
no legal tags for the words between them.

Two places on each side are enough to tell. A tag asks something of an untagged neighbour if it
continues an entity (I, L) or must be continued (B, I in `biluo`). A gap of one word can serve both
its sides unless the left one must be continued, the right one continues an entity, and their labels
differ; a gap of two words or more always can.

Words may be tagged before the search. Given and gold tags below 0 leave a choice: -1 any tag, -2
any tag that does not continue the entity before, as after an entity that was given.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

cimport cython

from ...errors import Errors
from .rows cimport Constraint
from .scorer cimport OUTSIDE, context_tag

cdef enum:
    # Given or gold: any tag that does not continue the entity before.
    NEW_START = -2
    # Neighbours that are not tags.
    UNKNOWN = -1
    BORDER = -2

# Prefixes of the tags of one label, in order.
SCHEMES = {"bio": "BI", "biluo": "BILU"}


def tag_names(labels, scheme):
    """All tags of some labels, in the order of their numbers.

    labels (Sequence[str]): The labels.
    scheme (str): `bio` or `biluo`.
    RETURNS (list[str]): Names such as `B-PER`.
    """
    return ["O", *(f"{prefix}-{label}" for label in labels for prefix in SCHEMES[scheme])]


@cython.final
cdef class LegalEntities(Constraint):
    """Keeps a search to legal sequences of entity tags.

    scheme (str): `bio` or `biluo`.
    n_tags (int): How many tags there are, O included.
    bonus (float): What is added to the scores of tags that start an entity.
    """

    cdef readonly str scheme
    cdef readonly float bonus
    cdef int n
    # What each tag is: its label, whether it continues an entity, and whether the next tag may or
    # must continue its own.
    cdef vector[int32_t] label_of
    cdef vector[uint8_t] continues, may_go_on, must_go_on
    # Whether each word is given as a new start.
    cdef vector[uint8_t] barriers

    def __init__(self, str scheme, int n_tags, *, float bonus=0.0):
        if scheme not in SCHEMES:
            raise ValueError(Errors.ENTITY_SCHEME.format(value=scheme))
        prefixes = SCHEMES[scheme]
        if (n_tags - 1) % len(prefixes):
            raise ValueError(Errors.ENTITY_TAGS.format(n=n_tags, scheme=scheme))
        kinds = ["O", *(prefixes * ((n_tags - 1) // len(prefixes)))]
        self.scheme = scheme
        self.n_tags = n_tags
        self.bonus = bonus
        self.lowest = NEW_START
        self.label_of = [(t - 1) // len(prefixes) if t else -1 for t in range(n_tags)]
        self.continues = [kind in "IL" for kind in kinds]
        self.may_go_on = [kind in "BI" for kind in kinds]
        self.must_go_on = [kind in "BI" and scheme == "biluo" for kind in kinds]

    cpdef bint starts(self, int tag) noexcept nogil:
        """Whether a tag starts an entity: it is neither O nor continues one."""
        return tag > 0 and not self.continues[tag]

    cdef int check(self, const int32_t[::1] tags) except -1:
        """Refuse tags that continue an entity that is not there."""
        cdef Py_ssize_t i
        cdef int left
        for i in range(tags.shape[0]):
            left = tags[i - 1] if i > 0 else BORDER
            if tags[i] >= 0 and self.continues[tags[i]] and (
                left < 0 or not self._follows(left, tags[i], False)
            ):
                raise ValueError(Errors.ENTITY_GIVEN.format(i=i))
        return 0

    cdef void load(self, const int32_t* given, int n) noexcept nogil:
        cdef int i
        self.n = n
        self.barriers.resize(n)
        for i in range(n):
            self.barriers[i] = given[i] == NEW_START

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

    cdef void forbid(self, int i, uint64_t context, float* scores) noexcept nogil:
        cdef int places[4]
        cdef int k, t, code
        for k in range(4):
            code = context_tag(context, k - 2 if k < 2 else k - 1)
            places[k] = BORDER if code == OUTSIDE else code - 1
        for t in range(self.n_tags):
            if not self._is_legal(t, i, places[0], places[1], places[2], places[3]):
                scores[t] = -INFINITY
            elif self.starts(t):
                scores[t] += self.bonus

    cdef int _neighbour(self, const int32_t* gold, int i) noexcept nogil:
        if i < 0 or i >= self.n:
            return BORDER
        return gold[i] if gold[i] >= 0 else UNKNOWN

    cdef bint agrees(self, const int32_t* gold, int i, int tag) noexcept nogil:
        """A free tag must also leave the gold tags around it possible."""
        if gold[i] >= 0:
            return gold[i] == tag
        if gold[i] == NEW_START and self.continues[tag]:
            return False
        return self._is_legal(
            tag,
            i,
            self._neighbour(gold, i - 2),
            self._neighbour(gold, i - 1),
            self._neighbour(gold, i + 1),
            self._neighbour(gold, i + 2),
        ) and not (
            i + 1 < self.n and gold[i + 1] == NEW_START and self.must_go_on[tag]
        )

    def __reduce__(self):
        return _rebuild, (self.scheme, self.n_tags, self.bonus)


def _rebuild(scheme, n_tags, bonus):
    return LegalEntities(scheme, n_tags, bonus=bonus)
