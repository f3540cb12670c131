"""N-best answers as plain data, and the lists of several sentences joined to one for the Doc."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from spacy.tokens import Doc

from .kinds import Annotation, find_kind

# Where answers stored with a Doc live: Doc.user_data survives DocBin, bytes and worker processes.
USER_DATA_KEY = "spacy_perceptron.nbest"


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

    Starts from all first choices and steps to the next choice of one sentence at a time, with a
    heap. Of equal sums the one with earlier choices comes first. O(k * sentences²).

    scores (Sequence[Sequence[float]]): For each sentence, scores of its answers, best first.
    k (int): How many combinations.
    RETURNS (list[tuple]): Summed score and the index of the answer chosen in each sentence.
    """
    first = tuple(0 for _ in scores)
    heap = [(-sum(sentence[0] for sentence in scores), first)]
    seen = {first}
    best: list[tuple[float, tuple[int, ...]]] = []
    while heap and len(best) < k:
        negative, choice = heapq.heappop(heap)
        best.append((-negative, choice))
        for s, sentence in enumerate(scores):
            index = choice[s] + 1
            following = (*choice[:s], index, *choice[s + 1 :])
            if index < len(sentence) and following not in seen:
                seen.add(following)
                total = sum(answers[i] for answers, i in zip(scores, following, strict=True))
                heapq.heappush(heap, (-total, following))
    return best


def get_nbest(doc: Doc) -> dict[str, list[dict[str, Any]]]:
    """Getter of `doc._.nbest`.

    doc (Doc): A document.
    RETURNS (dict): Pipe name -> candidates as plain data, best first.
    """
    stored = doc.user_data.get(USER_DATA_KEY, {})
    return {
        name: [{key: _as_list(value) for key, value in item.items()} for item in candidates]
        for name, candidates in stored.items()
    }


def _as_list(value: Any) -> Any:
    """Undo what spaCy's serialization does to lists."""
    return [_as_list(item) for item in value] if isinstance(value, tuple) else value


def store_nbest(doc: Doc, name: str, candidates: Sequence[Candidate]) -> None:
    """Keep candidates with a Doc.

    doc (Doc): The document.
    name (str): Name of the pipe they come from.
    candidates (Sequence[Candidate]): The candidates.
    """
    stored = doc.user_data.setdefault(USER_DATA_KEY, {})
    stored[name] = [candidate.to_dict() for candidate in candidates]


def register_extensions() -> None:
    """Make `doc._.nbest` available."""
    if not Doc.has_extension("nbest"):
        Doc.set_extension("nbest", getter=get_nbest)
