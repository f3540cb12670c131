"""What every component shares: training state, averages, n-best lists, saving and loading."""

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

from ..answers.candidate import Candidate
from ..answers.sentences import SentenceAnswers, join_answers
from ..answers.stored import register_extensions, store_sentences
from ..errors import Errors


class StructuredPipe(TrainablePipe):
    """A structured model as a spaCy pipe.

    The thinc model holds the averaged weights. Everything else that training needs lives in a
    learner that the first `update` makes and that is never saved. Subclasses say how to read gold,
    decode and write.
    """

    # Attributes that hold raw weights: dropped when training starts over, and not pickled.
    _training_state: tuple[str, ...] = ("_learner",)

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        scorer: Callable | None,
        seed: int,
        nbest: int,
        cfg: dict[str, Any],
    ):
        """Set up the shared state.

        vocab (Vocab): The shared vocabulary.
        model (Model): The model.
        name (str): The component instance name.
        scorer (Optional[Callable]): The scoring method.
        seed (int): Seed of the order of examples and of dropout.
        nbest (int): Number of best answers to keep with each doc.
        cfg (dict): Settings saved with the component.
        """
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.seed = seed
        self.n_stored = nbest
        self.cfg: dict[str, Any] = cfg
        self._learner: Any = None
        self._stale = False
        self._random = random.Random(seed)
        register_extensions()

    # --- What subclasses provide ------------------------------------------------------------

    def _has_weights(self) -> bool:
        """Whether the model has been initialized."""
        raise NotImplementedError

    def _empty_weights(self) -> None:
        """Start over with empty weights."""
        raise NotImplementedError

    def _weights_changed(self) -> None:
        """Called when weights or labels have changed: rebuild what is derived from them."""
        raise NotImplementedError

    def _make_learner(self) -> Any:
        """Make a learner that continues from the model's weights."""
        raise NotImplementedError

    def _learner_changed(self, learner: Any) -> None:
        """Called when there is a new learner: rebuild what uses its weights."""

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        """Update the learner on some examples and return the loss."""
        raise NotImplementedError

    def _store_average(self, learner: Any) -> None:
        """Put a learner's averages into the model."""
        raise NotImplementedError

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The k best answers for each sentence.

        doc (Doc): The doc; it is not changed.
        k (int): How many, at least 1.
        RETURNS (list[SentenceAnswers]): The sentences; a doc without words counts as one sentence
            with a single answer.
        """
        raise NotImplementedError

    # --- Training ---------------------------------------------------------------------------

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
    ) -> None:
        """Start with empty weights.

        get_examples (Callable): Gives the training examples; read once.
        nlp (Optional[Language]): The pipeline.
        """
        self._start_anew(get_examples)
        self._survey(get_examples())
        self._empty_weights()
        self._weights_changed()

    def _start_anew(self, get_examples: Callable[[], Iterable[Example]]) -> None:
        """Check the input of `initialize`, and forget all training."""
        validate_get_examples(get_examples, f"{type(self).__name__}.initialize")
        self._drop_learner()
        self._stale = False
        self._random.seed(self.seed)

    def _survey(self, examples: Iterable[Example]) -> None:
        """Look at all examples once before training starts."""

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch. Each example is one step; the optimizer is not used.

        examples (Iterable[Example]): The batch.
        drop (float): Share of features left out at random.
        sgd (Optional[Optimizer]): Not used.
        losses (Optional[dict]): Record of losses, here the number of mistakes.
        RETURNS (dict): The losses.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, f"{type(self).__name__}.update")
        self._require_initialized()
        learner = self._get_learner()
        # spaCy sorts every batch by length.
        self._random.shuffle(examples)
        losses[self.name] += self._learn_batch(examples, learner, drop)
        self._stale = True
        return losses

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

    def sync(self) -> None:
        """Put the averaged weights of training so far into the model."""
        if self._stale and self._learner is not None:
            self._store_average(self._learner)
            self._stale = False
            self._weights_changed()

    def _require_initialized(self) -> None:
        if not self._has_weights():
            raise ValueError(Errors.NOT_INITIALIZED.format(name=self.name))

    # --- Answers beyond the best one --------------------------------------------------------

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        """The k best answers.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[Candidate]): At most k, best first. Heads are indices in the doc.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        return join_answers(self.sentence_nbest(doc, k), k, temperature=self._temperature)

    @property
    def _temperature(self) -> float:
        """What divides scores when they become probabilities."""
        return 1.0

    def _store_answers(self, doc: Doc, sentences: Sequence[SentenceAnswers]) -> None:
        """Keep answers with a doc, as many as the setting `nbest` says."""
        store_sentences(doc, self.name, sentences, k=self.n_stored, temperature=self._temperature)

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
        """A copy has the averages of training so far, and continues training from them."""
        self.sync()
        make, args, (*fields, attributes) = cast(tuple, super().__reduce__())
        return make, args, (*fields, {**attributes, **dict.fromkeys(self._training_state)})

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "StructuredPipe":
        """Load from bytes.

        bytes_data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (StructuredPipe): The component itself.
        """
        with self._loading("bytes"):
            super().from_bytes(bytes_data, exclude=exclude)
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "StructuredPipe":
        """Load from a folder.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (StructuredPipe): The component itself.
        """
        with self._loading(path):
            super().from_disk(path, exclude=exclude)
        return self

    @contextmanager
    def _loading(self, source: str | Path) -> Iterator[None]:
        """Check what is loaded, and name the file if it is not one of our models."""
        architecture = self.model.name
        try:
            yield
            self._drop_learner()
            self._stale = False
            if self.model.name != architecture:
                raise ValueError(
                    Errors.MODEL_ARCHITECTURE.format(saved=self.model.name, given=architecture)
                )
            if self._has_weights():
                self._check_loaded()
                self._weights_changed()
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(
                Errors.MODEL_DAMAGED.format(name=self.name, source=source, error=error)
            ) from error

    def _check_loaded(self) -> None:
        """Refuse loaded data that does not match the settings."""

    def _set_cfg(self, name: str, value: Any) -> None:
        """Set a saved setting, through JSON once: a loaded component has the same numbers."""
        self.cfg[name] = srsly.json_loads(srsly.json_dumps(value))
