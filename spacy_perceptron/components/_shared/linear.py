"""What components share whose model is one linear layer: a row of class weights per feature."""

from typing import Any, Protocol, TypeVar

import numpy as np

from ...features.token_attributes import LookUp
from ...learn.perceptron import AveragedPerceptron
from ...learn.states import LearnerState
from ...models.linear import check_linear, saved_weights, set_weights
from .gold import PreparedSentences
from .labelled import LabelledPipe, LabelledState
from .words import Words

State = TypeVar("State", bound=LabelledState)


class ReadWords(Protocol):
    """The words of some docs, with whatever else a component reads."""

    @property
    def words(self) -> Words:
        """RETURNS (Words): Words and sentences."""


class LinearPipe(LabelledPipe):
    """A pipe with labels whose weights an averaged perceptron learns."""

    # --- Words ------------------------------------------------------------------------------

    def _rows(self, read: Any, look_up: LookUp) -> np.ndarray | None:
        """Look words up in a lexeme table by one of its methods; None if that returns None."""
        raise NotImplementedError

    def _look_up(self, read: ReadWords, state: State) -> tuple[State, np.ndarray]:
        """Rows of words, and a state whose decoders know them."""
        rows = self._rows(read, state.decoders.lexemes.extend)
        while rows is None:
            state = self._with_room(state, len(read.words.orths))
            rows = self._rows(read, state.decoders.lexemes.extend)
        return state, rows

    # --- Training ---------------------------------------------------------------------------

    def _prepared_sentences(self) -> PreparedSentences | None:
        """What knows how often words occur in training, if anything does."""
        return None

    def _survey_state(self) -> LearnerState:
        prepared = self._prepared_sentences()
        return {} if prepared is None else prepared.state()

    def _restore_survey(self, state: LearnerState) -> None:
        prepared = self._prepared_sentences()
        if prepared is not None:
            prepared.set_state(state)

    # --- Weights ----------------------------------------------------------------------------

    def _class_count(self) -> int:
        """How many classes the present labels make."""
        return len(self.labels)

    def _has_weights(self) -> bool:
        return bool(self.model.has_param("weights"))

    def _n_classes(self) -> int:
        return int(self.model.attrs["n_classes"])

    def _empty_weights(self) -> None:
        n_classes = self._class_count()
        set_weights(self.model, n_classes, AveragedPerceptron(n_classes).average())

    def _resize_weights(self) -> None:
        set_weights(self.model, self._class_count(), saved_weights(self.model))

    def _make_learner(self) -> AveragedPerceptron:
        return AveragedPerceptron(
            self._class_count(), start=saved_weights(self.model), adaptive=self.adaptive
        )

    def _store_average(self, learner: AveragedPerceptron) -> None:
        average = learner.average(min_weight=self.model.attrs["min_weight"])
        set_weights(self.model, self._class_count(), average)

    def _check_loaded(self) -> None:
        check_linear(self.model)
        super()._check_loaded()
