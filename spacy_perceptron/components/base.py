"""What every component shares: training state, averages, n-best lists, saving and loading."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..answers.candidate import Candidate, register_extensions, store_nbest
from ..answers.sentences import SentenceAnswers, join_answers, store_sentences
from ..errors import Errors
from ..files import write_files
from ..models.seal import LoadingRefused, Seal, check_seal, seal_model
from .saving import CFG, MODEL, VOCAB, check_company, choose_cfg, find_company, read_cfg


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
        return self._join_answers(self.sentence_nbest(doc, k), k)

    def _join_answers(self, sentences: Sequence[SentenceAnswers], k: int) -> list[Candidate]:
        """The k best answers for a doc from those for its sentences."""
        return join_answers(sentences, k)

    def _store_answers(self, doc: Doc, sentences: Sequence[SentenceAnswers]) -> None:
        """Keep answers with a doc, as many as the setting `nbest` says."""
        store_nbest(doc, self.name, self._join_answers(sentences, self.n_stored))
        if len(sentences) > 1:
            store_sentences(doc, self.name, sentences)

    # --- Saving and loading -----------------------------------------------------------------

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize, with the averages of training so far.

        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (bytes): The component.
        """
        self.sync()
        exclude = [*exclude]
        cfg = srsly.json_dumps(self.cfg)
        writers = {
            CFG: lambda: cfg,
            VOCAB: lambda: self.vocab.to_bytes(exclude=exclude),
            MODEL: lambda: self._seal(None if CFG in exclude else cfg.encode("utf8")),
        }
        return util.to_bytes(writers, exclude)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save, with the averages of training so far. A kill leaves the old files or the new ones.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out. Without the vocab, which pipelines save
            themselves, the component counts as a part of the pipeline in the folder above.
        """
        self.sync()
        path, exclude = Path(path), [*exclude]
        path.mkdir(exist_ok=True)
        company = None
        if VOCAB in exclude:
            company = find_company(path)
        else:
            self.vocab.to_disk(path / VOCAB, exclude=exclude)
        # Once the model has its name, its `cfg` can be found.
        files: dict[str, bytes] = {}
        cfg = None if CFG in exclude else srsly.json_dumps(self.cfg, indent=2).encode("utf8")
        if MODEL not in exclude:
            files[MODEL] = self._seal(cfg, company)
        if cfg is not None:
            files[CFG] = cfg
        write_files(path, files)

    def _seal(self, cfg: bytes | None, company: Mapping[str, Seal] | None = None) -> bytes:
        """The model, sealed.

        cfg (Optional[bytes]): The settings saved with it.
        company (Optional[Mapping]): Seals of the components saved before it; None if it is saved
            alone.
        """
        together = None
        if company is not None:
            together = {name: seal.identity for name, seal in company.items()}
        made_with = self._made_with() if self._has_weights() else {}
        return seal_model(self.model.to_bytes(), cfg=cfg, made_with=made_with, together=together)

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
        exclude = [*exclude]
        with self._loading("bytes"):
            parts = srsly.msgpack_loads(bytes_data)
            unknown = {*parts} - {CFG, VOCAB, MODEL}
            if unknown:
                raise ValueError(Errors.MODEL_PARTS.format(names=", ".join(map(repr, unknown))))
            if VOCAB in parts and VOCAB not in exclude:
                self.vocab.from_bytes(parts[VOCAB], exclude=exclude)
            cfg = [parts[CFG].encode("utf8")] if CFG in parts else []
            self._load(
                None if CFG in exclude else cfg, None if MODEL in exclude else parts.get(MODEL)
            )
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "StructuredPipe":
        """Load from a folder.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (StructuredPipe): The component itself.
        """
        path, exclude = Path(path), [*exclude]
        with self._loading(path):
            if VOCAB not in exclude:
                self.vocab.from_disk(path / VOCAB, exclude=exclude)
            self._load(
                None if CFG in exclude else read_cfg(path),
                None if MODEL in exclude else (path / MODEL).read_bytes(),
                # Whoever loads the vocab apart loads a pipeline.
                path if VOCAB in exclude else None,
            )
        return self

    def _load(
        self, cfg: Sequence[bytes] | None, model: bytes | None, folder: Path | None = None
    ) -> None:
        """Check what was read and take it over.

        cfg (Optional[Sequence[bytes]]): What the file `cfg` may be; None if it is not wanted.
        model (Optional[bytes]): The file `model`; None if it is not wanted.
        folder (Optional[Path]): The component's folder in a pipeline.
        """
        seal = None if model is None else check_seal(model)
        if folder is not None and model is not None:
            check_company(folder, seal)
        chosen = None if cfg is None else choose_cfg(seal, cfg)
        if chosen is not None:
            self.cfg.update(srsly.json_loads(chosen))
        self._check_cfg()
        if model is None:
            return
        architecture = self.model.name
        self.model.from_bytes(model)
        if self.model.name != architecture:
            raise ValueError(
                Errors.MODEL_ARCHITECTURE.format(saved=self.model.name, given=architecture)
            )
        if seal is not None and self._has_weights():
            seal.check_settings(self._made_with())

    @contextmanager
    def _loading(self, source: str | Path) -> Iterator[None]:
        """Check what is loaded, and say what it was and why if it can't be used."""
        try:
            yield
            self._drop_learner()
            self._stale = False
            if self._has_weights():
                self._check_loaded()
                self._weights_changed()
        except OSError:
            raise
        except LoadingRefused as error:
            raise ValueError(
                Errors.MODEL_REFUSED.format(name=self.name, source=source, error=error)
            ) from error
        except Exception as error:
            raise ValueError(
                Errors.MODEL_DAMAGED.format(name=self.name, source=source, error=error)
            ) from error

    def _made_with(self) -> dict[str, Any]:
        """Settings that say what the weights mean, as plain data: with others, they are useless."""
        return {}

    def _check_cfg(self) -> None:
        """Refuse saved settings that make no sense."""

    def _check_loaded(self) -> None:
        """Refuse loaded weights that make no sense or do not match the settings."""

    def _set_cfg(self, name: str, value: Any) -> None:
        """Set a saved setting, through JSON once: a loaded component has the same numbers."""
        self.cfg[name] = srsly.json_loads(srsly.json_dumps(value))
