"""What all components share: labels, training state, averaged weights, saving and loading."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import srsly
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..answers.calibration import Calibration
from ..answers.candidate import Candidate, store_nbest
from ..answers.sentences import SentenceAnswers, join_answers, store_sentences
from ..errors import Errors
from ..learn.perceptron import AveragedPerceptron
from ..models.linear import saved_weights, set_weights


class LinearPipe(TrainablePipe):
    """A structured linear model as a spaCy pipe.

    The thinc model holds the averaged weights; everything that training needs beside them lives in
    a learner that `update` makes when it is first called and that is never saved. Subclasses say
    how to read gold, decode and write.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        scorer: Callable | None,
        seed: int,
        adaptive: bool,
        cfg: dict[str, Any],
    ):
        """Set up the shared state.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model.
        name (str): The component instance name.
        scorer (Optional[Callable]): The scoring method.
        seed (int): Seed of the order of examples and of dropout.
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        cfg (dict): Settings saved with the component.
        """
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.seed = seed
        self.adaptive = adaptive
        self.cfg: dict[str, Any] = {"labels": [], "calibration": Calibration().to_dict(), **cfg}
        self._learner: Any = None
        self._stale = False
        self._random = random.Random(seed)

    # Whether there are labels to be learnt.
    has_labels = True
    # How many best answers to keep with each doc.
    n_stored = 0

    # Attributes that hold raw weights: dropped when training starts anew, and not pickled.
    _training_state: tuple[str, ...] = ("_learner",)

    # --- What subclasses provide ------------------------------------------------------------

    def _weights_changed(self) -> None:
        """Called when weights or labels are new: rebuild what is derived from them."""
        raise NotImplementedError

    def _labels_of(self, example: Example) -> Iterable[str]:
        """Labels that occur in an example's gold annotation."""
        raise NotImplementedError

    def _learn(self, example: Example, learner: Any, drop: float) -> float:
        """Update the learner on one example and return the loss."""
        raise NotImplementedError

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
        """RETURNS (bool): Whether labels can be added: a new one starts with no weights."""
        return self.has_labels

    def add_label(self, label: str) -> int:
        """Add a label; a trained model keeps its weights and can then learn the new one.

        label (str): The label.
        RETURNS (int): 0 if it was there, otherwise 1.
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
        validate_get_examples(get_examples, f"{type(self).__name__}.initialize")
        self.cfg["labels"] = []
        self.cfg["calibration"] = Calibration().to_dict()
        self._drop_learner()
        self._stale = False
        self._random.seed(self.seed)
        found = dict.fromkeys(labels or ())
        for example in self._watch_examples(get_examples()):
            if labels is None:
                found.update(dict.fromkeys(self._labels_of(example)))
        if not found and self.has_labels:
            raise ValueError(Errors.NO_LABELS.format(name=self.name))
        self.cfg["labels"] = sorted(found) if labels is None else list(found)
        for label in self.cfg["labels"]:
            self.vocab.strings.add(label)
        self._empty_weights()
        self._weights_changed()

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Lets subclasses collect more than labels in the one pass of `initialize`."""
        yield from examples

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch. Each example is one step; the optimizer plays no part.

        examples (Iterable[Example]): The batch.
        drop (float): Share of features left out at random.
        sgd (Optional[Optimizer]): Not used.
        losses (Optional[dict]): Record of losses, here the number of updates.
        RETURNS (dict): The losses.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, f"{type(self).__name__}.update")
        self._require_labels()
        learner = self._get_learner()
        # spaCy sorts every batch by length.
        self._random.shuffle(examples)
        losses[self.name] += self._learn_batch(examples, learner, drop)
        self._stale = True
        return losses

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        """Update the learner on some examples and return the loss."""
        return sum(self._learn(example, learner, drop) for example in examples)

    def finish_update(self, sgd: Optimizer) -> None:
        """Nothing to do: weights move example by example."""

    @contextmanager
    def use_params(self, params: dict) -> Iterator[None]:
        """Nothing to do: predictions always use averaged weights."""
        yield

    def _get_learner(self) -> Any:
        if self._learner is None:
            self._learner = self._make_learner()
            self._learner_changed(self._learner)
        return self._learner

    def _drop_learner(self) -> None:
        """Forget the training state; the next `update` starts from the averages."""
        for name in self._training_state:
            setattr(self, name, None)

    def _learner_changed(self, learner: Any) -> None:
        """Called when there is a new learner: rebuild what uses its weights."""
        raise NotImplementedError

    def sync(self) -> None:
        """Bring the averaged weights of training so far into the model."""
        if self._stale and self._learner is not None:
            self._store_average(self._learner)
            self._stale = False
            self._weights_changed()

    def _require_labels(self) -> None:
        if (self.has_labels and not self.labels) or not self._has_weights():
            raise ValueError(Errors.NOT_INITIALIZED.format(name=self.name))

    # --- Weights: here those of one linear model, which parsers replace by several -----------

    def _has_weights(self) -> bool:
        return bool(self.model.has_param("weights"))

    def _n_classes(self) -> int:
        return int(self.model.attrs["n_classes"])

    def _class_count(self) -> int:
        """How many classes the present labels make."""
        return len(self.labels)

    def _empty_weights(self) -> None:
        """Start anew with no weights for the present labels."""
        n_classes = self._class_count()
        set_weights(self.model, n_classes, AveragedPerceptron(n_classes).average())

    def _resize_weights(self) -> None:
        """Make room for the present labels and keep the weights."""
        set_weights(self.model, self._class_count(), saved_weights(self.model))

    def _make_learner(self) -> Any:
        """Make a learner that goes on from the model's weights."""
        return AveragedPerceptron(
            self._class_count(), start=saved_weights(self.model), adaptive=self.adaptive
        )

    def _store_average(self, learner: Any) -> None:
        """Put a learner's averages into the model."""
        average = learner.average(min_weight=self.model.attrs["min_weight"])
        set_weights(self.model, self._class_count(), average)

    # --- Answers beyond the best one --------------------------------------------------------

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The k best answers for each sentence.

        doc (Doc): The doc; it is not changed.
        k (int): How many, at least 1.
        RETURNS (list[SentenceAnswers]): All sentences; one without answers to choose from if the
            doc has no words.
        """
        raise NotImplementedError

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        """The k best answers.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[Candidate]): At most k, best first. Heads are indices in the doc.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        return self._join_answers(self.sentence_nbest(doc, k), k)

    def _join_answers(self, sentences: Sequence[SentenceAnswers], k: int) -> list[Candidate]:
        return join_answers(sentences, k, temperature=self.calibration.temperature)

    def _store_answers(self, doc: Doc, sentences: Sequence[SentenceAnswers]) -> None:
        """Keep answers with a doc, as many as the setting `nbest` says."""
        store_nbest(doc, self.name, self._join_answers(sentences, self.n_stored))
        if len(sentences) > 1:
            store_sentences(doc, self.name, sentences)

    # --- Calibration ------------------------------------------------------------------------

    @property
    def calibration(self) -> Calibration:
        """RETURNS (Calibration): How scores become confidences."""
        return Calibration.from_dict(self.cfg["calibration"])

    @calibration.setter
    def calibration(self, value: Calibration) -> None:
        self._set_cfg("calibration", value.to_dict())

    def _set_cfg(self, name: str, value: Any) -> None:
        """Set what is saved, through JSON once: a loaded component has exactly the same numbers."""
        self.cfg[name] = srsly.json_loads(srsly.json_dumps(value))

    # --- Saving and loading -----------------------------------------------------------------

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize, with the averages of training so far.

        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (bytes): The component.
        """
        self.sync()
        return super().to_bytes(exclude=exclude)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save, with the averages of training so far.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out.
        """
        self.sync()
        super().to_disk(path, exclude=exclude)

    def __reduce__(self) -> tuple[Callable, tuple, tuple]:
        """A copy has the averages of training so far, and would go on training from them."""
        self.sync()
        make, args, (*fields, attributes) = cast(tuple, super().__reduce__())
        return make, args, (*fields, {**attributes, **dict.fromkeys(self._training_state)})

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "LinearPipe":
        """Load from bytes.

        bytes_data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (LinearPipe): The component itself.
        """
        with self._loading("bytes"):
            super().from_bytes(bytes_data, exclude=exclude)
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "LinearPipe":
        """Load from a folder.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (LinearPipe): The component itself.
        """
        with self._loading(path):
            super().from_disk(path, exclude=exclude)
        return self

    def _check_loaded(self) -> None:
        """Refuse what was loaded if it does not go with the settings."""

    @contextmanager
    def _loading(self, source: str | Path) -> Iterator[None]:
        """Check what comes in, and name the file when it is no model of ours."""
        architecture = self.model.name
        try:
            yield
            self._drop_learner()
            self._stale = False
            is_linear = self.model.name == architecture
            if not is_linear or self._has_weights():
                n_classes = self._n_classes() if is_linear else 0
                if n_classes != len(self.labels):
                    raise ValueError(
                        Errors.MODEL_LABELS.format(n_model=n_classes, n_labels=len(self.labels))
                    )
                self._check_loaded()
                for label in self.labels:
                    self.vocab.strings.add(label)
                self._weights_changed()
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(
                Errors.MODEL_DAMAGED.format(name=self.name, source=source, error=error)
            ) from error
