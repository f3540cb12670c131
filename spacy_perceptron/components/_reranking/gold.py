"""What a reranker's training needs of the examples, computed once per gold Doc."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example

from ...errors import Errors
from ...learn.kernels.perceptron import KernelPerceptron
from ...learn.kernels.structures import Structures, join_structures, structures_of
from ...learn.states import LearnerState, part_of, put_under, read_number, read_numbers
from .._shared.gold import ReferenceCache

# The number of a Doc that has not been met.
_UNKNOWN = -1


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


def lists_state(lists: Sequence[CandidateList]) -> LearnerState:
    """RETURNS (LearnerState): Lists as arrays: all candidates, and the size of each list."""
    if not lists:
        return {"sizes": np.zeros(0, np.int64)}
    return {
        "sizes": np.array([len(one.losses) for one in lists], np.int64),
        "base_scores": np.concatenate([one.base_scores for one in lists]).astype(np.float64),
        "losses": np.concatenate([one.losses for one in lists]).astype(np.float64),
        **join_structures([one.structures for one in lists]),
    }


def read_lists(state: LearnerState) -> list[CandidateList]:
    """RETURNS (list[CandidateList]): What `lists_state` has written."""
    sizes = read_numbers(state, "sizes", np.int64)
    if not len(sizes):
        return []
    n = sum(sizes.tolist())
    base_scores = read_numbers(state, "base_scores", np.float64, n=n)
    losses = read_numbers(state, "losses", np.float64, n=n)
    arrays = {name: x for name, x in state.items() if name not in _OF_LISTS}
    structures = structures_of(arrays)
    if len(structures) != n or sizes.min() < 1 or not np.isfinite([base_scores, losses]).all():
        raise ValueError(Errors.STATE_SENTENCES)
    ends = np.cumsum(sizes).tolist()
    return [
        CandidateList(structures.select(range(a, b)), base_scores[a:b], losses[a:b])
        for a, b in zip([0, *ends], ends, strict=False)
    ]


_OF_LISTS = ("sizes", "base_scores", "losses")


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

    number (int): How many came before it.
    lists (Optional[list[CandidateList]]): Its lists; None if they must be made again.
    n_passes (int): How often they were learned from.
    """

    number: int
    lists: list[CandidateList] | None
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
        part = known.number % self.n_parts
        if self._is_held_out(known.number) or (self.passes and known.n_passes > self.passes):
            return part, []
        if known.lists is None:
            known.lists = [one.without_ties() for one in self.make_lists(example)]
        return part, known.lists

    def _is_held_out(self, number: int) -> bool:
        # The first one is not kept back: there must be something to learn from.
        return bool(self.holdout) and number % self.holdout == self.holdout - 1

    def _deal_out(self, example: Example) -> _DealtOut:
        number = self._n_docs
        self._n_docs += 1
        if self._is_held_out(number):
            self.held_out += self.make_lists(example)
        return _DealtOut(number, None)

    def state(self, references: Sequence[Doc]) -> LearnerState:
        """What became of examples, and the lists kept back, as arrays.

        references (Sequence[Doc]): The gold docs.
        RETURNS (LearnerState): The arrays.
        """
        found = [self._prepared.get(reference) for reference in references]
        return {
            "dealt/numbers": np.array([x.number if x else _UNKNOWN for x in found], np.int64),
            "dealt/passes": np.array([x.n_passes if x else 0 for x in found], np.int64),
            "dealt/n_docs": np.array(self._n_docs, np.int64),
            **put_under("held_out", lists_state(self.held_out)),
        }

    def set_state(self, state: LearnerState, references: Sequence[Doc]) -> None:
        """Go on dealing out.

        state (LearnerState): What `state` returned.
        references (Sequence[Doc]): The gold docs, in the same order.
        """
        numbers = read_numbers(state, "dealt/numbers", np.int64, n=len(references))
        passes = read_numbers(state, "dealt/passes", np.int64, n=len(references))
        n_docs = read_number(state, "dealt/n_docs")
        if numbers.min(initial=0) < _UNKNOWN or numbers.max(initial=_UNKNOWN) >= n_docs:
            raise ValueError(Errors.STATE_SENTENCES)
        held_out = read_lists(part_of(state, "held_out"))
        self.forget()
        for reference, number, n_passes in zip(
            references, numbers.tolist(), passes.tolist(), strict=True
        ):
            if number != _UNKNOWN:
                self._prepared[reference] = _DealtOut(number, None, n_passes)
        self._n_docs = n_docs
        self.held_out += held_out
