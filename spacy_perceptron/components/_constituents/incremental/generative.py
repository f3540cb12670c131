"""The generative model of an incremental parser, and those that it is trained with: each has not
seen the sentences that it scores."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from thinc.api import Model

from ....decode.constituents.incremental.generative import (
    N_FOLDS,
    GenerativeModel,
    SentenceEvents,
    divide,
    fit_folds,
    fit_generative,
)
from ....errors import Errors
from ....features.known_words import KnownWords
from ....learn.states import LearnerState, part_of, read_numbers, read_text, text_state
from ....models.generative import (
    generative_bytes,
    generative_from_bytes,
    generative_to_bytes,
    saved_generative,
    set_generative,
)


class Generative(NamedTuple):
    """Probabilities.

    known (KnownWords): The words that they are known for.
    model (GenerativeModel): The probabilities.
    """

    known: KnownWords
    model: GenerativeModel


class StoredGenerative:
    """The generative model that is stored in a thinc model, read once. Its bytes are in the model:
    pickles have no second copy."""

    def __init__(self) -> None:
        self._read: tuple[bytes, Generative | None] = (b"", None)

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()

    def __call__(self, model: Model) -> Generative | None:
        """RETURNS (Optional[Generative]): What is stored in a model."""
        stored, found = self._read
        if stored is not generative_bytes(model):
            saved = saved_generative(model)
            found = None if saved is None else Generative(*saved)
            self._read = (generative_bytes(model), found)
        return found


class HeldOutModels:
    """Models for training, each estimated from all but a part of the corpus.

    They belong to the model of the whole corpus, and are neither saved with it nor pickled: only
    the state of training has them.
    """

    def __init__(self) -> None:
        self._models: list[Generative] = []
        self._parts: dict[tuple[str, ...], int] = {}
        self._belong_to = b""

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()

    def forget(self) -> None:
        """Have no models."""
        self._models, self._parts, self._belong_to = [], {}, b""

    def fit(
        self, model: Model, events: Sequence[SentenceEvents], texts: Sequence[Sequence[str]]
    ) -> None:
        """Estimate the models.

        model (Model): Where the model of the whole corpus is stored.
        events (Sequence[SentenceEvents]): The events of each sentence, with all words known.
        texts (Sequence[Sequence[str]]): The words of each sentence.
        """
        parts = divide(texts)
        self._models = [Generative(*pair) for pair in fit_folds(events, texts, parts)]
        self._parts = {tuple(words): part for words, part in zip(texts, parts, strict=True)}
        self._belong_to = generative_bytes(model)

    def belong_to(self, model: Model) -> bool:
        """RETURNS (bool): Whether the model of the whole corpus is the one that is stored."""
        return self._belong_to == generative_bytes(model)

    def state(self, model: Model) -> LearnerState:
        """The models as arrays.

        model (Model): Where the model of the whole corpus is stored.
        RETURNS (LearnerState): Nothing if they do not belong to it.
        """
        if not self._models or not self.belong_to(model):
            return {}
        parts = [[list(words), part] for words, part in self._parts.items()]
        found = [np.frombuffer(generative_to_bytes(*one), np.uint8) for one in self._models]
        models = {f"held_out/models/{i}": array for i, array in enumerate(found)}
        return {"held_out/parts": text_state(parts), **models}

    def set_state(self, state: LearnerState, model: Model) -> None:
        """Take over models.

        state (LearnerState): What `state` returned.
        model (Model): Where the model of the whole corpus is stored.
        """
        self.forget()
        if "held_out/parts" not in state:
            return
        models = part_of(state, "held_out/models")
        arrays = [read_numbers(models, str(i), np.uint8) for i in range(len(models))]
        parts = {tuple(words): part for words, part in read_text(state, "held_out/parts")}
        if not {*parts.values()} <= {*range(len(models))}:
            raise ValueError(Errors.STATE_SENTENCES)
        self._models = [Generative(*generative_from_bytes(array.tobytes())) for array in arrays]
        self._parts, self._belong_to = parts, generative_bytes(model)

    def part(self, words: Sequence[str]) -> int | None:
        """RETURNS (Optional[int]): The part of the corpus that a sentence is in; None: it is new,
        or there are no models."""
        return self._parts.get(tuple(words))

    def __getitem__(self, part: int) -> Generative:
        """RETURNS (Generative): The model that has not seen a part."""
        return self._models[part]


def store_generative(
    model: Model, events: Sequence[SentenceEvents], texts: Sequence[Sequence[str]]
) -> None:
    """Estimate a generative model and store it.

    model (Model): Where to store it.
    events (Sequence[SentenceEvents]): The events of each sentence.
    texts (Sequence[Sequence[str]]): The words of each sentence.
    """
    known = KnownWords.from_sentences(texts)
    set_generative(model, known, fit_generative(events, known))


def can_hold_out(n_sentences: int) -> bool:
    """RETURNS (bool): Whether there are enough sentences for models that leave some out."""
    return n_sentences >= N_FOLDS
