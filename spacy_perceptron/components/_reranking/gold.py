"""What a reranker's training needs of the examples, computed once per gold Doc."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from spacy.training import Example

from ...learn.kernels.perceptron import KernelPerceptron
from ...learn.kernels.structures import Structures
from .._shared.gold import ReferenceCache


@dataclass(frozen=True, eq=False)
class CandidateList:
    """The candidates for a sentence, in the base's order.

    structures (Structures): The candidates.
    base_scores (np.ndarray): The base's scores of them.
    losses (np.ndarray): How wrong they are.
    """

    structures: Structures
    base_scores: np.ndarray
    losses: np.ndarray

    @property
    def target(self) -> int:
        """The one to prefer: of those with the least loss, the one the base likes best."""
        return int(np.argmin(self.losses))

    def without_ties(self) -> "CandidateList":
        """RETURNS (CandidateList): The target and all that are worse; preferring one that is as
        good is no mistake.
        """
        kept = self.losses > self.losses[self.target]
        kept[self.target] = True
        places = np.flatnonzero(kept)
        structures = self.structures.select(places.tolist())
        return CandidateList(structures, self.base_scores[places], self.losses[places])


def learn_lists(perceptron: KernelPerceptron, lists: Iterable[CandidateList], margin: float) -> int:
    """Let a perceptron learn from some lists.

    perceptron (KernelPerceptron): The perceptron.
    lists (Iterable[CandidateList]): The lists.
    margin (float): By how much the target should win for each error of another candidate.
    RETURNS (int): How often it did not win.
    """
    n_mistakes = 0
    for one in lists:
        head_starts = margin * (one.losses - one.losses[one.target])
        n_mistakes += perceptron.learn(one.structures, one.base_scores, one.target, head_starts)
    return n_mistakes


@dataclass
class _DealtOut:
    """What became of an example.

    part (int): The learner it is for.
    lists (list[CandidateList]): Its lists.
    n_passes (int): How often they were learned from.
    """

    part: int
    lists: list[CandidateList]
    n_passes: int = 0


@dataclass(eq=False)
class TrainingLists:
    """Deals lists out to learners, and keeps some to try on what was learned.

    make_lists (Callable): Example -> the lists in which some candidate is worse than another.
    n_parts (int): Number of learners.
    holdout (int): Keep back one doc in this many; 0 for none.
    passes (int): How often to learn from a list; 0 for as often as it comes.
    held_out (list[CandidateList]): The lists kept back so far.
    """

    make_lists: Callable[[Example], Iterable[CandidateList]]
    n_parts: int
    holdout: int
    passes: int
    held_out: list[CandidateList] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._prepared = ReferenceCache()
        self._n_docs = 0

    def forget(self) -> None:
        """Start anew: another corpus or another scale."""
        self._prepared.clear()
        self._n_docs = 0
        self.held_out.clear()

    def __call__(self, example: Example) -> tuple[int, list[CandidateList]]:
        """The lists of an example, made once and kept as long as its gold doc.

        example (Example): An example whose predicted side has the base's answers.
        RETURNS (tuple[int, list[CandidateList]]): The learner they are for, and the lists; none if
            they are kept back or have had their passes.
        """
        known = self._prepared.get(example.reference)
        if known is None:
            known = self._prepared[example.reference] = self._deal_out(example)
        known.n_passes += 1
        if self.passes and known.n_passes > self.passes:
            return known.part, []
        return known.part, known.lists

    def _deal_out(self, example: Example) -> _DealtOut:
        lists = list(self.make_lists(example))
        number = self._n_docs
        self._n_docs += 1
        # The first one is not kept back: there must be something to learn from.
        if self.holdout and number % self.holdout == self.holdout - 1:
            self.held_out += lists
            return _DealtOut(0, [])
        return _DealtOut(number % self.n_parts, [one.without_ties() for one in lists])
