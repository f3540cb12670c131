"""What components share that tag the words of sentences by beam search: decoders over the averages
and over the weights in training, and how they learn.

A component adds its reading of docs, its decoder over given weights (`_make_decoder`) and its
sentences to learn from (`_sentences_to_learn`).
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.candidate import register_extensions
from ...answers.confidence import register_confidence
from ...decode.sequences.tagging import Tagging
from ...learn.perceptron import AveragedPerceptron
from ...models.linear import weight_table
from ..base import LinearPipe
from .settings import SequenceSettings

# Lexeme rows, gold tags, tags given in advance and the probability of hiding each word.
SentenceToLearn = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]


class SequencePipe(LinearPipe):
    """Tags the words of each sentence, keeping several partial taggings in a beam."""

    _training_state = ("_learner", "_training_decoder")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        settings: SequenceSettings,
        attribute: str,
        cfg: dict[str, Any],
        scorer: Callable | None,
    ):
        """Set up what these components share.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (SequenceSettings): The settings.
        attribute (str): What is predicted, for the name of its confidence.
        cfg (dict): Settings saved with the component.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=settings.seed,
            adaptive=settings.adaptive,
            cfg=cfg,
        )
        self.beam_width = settings.beam_width
        self.update_rule = settings.update
        self.margin = settings.margin
        self.n_stored = settings.nbest
        self._label_ids = np.zeros(0, np.uint64)
        self._decoder: Tagging | None = None
        self._training_decoder: Tagging | None = None
        register_extensions()
        register_confidence(attribute)

    # --- What components provide ------------------------------------------------------------

    def _make_decoder(self, weights: Any, *, cached: bool) -> Tagging:
        """Make a decoder over given weights.

        weights (Any): A weight table.
        cached (bool): Whether scores can be kept: the weights do not move.
        """
        raise NotImplementedError

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        """The sentences of an example with any gold, each looked up when its turn comes."""
        raise NotImplementedError

    def _add_label_strings(self) -> None:
        """Let the vocab of the docs know the labels."""
        raise NotImplementedError

    def _forget_lexemes(self) -> None:
        """Drop what is remembered of words."""
        raise NotImplementedError

    # --- Decoders and learning --------------------------------------------------------------

    def _get_decoder(self) -> Tagging:
        self.sync()
        self._require_labels()
        assert self._decoder is not None
        return self._decoder

    def forget_texts(self) -> None:
        """Drop what is remembered of words and contexts met so far, and free its memory."""
        self._forget_lexemes()
        if self._decoder is not None:
            self._weights_changed()

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        n_updates = 0
        for rows, gold, fixed, hiding in self._sentences_to_learn(example):
            learner.next_example()
            decoder.scorer.set_dropout(drop, self._random.getrandbits(64), hiding=hiding)
            n_updates += decoder.learn(
                rows,
                gold,
                self.beam_width,
                learner.time,
                resume=self.update_rule == "resume",
                margin=self.margin,
                fixed=fixed,
            )
        return float(n_updates)

    def _weights_changed(self) -> None:
        self._decoder = self._make_decoder(weight_table(self.model), cached=True)
        self._add_label_strings()

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        self._training_decoder = self._make_decoder(learner.weights, cached=False)
