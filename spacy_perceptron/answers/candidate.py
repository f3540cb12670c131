"""N-best answers as plain data, and the lists of several sentences joined to one for the Doc."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from spacy.tokens import Doc

from .kinds import Annotation, find_kind

# Sentences with another answer than the first, and which one.
_Changes: TypeAlias = tuple[tuple[int, int], ...]


@dataclass
class Candidate:
    """One of the best answers for a Doc.

    score (float): The model's score.
    probability (float): Softmax share among the candidates of the list, at the calibrated
        temperature.
    annotation (Annotation): The answer as plain data, such as `{"tag": ["PRP", "VBD"]}`. `head` has
        the index of each token's head in the Doc; a root is its own head. `ent` has BIO tags:
        `B-PER`, `I-PER`, `O`. `constituents` has `[start, end, label]` for each phrase.
    base_score (Optional[float]): After reranking, the score of the pipe whose answer it is.
    """

    score: float
    probability: float
    annotation: Annotation = field(default_factory=dict)
    base_score: float | None = None

    def apply(self, doc: Doc) -> Doc:
        """Write this answer to a Doc; its sentence boundaries stay as they are.

        doc (Doc): The document the candidate belongs to.
        RETURNS (Doc): The same document.
        """
        find_kind(self.annotation).write(doc, self.annotation)
        return doc

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict): The candidate as plain data."""
        base_score = {} if self.base_score is None else {"base_score": self.base_score}
        return {
            "score": self.score,
            "probability": self.probability,
            **base_score,
            **find_kind(self.annotation).as_plain_data(self.annotation),
        }


def softmax(scores: Sequence[float], *, temperature: float = 1.0) -> list[float]:
    """Shares that sum to one.

    scores (Sequence[float]): Scores.
    temperature (float): Divides the scores first.
    RETURNS (list[float]): One share per score.
    """
    values = np.asarray(scores, dtype=np.float64) / temperature
    exponents = np.exp(values - values.max())
    return [float(share) for share in exponents / exponents.sum()]


def join_sentences(
    scores: Sequence[Sequence[float]], k: int
) -> list[tuple[float, tuple[int, ...]]]:
    """The k best combinations of one answer per sentence, best first.

    Starts from all first choices. Sentences are taken in the order of what their second choice
    costs, and each combination has at most three successors: the next choice of the last sentence
    that was changed; the second choice of the following sentence as well; and the second choice of
    the following sentence in place of that of the last one. So each is reached once, from a better
    one. A combination among the k best changes at most log2(k) sentences: it is kept as these
    changes. Of equal sums the one with earlier choices comes first. Takes time of O(k * sentences)
    and, beyond the answers, memory of O(sentences + k log k).

    scores (Sequence[Sequence[float]]): For each sentence, scores of its answers, best first.
    k (int): How many combinations.
    RETURNS (list[tuple]): Summed score and the index of the answer chosen in each sentence.
    """
    first = [sentence[0] for sentence in scores]
    # Of sentences whose second choices cost the same, the last one comes first: changing it leaves
    # earlier choices as they are.
    order = sorted(
        (s for s, sentence in enumerate(scores) if len(sentence) > 1),
        key=lambda s: (scores[s][0] - scores[s][1], -s),
    )

    def rank(changes: _Changes, last: int) -> tuple[float, list[tuple[int, int]], int, _Changes]:
        """What the heap sorts by, and the combination itself."""
        chosen = first.copy()
        for s, choice in changes:
            chosen[s] = scores[s][choice]
        # Choices are compared sentence by sentence; without a change the choice is the first.
        earlier = sorted((-s, choice) for s, choice in changes)[::-1]
        return -sum(chosen), earlier, last, changes

    heap = [rank((), -1)]
    best: list[tuple[float, tuple[int, ...]]] = []
    while heap and len(best) < k:
        negative, _, last, changes = heapq.heappop(heap)
        choices = [0] * len(scores)
        for s, choice in changes:
            choices[s] = choice
        best.append((-negative, tuple(choices)))
        *before, (s, choice) = changes or [(-1, 0)]
        if changes and choice + 1 < len(scores[s]):
            heapq.heappush(heap, rank((*before, (s, choice + 1)), last))
        if last + 1 < len(order):
            following = (order[last + 1], 1)
            heapq.heappush(heap, rank((*changes, following), last + 1))
            if choice == 1:
                heapq.heappush(heap, rank((*before, following), last + 1))
    # A sum may be rounded to a little more than the one it was reached from.
    return sorted(best, key=lambda combination: -combination[0])
