"""The `incremental_parser` factory: constituency trees, built word by word from left to right, with
a beam (Collins and Roark 2004)."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.explanation import Explanation
from ..decode.constituents.incremental.cache import HypothesisCache
from ..decode.constituents.incremental.events import EventReader
from ..decode.constituents.incremental.generative import (
    N_FOLDS,
    GenerativeModel,
    fit_folds,
    fit_generative,
)
from ..decode.constituents.incremental.grammar import Grammar
from ..decode.constituents.incremental.input import IncrementalInput
from ..decode.constituents.incremental.parsing import IncrementalParsing
from ..decode.constituents.incremental.scorer import EventScorer
from ..decode.constituents.incremental.search import IncrementalSearch
from ..decode.constituents.incremental.training import IncrementalTraining
from ..errors import Errors
from ..features.known_words import KNOWN_WORD_ATTRIBUTES, KnownWords
from ..features.lexemes import LexemeTable
from ..features.templates import fingerprint
from ..features.token_attributes import LookUp
from ..features.word_attributes import WordAttributes
from ..learn.hashed import BITS, HashedWeights
from ..learn.hashed_learner import HashedLearner
from ..models.generative import (
    generative_bytes,
    make_room,
    saved_generative,
    set_generative,
)
from ..models.hashed import check_hashed, hashed_table, saved_hashed_weights, set_hashed_weights
from ..trees.head_rules import load_head_rules
from ..trees.incremental_grammar import IncrementalGrammar
from ..trees.tree import ROOT
from ..values import MARGIN
from ._constituents.columns import ReadingColumns
from ._constituents.explanation import EventNames, compare_events
from ._constituents.gold import GoldSentence
from ._constituents.incremental_settings import IncrementalSettings, compile_templates
from ._constituents.pipe import ConstituencyPipe, ConstituencyState, ParsedSentence
from ._constituents.reader import TaggedWords
from ._constituents.readings import Readings, TagCounts
from ._constituents.settings import CONSTITUENCY_META
from ._constituents.symbols import Symbols
from ._constituents.trees_to_build import TreesToBuild
from ._constituents.writer import PhraseWriter
from ._shared.decoders import Decoders, cut_sentences
from ._shared.gold import ReferenceCache
from ._shared.lists import check_place
from ._shared.settings import default_config, takes_settings
from ._shared.threads import locked

# Scratch memory grows with the length of a sentence; only very long ones make a difference.
LONGEST = 1000
# Each step of a correction mends the worst tree that is left; sentences need a few.
MAX_CORRECTIONS = 100


@Language.factory(
    "incremental_parser",
    default_config=default_config(
        IncrementalSettings,
        model="spacy_perceptron.IncrementalModel.v1",
        scorer="spacy_perceptron.constituency_scorer.v1",
    ),
    **CONSTITUENCY_META,
)
@takes_settings(IncrementalSettings)
def make_incremental_parser(
    nlp: Language, name: str, model: Model, scorer: Callable | None, **settings: Any
) -> "IncrementalParser":
    """Make a constituency parser. See `IncrementalSettings` for the settings."""
    return IncrementalParser(
        nlp.vocab, model, name, settings=IncrementalSettings(**settings), scorer=scorer
    )


@dataclass(frozen=True)
class IncrementalState(ConstituencyState):
    """What predictions depend on.

    symbols (Symbols): What the numbers of the search mean.
    readings (Readings): The tags that words can have.
    known (Optional[KnownWords]): The words that the generative model knows, if there is one.
    """

    symbols: Symbols
    readings: Readings
    known: KnownWords | None


class IncrementalParser(ConstituencyPipe):
    """Builds a constituency tree for each sentence, word by word.

    Confidences and lists of trees come from the beam: they are approximations.
    """

    _training_state = ("_learner", "_training", "_fold_trainings")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "incremental_parser",
        *,
        settings: IncrementalSettings,
        scorer: Callable | None = None,
    ):
        """Make a parser.

        vocab (Vocab): The shared vocabulary.
        model (Model): A hashed model (`spacy_perceptron.IncrementalModel.v1`).
        name (str): The component instance name.
        settings (IncrementalSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        if "n_bits" not in model.attrs:
            raise ValueError(Errors.INCREMENTAL_MODEL.format(name=name))
        self._program, attributes, columns = compile_templates(settings)
        self.log_weight = settings.log_weight
        if self.log_weight:
            make_room(model)
        self.transitions = settings.transitions
        self.loose = settings.loose
        self.max_tags = settings.max_tags
        grammar = IncrementalGrammar(self.transitions)
        readings = TagCounts().readings(self.max_tags)
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            scorer=scorer,
            cfg={
                "grammar": grammar.to_dict(),
                "grammar_labels": [],
                "readings": readings.to_dict(),
            },
        )
        # Grammar and readings, and the plain data they were made from.
        self._known_grammar = (self.cfg["grammar"], grammar)
        self._known_readings = (self.cfg["readings"], readings)
        # The sentences of gold Docs that are in the grammar.
        self._covered = ReferenceCache()
        # Those that `initialize` makes a grammar of.
        self._initial: list[GoldSentence] = []
        self.beam_width = settings.beam_width
        self.update_rule = settings.update
        self.learner = settings.learner
        self.max_step = settings.max_step
        self.margin = settings.margin
        self.loss_augmented = settings.loss_augmented
        self.gamma = settings.gamma or math.inf
        self.cache_passes = settings.cache_passes
        self.cache_updates = settings.cache_updates
        self.cache_size = settings.cache_size
        self._columns = ReadingColumns(columns, load_head_rules().coordinators)
        # The numbers of gold Docs' first sentences in the cache.
        self._entries = ReferenceCache()
        self._n_entries = 0
        self._attributes = WordAttributes(attributes)
        self._training: IncrementalTraining | None = None
        # Models that have not seen a part of the training corpus, with what learns from that part,
        # and the part that each sentence is in.
        self._folds: list[tuple[KnownWords, GenerativeModel]] = []
        self._fold_trainings: list[IncrementalTraining] | None = None
        self._fold_of: dict[bytes, int] = {}
        self._folds_belong_to = b""
        self._known_generative: tuple[bytes, tuple[KnownWords, GenerativeModel] | None] = (
            b"",
            None,
        )
        # What the learner's search knows of the grammar.
        self._symbols: Symbols | None = None
        self._chains: dict[tuple[str, ...], int] = {}

    # --- Grammar ----------------------------------------------------------------------------

    @property
    def _grammar(self) -> IncrementalGrammar:
        data, grammar = self._known_grammar
        if data is not self.cfg["grammar"]:
            grammar = IncrementalGrammar.from_dict(self.cfg["grammar"])
            self._known_grammar = (self.cfg["grammar"], grammar)
            self._covered.clear()
        return grammar

    def _set_grammar(self, grammar: IncrementalGrammar) -> None:
        self._set_cfg("grammar", grammar.to_dict())
        self._known_grammar = (self.cfg["grammar"], grammar)

    def _compile_grammar(self) -> Grammar:
        return self._grammar.compile(load_head_rules(), loose=self.loose)

    @property
    def _readings(self) -> Readings:
        data, readings = self._known_readings
        if data is not self.cfg["readings"]:
            readings = Readings.from_dict(self.cfg["readings"])
            self._known_readings = (self.cfg["readings"], readings)
        return readings

    @property
    def _generative(self) -> tuple[KnownWords, GenerativeModel] | None:
        if not self.log_weight:
            return None
        stored, generative = self._known_generative
        if stored is not generative_bytes(self.model):
            generative = saved_generative(self.model)
            self._known_generative = (generative_bytes(self.model), generative)
        return generative

    @property
    def _n_attributes(self) -> int:
        """The number of values per word."""
        return len(self._attributes.names) + len(KNOWN_WORD_ATTRIBUTES) * bool(self.log_weight)

    @property
    def _trees(self) -> TreesToBuild:
        """What turns gold sentences into trees to build."""
        names = dict(zip(self._classes, self.cfg["grammar_labels"], strict=True))
        return TreesToBuild(self._grammar, names, self._readings)

    def _add_to_grammar(self, label: str) -> None:
        """Give a label a name in the grammar that no other one has."""
        taken = {ROOT, *self.cfg["grammar_labels"]}
        while label in taken:
            label += "'"
        self.cfg["grammar_labels"].append(label)

    def _cover(self, examples: Iterable[Example], *, rare: bool = False) -> bool:
        """Add all that the trees of examples need to the grammar.

        examples (Iterable[Example]): The examples.
        rare (bool): Whether that includes long chains that were never seen before.
        RETURNS (bool): Whether there was something new.
        """
        is_new = False
        for example in examples:
            sentences = self._gold(example)
            if self._covered.get(example.reference) is sentences and not rare:
                continue
            known = [sentence for sentence in sentences if self._knows_labels(sentence.tree)]
            for sentence in known:
                is_new |= self._grammar.add(self._trees.transform(sentence), rare=rare)
            # Others can be learned once their labels are added.
            if len(known) == len(sentences):
                self._covered[example.reference] = sentences
        if is_new:
            self._set_grammar(self._grammar)
        return is_new

    # --- Decoding ---------------------------------------------------------------------------

    def _make_parsing(
        self,
        lexemes: LexemeTable,
        weights: HashedWeights,
        grammar: Grammar,
        symbols: Symbols,
        generative: tuple[KnownWords, GenerativeModel] | None,
        *,
        is_alone: bool = False,
    ) -> IncrementalParsing:
        """is_alone: Whether the generative model scores trees alone, by log-probabilities."""
        program = self._program
        scorer = EventScorer(
            lexemes,
            weights,
            replace(program, nodes=[], words=[]) if is_alone else program,
            len(self._columns.names),
            grammar.n_phrases,
            symbols.values(),
            generative=None if generative is None else generative[1],
            log_weight=1.0 if is_alone else self.log_weight,
        )
        search = IncrementalSearch(scorer, grammar, tag_events=not grammar.wraps, gamma=self.gamma)
        return IncrementalParsing(search, width=self.beam_width, labels=symbols.labels)

    def _make_state(self) -> IncrementalState:
        symbols = Symbols(self._grammar, self.cfg["grammar_labels"])
        make = partial(
            self._make_parsing,
            weights=hashed_table(self.model, compact=True),
            grammar=self._compile_grammar(),
            symbols=symbols,
            generative=self._generative,
        )
        decoders = Decoders(make, self._n_attributes, longest=LONGEST)
        writer = PhraseWriter(self._classes)
        known = None if self._generative is None else self._generative[0]
        return IncrementalState(decoders, self.calibration, writer, symbols, self._readings, known)

    def _parse(
        self, words: TaggedWords, state: IncrementalState, scale: float, k: int = 0
    ) -> list[ParsedSentence]:
        state, input = self._look_up(words, state)
        starts = words.words.starts
        n_threads = self._count_threads()

        def parse(parsing: IncrementalParsing, part: tuple[int, int]) -> list[ParsedSentence]:
            first, last = part
            own = input.cut(int(starts[first]), int(starts[last]))
            found = parsing.parse(own, starts[first : last + 1] - starts[first], scale=scale, k=k)
            return [self._read_result(result, state) for result in found]

        found = state.decoders.run(parse, cut_sentences(starts, n_threads), n_threads)
        return [sentence for part in found for sentence in part]

    def _read_result(self, result: tuple, state: IncrementalState) -> ParsedSentence:
        rows, shares, is_partial, places, trees = result
        phrases, numbers = state.symbols.phrases(rows, len(places))
        listed = [
            (score, state.symbols.phrases(other, len(places))[0]) for score, other, _ in trees
        ]
        return ParsedSentence(phrases, shares[numbers], is_partial, listed)

    def _look_up(
        self, words: TaggedWords, state: IncrementalState
    ) -> tuple[IncrementalState, IncrementalInput]:
        """Words as decoders take them, and a state whose decoders know them."""
        parts = state.symbols, state.readings, state.known
        found = self._make_input(words, state.decoders.lexemes.extend, *parts)
        while found is None:
            state = self._with_room(state, len(words))
            found = self._make_input(words, state.decoders.lexemes.extend, *parts)
        return state, found

    def _make_input(
        self,
        words: TaggedWords,
        look_up: LookUp,
        symbols: Symbols,
        readings: Readings,
        known: KnownWords | None,
    ) -> IncrementalInput | None:
        """Words as decoders take them; None if there is no room in the lexeme table."""
        texts = words.words.texts
        known = (known or KnownWords({})) if self.log_weight else None

        def values(orth: int) -> list[int]:
            text = texts(orth)
            return [*self._attributes(text), *(known(text) if known is not None else ())]

        rows = look_up(words.words.orths, values)
        if rows is None:
            return None
        found = readings(words)
        tags = symbols.tags(found.tags)
        return IncrementalInput(rows, found.starts, tags, self._columns(words, found))

    def surprisal(self, doc: Doc) -> list[float | None]:
        """How unexpected each token is after those before it in its sentence, in bits: -log2 of its
        probability, summed over the trees in the beam. The tags that words can have are part of
        the probabilities.

        doc (Doc): The doc; it is not changed.
        RETURNS (list[Optional[float]]): A number per token; None for whitespace.
        """
        # Training must not add to the grammar in between.
        with self._lock:
            state = self._get_state()
            if state.known is None:
                raise ValueError(Errors.INCREMENTAL_SURPRISAL)
            parsing = self._make_parsing(
                LexemeTable(self._n_attributes),
                HashedWeights(BITS[0]),
                self._compile_grammar(),
                state.symbols,
                self._generative,
                is_alone=True,
            )
        words = self._read_docs([doc], state)
        bits = [np.zeros(0)]
        for sentence in words.sentences():
            look_up = parsing.lexemes.lookup
            own = self._make_input(sentence, look_up, state.symbols, state.readings, state.known)
            assert own is not None
            bits.append(parsing.surprisal(own))
        spread = words.words.spread(np.concatenate(bits), np.nan)
        return [None if np.isnan(value) else float(value) for value in spread]

    # --- Explanation ------------------------------------------------------------------------

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token was added to the tree in one way rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        state = self._get_state()
        words = self._read_docs([doc], state)
        i = check_place(doc, i, words.words)
        place = int(words.words.places()[i])
        s = int(np.searchsorted(words.words.starts, place, side="right")) - 1
        start, end = words.words.starts[s : s + 2].tolist()
        sentence = list(words.sentences())[s]
        state, input = self._look_up(sentence, state)
        tokens = [token for token in doc if words.words.is_word[token.i]][start:end]
        readings = state.readings(sentence)
        values = self._columns(sentence, readings)
        columns = dict(zip(self._columns.names, values.T, strict=True))
        tags = state.readings.names()
        names = EventNames(self._program, state.symbols.names, tokens, readings, columns, tags)
        with state.decoders.borrow() as parsing:
            return compare_events(parsing, input, place - start, names)

    # --- Learning ---------------------------------------------------------------------------

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._initial = []
        self._covered.clear()
        for example in examples:
            sentences = self._gold(example)
            self._initial += sentences
            self._covered[example.reference] = sentences
            yield example

    def _make_grammar(self, sentences: Iterable[GoldSentence]) -> IncrementalGrammar:
        """A grammar for the sentences whose labels are known."""
        grammar = IncrementalGrammar(self.transitions)
        for sentence in sentences:
            if self._knows_labels(sentence.tree):
                grammar.add(self._trees.transform(sentence))
        return grammar

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        sentences = [sentence for example in examples for sentence in self._gold(example)]
        self._read.warn_of_tags([sentence.words for sentence in sentences])
        if self._cover(examples):
            self._learner_changed(learner)
        return super()._learn_batch(examples, learner, drop)

    def _learn(self, example: Example, learner: HashedLearner, drop: float) -> float:
        drop = drop if self.dropout is None else self.dropout
        n_mistakes = 0
        for entry, sentence in enumerate(self._gold(example), self._first_entry(example)):
            learner.next_example()
            if not self._knows_labels(sentence.tree):
                continue
            if not self._program.nodes and not self._program.words:
                continue
            training, known = self._training_of(sentence)
            words, actions = self._gold_input(sentence, training.parsing, known)
            training.parsing.search.scorer.set_dropout(drop, self._random.getrandbits(64))
            n_mistakes += training.learn(
                words,
                actions,
                learner.time,
                update=self.update_rule,
                limit=self.max_step,
                margin=self.margin,
                augmented=self.loss_augmented,
                mira=self.learner == "mira",
                entry=entry,
            )
        return float(n_mistakes)

    def _first_entry(self, example: Example) -> int:
        """The number of an example's first sentence in the cache."""
        if example.reference not in self._entries:
            self._entries[example.reference] = self._n_entries
            self._n_entries += len(self._gold(example))
        return int(self._entries[example.reference])

    def _training_of(self, sentence: GoldSentence) -> tuple[IncrementalTraining, KnownWords | None]:
        """What learns from a sentence, and the words that it knows: its generative model should not
        have seen the sentence."""
        assert self._training is not None
        fold = self._fold_of.get(sentence.words.words.orths.tobytes())
        if fold is not None and self._fold_trainings:
            return self._fold_trainings[fold], self._folds[fold][0]
        return self._training, None if self._generative is None else self._generative[0]

    def _gold_input(
        self, sentence: GoldSentence, parsing: IncrementalParsing, known: KnownWords | None
    ) -> tuple[IncrementalInput, np.ndarray]:
        """Words and actions for a decoder that is alone with its lexeme table."""
        assert self._symbols is not None
        words = self._make_input(
            sentence.words, parsing.lexemes.lookup, self._symbols, self._readings, known
        )
        assert words is not None
        return words, self._trees.actions(sentence, self._chains)

    @locked
    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: steps without a limit on the weights that predict.

        Each step is the smallest change that lets the correct tree win over the best other one by
        the margin. What the tree needs is added to the grammar, which is a step, too. The training
        state, if any, starts again from the result.

        example (Example): The prediction's text with the constituents it should have.
        margin (float): By how much the correct tree should win for each word added wrongly.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        MARGIN.check("margin", margin)
        self._require_known_labels(example)
        n_steps = int(self._cover([example], rare=True))
        table = hashed_table(self.model, trainable=True)
        training = IncrementalTraining(self._own_parsing(table, self._generative))
        known = None if self._generative is None else self._generative[0]
        for sentence in self._gold(example):
            words, actions = self._gold_input(sentence, training.parsing, known)
            for _ in range(MAX_CORRECTIONS):
                if self._is_right(training.parsing, words, actions):
                    break
                training.learn(words, actions, 0.0, margin=margin, augmented=True)
                n_steps += 1
        if n_steps:
            set_hashed_weights(self.model, table.averaged(0))
            self._drop_learner()
            self._weights_changed()
        return n_steps

    @staticmethod
    def _is_right(
        parsing: IncrementalParsing, words: IncrementalInput, actions: np.ndarray
    ) -> bool:
        parsing.nbest(words, 1)
        return bool((parsing.actions() == actions).all())

    # --- Weights ----------------------------------------------------------------------------

    def _has_weights(self) -> bool:
        return bool(self.model.has_param("weights"))

    def _n_classes(self) -> int:
        return len(self.cfg["grammar_labels"])

    def _empty_weights(self) -> None:
        self.cfg["grammar_labels"] = []
        self._resize_weights()
        counts = TagCounts()
        for sentence in self._initial:
            words = sentence.words
            counts.add(words.word_texts(), words.tag_texts(), sentence.tags)
        self._set_cfg("readings", counts.readings(self.max_tags).to_dict())
        self._set_grammar(self._make_grammar(self._initial))
        if self.log_weight:
            self._fit_generative([x for x in self._initial if self._knows_labels(x.tree)])
        self._initial = []
        set_hashed_weights(
            self.model, {"indices": np.zeros(0, np.uint32), "values": np.zeros(0, np.float32)}
        )

    def _fit_generative(self, sentences: Sequence[GoldSentence]) -> None:
        """Estimate the generative model; and models for training, which each leave out the part of
        the sentences that they are used on."""
        texts = [sentence.words.word_texts() for sentence in sentences]
        known = KnownWords.from_sentences(texts)
        parsing = self._own_parsing(HashedWeights(BITS[0]), None)
        reader = EventReader(parsing)
        events = [reader.read(*self._gold_input(x, parsing, known)) for x in sentences]
        self._folds, self._fold_of = [], {}
        if not events:
            return
        set_generative(self.model, known, fit_generative(events, known))
        self._folds_belong_to = generative_bytes(self.model)
        if self._program.nodes and len(events) >= N_FOLDS:
            self._folds = fit_folds(events, texts)
            for i, sentence in enumerate(sentences):
                self._fold_of[sentence.words.words.orths.tobytes()] = i * N_FOLDS // len(events)

    def _resize_weights(self) -> None:
        """Weights do not depend on the number of labels."""
        for label in self._classes[self._n_classes() :]:
            self._add_to_grammar(label)

    def _make_learner(self) -> HashedLearner:
        return HashedLearner(
            self.model.attrs["n_bits"],
            start=saved_hashed_weights(self.model),
            adaptive=self.adaptive,
        )

    def _learner_changed(self, learner: HashedLearner) -> None:
        cache = None if self._training is None else self._training.cache
        if cache is None and self.cache_passes:
            cache = HypothesisCache(
                learner.weights,
                passes=self.cache_passes,
                max_updates=self.cache_updates,
                size=self.cache_size,
            )
        parsing = self._own_parsing(learner.weights, self._generative)
        self._training = IncrementalTraining(parsing, cache=cache)
        # Another model may have been loaded since.
        if self._folds_belong_to != generative_bytes(self.model):
            self._folds, self._fold_of = [], {}
        self._fold_trainings = [
            IncrementalTraining(self._own_parsing(learner.weights, model), cache=cache)
            for model in self._folds
        ]

    def _own_parsing(
        self, weights: HashedWeights, generative: tuple[KnownWords, GenerativeModel] | None
    ) -> IncrementalParsing:
        """A decoder that is alone with its lexeme table."""
        self._symbols = Symbols(self._grammar, self.cfg["grammar_labels"])
        self._chains = self._grammar.chains
        lexemes = LexemeTable(self._n_attributes)
        return self._make_parsing(
            lexemes, weights, self._compile_grammar(), self._symbols, generative
        )

    def _store_average(self, learner: HashedLearner) -> None:
        set_hashed_weights(self.model, learner.average(min_weight=self.model.attrs["min_weight"]))

    # --- Loading ----------------------------------------------------------------------------

    def _made_with(self) -> dict[str, Any]:
        templates = self._program.templates
        return {
            **super()._made_with(),
            "transitions": self.transitions,
            "templates": fingerprint(templates["nodes"]),
            "word_templates": fingerprint(templates["words"]),
        }

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        grammar, names = IncrementalGrammar.from_dict(cfg["grammar"]), cfg["grammar_labels"]
        used = {label for symbol in [*grammar.phrases][1:] for label in grammar.labels(symbol)}
        are_texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        is_sound = are_texts and used <= {*names} and len({*names}) == len(names)
        if not is_sound or grammar.transitions != self.transitions:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        Readings.from_dict(cfg["readings"])

    def _check_loaded(self) -> None:
        check_hashed(self.model)
        if self.log_weight:
            saved_generative(self.model)
        super()._check_loaded()
