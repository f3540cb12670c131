"""The `incremental_parser` component: constituency trees, built word by word from left to right,
with a beam (Collins and Roark 2004)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.explanation import Explanation
from ..answers.surprisal import register_surprisal, store_surprisal
from ..decode.constituents.incremental.events import EventReader
from ..decode.constituents.incremental.input import IncrementalInput
from ..decode.constituents.incremental.parsing import IncrementalParsing
from ..errors import Errors
from ..features.known_words import KnownWords
from ..features.templates import fingerprint
from ..learn.hashed import BITS, HashedWeights
from ..learn.hashed_learner import HashedLearner
from ..learn.states import LearnerState, read_text, text_state
from ..models.generative import make_room, saved_generative
from ..models.hashed import check_hashed, hashed_table, saved_hashed_weights, set_hashed_weights
from ..trees.head_rules import load_head_rules
from ..trees.incremental_grammar import IncrementalGrammar
from ..trees.tree import ROOT
from ..values import MARGIN
from ._constituents.gold import GoldSentence
from ._constituents.incremental.coverage import Coverage
from ._constituents.incremental.decoding import IncrementalDecoding, SearchSpace
from ._constituents.incremental.explanation import compare_events, name_events
from ._constituents.incremental.generative import (
    HeldOutModels,
    StoredGenerative,
    can_hold_out,
    store_generative,
)
from ._constituents.incremental.surprisal import SurprisalMeter
from ._constituents.incremental.symbols import Symbols
from ._constituents.incremental.training import Trainings, learn_at_once
from ._constituents.incremental.trees_to_build import TreesToBuild
from ._constituents.pipe import (
    ConstituencyPipe,
    ConstituencyPredictions,
    ConstituencyState,
    ParsedSentence,
)
from ._constituents.reader import TaggedWords
from ._constituents.readings import Readings, TagCounts
from ._constituents.writer import PhraseWriter
from ._shared.decoders import Decoders, cut_sentences
from ._shared.lists import check_place
from ._shared.threads import locked
from .factories.incremental_parser import IncrementalSettings
from .factories.incremental_parser import make_incremental_parser as make_incremental_parser

# Scratch memory grows with the length of a sentence; only very long ones make a difference.
LONGEST = 1000


@dataclass(frozen=True)
class IncrementalState(ConstituencyState):
    """What predictions depend on.

    space (SearchSpace): What is searched.
    meter (Optional[SurprisalMeter]): Measures surprisal, if there are probabilities.
    """

    space: SearchSpace
    meter: SurprisalMeter | None


class IncrementalParser(ConstituencyPipe):
    """Builds a constituency tree for each sentence, word by word.

    Confidences, lists of trees and surprisal come from the beam: they are approximations.
    """

    _training_state = ("_learner", "_trainings")

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
        self._settings = settings
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
        self._decoding = IncrementalDecoding(settings, self._word_attributes)
        # Grammar and readings, and the plain data they were made from.
        self._known_grammar = (self.cfg["grammar"], grammar)
        self._known_readings = (self.cfg["readings"], readings)
        # The gold sentences that are in the grammar.
        self._coverage = Coverage()
        # Those that `initialize` makes a grammar of.
        self._initial: list[GoldSentence] = []
        self._stored_generative = StoredGenerative()
        self._held_out = HeldOutModels()
        self._trainings: Trainings | None = None
        register_surprisal()

    @property
    def beam_width(self) -> int:
        """RETURNS (int): The number of hypotheses that are kept."""
        return self._decoding.width

    @beam_width.setter
    def beam_width(self, value: int) -> None:
        self._decoding.width = value

    # --- Grammar ----------------------------------------------------------------------------

    @property
    def _grammar(self) -> IncrementalGrammar:
        data, grammar = self._known_grammar
        if data is not self.cfg["grammar"]:
            grammar = IncrementalGrammar.from_dict(self.cfg["grammar"])
            self._known_grammar = (self.cfg["grammar"], grammar)
            self._coverage.clear()
        return grammar

    def _set_grammar(self, grammar: IncrementalGrammar) -> None:
        self._set_cfg("grammar", grammar.to_dict())
        self._known_grammar = (self.cfg["grammar"], grammar)

    @property
    def _readings(self) -> Readings:
        data, readings = self._known_readings
        if data is not self.cfg["readings"]:
            readings = Readings.from_dict(self.cfg["readings"])
            self._known_readings = (self.cfg["readings"], readings)
        return readings

    def _make_space(self) -> SearchSpace:
        """What is searched, as it is now."""
        return SearchSpace(
            self._grammar.compile(load_head_rules(), loose=self.loose),
            self._grammar.chains,
            Symbols(self._grammar, self.cfg["grammar_labels"]),
            self._readings,
        ).with_probabilities(self._stored_generative(self.model) if self.log_weight else None)

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
        # Asked for first of all: if it is another one, nothing is covered yet.
        grammar = self._grammar
        for example in examples:
            sentences = self._gold(example)
            if self._coverage.has(example.reference, sentences) and not rare:
                continue
            known = [sentence for sentence in sentences if self._knows_labels(sentence.tree)]
            for sentence in known:
                tree, again = self._trees.transform(sentence), self._coverage.is_counted(sentence)
                is_new |= grammar.add(tree, rare=rare, again=again)
            self._coverage.count(known)
            # Others can be learned once their labels are added.
            if len(known) == len(sentences):
                self._coverage.add(example.reference, sentences)
        if is_new:
            self._set_grammar(grammar)
        return is_new

    # --- Decoding ---------------------------------------------------------------------------

    def _make_state(self) -> IncrementalState:
        space = self._make_space()
        weights = hashed_table(self.model, compact=True)
        make = partial(self._decoding.make, weights=weights, space=space)
        decoders = Decoders(make, self._decoding.n_attributes, longest=LONGEST)
        meter = None
        if space.generative is not None:
            meter = SurprisalMeter(self._decoding, space, longest=LONGEST)
        writer = PhraseWriter(self._classes)
        return IncrementalState(decoders, self.calibration, writer, space, meter)

    def _parse(
        self, words: TaggedWords, state: IncrementalState, scale: float, k: int = 0
    ) -> list[ParsedSentence]:
        state, input = self._look_up(words, state)
        starts, n_threads = words.words.starts, self._count_threads()

        def parse(parsing: IncrementalParsing, part: tuple[int, int]) -> list[ParsedSentence]:
            found = parsing.parse(*input.cut_sentences(starts, *part), scale=scale, k=k)
            return [self._read_result(result, state.space.symbols) for result in found]

        found = state.decoders.run(parse, cut_sentences(starts, n_threads), n_threads)
        return [sentence for part in found for sentence in part]

    @staticmethod
    def _read_result(result: tuple, symbols: Symbols) -> ParsedSentence:
        rows, shares, is_partial, places, trees = result
        phrases, numbers = symbols.phrases(rows, len(places))
        listed = [(score, symbols.phrases(other, len(places))[0]) for score, other, _ in trees]
        return ParsedSentence(phrases, shares[numbers], is_partial, listed)

    def _look_up(
        self, words: TaggedWords, state: IncrementalState
    ) -> tuple[IncrementalState, IncrementalInput]:
        """Words as decoders take them, and a state whose decoders know them."""
        found = self._decoding.read(words, state.decoders.lexemes.extend, state.space)
        while found is None:
            state = self._with_room(state, len(words))
            found = self._decoding.read(words, state.decoders.lexemes.extend, state.space)
        return state, found

    # --- Surprisal --------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> ConstituencyPredictions:
        """Parse docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (ConstituencyPredictions): Trees, confidences, lists of trees, and surprisal if the
            setting asks for it.
        """
        found = super().predict(docs)
        meter = cast(IncrementalState, found.state).meter
        if not self._settings.surprisal or meter is None:
            return found
        return found._replace(surprisal=meter.measure(found.words, self._count_threads()))

    def set_annotations(self, docs: Iterable[Doc], predictions: ConstituencyPredictions) -> None:
        """Write phrases, confidences and surprisal to docs.

        docs (Iterable[Doc]): The docs.
        predictions (ConstituencyPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        super().set_annotations(docs, predictions)
        if predictions.surprisal is not None:
            store_surprisal(docs, predictions.surprisal)

    def surprisal(self, doc: Doc) -> list[float | None]:
        """How unexpected each token is after those before it in its sentence, in bits: -log2 of its
        probability, summed over the trees in the beam. The tags that words can have are part of
        the probabilities.

        doc (Doc): The doc; it is not changed.
        RETURNS (list[Optional[float]]): A number per token; None for whitespace.
        """
        state = self._get_state()
        if state.meter is None:
            raise ValueError(Errors.INCREMENTAL_SURPRISAL)
        return state.meter.measure(self._read_docs([doc], state), self._count_threads())

    # --- Explanation ------------------------------------------------------------------------

    def _explain(self, doc: Doc, i: int) -> Explanation:
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
        names = name_events(self._decoding, state.space, sentence, tokens)
        with state.decoders.borrow() as parsing:
            return compare_events(parsing, input, place - start, names)

    def _explain_span(self, doc: Doc, span: Span) -> Explanation:
        # Phrases are begun with their first word.
        return self._explain(doc, span.start)

    # --- Learning ---------------------------------------------------------------------------

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._initial = []
        for example in examples:
            self._initial += self._gold(example)
            yield example

    def _make_grammar(self, sentences: Iterable[GoldSentence]) -> IncrementalGrammar:
        """A grammar for the sentences whose labels are known."""
        grammar = IncrementalGrammar(self.transitions)
        known = [sentence for sentence in sentences if self._knows_labels(sentence.tree)]
        for sentence in known:
            grammar.add(self._trees.transform(sentence))
        self._coverage.clear()
        self._coverage.count(known)
        return grammar

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        sentences = [sentence for example in examples for sentence in self._gold(example)]
        self._read.warn_of_tags([sentence.words for sentence in sentences])
        if self._cover(examples):
            self._learner_changed(learner)
        return super()._learn_batch(examples, learner, drop)

    def _learn(self, example: Example, learner: HashedLearner, drop: float) -> float:
        assert self._trainings is not None
        sentences, hypotheses = self._gold(example), self._trainings.hypotheses
        drop = drop if self.dropout is None else self.dropout
        n_mistakes = 0
        first = hypotheses.first_entry(example.reference, len(sentences))
        for entry, sentence in enumerate(sentences, first):
            learner.next_example()
            if self._decoding.has_features and self._knows_labels(sentence.tree):
                n_mistakes += self._trainings.learn(
                    sentence, entry, learner.time, drop=drop, seed=self._random.getrandbits(64)
                )
        return float(n_mistakes)

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
        table, space = hashed_table(self.model, trainable=True), self._make_space()
        for sentence in self._gold(example):
            n_steps += learn_at_once(
                sentence, self._decoding, self._trees, table, space, margin=margin
            )
        if n_steps:
            set_hashed_weights(self.model, table.averaged(0))
            self._drop_learner()
            self._weights_changed()
        return n_steps

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
        """Estimate the generative model, and those for training."""
        self._held_out.forget()
        if not sentences:
            return
        texts = [sentence.words.word_texts() for sentence in sentences]
        space = replace(self._make_space(), known=KnownWords.from_sentences(texts), generative=None)
        parsing = self._decoding.make_alone(HashedWeights(BITS[0]), space)
        read, reader = self._decoding.read_gold, EventReader(parsing)
        events = [reader.read(*read(x, self._trees, parsing, space)) for x in sentences]
        store_generative(self.model, events, texts)
        if self._decoding.has_features and can_hold_out(len(events)):
            self._held_out.fit(self.model, events, texts)

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

    def _about(self) -> dict[str, Any]:
        passes = self._settings.cache_passes
        return {**super()._about(), "n_bits": self.model.attrs["n_bits"], "cache_passes": passes}

    def _survey_state(self) -> LearnerState:
        # How often chains were seen is saved once it allows more.
        grammar = text_state(self._grammar.to_dict())
        held_out = self._held_out.state(self.model)
        return {"grammar": grammar, **self._coverage.state(), **held_out}

    def _restore_survey(self, state: LearnerState) -> None:
        grammar = IncrementalGrammar.from_dict(read_text(state, "grammar"))
        grammar.check_labels(self.cfg["grammar_labels"])
        self._held_out.set_state(state, self.model)
        self._coverage.set_state(state)
        self._known_grammar = (self.cfg["grammar"], grammar)

    def _sentence_state(self, references: Sequence[Doc] | None) -> LearnerState:
        assert self._trainings is not None
        return self._trainings.hypotheses.state(references, self.name)

    def _restore_sentences(self, state: LearnerState, references: Sequence[Doc] | None) -> None:
        assert self._trainings is not None
        self._trainings.hypotheses.set_state(state, references, self.name)

    def _learner_changed(self, learner: HashedLearner) -> None:
        # Another model may have been loaded since.
        if not self._held_out.belong_to(self.model):
            self._held_out.forget()
        self._trainings = Trainings(
            self._settings,
            self._decoding,
            self._trees,
            learner.weights,
            self._make_space(),
            self._held_out,
            None if self._trainings is None else self._trainings.hypotheses,
        )

    def _store_average(self, learner: HashedLearner) -> None:
        set_hashed_weights(self.model, learner.average(min_weight=self.model.attrs["min_weight"]))

    # --- Loading ----------------------------------------------------------------------------

    def _made_with(self) -> dict[str, Any]:
        templates = self._decoding.program.templates
        return {
            **super()._made_with(),
            "transitions": self.transitions,
            "templates": fingerprint(templates["nodes"]),
            "word_templates": fingerprint(templates["words"]),
        }

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        grammar = IncrementalGrammar.from_dict(cfg["grammar"])
        grammar.check_labels(cfg["grammar_labels"])
        if grammar.transitions != self.transitions:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        Readings.from_dict(cfg["readings"])

    def _check_loaded(self) -> None:
        check_hashed(self.model)
        if self.log_weight:
            saved_generative(self.model)
        super()._check_loaded()
