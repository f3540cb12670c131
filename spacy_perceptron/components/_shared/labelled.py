"""What components with labels add: collecting labels, calibrated confidences, correction."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.calibration import Calibration
from ...answers.kinds import find_kind
from ...answers.sentences import SentenceAnswers
from ...errors import Errors, Warnings
from .base import StructuredPipe
from .decoders import Decoders
from .threads import locked


@dataclass(frozen=True)
class LabelledState:
    """What predictions depend on.

    decoders (Decoders): Search for answers.
    calibration (Calibration): Makes confidences of scores.
    """

    decoders: Decoders[Any]
    calibration: Calibration


class LabelledPipe(StructuredPipe):
    """A pipe whose answers are made of labels, each with a confidence."""

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        scorer: Callable | None,
        seed: int,
        nbest: int,
        n_threads: int,
        adaptive: bool,
        attribute: str,
        cfg: dict[str, Any],
    ):
        """Set up the shared state.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model.
        name (str): The component instance name.
        scorer (Optional[Callable]): The scoring method.
        seed (int): Seed of the order of examples and of dropout.
        nbest (int): Number of best answers to keep with each doc.
        n_threads (int): Number of threads that work on a batch at once; 0 for one per core.
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        attribute (str): What is predicted; names the confidence.
        cfg (dict): Settings saved with the component.
        """
        cfg = {"labels": [], "calibration": Calibration().to_dict(), **cfg}
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=seed,
            nbest=nbest,
            n_threads=n_threads,
            cfg=cfg,
        )
        self.adaptive = adaptive
        # The calibration, and the plain data it was made from.
        self._calibration: tuple[Any, Calibration] = (None, Calibration())
        find_kind({attribute: ()}).register_confidences()

    # --- What subclasses provide ------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        """Labels that occur in an example's gold annotation."""
        raise NotImplementedError

    def _n_classes(self) -> int:
        """The number of labels that the model has weights for."""
        raise NotImplementedError

    def _resize_weights(self) -> None:
        """Make room for the current labels and keep the weights."""
        raise NotImplementedError

    def _learn(self, example: Example, learner: Any, drop: float) -> float:
        """Update the learner on one example and return the loss."""
        raise NotImplementedError

    # --- What predicts: a state with `decoders` -----------------------------------------------

    def _with_room(self, state: Any, n_words: int) -> Any:
        """The same state with an empty lexeme table; others use it too from now on.

        state (Any): The state whose table is full.
        n_words (int): The number of words that must fit in.
        """
        renewed = replace(state, decoders=state.decoders.with_room(n_words))
        with self._lock:
            if self._state is state:
                self._state = renewed
        return renewed

    @locked
    def forget_texts(self) -> None:
        """Drop what is remembered of words met so far, and free its memory."""
        self._weights_changed()

    # --- Labels -----------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The labels that docs can get."""
        return self._classes

    @property
    def label_data(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): What `initialize` takes as `labels`."""
        return self._classes

    @property
    def _classes(self) -> tuple[str, ...]:
        """The labels that have weights, in the order of their numbers."""
        return tuple(self.cfg["labels"])

    @property
    def is_resizable(self) -> bool:
        """RETURNS (bool): True. A label can be added; it starts with no weights."""
        return True

    @locked
    def add_label(self, label: str) -> int:
        """Add a label; a trained model keeps its weights and can then learn the new one.

        label (str): The label.
        RETURNS (int): 0 if it already exists, otherwise 1.
        """
        self._check_label(label)
        if label in self.cfg["labels"]:
            return 0
        self.sync()
        self.cfg["labels"].append(label)
        self.vocab.strings.add(label)
        if self._has_weights():
            self._resize_weights()
            self._drop_learner()
            self._weights_changed()
        return 1

    def _check_label(self, label: str) -> None:
        """Refuse what tokens can't have as a label."""
        if not isinstance(label, str):
            raise ValueError(Errors.LABEL_TYPE.format(label=label, type=type(label).__name__))
        if not self._written(label):
            raise ValueError(Errors.LABEL_EMPTY.format(name=self.name, label=label))

    def _written(self, label: str) -> str:
        """What tokens get for a label."""
        return label

    # --- Training ---------------------------------------------------------------------------

    @locked
    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Iterable[str] | None = None,
    ) -> None:
        """Collect the labels and start with empty weights.

        get_examples (Callable): Gives the training examples; read once.
        nlp (Optional[Language]): The pipeline.
        labels (Optional[Iterable[str]]): The labels, for example from `spacy init labels`.
        """
        self._start_anew(get_examples)
        found = dict.fromkeys(labels or ())
        for label in found:
            self._check_label(label)
        for example in self._watch_examples(get_examples()):
            if labels is None:
                found.update(dict.fromkeys(self._labels_of(example)))
        if not found:
            raise ValueError(Errors.NO_LABELS.format(name=self.name))
        self.cfg["labels"] = sorted(found) if labels is None else list(found)
        self.cfg["calibration"] = Calibration().to_dict()
        for label in self.cfg["labels"]:
            self.vocab.strings.add(label)
        if labels is None and nlp is not None and is_streamed(nlp):
            n = len(self.labels)
            warnings.warn(Warnings.SAMPLED_LABELS.format(name=self.name, n=n), stacklevel=3)
        self._empty_weights()
        self._weights_changed()

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Let subclasses collect more than labels in the one pass of `initialize`."""
        yield from examples

    def _about(self) -> dict[str, Any]:
        return {**super()._about(), "labels": [*self._classes], "adaptive": self.adaptive}

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        return sum(self._learn(example, learner, drop) for example in examples)

    def _require_initialized(self) -> None:
        if not self._classes:
            raise ValueError(Errors.NOT_INITIALIZED.format(name=self.name))
        super()._require_initialized()

    def _require_known_labels(self, example: Example) -> None:
        """Refuse to correct to labels that the component does not have."""
        self.sync()
        self._require_initialized()
        unknown = sorted(set(self._labels_of(example)) - set(self._classes))
        if unknown:
            raise ValueError(self._explain_unknown(unknown[0]))

    def _explain_unknown(self, label: str) -> str:
        """What to say about a label that the component does not have."""
        return Errors.CORRECT_LABEL.format(name=self.name, label=label)

    # --- Confidences ------------------------------------------------------------------------

    @property
    def calibration(self) -> Calibration:
        """RETURNS (Calibration): How scores become confidences."""
        data = self.cfg["calibration"]
        known = self._calibration
        if known[0] is not data:
            known = self._calibration = (data, Calibration.from_dict(data))
        return known[1]

    @calibration.setter
    @locked
    def calibration(self, value: Calibration) -> None:
        checked = Calibration.from_dict(value.to_dict())
        self._set_cfg("calibration", checked.to_dict())
        if self._state is not None:
            self._state = replace(self._state, calibration=self.calibration)

    def _rank(
        self, doc: Doc, words: Any, lists: Sequence[Any], state: Any, k: int
    ) -> list[SentenceAnswers]:
        """The k best answers for each sentence of a doc.

        doc (Doc): The doc.
        words (Any): Its words, as the component reads them.
        lists (Sequence): What the search has found for each sentence.
        state (Any): What found them.
        k (int): How many.
        """
        raise NotImplementedError

    def _make_answers(
        self, docs: Sequence[Doc], words: Any, lists: Sequence[Any], state: Any
    ) -> list[list[SentenceAnswers]]:
        """The answers to keep with each doc; nothing if none are kept.

        docs (Sequence[Doc]): The docs.
        words (Any): The words of all docs, as the component reads them.
        lists (Sequence): What the search has found for each sentence of all docs.
        state (Any): What found them.
        """
        if not self.n_stored:
            return [[] for _ in docs]
        answers = []
        start = 0
        for doc, own in zip(docs, words.split([len(doc) for doc in docs]), strict=True):
            end = start + own.n_sentences
            answers.append(self._rank(doc, own, lists[start:end], state, self.n_stored))
            start = end
        return answers

    def _temperature(self, state: LabelledState) -> float:
        return state.calibration.temperature

    # --- Loading ----------------------------------------------------------------------------

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        labels = cfg["labels"]
        are_texts = isinstance(labels, list) and all(isinstance(label, str) for label in labels)
        if not are_texts or len({*labels}) < len(labels):
            raise ValueError(Errors.MODEL_LABEL_LIST.format(labels=labels))
        Calibration.from_dict(cfg["calibration"])

    def _check_loaded(self) -> None:
        n_classes = self._n_classes()
        if n_classes != len(self._classes):
            raise ValueError(
                Errors.MODEL_LABELS.format(n_model=n_classes, n_labels=len(self._classes))
            )
        for label in self._classes:
            self.vocab.strings.add(label)


def is_streamed(nlp: Language) -> bool:
    """RETURNS (bool): Whether the training corpus is too large to be read before training: then
    `initialize` sees a sample of it."""
    return nlp.config["training"].get("max_epochs") == -1
