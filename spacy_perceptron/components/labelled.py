"""What components with labels add: collecting labels, calibrated confidences, correction."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.calibration import Calibration
from ..answers.confidence import register_confidence
from ..answers.sentences import SentenceAnswers
from ..errors import Errors
from .base import StructuredPipe


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
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        attribute (str): What is predicted; names the confidence.
        cfg (dict): Settings saved with the component.
        """
        cfg = {"labels": [], "calibration": Calibration().to_dict(), **cfg}
        super().__init__(vocab, model, name, scorer=scorer, seed=seed, nbest=nbest, cfg=cfg)
        self.adaptive = adaptive
        # The calibration, and the plain data it was made from.
        self._calibration: tuple[Any, Calibration] = (None, Calibration())
        # The last vocab that was given all label strings for good.
        self._labelled_vocab: Vocab | None = None
        register_confidence(attribute)

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

    def _label_strings(self) -> Iterable[str]:
        """All strings that the component can write to docs."""
        return self.labels

    # --- Labels -----------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The labels, in the order of their classes."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): What `initialize` takes as `labels`."""
        return self.labels

    @property
    def is_resizable(self) -> bool:
        """RETURNS (bool): True. A label can be added; it starts with no weights."""
        return True

    def add_label(self, label: str) -> int:
        """Add a label; a trained model keeps its weights and can then learn the new one.

        label (str): The label.
        RETURNS (int): 0 if it already exists, otherwise 1.
        """
        if not isinstance(label, str):
            raise ValueError(Errors.LABEL_TYPE.format(label=label, type=type(label).__name__))
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

    def _add_label_strings(self, vocabs: Iterable[Vocab]) -> None:
        """Let the vocabs of docs know the labels: a sourced pipe keeps its old one. What a vocab
        learns in a memory zone, it forgets after it.
        """
        for vocab in vocabs:
            if vocab is not self._labelled_vocab:
                for name in self._label_strings():
                    vocab.strings.add(name)
                if not vocab.in_memory_zone:  # type: ignore[attr-defined]
                    self._labelled_vocab = vocab

    # --- Training ---------------------------------------------------------------------------

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
        self.cfg["labels"] = []
        self.cfg["calibration"] = Calibration().to_dict()
        found = dict.fromkeys(labels or ())
        for example in self._watch_examples(get_examples()):
            if labels is None:
                found.update(dict.fromkeys(self._labels_of(example)))
        if not found:
            raise ValueError(Errors.NO_LABELS.format(name=self.name))
        self.cfg["labels"] = sorted(found) if labels is None else list(found)
        for label in self.cfg["labels"]:
            self.vocab.strings.add(label)
        self._empty_weights()
        self._weights_changed()

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Let subclasses collect more than labels in the one pass of `initialize`."""
        yield from examples

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        return sum(self._learn(example, learner, drop) for example in examples)

    def _require_initialized(self) -> None:
        if not self.labels:
            raise ValueError(Errors.NOT_INITIALIZED.format(name=self.name))
        super()._require_initialized()

    def _require_known_labels(self, example: Example) -> None:
        """Refuse to correct to labels that the component does not have."""
        self.sync()
        self._require_initialized()
        unknown = sorted(set(self._labels_of(example)) - set(self.labels))
        if unknown:
            raise ValueError(Errors.CORRECT_LABEL.format(name=self.name, label=unknown[0]))

    # --- Confidences ------------------------------------------------------------------------

    @property
    def calibration(self) -> Calibration:
        """RETURNS (Calibration): How scores become confidences."""
        data = self.cfg["calibration"]
        if self._calibration[0] is not data:
            self._calibration = (data, Calibration.from_dict(data))
        return self._calibration[1]

    @calibration.setter
    def calibration(self, value: Calibration) -> None:
        self._set_cfg("calibration", value.to_dict())

    def _rank(self, doc: Doc, words: Any, lists: Sequence[Any], k: int) -> list[SentenceAnswers]:
        """The k best answers for each sentence of a doc.

        doc (Doc): The doc.
        words (Any): Its words, as the component reads them.
        lists (Sequence): What the search has found for each sentence.
        k (int): How many.
        """
        raise NotImplementedError

    def _make_answers(
        self, docs: Sequence[Doc], words: Any, lists: Sequence[Any]
    ) -> list[list[SentenceAnswers]]:
        """The answers to keep with each doc; nothing if none are kept.

        docs (Sequence[Doc]): The docs.
        words (Any): The words of all docs, as the component reads them.
        lists (Sequence): What the search has found for each sentence of all docs.
        """
        if not self.n_stored:
            return [[] for _ in docs]
        answers = []
        start = 0
        for doc, own in zip(docs, words.split([len(doc) for doc in docs]), strict=True):
            end = start + own.n_sentences
            answers.append(self._rank(doc, own, lists[start:end], self.n_stored))
            start = end
        return answers

    @property
    def _temperature(self) -> float:
        return self.calibration.temperature

    # --- Loading ----------------------------------------------------------------------------

    def _check_loaded(self) -> None:
        n_classes = self._n_classes()
        if n_classes != len(self.labels):
            raise ValueError(
                Errors.MODEL_LABELS.format(n_model=n_classes, n_labels=len(self.labels))
            )
        for label in self.labels:
            self.vocab.strings.add(label)
