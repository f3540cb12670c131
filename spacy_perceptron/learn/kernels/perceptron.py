"""The dual perceptron over lists of candidates with kernels (Collins & Duffy 2002).

The paper's algorithm in dual form: a hypothesis is a list of mistakes, each a pair of a target and
the candidate that was chosen instead, and scores x by the sum over mistakes of K'(target, x) -
K'(chosen, x), with K'(x, y) = β L(x) L(y) + K(x, y). It is the perceptron in the space of all
fragments, plus the base model's score as one more feature.

Deviations: the support candidates are kept as one weighted graph (see `support_dag`) instead of a
list, with equal scores; averaged hypotheses are offered beside voted ones; wrong candidates may
have a head start, so that the target must win by a margin; and there may be a budget of mistakes,
beyond which the oldest is forgotten.

Ties go to the candidate that comes first, in learning, in votes and in `np.argmax` of the scores:
with candidates in the base model's order, an untrained model agrees with the base model.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import Errors
from ...values import Values
from .best_fragments import best_fragments, support_nodes
from .candidate_dag import CandidateDag
from .checks import check_candidate, check_counters, check_scores
from .fragments import Fragment
from .mistake_scores import MistakeIndex
from .pairwise import inverse_norms
from .settings import KernelSettings
from .structures import Structures
from .support_dag import SupportDag
from .support_scores import support_scores
from .support_state import restore_support, support_state

COMBINATIONS = ("averaged", "voted", "final")
COMBINE = Values(str, choices=COMBINATIONS)
BUDGET = Values(int, at_least=0)


class KernelPerceptron:
    """A dual perceptron that ranks candidates.

    Scoring may be done by several threads at once, but not while one of them learns.

    settings (KernelSettings): The kernel.
    combine (str): How `scores` uses the hypotheses after each example: "final" takes the last one,
        "averaged" the mean of their scores, "voted" counts for each candidate how many prefer it.
    budget (int): The largest number of mistakes to keep, 0 for no limit. Beyond it the oldest
        mistake is taken out of all hypotheses, and hypotheses older than the oldest mistake that is
        kept neither vote nor count in averages.
    """

    def __init__(
        self, settings: KernelSettings, *, combine: str = "averaged", budget: int = 0
    ) -> None:
        COMBINE.check("combine", combine)
        BUDGET.check("budget", budget)
        self.settings = settings
        self.combine = combine
        self.budget = budget
        self._support = SupportDag(settings)
        self._index: MistakeIndex | None = None
        self._n_examples = 0
        self._n_mistakes = 0
        # The examples whose hypotheses do not count any more.
        self._n_forgotten = 0
        # The weight of the base model's score, and its sum for averages.
        self._base = 0.0
        self._base_sum = 0.0

    @property
    def n_examples(self) -> int:
        """The number of examples learned from."""
        return self._n_examples

    @property
    def n_mistakes(self) -> int:
        """The number of mistakes made, also of those that the budget has dropped."""
        return self._n_mistakes

    @property
    def n_supports(self) -> int:
        """The number of mistakes that are kept."""
        return len(self._support)

    @property
    def n_nodes(self) -> int:
        """The number of nodes in the graph of support candidates."""
        return self._support.n_nodes

    @property
    def base_factor(self) -> float:
        """What one unit of the base model's score adds to a score (not to votes)."""
        scale, sum_scale = self._scales(averaged=self.combine != "final")
        return self.settings.base_weight * (scale * self._base - sum_scale * self._base_sum)

    def learn(
        self,
        candidates: Structures,
        base_scores: np.ndarray,
        target: int,
        head_starts: np.ndarray | None = None,
    ) -> bool:
        """Take one step: if the last hypothesis prefers another candidate, correct it.

        candidates (Structures): The candidates for a sentence.
        base_scores (float64 array): The base model's score of each.
        target (int): The place of the candidate that should win.
        head_starts (Optional[float64 array]): What to add to the score of each here.
        RETURNS (bool): Whether another candidate won. Ties go to the candidate that comes first.
        """
        dag = CandidateDag(self.settings, candidates)
        base_scores = check_scores("base score", base_scores, len(dag))
        check_candidate(target, len(dag))
        factors = self._factors(candidates)
        scores = self._linear_scores(dag, base_scores, factors, averaged=False, relative=True)
        if head_starts is not None:
            scores = scores + check_scores("head start", head_starts, len(dag))
        chosen = int(np.argmax(scores))
        self._n_examples += 1
        self._index = None
        if chosen == target:
            return False
        base_delta = float(base_scores[target] - base_scores[chosen])
        self._support.add_mistake(
            dag,
            target,
            chosen,
            target_factor=1.0 if factors is None else factors[target],
            chosen_factor=1.0 if factors is None else factors[chosen],
            base_delta=base_delta,
            example=self._n_examples,
        )
        self._n_mistakes += 1
        self._base += base_delta
        self._base_sum += (self._n_examples - 1) * base_delta
        while self.budget and self.n_supports > self.budget:
            self._forget()
        return True

    def scores(
        self, candidates: Structures, base_scores: np.ndarray, *, relative: bool = False
    ) -> np.ndarray:
        """Score the candidates for a sentence.

        candidates (Structures): The candidates.
        base_scores (float64 array): The base model's score of each.
        relative (bool): Leave out a part that is the same for all candidates, which takes less
            time. Only their differences mean something then. Votes are what they are.
        RETURNS (float64 array): A score per candidate, or the number of hypotheses that prefer it.
        """
        dag = CandidateDag(self.settings, candidates)
        base_scores = check_scores("base score", base_scores, len(dag))
        factors = self._factors(candidates)
        if self.combine == "voted":
            return self._votes(dag, base_scores, factors)
        averaged = self.combine == "averaged"
        return self._linear_scores(dag, base_scores, factors, averaged=averaged, relative=relative)

    def fragments(self, candidates: Structures, index: int, other: int, n: int) -> list[Fragment]:
        """Find the fragments that speak most for one candidate against another, or against it.

        The weights are those of the last hypothesis, or averages for averaged and voted models. The
        base model's score is no fragment.

        candidates (Structures): The candidates for a sentence.
        index (int): The place of the first candidate.
        other (int): The place of the second one.
        n (int): How many fragments to find.
        RETURNS (list[Fragment]): Those whose parts in the difference of the two scores are largest
            up to their sign, largest first. Only fragments with a part other than 0 are there.
        """
        for i in (index, other):
            check_candidate(i, len(candidates))
        pair = candidates.select([index, other])
        factors = self._factors(pair)
        signs = np.array([1.0, -1.0]) * (1.0 if factors is None else factors)
        scale, sum_scale = self._scales(averaged=self.combine != "final")
        support = support_nodes(support_state(self._support), scale, sum_scale)
        return best_fragments(self.settings, pair, signs, support, n)

    def state(self) -> dict[str, np.ndarray]:
        """RETURNS (dict[str, np.ndarray]): The model as arrays, for saving."""
        counters = [self._n_examples, self._n_mistakes, self._n_forgotten]
        return {
            **support_state(self._support),
            "counters": np.array([*self._kernel_numbers(), *counters], np.int64),
            "base": np.array([self._base, self._base_sum]),
        }

    @classmethod
    def from_state(
        cls,
        settings: KernelSettings,
        state: dict[str, np.ndarray],
        *,
        combine: str = "averaged",
        budget: int = 0,
    ) -> KernelPerceptron:
        """Make a model of what `state` returned; it gives the very same scores.

        settings (KernelSettings): The kernel with which it was trained.
        state (dict[str, np.ndarray]): The arrays. Raises ValueError if they contradict themselves
            or the settings.
        combine (str): As in `__init__`.
        budget (int): As in `__init__`. If more mistakes are there, the next one makes them fewer.
        RETURNS (KernelPerceptron): The model.
        """
        model = cls(settings, combine=combine, budget=budget)
        counters, base = check_counters(state)
        if counters[:3] != model._kernel_numbers():
            raise ValueError(Errors.KERNEL_STATE.format(why="it is about another kernel"))
        model._support = restore_support(settings, state)
        model._n_examples, model._n_mistakes, model._n_forgotten = counters[3:]
        model._base, model._base_sum = base
        examples, _ = model._support.mistake_arrays()
        first, last = (examples[0], examples[-1]) if len(examples) else (1, 0)
        n_examples, n_mistakes, n_forgotten = counters[3:]
        if not (len(examples) <= n_mistakes <= n_examples and last <= n_examples) or not (
            0 <= n_forgotten < max(first, 1)
        ):
            raise ValueError(Errors.KERNEL_STATE.format(why="its counters are wrong"))
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.settings, self.state(), self.combine, self.budget)

    def _kernel_numbers(self) -> list[int]:
        """What a saved model must share with its settings."""
        return [self.settings.number, self.settings.max_length, int(self.settings.normalize)]

    def _scales(self, *, averaged: bool) -> tuple[float, float]:
        """The factors of weights and their sums: for averages, or for the last hypothesis."""
        n_counted = self._n_examples - self._n_forgotten
        if not averaged or not n_counted:
            return 1.0, 0.0
        return self._n_examples / n_counted, 1 / n_counted

    def _factors(self, candidates: Structures) -> np.ndarray | None:
        """The inverse norms of candidates, None if the kernel is not normalized."""
        return inverse_norms(self.settings, candidates) if self.settings.normalize else None

    def _linear_scores(
        self,
        dag: CandidateDag,
        base_scores: np.ndarray,
        factors: np.ndarray | None,
        *,
        averaged: bool,
        relative: bool,
    ) -> np.ndarray:
        """The scores of the last hypothesis, or the mean over all."""
        scale, sum_scale = self._scales(averaged=averaged)
        scores = support_scores(
            self._support,
            dag,
            scale=scale,
            sum_scale=sum_scale,
            skip_common=relative and factors is None,
        )
        if factors is not None:
            scores *= factors
        base = scale * self._base - sum_scale * self._base_sum
        return scores + self.settings.base_weight * base * base_scores

    def _votes(
        self, dag: CandidateDag, base_scores: np.ndarray, factors: np.ndarray | None
    ) -> np.ndarray:
        """The number of hypotheses that prefer each candidate."""
        if not len(dag) or not self._n_examples:
            return np.zeros(len(dag))
        if self._index is None:
            self._index = MistakeIndex(self._support)
        changes = self._index.scores(dag, skip_common=factors is None)
        if factors is not None:
            changes = changes * factors
        examples, base_deltas = self._support.mistake_arrays()
        changes = changes + self.settings.base_weight * np.outer(base_deltas, base_scores)
        hypotheses = np.vstack([np.zeros(len(dag)), np.cumsum(changes, axis=0)])
        # A hypothesis lives from its mistake to the next; the first one knows nothing.
        starts = np.concatenate([[self._n_forgotten + 1], examples, [self._n_examples + 1]])
        favourites = np.argmax(hypotheses, axis=1)
        return np.bincount(favourites, weights=np.diff(starts), minlength=len(dag))

    def _forget(self) -> None:
        """Take the oldest mistake out of all hypotheses."""
        example, base_delta = self._support.drop_oldest()
        self._base -= base_delta
        self._base_sum -= (example - 1) * base_delta
        examples, _ = self._support.mistake_arrays()
        self._n_forgotten = int(examples[0]) - 1
        if self._support.n_holes > self._support.n_nodes:
            self._support = restore_support(self.settings, support_state(self._support))


def _restore(
    settings: KernelSettings, state: dict[str, np.ndarray], combine: str, budget: int
) -> KernelPerceptron:
    return KernelPerceptron.from_state(settings, state, combine=combine, budget=budget)
