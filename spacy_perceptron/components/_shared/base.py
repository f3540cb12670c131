"""What every component shares: training state, averages, n-best lists. Saving is in `saving`."""

import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any, cast

import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ...answers.candidate import Candidate
from ...answers.explanation import ROWS, Explanation
from ...answers.sentences import SentenceAnswers, join_answers
from ...answers.stored import register_extensions, store_sentences
from ...errors import Errors, Warnings
from ...features.clusters import ClusterTable
from ...features.word_attributes import WordAttributes
from ...learn.states import LearnerState, random_state, read_text, restore_random, text_state
from ...values import SHARE, WIDTH
from .clusters import find_tables, table_names
from .lists import find_place, words_of
from .memento import Memento, recall, take_memento
from .saving import SavedPipe
from .threads import PipeLock, locked, n_cores

# The part of a state that says what it belongs to.
ABOUT = "about"
# The saved setting with fingerprints of tables of clusters.
CLUSTERS = "clusters"


class StructuredPipe(SavedPipe):
    """A structured model as a spaCy pipe.

    The thinc model holds the averaged weights. Everything else that training needs lives in a
    learner that the first `update` makes and that only `get_state` saves. Subclasses say how to
    read gold, decode and write.

    Any method can be called from any thread. Those that change the component hold its lock. Others
    work on the state that was there when they began, which nothing changes: what predicts is
    replaced as a whole (`_weights_changed`).
    """

    # Attributes that hold raw weights: dropped when training starts over, and not pickled.
    _training_state: tuple[str, ...] = ("_learner",)
    # The tables of clusters that templates ask for, by name, and once they are needed, these.
    # Components pickled by version 0.4 have neither.
    _cluster_names: frozenset[str] = frozenset()
    _cluster_tables: dict[str, ClusterTable] | None = None

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
        cfg: dict[str, Any],
    ):
        """Set up the shared state.

        vocab (Vocab): The shared vocabulary.
        model (Model): The model.
        name (str): The component instance name.
        scorer (Optional[Callable]): The scoring method.
        seed (int): Seed of the order of examples and of dropout.
        nbest (int): Number of best answers to keep with each doc.
        n_threads (int): Number of threads that work on a batch at once; 0 for one per core.
        cfg (dict): Settings saved with the component.
        """
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.seed = seed
        self.n_stored = nbest
        self.n_threads = n_threads
        self.cfg: dict[str, Any] = cfg
        self._lock = PipeLock()
        # What predicts: a dataclass that is never changed, only replaced; made when it is needed.
        self._state: Any = None
        self._learner: Any = None
        self._stale = False
        self._has_warned_of_rehearsal = False
        self._random = random.Random(seed)
        register_extensions()

    # --- What subclasses provide ------------------------------------------------------------

    def _empty_weights(self) -> None:
        """Start over with empty weights."""
        raise NotImplementedError

    def _make_state(self) -> Any:
        """Make what predicts, from the present weights and labels."""
        raise NotImplementedError

    def _weights_changed(self) -> None:
        """Called when weights or labels have changed: forget what was derived from them."""
        self._state = None

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

    def _list_answers(self, doc: Doc, k: int, state: Any) -> list[SentenceAnswers]:
        """Find the k best answers for each sentence.

        doc (Doc): The doc; it is not changed.
        k (int): How many, at least 1.
        state (Any): What predicts.
        """
        raise NotImplementedError

    def _about(self) -> dict[str, Any]:
        """What a component must have in common with another one to go on with its training, as
        plain data."""
        return {"component": type(self).__name__, **self._made_with()}

    def _learner_state(self, learner: Any) -> LearnerState:
        """All that a learner goes on from."""
        return learner.state()

    def _restore_learner(self, learner: Any, state: LearnerState) -> None:
        """Let a new learner go on from a state."""
        learner.set_state(state)

    def _survey_state(self) -> LearnerState:
        """What `initialize` has found that only training needs."""
        return {}

    def _restore_survey(self, state: LearnerState) -> None:
        """Take over what another component's `initialize` has found."""

    def _sentence_state(self, references: Sequence[Doc] | None) -> LearnerState:
        """What training keeps for single sentences."""
        return {}

    def _restore_sentences(self, state: LearnerState, references: Sequence[Doc] | None) -> None:
        """Take over what another component's training keeps for single sentences."""

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Take the decision about a token apart.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token, not checked.
        """
        raise NotImplementedError

    def _explain_span(self, doc: Doc, span: Span) -> Explanation:
        """Take the decision about a span of words apart, if such decisions are taken here.

        doc (Doc): The doc; it is not changed.
        span (Span): A span of the doc, with one word or more.
        """
        if len(span) > 1:
            raise ValueError(Errors.EXPLAIN_SPAN.format(name=self.name, span=span.text))
        return self._explain(doc, span.start)

    def _temperature(self, state: Any) -> float:
        """What divides scores when they become probabilities."""
        return 1.0

    def _copy_model(self) -> Model:
        """A copy of the model with its present weights."""
        return self.model.copy()

    # --- Word clusters ----------------------------------------------------------------------

    def _word_attributes(self, names: Sequence[str]) -> WordAttributes:
        """What computes attributes of words for this component's features.

        names (Sequence[str]): The attributes.
        """
        self._cluster_names |= table_names(names)
        return WordAttributes(names, self._find_clusters)

    def _find_clusters(self) -> dict[str, ClusterTable]:
        """The tables of clusters that templates ask for, which must be those of training."""
        if self._cluster_tables is None:
            expected = self.cfg.get(CLUSTERS, {})
            names = self._cluster_names
            self._cluster_tables = find_tables(self.vocab, names, expected, self.name)
        return self._cluster_tables

    def _renew_clusters(self) -> None:
        """Take the tables that are there when training starts, and remember which they are."""
        self._forget_clusters()
        self.cfg.pop(CLUSTERS, None)
        if self._cluster_names:
            tables = self._find_clusters()
            self.cfg[CLUSTERS] = {name: table.fingerprint for name, table in tables.items()}

    def _forget_clusters(self) -> None:
        self._cluster_tables = None

    # --- Training ---------------------------------------------------------------------------

    @locked
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
        self._forget_training()
        self._renew_clusters()
        self._random.seed(self.seed)

    def _survey(self, examples: Iterable[Example]) -> None:
        """Look at all examples once before training starts."""

    @locked
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
        SHARE.check("drop", drop)
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

    def rehearse(
        self,
        examples: Iterable[Example],
        *,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
        **config: Any,
    ) -> dict[str, float]:
        """Nothing to do, with one warning: linear models have nothing to rehearse.

        examples (Iterable[Example]): Not used.
        sgd (Optional[Optimizer]): Not used.
        losses (Optional[dict]): Record of losses; not changed.
        RETURNS (dict): The losses.
        """
        if not self._has_warned_of_rehearsal:
            self._has_warned_of_rehearsal = True
            warnings.warn(Warnings.REHEARSE.format(name=self.name), stacklevel=2)
        return {} if losses is None else losses

    def finish_update(self, sgd: Optimizer) -> None:
        """Nothing to do: weights move example by example."""

    @contextmanager
    def use_params(self, params: dict) -> Iterator[None]:
        """Nothing to do: predictions always use averaged weights."""
        yield

    @property
    def is_mixable(self) -> bool:
        """RETURNS (bool): Whether weights that were trained on different examples can be mixed."""
        return True

    @locked
    def get_state(self, references: Sequence[Doc] | None = None) -> LearnerState:
        """The state of training, which `to_bytes` does not have: raw weights, their running sums,
        counters, random numbers. A component loaded from what `to_bytes` gives at the same moment,
        with this state, goes on exactly as this one.

        references (Optional[Sequence[Doc]]): The gold Docs that training goes over. Some learners
            keep something for each sentence, and can't do without them.
        RETURNS (dict[str, np.ndarray]): Arrays by name: see `learn.states`.
        """
        self._require_initialized()
        return {
            ABOUT: text_state(self._about()),
            **random_state(self._random),
            **self._learner_state(self._get_learner()),
            **self._survey_state(),
            **self._sentence_state(references),
        }

    @locked
    def set_state(self, state: LearnerState, references: Sequence[Doc] | None = None) -> None:
        """Go on from a state of training.

        state (dict[str, np.ndarray]): What `get_state` of a component with the same labels and
            settings returned. Raises ValueError if it is something else; training then starts from
            the averages.
        references (Optional[Sequence[Doc]]): The gold Docs given to `get_state`, or equal ones, in
            the same order.
        """
        self._require_initialized()
        self._check_about(read_text(state, ABOUT))
        restore_random(random.Random(), state)
        self._drop_learner()
        learner = self._make_learner()
        self._restore_learner(learner, state)
        self._restore_survey(state)
        self._learner_changed(learner)
        try:
            self._restore_sentences(state, references)
        except BaseException:
            self._drop_learner()
            raise
        restore_random(self._random, state)
        self._learner = learner
        self._stale = True

    def _check_about(self, saved: Any) -> None:
        """Refuse the state of another kind of component."""
        given = self._about()
        saved = saved if isinstance(saved, dict) else {}
        for key in sorted({*given, *saved}):
            if saved.get(key) != given.get(key):
                values = {"saved": repr(saved.get(key)), "given": repr(given.get(key))}
                raise ValueError(Errors.STATE_OTHER.format(name=self.name, key=key, **values))

    def _get_learner(self) -> Any:
        if self._learner is None:
            self._learner = self._make_learner()
            self._learner_changed(self._learner)
        return self._learner

    def _drop_learner(self) -> None:
        """Forget the training state; the next `update` starts from the averages."""
        for name in self._training_state:
            setattr(self, name, None)

    def _forget_training(self) -> None:
        self._drop_learner()
        self._stale = False

    @locked
    def sync(self) -> None:
        """Put the averaged weights of training so far into the model."""
        if self._stale and self._learner is not None:
            self._store_average(self._learner)
            self._stale = False
            self._weights_changed()

    def _get_state(self) -> Any:
        """What predicts, with the averages of training so far. It stays as it is, whatever other
        threads do meanwhile."""
        state = self._state
        if state is None or self._stale:
            with self._lock:
                self._state = state = self._own_state()
        return state

    def _own_state(self) -> Any:
        """The same for a method that holds the lock and is about to change the component: other
        threads do not get to see it."""
        self.sync()
        self._require_initialized()
        return self._make_state() if self._state is None else self._state

    def _count_threads(self) -> int:
        """How many threads to use."""
        return self.n_threads or n_cores()

    def _require_initialized(self) -> None:
        if not self._has_weights():
            raise ValueError(Errors.NOT_INITIALIZED.format(name=self.name))

    # --- Going back -------------------------------------------------------------------------

    @locked
    def remember(self) -> Memento:
        """What the component knows now: weights, labels and all else that is saved.

        RETURNS (Memento): For `go_back`. It shares the weights, which no method changes in place,
            and so costs little.
        """
        self.sync()
        return take_memento(self.model, self.cfg)

    @locked
    def go_back(self, memento: Memento) -> None:
        """Know again exactly what was known before, whatever was learned since. The training
        state, if any, starts again from there.

        memento (Memento): What `remember` of this component has returned; it can be used again.
            Raises ValueError if it is another component's.
        """
        recall(memento, self.model, self.cfg, name=self.name)
        self._forget_training()
        self._weights_changed()

    # --- Answers beyond the best one --------------------------------------------------------

    def explain(self, doc: Doc, i: int | Token | Span, *, rows: int | None = ROWS) -> Explanation:
        """Why the component decided as it did rather than in the next best way.

        doc (Doc): The doc; it is not changed.
        i (Union[int, Token, Span]): A token of the doc, or its index; negative ones count from the
            end. Components that find spans also take a span.
        rows (Optional[int]): How many features `print` shows one by one, the strongest; None for
            all.
        RETURNS (Explanation): The decision, feature by feature.
        """
        if isinstance(i, Span):
            found = self._explain_span(doc, words_of(doc, i))
        else:
            found = self._explain(doc, find_place(doc, i))
        return replace(found, rows=rows)

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        """The k best answers.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[Candidate]): At most k, best first. Heads are indices in the doc.
        """
        WIDTH.check("k", k)
        state = self._get_state()
        answers = self._list_answers(doc, k, state)
        return join_answers(answers, k, temperature=self._temperature(state))

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The k best answers for each sentence.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[SentenceAnswers]): At most k for each sentence, best first; a doc without
            words counts as one sentence with a single answer.
        """
        WIDTH.check("k", k)
        return self._list_answers(doc, k, self._get_state())

    def _store_answers(
        self, docs: Sequence[Doc], answers: Sequence[Sequence[SentenceAnswers]], state: Any
    ) -> None:
        """Keep answers with docs, as many as the setting `nbest` says; nothing if there are none.

        docs (Sequence[Doc]): The docs.
        answers (Sequence): The sentences of each, with their answers.
        state (Any): What has found them.
        """
        temperature = self._temperature(state)
        for doc, sentences in zip(docs, answers, strict=True):
            if sentences:
                store_sentences(doc, self.name, sentences, k=self.n_stored, temperature=temperature)

    # --- Copies and settings ----------------------------------------------------------------

    @locked
    def __reduce__(self) -> tuple[Callable, tuple, tuple]:
        """A copy has the averages of training so far, and continues training from them."""
        self.sync()
        make, args, (*fields, attributes) = cast(tuple, super().__reduce__())
        # Pickling goes on when the lock is free again.
        copies = {id(self.model): self._copy_model(), id(self.cfg): deepcopy(self.cfg)}
        fields = [copies.get(id(field), field) for field in fields]
        without = dict.fromkeys((*self._training_state, "_state", "_cluster_tables"))
        return make, args, (*fields, {**attributes, **without})

    def _set_cfg(self, name: str, value: Any) -> None:
        """Set a saved setting, through JSON once: a loaded component has the same numbers."""
        self.cfg[name] = srsly.json_loads(srsly.json_dumps(value))
