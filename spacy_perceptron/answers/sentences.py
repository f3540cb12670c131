"""N-best answers sentence by sentence: what a Doc's answers are joined from, and what a reranker
chooses among.

The k best answers for a long Doc differ in few of its sentences. So pipes keep a list for each
sentence with a Doc (`stored.py`), and lists for the whole Doc are made when asked for.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from .candidate import Candidate, join_sentences, softmax
from .kinds import Annotation, find_kind


@dataclass(frozen=True)
class SentenceAnswers:
    """The best answers for one sentence, best first.

    start, end (int): The sentence's first token in the Doc, and the one after its last.
    scores (list[float]): The model's score of each answer.
    annotations (list[Annotation]): The answers as plain data. Tokens count from the start of the
        sentence.
    base_scores (Optional[list[float]]): After reranking, the scores of the pipe whose answers they
        are.
    """

    start: int
    end: int
    scores: list[float]
    annotations: list[Annotation]
    base_scores: list[float] | None = None

    def __len__(self) -> int:
        return len(self.scores)

    def choose(self, places: Sequence[int]) -> "SentenceAnswers":
        """Some of the answers, or all in another order.

        places (Sequence[int]): Where they are.
        RETURNS (SentenceAnswers): The answers at these places.
        """
        return replace(
            self,
            scores=[self.scores[i] for i in places],
            annotations=[self.annotations[i] for i in places],
            base_scores=self.base_scores and [self.base_scores[i] for i in places],
        )


def cut_answers(
    bounds: Sequence[int],
    scores: Sequence[Sequence[float]],
    annotations: Sequence[Annotation],
    *,
    k: int,
) -> list[SentenceAnswers]:
    """Cut annotations of a whole Doc into those of its sentences.

    bounds (Sequence[int]): The first token of each sentence, then the number of tokens.
    scores (Sequence[Sequence[float]]): For each sentence, scores of its answers, best first.
    annotations (Sequence[Annotation]): The i-th holds the i-th answer of every sentence with that
        many. Equal answers of a sentence count once, with the best score.
    k (int): The most answers to keep of each sentence.
    RETURNS (list[SentenceAnswers]): The sentences.
    """
    sentences = []
    kinds = [find_kind(annotation) for annotation in annotations]
    plain = [kind.as_plain_data(a) for kind, a in zip(kinds, annotations, strict=True)]
    for s, of_sentence in enumerate(scores):
        start, end = bounds[s], bounds[s + 1]
        pairs = zip(kinds, plain, range(len(of_sentence)), strict=False)
        cuts = [kind.cut(annotation, start, end) for kind, annotation, _ in pairs]
        sentences.append(distinct_answers(start, end, of_sentence, cuts, k=k))
    return sentences


def distinct_answers(
    start: int, end: int, scores: Sequence[float], annotations: Sequence[Annotation], *, k: int
) -> SentenceAnswers:
    """The k best different answers for a sentence.

    start, end (int): The sentence's first token in the Doc, and the one after its last.
    scores (Sequence[float]): Scores of answers, best first.
    annotations (Sequence[Annotation]): The answers as plain data, at most as many.
    k (int): The most answers to keep. Equal ones count once, with the best score.
    RETURNS (SentenceAnswers): The answers, best first.
    """
    different: dict[Hashable, tuple[float, Annotation]] = {}
    for score, annotation in zip(scores, annotations, strict=False):
        different.setdefault(find_kind(annotation).key(annotation), (score, annotation))
    kept = sorted(different.values(), key=lambda item: -item[0])[:k]
    return SentenceAnswers(start, end, [score for score, _ in kept], [cut for _, cut in kept])


def join_answers(
    sentences: Sequence[SentenceAnswers], k: int, *, temperature: float = 1.0
) -> list[Candidate]:
    """The k best answers for a whole Doc.

    sentences (Sequence[SentenceAnswers]): Its sentences, which follow each other without gaps.
    k (int): How many.
    temperature (float): Divides the scores when they become probabilities.
    RETURNS (list[Candidate]): At most k, best first.
    """
    joined = join_sentences([sentence.scores for sentence in sentences], k)
    shares = softmax([score for score, _ in joined], temperature=temperature)
    kind = find_kind(sentences[0].annotations[0] if sentences else {})
    candidates = []
    for (score, choice), share in zip(joined, shares, strict=True):
        pairs = zip(sentences, choice, strict=True)
        annotation = kind.join((s.start, s.annotations[i]) for s, i in pairs)
        base_score = _sum_base_scores(sentences, choice)
        candidates.append(Candidate(score, share, annotation, base_score))
    return candidates


def _sum_base_scores(sentences: Sequence[SentenceAnswers], choice: Sequence[int]) -> float | None:
    """The other model's score of a whole Doc; None if there is none."""
    pairs = zip(sentences, choice, strict=True)
    known = [s.base_scores[i] for s, i in pairs if s.base_scores is not None]
    return sum(known) if sentences and len(known) == len(sentences) else None
