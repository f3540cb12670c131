"""The accuracy of tags: on all words, on words seen in training and on unseen ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..corpora.sentences import Sentence


@dataclass(frozen=True)
class Count:
    """Correct answers out of all."""

    correct: int = 0
    total: int = 0

    @property
    def share(self) -> float | None:
        """The share of correct answers; None if there are none at all."""
        return self.correct / self.total if self.total else None

    def plus(self, right: bool) -> Count:
        """The count after one more answer."""
        return Count(self.correct + right, self.total + 1)


@dataclass(frozen=True)
class TagAccuracy:
    """Counts over all words, known ones and unknown ones."""

    all: Count
    known: Count
    unknown: Count


def training_forms(sentences: Sequence[Sentence]) -> frozenset[str]:
    """The word forms that occur in training, with their case."""
    return frozenset(word for sentence in sentences for word in sentence.words)


def tag_accuracy(
    gold: Sequence[Sentence], predicted: Sequence[Sequence[str]], forms: Collection[str]
) -> TagAccuracy:
    """Compare predicted tags with the gold ones.

    gold (Sequence[Sentence]): sentences with gold tags.
    predicted (Sequence[Sequence[str]]): a tag for every word of every sentence.
    forms (Collection[str]): the known word forms.
    RETURNS (TagAccuracy): counts over all, known and unknown words.
    """
    known, unknown = Count(), Count()
    for sentence, tags in zip(gold, predicted, strict=True):
        for word, right, tag in zip(sentence.words, sentence.tags, tags, strict=True):
            if word in forms:
                known = known.plus(tag == right)
            else:
                unknown = unknown.plus(tag == right)
    both = Count(known.correct + unknown.correct, known.total + unknown.total)
    return TagAccuracy(all=both, known=known, unknown=unknown)
