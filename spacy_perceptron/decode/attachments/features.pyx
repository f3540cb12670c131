"""Feature ids of easy-first attachments (Goldberg and Elhadad 2010; Ma, Zhu, Xiao, Yang 2013).

An action joins two neighbouring partial trees. A feature is the exclusive or of hashes computed
beforehand: of a token in a role (`RoleHashes`), of an arc (`PartFeatures`), and of how many
children and words a partial tree has, its look, from a table of all looks. Templates decide which
features there are.

Cost: for each group of templates, one read per conjunct and a few exclusive ors per template; for
templates with the role `b`, that for each token between.
"""
from libc.stdint cimport int16_t, int32_t, uint64_t

from ...features.hashing cimport mix
from ..arcs.features cimport PartFeatures
from .program import SOURCES, TREE_ATTRIBUTES, TREE_ROLES
from .state cimport ARC, MAX_CHILDREN, N_LOOKS, N_SPANS, NO_LOOK, OWN, Tree, Window

cdef enum:
    N_TREE_ATTRIBUTES = 3
    SHORT = 4


# Places of the roles in `SOURCES` of `program`.
cdef enum:
    P = 0
    C = 1
    S = 2
    LEFT = 8
    LEFT2 = 9
    RIGHT = 10
    RIGHT2 = 11
    P_LC = 12
    P_RC = 13
    C_LC = 14
    C_RC = 15
    LEFT_LC = 16
    LEFT_RC = 17
    RIGHT_LC = 18
    RIGHT_RC = 19
    P_LC2 = 20
    P_RC2 = 21
    C_LC2 = 22
    C_RC2 = 23
    P_TREE = 25
    C_TREE = 26
    LEFT_TREE = 27
    RIGHT_TREE = 28


cdef inline int _span_bin(int span) noexcept nogil:
    """0 for 1 word, 1 for 2, then 2 up to 4, 3 up to 8, 4 up to 16, 5 beyond."""
    if span <= 2:
        return span - 1
    return 2 if span <= 4 else 3 if span <= 8 else 4 if span <= 16 else 5


cdef class AttachmentFeatures:
    """Computes feature ids of actions in the sentence that is loaded.

    parts (PartFeatures): Hashes of tokens and arcs, made from `program.parts`.
    program (AttachmentProgram): The templates.
    """

    def __init__(self, PartFeatures parts, program):
        cdef int g
        self.parts = parts
        self.program = program
        self.looks_beyond = program.looks_beyond
        self.groups_used = ARC
        for g in range(N_GROUPS):
            self._take_group(g, program.groups[g])
            if self.groups[g].n_templates:
                self.groups_used |= OWN << g
        self.n_tree_conjuncts = len(program.tree_conjuncts) + 1
        self._tabulate(program.tree_conjuncts)

    def _take_group(self, int g, program):
        """Compile a group: templates with few terms come first; leaves are sorted by source, after
        one that adds nothing."""
        cdef Group* group = &self.groups[g]
        cdef Run run
        order = sorted(range(len(program.rows)), key=lambda t: any(program.rows[t][SHORT:]))
        group.n_templates = len(order)
        group.n_short = sum(not any(row[SHORT:]) for row in program.rows)
        group.templates = order
        group.rows = [place for t in order for place in program.rows[t]]
        group.numbers = [0, *program.numbers]
        for place, source in enumerate(program.sources, 1):
            if group.runs.size() and group.runs.back().source == source:
                group.runs.back().last = place + 1
            else:
                run.source = source
                run.first = place
                run.last = place + 1
                group.runs.push_back(run)
        self.leaves.resize(max(self.leaves.size(), len(program.sources) + 1))

    def _tabulate(self, conjuncts):
        """Hash all conjuncts of tree attributes for all looks, and for no tree."""
        cdef int look
        cdef int32_t values[N_TREE_ATTRIBUTES]
        cdef uint64_t h
        for look in range(N_LOOKS + 1):
            values[0] = look // N_SPANS // (MAX_CHILDREN + 1)
            values[1] = look // N_SPANS % (MAX_CHILDREN + 1)
            values[2] = look % N_SPANS
            self.tree_table.push_back(0)
            for seed, attributes in conjuncts:
                h = seed
                for a in attributes:
                    h = mix(h ^ <uint64_t>(values[<int>a] + 2 if look < N_LOOKS else 1))
                self.tree_table.push_back(h)

    # --- Partial trees ------------------------------------------------------------------------

    cdef void start(self) noexcept nogil:
        """Get ready for the sentence that is loaded."""
        self.absent.word = <int16_t>self.parts.first_place()
        self.absent.lc = self.absent.rc = self.absent.lc2 = self.absent.rc2 = self.absent.word
        self.absent.span = self.absent.missing = 0
        self.absent.look = NO_LOOK
        self.absent.key = 0

    cdef void open_tree(self, Tree* tree, int word, int missing) noexcept nogil:
        """Make the partial tree of a single word.

        missing (int): The number of its gold children.
        """
        tree.word = <int16_t>word
        tree.lc = tree.rc = tree.lc2 = tree.rc2 = self.absent.word
        tree.span = 1
        tree.look = 0
        tree.missing = <int16_t>missing
        # Groups without templates are never scored.
        tree.own[0] = tree.own[1] = tree.left[0] = tree.left[1] = 0
        tree.right[0] = tree.right[1] = tree.mixed[0] = tree.mixed[1] = 0
        _set_key(tree)

    cdef void attach(self, Tree* head, const Tree* child) noexcept nogil:
        """Make a neighbour the outermost child on its side."""
        cdef int lefts = head.look // N_SPANS // (MAX_CHILDREN + 1)
        cdef int rights = head.look // N_SPANS % (MAX_CHILDREN + 1)
        if child.word < head.word:
            head.lc2 = head.lc
            head.lc = child.word
            lefts = min(lefts + 1, <int>MAX_CHILDREN)
        else:
            head.rc2 = head.rc
            head.rc = child.word
            rights = min(rights + 1, <int>MAX_CHILDREN)
        head.span = head.span + child.span
        head.look = <int16_t>(
            (lefts * (MAX_CHILDREN + 1) + rights) * N_SPANS + _span_bin(head.span)
        )
        _set_key(head)

    cdef void see(self, Window* window, const Tree* trees, int n_trees, int i) noexcept nogil:
        """Point a window at the i-th pair of a list of trees."""
        window.left2 = &trees[i - 2] if i > 1 else &self.absent
        window.left = &trees[i - 1] if i > 0 else &self.absent
        window.first = &trees[i]
        window.second = &trees[i + 1]
        window.right = &trees[i + 2] if i + 2 < n_trees else &self.absent
        window.right2 = &trees[i + 3] if i + 3 < n_trees else &self.absent

    cdef void place(self, const Window* window, int direction) noexcept nogil:
        """Find the token of each role, and the looks of trees, for one of a pair's two actions."""
        cdef const Tree* p = window.first if direction else window.second
        cdef const Tree* c = window.second if direction else window.first
        cdef int32_t* places = &self.places[0]
        places[P] = p.word
        places[C] = c.word
        places[S] = p.rc if direction else p.lc
        places[P_LC] = p.lc
        places[P_RC] = p.rc
        places[P_LC2] = p.lc2
        places[P_RC2] = p.rc2
        places[C_LC] = c.lc
        places[C_RC] = c.rc
        places[C_LC2] = c.lc2
        places[C_RC2] = c.rc2
        places[LEFT] = window.left.word
        places[LEFT_LC] = window.left.lc
        places[LEFT_RC] = window.left.rc
        places[LEFT2] = window.left2.word
        places[RIGHT] = window.right.word
        places[RIGHT_LC] = window.right.lc
        places[RIGHT_RC] = window.right.rc
        places[RIGHT2] = window.right2.word
        places[P_TREE] = p.look
        places[C_TREE] = c.look
        places[LEFT_TREE] = window.left.look
        places[RIGHT_TREE] = window.right.look

    def roles(self):
        """Read what was placed last.

        RETURNS (dict[str, int | None]): The word of each role, None if there is none, and the tree
            attributes, such as `p.lefts`, -1 if there is no tree.
        """
        cdef int none = self.absent.word, look
        skipped = ("g", "b", "l", "r", "x")
        found = {
            role: None if self.places[k] == none else self.places[k]
            for k, role in enumerate(SOURCES[:N_PLACES]) if role not in skipped
        }
        for k, role in enumerate(TREE_ROLES):
            look = self.places[P_TREE + <int>k]
            values = (
                look // N_SPANS // (MAX_CHILDREN + 1),
                look // N_SPANS % (MAX_CHILDREN + 1),
                look % N_SPANS,
            )
            for name, value in zip(TREE_ATTRIBUTES, values):
                found[f"{role}.{name}"] = value if look < N_LOOKS else -1
        return found

    # --- Feature ids --------------------------------------------------------------------------

    cdef int max_ids(self) noexcept nogil:
        """The most ids that an action can have."""
        cdef int n = self.parts.max_ids(), g
        for g in range(N_GROUPS):
            n += self.groups[g].n_templates
        return n

    cdef int arc_ids(self, const Window* window, int direction, uint64_t* ids) noexcept nogil:
        """Compute the ids of features that do not depend on the state of the search.

        RETURNS (int): Their number.
        """
        if direction:
            return self.parts.arc_ids(window.first.word, window.second.word, ids, NULL)
        return self.parts.arc_ids(window.second.word, window.first.word, ids, NULL)

    cdef int group_ids(self, int group, uint64_t* ids) noexcept nogil:
        """Compute the ids of a group's features for the action that was placed last.

        RETURNS (int): Their number.
        """
        cdef const Group* of = &self.groups[group]
        cdef const Run* run = of.runs.data()
        cdef const int32_t* numbers = of.numbers.data()
        cdef const int32_t* row = of.rows.data()
        cdef uint64_t* leaves = self.leaves.data()
        cdef const uint64_t* hashes
        cdef int n_runs = <int>of.runs.size(), r, k, t
        leaves[0] = 0
        for r in range(n_runs):
            if run[r].source < N_PLACES:
                hashes = self.parts.hashes.at(run[r].source, self.places[run[r].source])
            elif run[r].source == ARC_SOURCE:
                hashes = self.parts.arc_hashes(self.places[P], self.places[C])
            else:
                hashes = (
                    self.tree_table.data()
                    + <size_t>self.places[run[r].source] * self.n_tree_conjuncts
                )
            for k in range(run[r].first, run[r].last):
                leaves[k] = hashes[numbers[k]]
        for t in range(of.n_short):
            ids[t] = leaves[row[0]] ^ leaves[row[1]] ^ leaves[row[2]] ^ leaves[row[3]]
            row += MAX_TERMS
        for t in range(of.n_short, of.n_templates):
            ids[t] = (
                leaves[row[0]] ^ leaves[row[1]] ^ leaves[row[2]]
                ^ leaves[row[3]] ^ leaves[row[4]] ^ leaves[row[5]]
            )
            row += MAX_TERMS
        return of.n_templates


cdef inline void _set_key(Tree* tree) noexcept nogil:
    cdef uint64_t words = (
        <uint64_t>tree.word | <uint64_t>tree.lc << 16
        | <uint64_t>tree.rc << 32 | <uint64_t>tree.lc2 << 48
    )
    tree.key = mix(
        mix(words) + (<uint64_t>tree.rc2 | <uint64_t>tree.look << 16 | <uint64_t>1 << 40)
    )
