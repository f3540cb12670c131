"""What a reranker's training needs of the examples, computed once per gold Doc."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example

from ..learn.structures import Structures
from ..sentence_nbest import SentenceAnswers
from .answer_kinds import AnswerKind
from .tag_training import ReferenceCache


@dataclass(frozen=True)
class CandidateList:
    """The candidates of a sentence, for a perceptron to learn from.

    structures (Structures): The candidates.
    base_scores (np.ndarray): The base's scores of them.
    target (int): The one to prefer.
    """

    structures: Structures
    base_scores: np.ndarray
    target: int


class TrainingLists:
    """Makes lists to learn from.

    The target of a list is the answer with the least loss; of several, the one the base likes best.
    Others as good as it are left out: to prefer one of them is no mistake.

    find_answers (Callable): Doc -> answers of its sentences.
    find_kind (Callable): Answers -> their kind.
    scale_scores (Callable): Answers -> the base's scores, as the kernel takes them.
    """

    def __init__(
        self,
        find_answers: Callable[[Doc], list[SentenceAnswers]],
        find_kind: Callable[[SentenceAnswers], AnswerKind],
        scale_scores: Callable[[SentenceAnswers], np.ndarray],
    ):
        self._find_answers = find_answers
        self._find_kind = find_kind
        self._scale_scores = scale_scores
        self._prepared = ReferenceCache()

    def forget(self) -> None:
        """Start anew: another corpus or another scale."""
        self._prepared.clear()

    def __call__(self, example: Example) -> list[CandidateList]:
        """The lists of an example that there is something to learn from.

        example (Example): An example whose predicted side has the base's answers.
        RETURNS (list[CandidateList]): A list per sentence with answers of different loss.
        """
        lists = self._prepared.get(example.reference)
        if lists is None:
            sentences = self._find_answers(example.predicted)
            made = [self._make_list(example, answers) for answers in sentences]
            lists = self._prepared[example.reference] = [made_of for made_of in made if made_of]
        return lists

    def _make_list(self, example: Example, answers: SentenceAnswers) -> CandidateList | None:
        kind = self._find_kind(answers)
        gold = kind.read_gold(example)
        if gold is None:
            return None
        losses = [kind.count(gold, answers, i).loss for i in range(len(answers))]
        target = losses.index(min(losses))
        kept = [i for i, loss in enumerate(losses) if i == target or loss > losses[target]]
        if len(kept) < 2:
            return None
        chosen = answers.choose(kept)
        # Relative to the best answer of all, whether it is left out or not.
        base_scores = self._scale_scores(answers)[kept]
        return CandidateList(
            kind.encode(example.predicted, chosen), base_scores, kept.index(target)
        )
