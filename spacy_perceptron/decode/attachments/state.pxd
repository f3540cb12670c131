"""What easy-first parsing knows about a partial tree."""
from libc.stdint cimport int16_t, uint64_t

cdef enum:
    # Words are numbered with 16 bits.
    MAX_WORDS = 32000
    # Higher numbers of children count as this one.
    MAX_CHILDREN = 4
    N_SPANS = 6
    # A partial tree's look is its numbers of children and its binned number of words.
    N_LOOKS = (MAX_CHILDREN + 1) * (MAX_CHILDREN + 1) * N_SPANS
    # The look of a tree that is not there.
    NO_LOOK = N_LOOKS

# Groups of templates, as bits.
cdef enum:
    ARC = 1
    OWN = 2
    LEFT_SIDE = 4
    RIGHT_SIDE = 8
    MIXED = 16
    ALL = 31


# A partial tree, and the scores of the pair it forms with the next one: element 1 for attaching the
# next one to this one, element 0 for attaching this one to the next one.
cdef struct Tree:
    int16_t word
    int16_t lc
    int16_t rc
    int16_t lc2
    int16_t rc2
    # Number of words.
    int16_t span
    int16_t look
    # How many of its gold children are not attached yet.
    int16_t missing
    # A hash of everything that features can see of the tree.
    uint64_t key
    float arc[2]
    float own[2]
    float left[2]
    float right[2]
    float mixed[2]


# A pair of neighbours and the trees around it.
cdef struct Window:
    const Tree* left2
    const Tree* left
    const Tree* first
    const Tree* second
    const Tree* right
    const Tree* right2


cdef inline float action_score(const Tree* tree, int direction) noexcept nogil:
    """The score of attaching the next tree to this one (1), or this one to the next (0)."""
    return (
        (tree.arc[direction] + tree.own[direction])
        + (tree.left[direction] + tree.right[direction])
        + tree.mixed[direction]
    )
