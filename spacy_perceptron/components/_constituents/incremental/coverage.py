"""Which gold sentences a grammar was made from."""

from collections.abc import Iterable
from hashlib import blake2b

from spacy.tokens import Doc

from ....learn.states import DIGEST_SIZE, LearnerState, digest_state, read_digests
from ....trees.constituents import tree_to_constituents
from ..._shared.gold import ReferenceCache
from ..gold import GoldSentence


class Coverage:
    """The sentences whose trees a grammar has. A pickled one is empty: the other process has other
    Docs."""

    def __init__(self) -> None:
        self._covered = ReferenceCache()
        self._counted: set[bytes] = set()

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()

    def clear(self) -> None:
        """Start over, with another grammar."""
        self._covered.clear()
        self._counted.clear()

    def has(self, reference: Doc, sentences: list[GoldSentence]) -> bool:
        """RETURNS (bool): Whether all sentences of a gold Doc were added, just as they are."""
        return self._covered.get(reference) is sentences

    def add(self, reference: Doc, sentences: list[GoldSentence]) -> None:
        """Remember that all sentences of a gold Doc were added."""
        self._covered[reference] = sentences

    def count(self, sentences: Iterable[GoldSentence]) -> None:
        """Remember sentences that were counted."""
        self._counted.update(map(_key, sentences))

    def state(self) -> LearnerState:
        """RETURNS (LearnerState): The sentences that were counted."""
        return {"counted": digest_state(self._counted)}

    def set_state(self, state: LearnerState) -> None:
        """Take over which sentences were counted.

        state (LearnerState): What `state` returned.
        """
        counted = read_digests(state, "counted")
        self.clear()
        self._counted = counted

    def is_counted(self, sentence: GoldSentence) -> bool:
        """RETURNS (bool): Whether a sentence was counted, perhaps with other tags. spaCy reads the
        corpus for `initialize` and again for training: the same sentences come in other Docs.
        """
        return _key(sentence) in self._counted


def _key(sentence: GoldSentence) -> bytes:
    """Stands for the words and phrases of a sentence."""
    phrases = repr(tree_to_constituents(sentence.tree)).encode()
    return blake2b(sentence.words.words.orths.tobytes() + phrases, digest_size=DIGEST_SIZE).digest()
