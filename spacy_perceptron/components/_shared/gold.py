"""What training computes once per gold Doc, and keeps for as long as the Doc lives."""

from collections import Counter
from typing import cast
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import LOWER, SENT_START
from spacy.tokens import Doc
from spacy.training import Example
from thinc.types import Ints2d

from ...answers.kinds.dependencies import has_gold_tokens
from ...learn.states import LearnerState, read_numbers


class ReferenceCache(WeakKeyDictionary):
    """What was computed from a gold Doc, for as long as the Doc lives.

    spaCy gives `update` the same gold Docs in every epoch. A pickled cache is empty: the other
    process has other Docs.
    """

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()


class PreparedSentences:
    """Sentences computed once per gold Doc, and how often their words occur.

    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    """

    def __init__(self, hide_rare: float):
        self.hide_rare = hide_rare
        self._prepared = ReferenceCache()
        self._word_counts: Counter[int] = Counter()

    def forget(self) -> None:
        """Start over, with other labels or another corpus."""
        self._prepared.clear()

    def reset_counts(self) -> None:
        """Forget how often words occur."""
        self._word_counts.clear()
        self._prepared.clear()

    def count(self, reference: Doc) -> None:
        """Count the words of a training Doc.

        reference (Doc): The gold Doc.
        """
        self._word_counts.update(reference.to_array(LOWER).tolist())

    def state(self) -> LearnerState:
        """RETURNS (LearnerState): How often words occur."""
        words = sorted(self._word_counts)
        counts = [self._word_counts[word] for word in words]
        return {"words": np.array(words, np.uint64), "word_counts": np.array(counts, np.int64)}

    def set_state(self, state: LearnerState) -> None:
        """Take over how often words occur. Sentences are kept if that is known already, as it is
        after each round of a training on shards.

        state (LearnerState): What `state` returned.
        """
        words = read_numbers(state, "words", np.uint64)
        counts = read_numbers(state, "word_counts", np.int64, n=len(words))
        found = Counter(dict(zip(words.tolist(), counts.tolist(), strict=True)))
        if found != self._word_counts:
            self.reset_counts()
            self._word_counts.update(found)

    def _hiding_probability(self, word: int) -> float:
        # Without counts, as in a sourced pipe, no word is known to be rare.
        count = self._word_counts.get(word)
        return self.hide_rare / (self.hide_rare + count) if count and self.hide_rare else 0.0


def with_gold_sentences(example: Example) -> Doc:
    """Where to learn a parser's sentences from.

    example (Example): The example.
    RETURNS (Doc): The doc to predict on, with the gold sentence boundaries if it has none of its
        own.
    """
    doc = example.predicted
    if doc.to_array(SENT_START)[1:].any() or not has_gold_tokens(example):
        return doc
    starts = example.reference.to_array(SENT_START)
    if not starts[1:].any():
        return doc
    copy = doc.copy()
    copy.from_array([SENT_START], cast(Ints2d, starts.reshape(-1, 1)))
    return copy
