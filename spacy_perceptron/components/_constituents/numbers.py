"""Numbers of the sentences that training goes over again and again."""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc

from ...errors import Errors
from ...learn.states import LearnerState, read_number, read_numbers
from .._shared.gold import ReferenceCache

_UNKNOWN = -1
# More can't be numbered.
_MAX_SENTENCES = 10_000_000


class SentenceNumbers:
    """Numbers sentences in the order in which training meets their gold Docs."""

    def __init__(self) -> None:
        self._firsts = ReferenceCache()
        self._n_sentences = 0

    def first(self, reference: Doc, n_sentences: int) -> int:
        """RETURNS (int): The number of the first sentence of a gold Doc."""
        if reference not in self._firsts:
            self._firsts[reference] = self._n_sentences
            self._n_sentences += n_sentences
        return int(self._firsts[reference])

    def state(self, references: Sequence[Doc] | None, name: str) -> LearnerState:
        """The numbers as arrays.

        references (Optional[Sequence[Doc]]): The gold Docs.
        name (str): The name of the component, for messages.
        RETURNS (LearnerState): The number of each Doc's first sentence, and of all sentences.
        """
        firsts = [self._firsts.get(doc, _UNKNOWN) for doc in _given(references, name)]
        return {
            "first_sentences": np.array(firsts, np.int64),
            "n_numbered": np.array(self._n_sentences, np.int64),
        }

    def set_state(self, state: LearnerState, references: Sequence[Doc] | None, name: str) -> None:
        """Give gold Docs the numbers that equal ones had.

        state (LearnerState): What `state` returned.
        references (Optional[Sequence[Doc]]): The gold Docs, in the same order.
        name (str): The name of the component, for messages.
        """
        references = _given(references, name)
        firsts = read_numbers(state, "first_sentences", np.int64, n=len(references))
        n_sentences = read_number(state, "n_numbered")
        is_known = firsts.min(initial=0) >= _UNKNOWN and firsts.max(initial=_UNKNOWN) <= n_sentences
        if not is_known or n_sentences > _MAX_SENTENCES:
            raise ValueError(Errors.STATE_SENTENCES)
        self._firsts.clear()
        for reference, first in zip(references, firsts.tolist(), strict=True):
            if first != _UNKNOWN:
                self._firsts[reference] = first
        self._n_sentences = n_sentences


def _given(references: Sequence[Doc] | None, name: str) -> Sequence[Doc]:
    if references is None:
        raise ValueError(Errors.STATE_REFERENCES.format(name=name))
    return references
