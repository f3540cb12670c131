"""The answers to one sentence, compared with what was predicted for it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ..answers import Answers
from .differences import mark_differences
from .nodes import Excerpt, Node, Phrase, Row, build_nodes


@dataclass(frozen=True)
class Sentence:
    """One answer to a sentence.

    words (list[str]): Its words, without whitespace tokens.
    tokens (list[int]): The tokens they are.
    tags (list[str]): Their tags; empty texts if there are none.
    phrases (list[Phrase]): Its phrases in pre-order; those that were not predicted are marked.
    missing (list[Phrase]): Predicted phrases that it lacks.
    other_tags (dict[int, str]): Words with other tags than predicted, and the predicted ones.
    """

    words: list[str]
    tokens: list[int]
    tags: list[str]
    phrases: list[Phrase]
    missing: list[Phrase]
    other_tags: dict[int, str]

    @cached_property
    def nodes(self) -> list[Node]:
        """Its tree."""
        return build_nodes(self.words, self.tags, self.phrases, self.other_tags)

    @property
    def differs(self) -> bool:
        """Whether it differs from the prediction."""
        return bool(self.missing or self.other_tags or any(p.differs for p in self.phrases))


def compare_sentences(answers: Answers) -> Iterator[tuple[Sentence, list[Sentence]]]:
    """Go through the sentences of a text, of which those without words are left out. Without known
    boundaries, a text is one sentence.

    answers (Answers): The answers, whose items are phrases.
    YIELDS (tuple[Sentence, list[Sentence]]): The prediction for a sentence, and each answer.
    """
    ranks = [None, *range(len(answers.candidates))]
    items = [answers.describe(rank).items for rank in ranks]
    ordered = [sorted(enumerate(one), key=lambda numbered: numbered[1][0]) for one in items]
    numbers = [[number for number, _ in one] for one in ordered]
    rows = [[row for _, row in one] for one in ordered]
    starts = [[start for start, _, _ in one] for one in rows]
    tags = [answers.describe(rank).columns.get("tag", answers.tags) for rank in ranks]
    tags = [one or [""] * len(answers.words) for one in tags]
    for start, end in find_sentences(answers.sentence_starts, rows, len(answers.words)):
        excerpt = Excerpt(answers.words, start, end)
        if not excerpt.words:
            continue
        found = [
            excerpt.phrases(one[inside], answers.item_confidences, order[inside])
            for one, order, firsts in zip(rows, numbers, starts, strict=True)
            for inside in [slice(bisect_left(firsts, start), bisect_left(firsts, end))]
        ]
        predicted, *others = (
            _compare(excerpt, phrases, found[0], of_answer, tags[0])
            for phrases, of_answer in zip(found, tags, strict=True)
        )
        yield predicted, others


def _compare(
    excerpt: Excerpt,
    phrases: Sequence[Phrase],
    predicted: Sequence[Phrase],
    tags: Sequence[str],
    predicted_tags: Sequence[str],
) -> Sentence:
    other_tags = {
        place: predicted_tags[i]
        for place, i in enumerate(excerpt.tokens)
        if tags[i] != predicted_tags[i]
    }
    chosen = [tags[i] for i in excerpt.tokens]
    marked, missing = mark_differences(phrases, predicted)
    return Sentence(excerpt.words, excerpt.tokens, chosen, marked, missing, other_tags)


def find_sentences(
    starts: Sequence[int], answers: Sequence[Sequence[Row]], n_tokens: int
) -> list[tuple[int, int]]:
    """Cut at the starts of sentences, but within no phrase of any answer.

    starts (Sequence[int]): First token of each sentence, in order.
    answers (Sequence[Sequence[tuple[int, int, str]]]): Start, end and label of all phrases of each
        answer.
    n_tokens (int): Number of tokens.
    RETURNS (list[tuple[int, int]]): Start and end of each sentence.
    """
    inside: set[int] = set()
    for rows in answers:
        for start, end, _ in rows:
            inside.update(starts[bisect_right(starts, start) : bisect_left(starts, end)])
    cuts = [0, *(start for start in starts if start > 0 and start not in inside), n_tokens]
    return list(pairwise(cuts)) if n_tokens else []
