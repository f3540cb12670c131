"""What a reranker's training needs of the examples, computed once per gold Doc."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example

from ...answers.kinds import AnswerKind
from ...answers.sentences import SentenceAnswers
from ...learn.kernels.perceptron import KernelPerceptron
from ...learn.kernels.structures import Structures
from ..gold import ReferenceCache


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
        """RETURNS (CandidateList): The target and all that are worse; to prefer another one as good
        as the target is no mistake.
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
    margin (float): By how much the target should win for each thing that is wrong with another.
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


class TrainingLists:
    """Makes lists to learn from, and keeps some to try on what was learned.

    find_answers (Callable): Doc -> answers of its sentences.
    find_kind (Callable): Answers -> their kind.
    scale_scores (Callable): Answers -> the base's scores, as the kernel takes them.
    n_parts (int): Lists are dealt out to so many learners.
    holdout (int): Of so many docs one is kept back; 0 for none.
    passes (int): How often a list is learned from; 0 for as often as it comes.
    """

    def __init__(
        self,
        find_answers: Callable[[Doc], list[SentenceAnswers]],
        find_kind: Callable[[SentenceAnswers], AnswerKind],
        scale_scores: Callable[[SentenceAnswers], np.ndarray],
        *,
        n_parts: int,
        holdout: int,
        passes: int,
    ):
        self._find_answers = find_answers
        self._find_kind = find_kind
        self._scale_scores = scale_scores
        self._n_parts = n_parts
        self._holdout = holdout
        self._passes = passes
        self._prepared = ReferenceCache()
        self._n_docs = 0
        self.held_out: list[CandidateList] = []

    def forget(self) -> None:
        """Start anew: another corpus or another scale."""
        self._prepared.clear()
        self._n_docs = 0
        self.held_out.clear()

    def __call__(self, example: Example) -> tuple[int, list[CandidateList]]:
        """The lists of an example that there is something to learn from.

        example (Example): An example whose predicted side has the base's answers.
        RETURNS (tuple[int, list[CandidateList]]): The learner they are for, and a list per sentence
            with answers of different loss; none if the example is kept back or has had its passes.
        """
        known = self._prepared.get(example.reference)
        if known is None:
            known = self._prepared[example.reference] = self._deal_out(example)
        known.n_passes += 1
        if self._passes and known.n_passes > self._passes:
            return known.part, []
        return known.part, known.lists

    def _deal_out(self, example: Example) -> _DealtOut:
        lists = list(self._make_lists(example))
        number = self._n_docs
        self._n_docs += 1
        # The first one is not kept back: there must be something to learn from.
        if self._holdout and number % self._holdout == self._holdout - 1:
            self.held_out += lists
            return _DealtOut(0, [])
        return _DealtOut(number % self._n_parts, [one.without_ties() for one in lists])

    def _make_lists(self, example: Example) -> Iterator[CandidateList]:
        for answers in self._find_answers(example.predicted):
            kind = self._find_kind(answers)
            gold = kind.read_gold(example)
            if gold is None:
                continue
            losses = np.array([kind.count(gold, answers, i).loss for i in range(len(answers))])
            if losses.min() < losses.max():
                structures = kind.encode(example.predicted, answers)
                yield CandidateList(structures, self._scale_scores(answers), losses)
