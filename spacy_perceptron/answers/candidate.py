"""N-best answers as plain data, and the lists of several sentences joined to one for the Doc."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import numpy as np
from spacy.tokens import Doc
from thinc.types import Ints2d

# Where answers stored with a Doc live: Doc.user_data survives DocBin, bytes and worker processes.
USER_DATA_KEY = "spacy_perceptron.nbest"

# Token.ent_iob of the first letter of a BIO tag.
_ENT_IOB = {"I": 1, "O": 2, "B": 3}

# Token attribute -> one value per token: a string, or for `head` the index of the head in the Doc.
Annotation: TypeAlias = Mapping[str, Sequence[str] | Sequence[int]]


@dataclass
class Candidate:
    """One of the best answers for a Doc.

    score (float): The model's score.
    probability (float): Softmax share among the candidates of the list, at the calibrated
        temperature.
    annotation (dict): Token attribute -> one value per token: strings, except for `head`, which
        holds the index of each token's head in the Doc; a root is its own head. `ent` has BIO
        tags: `B-PER`, `I-PER`, `O`.
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
        if not self.annotation:
            return doc
        encoded = [_encode(doc, name, values) for name, values in self.annotation.items()]
        columns = {name: column for part in encoded for name, column in part.items()}
        # Given heads and labels together, from_array finds children and edges anew; it also sets a
        # boundary for every root, which must not touch boundaries that are there.
        starts = doc.to_array("SENT_START") if doc.has_annotation("SENT_START") else None
        names: list[int | str] = [*columns]
        doc.from_array(names, cast(Ints2d, np.stack([*columns.values()], axis=1)))
        if starts is not None and "head" in self.annotation:
            doc.from_array(["SENT_START"], cast(Ints2d, starts))
        return doc

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict): The candidate as plain data."""
        base_score = {} if self.base_score is None else {"base_score": self.base_score}
        return {
            "score": self.score,
            "probability": self.probability,
            **base_score,
            **as_plain_data(self.annotation),
        }


def as_plain_data(annotation: Annotation) -> dict[str, list[str] | list[int]]:
    """Lists of Python's own strings and integers, which every format can hold.

    annotation (Annotation): Values per token; integers may be numpy's.
    RETURNS (dict): The same as plain data.
    """
    return {
        name: [int(value) for value in values] if name == "head" else [str(v) for v in values]
        for name, values in annotation.items()
    }


def _encode(doc: Doc, name: str, values: Sequence[str] | Sequence[int]) -> dict[str, np.ndarray]:
    """Columns as `Doc.from_array` takes them: ids of strings, heads as offsets, BIO tags as two."""
    if name == "head":
        offsets = np.asarray(values, dtype=np.int64) - np.arange(len(values))
        return {"HEAD": offsets.astype(np.uint64)}
    if name == "ent":
        codes = [_ENT_IOB[str(value)[0]] for value in values]
        return {"ENT_IOB": np.array(codes, np.uint64), "ENT_TYPE": _ids(doc, values, start=2)}
    return {name.upper(): _ids(doc, values)}


def _ids(doc: Doc, values: Sequence[str] | Sequence[int], start: int = 0) -> np.ndarray:
    """Ids of strings in a doc's vocab, from some character of each on."""
    add = doc.vocab.strings.add
    return np.array([add(str(value)[start:]) for value in values], dtype=np.uint64)


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
    return list(value) if isinstance(value, tuple) else value


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
