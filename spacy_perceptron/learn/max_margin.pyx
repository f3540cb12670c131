"""Max-margin learning of structures by sentence-wise SMO (Taskar, Klein, Collins, Koller & Manning
2004, sections 2 to 5): the weights w and slacks xi that minimize

    1/2 |w|^2 + C sum_i xi_i,    w . D_iy + offset_iy >= L_iy - xi_i for every tree y of sentence i

where D_iy are the features of the correct tree minus those of y, L_iy is the loss of y, and the
offset is what fixed weights add to the difference of their scores. The dual has a variable alpha_iy
for every tree, the correct one included (D = 0, L = 0); those of a sentence are a distribution:

    maximize  C sum_iy alpha_iy (L_iy - offset_iy) - 1/2 |w|^2,    w = C sum_iy alpha_iy D_iy

A decoder visits sentence after sentence with the tree that violates its margin most, found by
adding losses to scores. Only these *active* trees have variables; those of all other trees are 0.
A visit moves dual weight from one active tree to another, the pair that violates its optimality
most first, as far as the objective rises. w follows in the table. The dual objective never
falls, and the gap to the primal one bounds the distance from the optimum.

The paper optimizes marginals of parts in place of trees, and leaves out the details of its SMO. The
maximum is the same (a test solves both), and a tree at a time needs a decoder only. At the optimum
few trees of a sentence have dual weight. Beyond `max_trees`, the two with the least are replaced by
their weighted mean, which keeps w and the objective as they are; the optimum can still be reached,
but more slowly.

Everything is exact in the hashed space: features that share a table index are one feature. The last
steps change weights by less than float32 can tell, and would be lost in the table, so w is kept in
float64 as well. The table is w, rounded.

Cost of a visit with k active trees of m different features: O(k m) for w . D, for the inner
products of a new tree and for changing w, and O(k) per step. Memory: 8 bytes per weight beside the
table, 5 per feature of a tree (9 for values other than whole numbers from -127 to 127), and 4 k^2
per sentence. 3,000 sentences with 20 trees of 3,000 different features take 0.9 GB.
"""
import numpy as np


from libc.math cimport fabs, isfinite
from libcpp.vector cimport vector

from ..errors import Errors
from .active_trees cimport (
    MAX_SENTENCES,
    ActiveTree,
    ActiveTrees,
    add_to,
    cell,
    equal,
    multiply,
    pack,
    restored_trees,
    saved_trees,
    score,
    start,
    unpack,
)
from .hashed cimport HashedWeights
from .mira cimport Feature, as_features
from .states import read_numbers

# The smallest sum of alpha * D that is more than a rounding error.
cdef double SMALLEST = 1e-12


cdef class MaxMargin:
    """Learns from one tree after another. Works in one thread, and nothing else may change its
    table.

    weights (HashedWeights): A trainable table of weights 0, without adaptive steps. Its running
        average is kept.
    c (float): The paper's C: how much a violated margin costs, compared with the size of the
        weights.
    max_trees (int): How many active trees a sentence keeps beside the correct one; 2 or more. A new
        one replaces one without dual weight, or else two are merged.
    tolerance (float): A visit ends when no two active trees of the sentence violate optimality by
        more than this, in units of the loss.
    max_steps (int): It also ends after this many steps.
    state (dict): What `get_state` returned: go on from there. The table can then hold any weights;
        they are replaced.
    sums (dict): What `get_sums` returned at the same moment, for a table that holds the weights of
        that moment: go on exactly. Without them, weights are computed from the trees, and differ by
        rounding.
    """

    def __init__(
        self, HashedWeights weights not None, double c, *, int max_trees=50,
        double tolerance=1e-3, int max_steps=200, state=None, sums=None
    ):
        if not (c > 0 and isfinite(c)):
            raise ValueError(Errors.MARGIN_C.format(value=c))
        if max_trees < 2:
            raise ValueError(Errors.MARGIN_TREES.format(value=max_trees))
        if not (tolerance >= 0 and isfinite(tolerance)):
            raise ValueError(Errors.MARGIN_TOLERANCE.format(value=tolerance))
        if max_steps < 1:
            raise ValueError(Errors.MARGIN_STEPS.format(value=max_steps))
        if not weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        if weights.adaptive:
            raise ValueError(Errors.MARGIN_ADAPTIVE)
        if state is None and len(weights.averaged(0)["indices"]):
            raise ValueError(Errors.MARGIN_USED)
        self.weights = weights
        self.c = c
        self.max_trees = max_trees
        self.tolerance = tolerance
        self.max_steps = max_steps
        if state is None:
            self.forget()
        elif sums is None:
            self.set_state(state)
        else:
            self._resume(state, sums)

    def learn(self, int sentence, ids, values, double loss, double time):
        """Visit a sentence with a tree. It becomes active if it violates the sentence's optimality
        by more than the tolerance and is not active yet.

        sentence (int): Number of the sentence, from 0.
        ids (uint64 array): Feature ids of the correct tree and of this one. An id may occur more
            than once.
        values (float32 array): How often the correct tree has each feature, minus how often this
            one has it.
        loss (float): Its loss, minus the part of the score difference (correct tree minus this
            one) that comes from fixed weights.
        time (float): Time of the update: the number of examples finished before this one.
        RETURNS (float): By how much the dual objective rises, 0 or more.
        """
        cdef vector[Feature] difference = as_features(ids, values)
        cdef size_t k
        cdef bint finite = isfinite(loss) and isfinite(time)
        cdef double increase
        _check_sentence(sentence)
        for k in range(difference.size()):
            finite = finite and isfinite(difference[k].value)
        if not finite:
            raise ValueError(Errors.MARGIN_NOT_FINITE)
        with nogil:
            increase = self.offer(sentence, difference, loss, time)
        return increase

    def revisit(self, int sentence, double time):
        """Visit a sentence without a new tree.

        sentence (int): Number of the sentence.
        time (float): Time of the update.
        RETURNS (float): By how much the dual objective rises, 0 or more.
        """
        cdef double increase
        _check_sentence(sentence)
        if not isfinite(time):
            raise ValueError(Errors.MARGIN_NOT_FINITE)
        with nogil:
            increase = self.ascend(sentence, time)
        return increase

    cdef double offer(
        self, int sentence, const vector[Feature]& difference, double loss, double time
    ) noexcept nogil:
        """`learn` without checks, for trainers. Ignores sentences out of range and trees whose
        numbers are not finite."""
        cdef ActiveTrees* active
        cdef ActiveTree tree
        cdef double slope
        if not 0 <= sentence < MAX_SENTENCES:
            return 0
        self._open(sentence)
        active = &self.sentences[sentence]
        self.left.assign(difference.begin(), difference.end())
        pack(self.left, self.weights.n_bits, tree)
        tree.loss = loss
        tree.alpha = 0
        slope = loss - score(&tree, self.exact.data())
        if self._is_useful(active, &tree, slope):
            self._insert(active, tree, slope)
        self._move(active)
        return self._apply(active, time)

    cdef double ascend(self, int sentence, double time) noexcept nogil:
        """`revisit` without checks."""
        if not 0 <= sentence < <int>self.sentences.size():
            return 0
        self._open(sentence)
        self._move(&self.sentences[sentence])
        return self._apply(&self.sentences[sentence], time)

    cdef void _open(self, int sentence) noexcept nogil:
        """Read `slopes` of the sentence's active trees."""
        cdef ActiveTrees* active
        cdef size_t k
        if <size_t>sentence >= self.sentences.size():
            self.sentences.resize(sentence + 1)
        active = &self.sentences[sentence]
        if active.trees.empty():
            start(active)
        self.slopes.resize(active.trees.size())
        for k in range(active.trees.size()):
            self.slopes[k] = active.trees[k].loss - score(&active.trees[k], self.exact.data())

    cdef bint _is_useful(
        self, const ActiveTrees* active, const ActiveTree* tree, double slope
    ) noexcept nogil:
        """Whether a step to a new tree would help."""
        cdef size_t k
        cdef bint is_useful = False
        if not isfinite(slope):
            return False
        for k in range(active.trees.size()):
            if equal(&active.trees[k], tree):
                return False
            if active.trees[k].alpha > 0 and slope - self.slopes[k] > self.tolerance:
                is_useful = True
        return is_useful

    cdef void _insert(
        self, ActiveTrees* active, const ActiveTree& tree, double slope
    ) noexcept nogil:
        cdef size_t place = active.trees.size()
        if place <= <size_t>self.max_trees:
            active.trees.push_back(tree)
            active.gram.resize(active.gram.size() + place + 1)
            self.slopes.push_back(slope)
        else:
            place = self._make_room(active)
            active.trees[place] = tree
            self.slopes[place] = slope
        multiply(active, place, self.left, self.right)

    cdef size_t _make_room(self, ActiveTrees* active) noexcept nogil:
        """Choose a tree to give up: one without dual weight, the least violating one first. If all
        have some, the tree with the second least becomes the weighted mean of two: w and the
        objective stay the same. Returns the place of the tree to give up."""
        cdef size_t k, least = 1, second = 2
        cdef ActiveTree mean
        cdef double total, share
        if self._less(active, second, least):
            least, second = second, least
        for k in range(3, active.trees.size()):
            if self._less(active, k, least):
                second = least
                least = k
            elif self._less(active, k, second):
                second = k
        if active.trees[least].alpha == 0:
            return least
        total = active.trees[least].alpha + active.trees[second].alpha
        share = active.trees[least].alpha / total
        self.left.clear()
        unpack(&active.trees[least], share, self.left)
        unpack(&active.trees[second], 1 - share, self.left)
        pack(self.left, self.weights.n_bits, mean)
        mean.loss = share * active.trees[least].loss + (1 - share) * active.trees[second].loss
        mean.alpha = total
        active.trees[second] = mean
        self.slopes[second] = mean.loss - score(&mean, self.exact.data())
        multiply(active, second, self.left, self.right)
        return least

    cdef bint _less(self, const ActiveTrees* active, size_t i, size_t j) noexcept nogil:
        if active.trees[i].alpha != active.trees[j].alpha:
            return active.trees[i].alpha < active.trees[j].alpha
        return self.slopes[i] < self.slopes[j]

    cdef void _move(self, ActiveTrees* active) noexcept nogil:
        """Move dual weight between pairs of trees. Their `slopes` follow through the inner
        products."""
        cdef size_t n = active.trees.size(), k, up, down
        cdef int step
        cdef double violation, curvature, moved
        self.old_slopes = self.slopes
        self.changes.assign(n, 0.0)
        for step in range(self.max_steps):
            # The first of equal ones. Some tree has weight.
            up, down = 0, n
            for k in range(n):
                if self.slopes[k] > self.slopes[up]:
                    up = k
                if active.trees[k].alpha > 0 and (
                    down == n or self.slopes[k] < self.slopes[down]
                ):
                    down = k
            if down == n:
                break
            violation = self.slopes[up] - self.slopes[down]
            if not violation > self.tolerance:
                break
            # Moving t changes the objective by C (t * violation - t^2 / 2 * curvature).
            curvature = self.c * (
                active.gram[cell(up, up)] + active.gram[cell(down, down)]
                - 2 * active.gram[cell(up, down)]
            )
            moved = active.trees[down].alpha
            if curvature * moved > violation:
                moved = violation / curvature
            active.trees[down].alpha = active.trees[down].alpha - moved
            active.trees[up].alpha = active.trees[up].alpha + moved
            self.changes[down] = self.changes[down] - moved
            self.changes[up] = self.changes[up] + moved
            for k in range(n):
                self.slopes[k] = self.slopes[k] - self.c * moved * (
                    active.gram[cell(k, up)] - active.gram[cell(k, down)]
                )

    cdef double _apply(self, const ActiveTrees* active, double time) noexcept nogil:
        """Change the weights by what has moved. Returns the increase of the objective."""
        cdef size_t k, j
        cdef double linear = 0, norm = 0, loss
        for k in range(active.trees.size()):
            if self.changes[k] == 0:
                continue
            add_to(self.exact.data(), &active.trees[k], self.c * self.changes[k])
            # |w + d|^2 - |w|^2 = d . w + d . (w + d), and a slope is loss - w . D.
            loss = active.trees[k].loss
            linear += self.c * self.changes[k] * loss
            norm += self.c * self.changes[k] * (
                (loss - self.old_slopes[k]) + (loss - self.slopes[k])
            )
        for k in range(active.trees.size()):
            if self.changes[k] != 0:
                for j in range(active.trees[k].indices.size()):
                    self._write(active.trees[k].indices[j], time)
        self.linear = self.linear + linear
        self.norm = self.norm + norm
        return max(linear - norm / 2, 0.0)

    cdef void _write(self, size_t index, double time) noexcept nogil:
        """Bring a weight of the table up to date."""
        cdef double weight = self.weights.weights[index]
        # What is left of terms that cancel out.
        if fabs(self.exact[index]) < self.c * SMALLEST:
            self.exact[index] = 0
        if <float>self.exact[index] != <float>weight:
            self.weights.add(index, <float>(self.exact[index] - weight), time)

    def dual(self):
        """RETURNS (float): The dual objective, 0 at the start."""
        return self.linear - self.norm / 2

    def primal(self, slacks):
        """The primal objective.

        slacks (float64 array): Per sentence the largest loss - (score of the correct tree - score
            of the other), fixed weights included, of any tree, found by a decoder with the current
            weights. It is at least 0, that of the correct tree; less is taken for rounding.
        RETURNS (float): 1/2 |w|^2 + C * sum of slacks.
        """
        slacks = np.asarray(slacks, dtype=np.float64)
        if slacks.ndim != 1 or not np.isfinite(slacks).all():
            raise ValueError(Errors.MARGIN_SLACKS)
        return self.norm / 2 + self.c * float(np.maximum(slacks, 0).sum())

    def gap(self, slacks):
        """How far the optimum can be: the part of the primal objective that the dual one lacks.

        slacks (float64 array): As for `primal`, for all sentences.
        RETURNS (float): From 1 at the start to 0 at the optimum.
        """
        primal = self.primal(slacks)
        return (primal - self.dual()) / primal if primal > 0 else 0.0

    def n_trees(self, int sentence):
        """The number of active trees beside the correct one.

        sentence (int): Number of the sentence.
        RETURNS (int): 0 if it has not been visited.
        """
        return len(self.alpha(sentence)) - 1

    def alpha(self, int sentence):
        """The dual weights of a sentence's active trees.

        sentence (int): Number of the sentence.
        RETURNS (float64 array): First that of the correct tree, then those of the others. They sum
            up to 1.
        """
        cdef size_t k
        _check_sentence(sentence)
        if <size_t>sentence >= self.sentences.size() or self.sentences[sentence].trees.empty():
            return np.ones(1)
        cdef const ActiveTrees* active = &self.sentences[sentence]
        return np.array([active.trees[k].alpha for k in range(active.trees.size())])

    def forget(self, double time=0.0):
        """Start again: no trees, and weights of 0.

        time (float): Time of the change.
        """
        self.sentences.clear()
        self._rebuild_weights(time)

    cdef void _rebuild_weights(self, double time) noexcept nogil:
        """Compute the weights and the objective from the dual weights."""
        cdef size_t i, j
        cdef const ActiveTree* tree
        self.exact.assign(<size_t>1 << self.weights.n_bits, 0.0)
        self.linear = 0
        self.norm = 0
        for i in range(self.sentences.size()):
            for j in range(self.sentences[i].trees.size()):
                tree = &self.sentences[i].trees[j]
                self.linear = self.linear + self.c * tree.alpha * tree.loss
                add_to(self.exact.data(), tree, self.c * tree.alpha)
        for i in range(self.exact.size()):
            self._write(i, time)
            self.norm = self.norm + self.exact[i] * self.exact[i]

    def get_state(self):
        """The active trees as plain arrays. The weights follow from them.

        RETURNS (dict[str, np.ndarray]): `n_bits` of the table; per sentence `n_trees`, the correct
            one included, or 0 if it has not been visited; per tree `n_features`, `losses` and
            `alphas`; per feature of all trees `indices` and `values`.
        """
        return saved_trees(self.sentences, self.weights.n_bits)

    def set_state(self, state, double time=0.0):
        """Replace all trees, and the weights by those that follow from them with this learner's C.

        state (dict): What `get_state` of any learner with a table of this size returned.
        time (float): Time of the change. With 0, the new weights count as if they had always been
            there.
        """
        self.sentences = restored_trees(state, self.weights.n_bits)
        self._rebuild_weights(time)

    def get_sums(self):
        """What visits have added up, which depends on the order of additions.

        RETURNS (dict[str, np.ndarray]): `places` in the table and the exact `weights` there, and
            the parts of the `objective`.
        """
        exact = np.array(self.exact)
        places = np.flatnonzero(exact).astype(np.uint32)
        objective = np.array([self.linear, self.norm])
        return {"places": places, "weights": exact[places], "objective": objective}

    def _resume(self, state, sums):
        places = read_numbers(sums, "places", np.uint32)
        weights = read_numbers(sums, "weights", np.float64, n=len(places))
        objective = read_numbers(sums, "objective", np.float64, n=2)
        is_inside = places.max(initial=0) < 1 << self.weights.n_bits
        is_finite = np.isfinite(weights).all() and np.isfinite(objective).all()
        if not is_inside or not is_finite or (places[1:] <= places[:-1]).any():
            raise ValueError(Errors.MARGIN_DAMAGED)
        self.sentences = restored_trees(state, self.weights.n_bits)
        exact = np.zeros(1 << self.weights.n_bits)
        exact[places] = weights
        self.exact = exact
        self.linear, self.norm = objective.tolist()

    def __reduce__(self):
        """The table's running average is not pickled."""
        settings = {
            "max_trees": self.max_trees, "tolerance": self.tolerance, "max_steps": self.max_steps
        }
        return _rebuild, (self.weights, self.c, settings, self.get_state())


def _rebuild(weights, c, settings, state):
    return MaxMargin(weights, c, **settings, state=state)


cdef _check_sentence(int sentence):
    if not 0 <= sentence < MAX_SENTENCES:
        raise ValueError(Errors.MARGIN_SENTENCE.format(last=MAX_SENTENCES - 1, value=sentence))
