"""The `max_margin_parser` component: constituency trees from a chart of scored spans, learned with
a margin over all trees of the grammar (Taskar, Klein, Collins, Koller and Manning 2004)."""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..answers.explanation import Explanation
from ..decode.constituents.incremental.input import IncrementalInput
from ..decode.constituents.max_margin.parsing import SpanParsing
from ..decode.constituents.max_margin.training import SpanTraining
from ..errors import Errors, Warnings
from ..features.templates import fingerprint
from ..learn.hashed import BITS, HashedWeights, SavedHashedWeights
from ..learn.parser_weights import no_weights
from ..learn.span_learner import MarginLearner, SpanLearner
from ..learn.states import LearnerState, digest_state, part_of, put_under, read_digests
from ..models.hashed import hashed_table, saved_hashed_weights, set_hashed_weights
from ..models.max_margin import check_max_margin, get_table, has_flat, is_max_margin
from ..trees.constituents import Constituent, tree_to_constituents
from ..trees.head_rules import load_head_rules
from ..trees.span_grammar import SpanGrammar
from ..trees.tree import ROOT
from ..values import MARGIN
from ._constituents.gold import GoldSentence
from ._constituents.numbers import SentenceNumbers
from ._constituents.pipe import ConstituencyPipe, ConstituencyState, ParsedSentence
from ._constituents.reader import TaggedWords
from ._constituents.readings import Readings, TagCounts
from ._constituents.spans.auxiliary import (
    Auxiliary,
    Half,
    Halves,
    half_of,
    read_half,
    train_auxiliary,
)
from ._constituents.spans.correction import correct_sentence
from ._constituents.spans.decoding import SpanDecoding
from ._constituents.spans.explanation import SpanNames, compare_spans
from ._constituents.spans.lexical_readings import LexicalReadings, count_tags, read_readings
from ._constituents.spans.lists import list_trees, n_derivations
from ._constituents.spans.symbols import SpanSymbols, grammar_labels
from ._constituents.spans.templates import compile_span_templates
from ._constituents.spans.trees import SpanTrees, digest, has_tags, with_tags
from ._constituents.writer import PhraseWriter
from ._shared.decoders import Decoders, cut_sentences
from ._shared.gold import ReferenceCache
from ._shared.lists import check_place
from ._shared.threads import locked
from .factories.max_margin_parser import MaxMarginSettings
from .factories.max_margin_parser import make_max_margin_parser as make_max_margin_parser

# Scratch memory grows with the square of a sentence's length.
LONGEST = 200
# The confidence of phrases in sentences for which the grammar has no tree, and so no probabilities.
PARTIAL_CONFIDENCE = 0.1
# The pruner goes over a small corpus more often: until it has seen this many sentences, in at most
# so many passes.
LEAST_PRUNER_VISITS, MOST_PASSES = 600, 10


@dataclass(frozen=True)
class MaxMarginState(ConstituencyState):
    """What predictions depend on.

    symbols (SpanSymbols): What the numbers of the parser mean.
    readings (Readings | LexicalReadings): The tags that words can have.
    auxiliary (Optional[Auxiliary]): What predicts phrases for templates that ask for it.
    """

    symbols: SpanSymbols
    readings: Readings | LexicalReadings
    auxiliary: Auxiliary | None


class MaxMarginParser(ConstituencyPipe):
    """Finds the best constituency tree of each sentence in a chart of scored spans.

    Without head features, trees, lists of trees and confidences are exact, given what the pruner
    leaves.
    """

    _training_state = ("_learner", "_training")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "max_margin_parser",
        *,
        settings: MaxMarginSettings,
        scorer: Callable | None = None,
    ):
        """Make a parser.

        vocab (Vocab): The shared vocabulary.
        model (Model): Weights and a pruner (`spacy_perceptron.MaxMarginModel.v1`).
        name (str): The component instance name.
        settings (MaxMarginSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        if not is_max_margin(model):
            raise ValueError(Errors.MAX_MARGIN_MODEL.format(name=name))
        self._head_rules = load_head_rules()
        templates = compile_span_templates(settings)
        self.head_features = settings.head_features
        self._is_assisted = bool(templates.flat.shared)
        if self._is_assisted and not has_flat(model):
            raise ValueError(Errors.MAX_MARGIN_FLAT.format(name=name))
        self.max_tags = settings.max_tags
        self.vertical = settings.vertical
        self.horizontal = settings.horizontal
        self.tagging = settings.tagging
        grammar = SpanGrammar(self.vertical, self.horizontal)
        readings = self._find_readings([])
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
        self._decoding = SpanDecoding(
            templates, self._head_rules, settings.threshold, self._word_attributes
        )
        # Grammar and readings, and the plain data they were made from.
        self._known_grammar = (self.cfg["grammar"], grammar)
        self._known_readings = (self.cfg["readings"], readings)
        # The sentences of gold Docs that are in the grammar.
        self._covered = ReferenceCache()
        # The sentences that `initialize` has trained the pruner on: it may see other Docs than
        # `update`, with the same sentences.
        self._fitted: set[bytes] = set()
        # Gold sentence -> its rows, and the number of phrases that they were made for.
        self._rows = ReferenceCache()
        # Those that `initialize` makes a grammar of, Doc by Doc.
        self._initial: list[tuple[Doc, list[GoldSentence]]] = []
        self.pruner_epochs = settings.pruner_epochs
        self.pruner_step = settings.pruner_step
        self.learner = settings.learner
        self.max_step = settings.max_step
        self.c = settings.c
        self.margin = settings.margin
        self._numbers = SentenceNumbers()
        self._training: SpanTraining | None = None
        # Auxiliary predictors that have not seen a half of the corpus, by the half; once the parser
        # is loaded, those that have seen all. And what they have said of gold sentences.
        self._halves = Halves()
        self._brackets = ReferenceCache()
        # What the learner's decoder knows of the grammar.
        self._symbols: SpanSymbols | None = None

    # --- Grammar ----------------------------------------------------------------------------

    @property
    def _grammar(self) -> SpanGrammar:
        data, grammar = self._known_grammar
        if data is not self.cfg["grammar"]:
            grammar = SpanGrammar.from_dict(self.cfg["grammar"])
            self._known_grammar = (self.cfg["grammar"], grammar)
            self._forget_trees()
        return grammar

    def _set_grammar(self, grammar: SpanGrammar) -> None:
        self._set_cfg("grammar", grammar.to_dict())
        self._known_grammar = (self.cfg["grammar"], grammar)

    def _forget_trees(self) -> None:
        """Forget what depends on the numbers of another grammar."""
        self._covered.clear()
        self._rows.clear()
        self._fitted.clear()

    @property
    def _readings(self) -> Readings | LexicalReadings:
        data, readings = self._known_readings
        if data is not self.cfg["readings"]:
            readings = read_readings(self.cfg["readings"])
            self._known_readings = (self.cfg["readings"], readings)
        return readings

    @property
    def _trees(self) -> SpanTrees:
        """What makes binary trees of gold sentences."""
        names = dict(zip(self._classes, self.cfg["grammar_labels"], strict=True))
        return SpanTrees(self._grammar, names, self._readings, self._head_rules)

    def _make_symbols(self) -> SpanSymbols:
        return self._symbols_of(self._grammar, scored=self.learner == "generative")

    def _symbols_of(self, grammar: SpanGrammar, *, scored: bool) -> SpanSymbols:
        labels = self.cfg["grammar_labels"]
        return SpanSymbols(grammar, labels, self._head_rules, scored=scored)

    def _add_to_grammar(self, label: str) -> None:
        """Give a label a name in the grammar that no other one has."""
        taken = {ROOT, *self.cfg["grammar_labels"]}
        while label in taken:
            label += "'"
        self.cfg["grammar_labels"].append(label)

    def _cover(self, examples: Iterable[Example]) -> bool:
        """Add all that the trees of examples need to the grammar.

        examples (Iterable[Example]): The examples.
        RETURNS (bool): Whether there was something new.
        """
        is_new = False
        # Asked for first of all: if it is another one, nothing is covered yet.
        grammar = self._grammar
        for example in examples:
            sentences = self._gold(example)
            if self._covered.get(example.reference) is sentences:
                continue
            known = [sentence for sentence in sentences if self._knows_labels(sentence.tree)]
            for sentence in known:
                is_new |= grammar.add(self._trees.binarize(sentence))
            # Others can be learned once their labels are added.
            if len(known) == len(sentences):
                self._covered[example.reference] = sentences
        if is_new:
            self._set_grammar(grammar)
        return is_new

    # --- Decoding ---------------------------------------------------------------------------

    def _make_state(self) -> MaxMarginState:
        symbols = self._make_symbols()
        make = partial(
            self._decoding.make,
            weights=hashed_table(get_table(self.model, "spans"), compact=True),
            pruner_weights=hashed_table(get_table(self.model, "pruner"), compact=True),
            symbols=symbols,
        )
        decoders = Decoders(make, self._decoding.n_attributes, longest=LONGEST)
        writer = PhraseWriter(self._classes)
        auxiliary = self._make_auxiliary() if self._is_assisted else None
        readings = self._readings
        return MaxMarginState(decoders, self.calibration, writer, symbols, readings, auxiliary)

    def _parse(
        self, words: TaggedWords, state: MaxMarginState, scale: float, k: int = 0
    ) -> list[ParsedSentence]:
        state, input = self._look_up(words, state)
        starts, symbols = words.words.starts, state.symbols
        n_threads = self._count_threads()

        def parse(parsing: SpanParsing, part: tuple[int, int]) -> list[ParsedSentence]:
            first, last = part
            own = input.cut(int(starts[first]), int(starts[last]))
            bounds = starts[first : last + 1] - starts[first]
            found = parsing.parse(own, bounds, scale=scale, k=n_derivations(k))
            sentences = []
            for s, (rows, sure, is_partial, listed) in enumerate(found):
                phrases, confidences = symbols.phrases(rows, sure)
                if is_partial:
                    confidences[:] = PARTIAL_CONFIDENCE
                find_more = partial(parsing.nbest, own.cut(int(bounds[s]), int(bounds[s + 1])))
                trees = list_trees(listed, symbols, k, find_more)
                sentences.append(ParsedSentence(phrases, confidences, is_partial, trees))
            return sentences

        parts = state.decoders.run(parse, cut_sentences(starts, n_threads), n_threads)
        return [sentence for part in parts for sentence in part]

    def _look_up(
        self, words: TaggedWords, state: MaxMarginState
    ) -> tuple[MaxMarginState, IncrementalInput]:
        """Words as decoders take them, and a state whose decoders know them."""
        brackets = None if state.auxiliary is None else state.auxiliary(words)
        read, parts = self._decoding.read, (state.symbols, state.readings, brackets)
        found = read(words, state.decoders.lexemes.extend, *parts)
        while found is None:
            state = self._with_room(state, len(words))
            found = read(words, state.decoders.lexemes.extend, *parts)
        return state, found

    # --- Pruning ----------------------------------------------------------------------------

    def oracle_recall(self, examples: Iterable[Example]) -> float:
        """The share of gold phrases that pruning keeps.

        examples (Iterable[Example]): Examples with gold constituents.
        RETURNS (float): The share among phrases of several words: others are not pruned. 1 if there
            are none.
        """
        n_gold = n_kept = 0
        for example in examples:
            for sentence, kept in zip(
                self._find_gold(example), self.unpruned_phrases(example), strict=True
            ):
                n_gold += _count_long(tree_to_constituents(sentence.tree))
                n_kept += _count_long(kept)
        return n_kept / n_gold if n_gold else 1.0

    def unpruned_phrases(self, example: Example) -> list[list[Constituent]]:
        """The gold phrases that pruning keeps, at the threshold of the component.

        example (Example): An example with gold constituents.
        RETURNS (list[list[tuple[str, int, int]]]): For each sentence with a gold tree, label, start
            and end of its phrases, in words of the sentence.
        """
        state = self._get_state()
        labels_over = state.symbols.labels_over()
        found = []
        for sentence in self._find_gold(example):
            state, words = self._look_up(sentence.words, state)
            with state.decoders.borrow() as parsing:
                spans = parsing.pruner.choose(words, parsing.threshold, parsing.grammar.n_symbols)
            kept = {
                (state.writer.names[label], start, end)
                for start, end, symbol in spans.to_array().tolist()
                for label in labels_over[symbol]
            }
            phrases = tree_to_constituents(sentence.tree)
            found.append([x for x in phrases if x in kept or not _count_long([x])])
        return found

    # --- Explanation ------------------------------------------------------------------------

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token is in these phrases: the best tree against the best one in which it is in
        others.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return self._compare(doc, i)

    def _explain_span(self, doc: Doc, span: Span) -> Explanation:
        """Why a span is a phrase or not: the best tree against the best one in which that is
        different.

        doc (Doc): The doc; it is not changed.
        span (Span): The span.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return self._compare(doc, span.start, span.end - 1 if len(span) > 1 else None)

    def _compare(self, doc: Doc, i: int, last: int | None = None) -> Explanation:
        state = self._get_state()
        words = self._read_docs([doc], state)
        i = check_place(doc, i, words.words)
        places = words.words.places()
        place = int(places[i])
        n_words = None if last is None else int(places[last]) - place + 1
        s = int(np.searchsorted(words.words.starts, place, side="right")) - 1
        start, end = words.words.starts[s : s + 2].tolist()
        sentence = list(words.sentences())[s]
        state, input = self._look_up(sentence, state)
        tokens = [token for token in doc if words.words.is_word[token.i]][start:end]
        values = self._decoding.values(sentence, state.readings)
        program = self._decoding.templates.spans
        describe = self._decoding.attributes.describe
        names = SpanNames(program, state.symbols, state.writer.names, tokens, values, describe)
        with state.decoders.borrow() as parsing:
            return compare_spans(parsing, input, place - start, names, n_words)

    # --- Learning ---------------------------------------------------------------------------

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._initial = []
        self._forget_trees()
        for example in examples:
            self._initial.append((example.reference, self._gold(example)))
            yield example

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch. Each sentence is one step; the optimizer is not used.

        examples (Iterable[Example]): The batch.
        drop (float): Share of features left out at random.
        sgd (Optional[Optimizer]): Not used.
        losses (Optional[dict]): Record of losses, here the number of wrong nodes; with
            `learner = "smo"` also the duality gap, under the name of the component and `_gap`.
        RETURNS (dict): The losses.
        """
        losses = super().update(examples, drop=drop, sgd=sgd, losses=losses)
        if isinstance(self._learner, MarginLearner):
            losses[f"{self.name}_gap"] = self._learner.gap()
        return losses

    @locked
    def duality_gap(self, examples: Iterable[Example] | None = None) -> float:
        """How far from the optimum the weights can be, with `learner = "smo"`.

        examples (Optional[Iterable[Example]]): All examples that the parser has learned from: these
            are visited once more. None: each sentence counts as it was when it was last visited,
            and the gap is an estimate.
        RETURNS (float): The gap as a share of the primal objective, from 1 at the start to 0 at the
            optimum.
        """
        if not isinstance(self._learner, MarginLearner):
            raise ValueError(Errors.MAX_MARGIN_GAP.format(name=self.name))
        if examples is not None:
            for example in examples:
                self._visit(example, self._learner)
        return self._learner.gap()

    def _visit(self, example: Example, learner: MarginLearner) -> None:
        """Find out by how much sentences violate their margins, without a step."""
        assert self._training is not None
        parsing = self._training.parsing
        parsing.scorer.set_dropout(0, 0)
        for entry, sentence in enumerate(self._gold(example), self._first_entry(example)):
            if self._knows_labels(sentence.tree):
                words, rows = self._gold_input(sentence, parsing), self._gold_rows(sentence)
                *_, slack = self._training.difference(words, rows, margin=self.margin)
                learner.set_slack(entry, slack)

    def _learn_batch(self, examples: Sequence[Example], learner: Any, drop: float) -> float:
        if self.learner == "generative":
            # All is counted in `initialize`.
            return 0.0
        sentences = [sentence for example in examples for sentence in self._gold(example)]
        self._read.warn_of_tags([sentence.words for sentence in sentences])
        if self._cover(examples):
            self._learner_changed(learner)
        return super()._learn_batch(examples, learner, drop)

    def _learn(self, example: Example, learner: SpanLearner, drop: float) -> float:
        assert self._training is not None
        parsing = self._training.parsing
        n_mistakes = 0
        for entry, sentence in enumerate(self._gold(example), self._first_entry(example)):
            learner.next_example()
            if not self._knows_labels(sentence.tree):
                continue
            words = self._gold_input(sentence, parsing)
            rows = self._gold_rows(sentence)
            if self.pruner_epochs and digest(sentence, rows) not in self._fitted:
                parsing.pruner.learn(words, rows[:, :3].copy(), self.pruner_step, learner.time)
                learner.has_pruned = True
            drop = drop if self.dropout is None else self.dropout
            parsing.scorer.set_dropout(drop, self._random.getrandbits(64))
            n_mistakes += self._take_step(words, rows, learner, entry)
        return float(n_mistakes)

    def _take_step(
        self, words: IncrementalInput, rows: np.ndarray, learner: SpanLearner, entry: int
    ) -> int:
        """Learn from one sentence, and return the number of wrong nodes."""
        assert self._training is not None
        if not isinstance(learner, MarginLearner):
            limit, margin = self.max_step, self.margin
            return int(self._training.learn(words, rows, learner.time, limit=limit, margin=margin))
        ids, values, n_wrong, slack = self._training.difference(words, rows, margin=self.margin)
        loss = self.margin * n_wrong - self._training.offset
        learner.learn(entry, ids, values, loss, slack)
        return int(n_wrong)

    def _first_entry(self, example: Example) -> int:
        """The number of an example's first sentence."""
        return self._numbers.first(example.reference, len(self._gold(example)))

    def _gold_input(self, sentence: GoldSentence, parsing: SpanParsing) -> IncrementalInput:
        """Words for a decoder that is alone with its lexeme table."""
        assert self._symbols is not None
        look_up = parsing.lexemes.lookup
        parts = self._symbols, self._readings, self._gold_brackets(sentence)
        found = self._decoding.read(sentence.words, look_up, *parts)
        assert found is not None
        return found

    def _gold_brackets(self, sentence: GoldSentence) -> np.ndarray | None:
        """What predictors that have not seen a sentence say of it."""
        if not self._is_assisted:
            return None
        if not self._halves:
            saved = (saved_hashed_weights(get_table(self.model, x)) for x in ("flat", "pruner"))
            self._halves.extend([self._make_half(self._grammar, self._readings, *saved)] * 2)
        if sentence not in self._brackets:
            half = self._halves[half_of(sentence.words)]
            self._brackets[sentence] = half.predict(sentence.words)
        return self._brackets[sentence]

    def _gold_rows(self, sentence: GoldSentence) -> np.ndarray:
        """The binary tree of a sentence."""
        # The numbers of tags come after those of phrases.
        n_phrases = len(self._grammar.phrases)
        known, rows = self._rows.get(sentence, (0, None))
        if known != n_phrases:
            rows = self._trees.rows(sentence)
            self._rows[sentence] = (n_phrases, rows)
        return rows

    @locked
    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: steps without a limit on the weights that predict.

        The pruner learns to keep the correct tree. Then each step is the smallest change that lets
        the correct tree win over the best other one by the margin. What the tree needs is added
        to the grammar, which is a step, too. The training state, if any, starts again from the
        result.

        example (Example): The prediction's text with the constituents it should have.
        margin (float): By how much the correct tree should win for each wrong node.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        MARGIN.check("margin", margin)
        self._require_known_labels(example)
        n_steps = int(self._cover([example]))
        spans, pruner = (get_table(self.model, name) for name in ("spans", "pruner"))
        tables = [hashed_table(part, trainable=True) for part in (spans, pruner)]
        training = SpanTraining(self._own_parsing(*tables))
        assert self._symbols is not None
        for sentence in self._gold(example):
            words, rows = self._gold_input(sentence, training.parsing), self._gold_rows(sentence)
            n_steps += correct_sentence(training, words, rows, self._symbols, margin)
        if n_steps:
            for part, table in zip((spans, pruner), tables, strict=True):
                set_hashed_weights(part, table.averaged(0))
            self._drop_learner()
            self._weights_changed()
        return n_steps

    # --- Weights ----------------------------------------------------------------------------

    def _has_weights(self) -> bool:
        return all(layer.has_param("weights") for layer in self.model.layers)

    def _copy_model(self) -> Model:
        copied = super()._copy_model()
        # A copy has the names of its parts once they are asked for, and is then saved with them.
        get_table(copied, "spans")
        return copied

    def _n_classes(self) -> int:
        return len(self.cfg["grammar_labels"])

    def _empty_weights(self) -> None:
        self.cfg["grammar_labels"] = []
        self._resize_weights()
        everything = [sentence for _, sentences in self._initial for sentence in sentences]
        self._set_cfg("readings", self._find_readings(everything).to_dict())
        self._set_grammar(SpanGrammar(self.vertical, self.horizontal))
        known: list[GoldSentence] = []
        for reference, sentences in self._initial:
            own = [with_tags(x) for x in sentences if self._knows_labels(x.tree)]
            for tree in map(self._trees.binarize, own):
                self._grammar.add(tree)
                if self.learner == "generative" or self._is_assisted:
                    self._grammar.count(tree)
            known += own
            # Other ones are learned when their tags or labels are there.
            if len(own) == len(sentences) and all(map(has_tags, sentences)):
                self._covered[reference] = sentences
        self._initial = []
        self._set_grammar(self._grammar)
        set_hashed_weights(get_table(self.model, "spans"), no_weights())
        if has_flat(self.model):
            set_hashed_weights(get_table(self.model, "flat"), no_weights())
        self._fit_pruner(known)
        if self._is_assisted:
            self._fit_auxiliary(known)

    def _make_auxiliary(self) -> Auxiliary:
        """The auxiliary predictors, as they were trained on the whole corpus."""
        weights, pruner = (hashed_table(get_table(self.model, x)) for x in ("flat", "pruner"))
        symbols = self._symbols_of(self._grammar, scored=True)
        return Auxiliary(self._decoding, symbols, self._readings, weights, pruner)

    def _make_half(
        self,
        grammar: SpanGrammar,
        readings: Readings | LexicalReadings,
        saved: SavedHashedWeights,
        pruner: SavedHashedWeights,
    ) -> Half:
        """Auxiliary predictors for training."""
        tables = [
            HashedWeights.from_arrays(get_table(self.model, name).attrs["n_bits"], **weights)
            for name, weights in (("flat", saved), ("pruner", pruner))
        ]
        symbols = self._symbols_of(grammar, scored=True)
        predict = Auxiliary(self._decoding, symbols, readings, *tables)
        return Half(predict, grammar.to_dict(), readings.to_dict(), saved, pruner)

    def _fit_auxiliary(self, sentences: Sequence[GoldSentence]) -> None:
        """Train auxiliary predictors: two on the halves of the corpus, and one on all of it."""
        self._halves.clear()
        self._brackets.clear()
        names = dict(zip(self._classes, self.cfg["grammar_labels"], strict=True))
        for half in (0, 1):
            others = [x for x in sentences if half_of(x.words) != half] or list(sentences)
            grammar = SpanGrammar(self.vertical, self.horizontal)
            readings = self._find_readings(others)
            trees = SpanTrees(grammar, names, readings, self._head_rules)
            for tree in map(trees.binarize, others):
                grammar.add(tree)
                grammar.count(tree)
            symbols = self._symbols_of(grammar, scored=True)
            known = [(sentence, trees.rows(sentence)) for sentence in others]
            pruner = self._train_pruner(symbols, readings, known)
            saved = self._train_auxiliary(symbols, readings, others, pruner)
            self._halves.append(self._make_half(grammar, readings, saved, pruner))
        symbols = self._symbols_of(self._grammar, scored=True)
        # The flat classifier alone: what it says does not depend on a pruner.
        saved = self._train_auxiliary(symbols, self._readings, sentences, no_weights())
        set_hashed_weights(get_table(self.model, "flat"), saved)

    def _train_auxiliary(
        self,
        symbols: SpanSymbols,
        readings: Readings | LexicalReadings,
        sentences: Sequence[GoldSentence],
        pruner: SavedHashedWeights,
    ) -> SavedHashedWeights:
        n_bits, seed = get_table(self.model, "flat").attrs["n_bits"], self._random.getrandbits(32)
        pruner_bits = get_table(self.model, "pruner").attrs["n_bits"]
        weights = HashedWeights.from_arrays(pruner_bits, **pruner)
        parts = self._decoding, symbols, readings, weights
        return train_auxiliary(*parts, sentences, n_bits=n_bits, seed=seed)

    def _find_readings(self, sentences: Iterable[GoldSentence]) -> Readings | LexicalReadings:
        """The tags that words can have."""
        if self.tagging == "chart":
            return LexicalReadings(count_tags(sentences), max_tags=self.max_tags)
        counts = TagCounts()
        for sentence in sentences:
            words = sentence.words
            counts.add(words.word_texts(), words.tag_texts(), sentence.tags)
        return counts.readings(self.max_tags)

    def _fit_pruner(self, sentences: Sequence[GoldSentence]) -> None:
        """Train the pruner."""
        symbols = self._make_symbols()
        known = [(sentence, self._gold_rows(sentence)) for sentence in sentences]
        self._fitted.update(digest(*pair) for pair in known)
        saved = self._train_pruner(symbols, self._readings, known)
        set_hashed_weights(get_table(self.model, "pruner"), saved)

    def _train_pruner(
        self,
        symbols: SpanSymbols,
        readings: Readings | LexicalReadings,
        sentences: Sequence[tuple[GoldSentence, np.ndarray]],
    ) -> SavedHashedWeights:
        """Train a pruner on sentences and their binary trees."""
        n_bits = get_table(self.model, "pruner").attrs["n_bits"]
        weights = HashedWeights(n_bits, trainable=True, adaptive=True)
        parsing = self._decoding.make_alone(HashedWeights(BITS[0]), weights, symbols)
        prepared = []
        for sentence, rows in sentences:
            words = self._decoding.read(sentence.words, parsing.lexemes.lookup, symbols, readings)
            prepared.append((words, rows[:, :3].copy()))
        time = 0
        n_least = math.ceil(LEAST_PRUNER_VISITS / max(len(prepared), 1))
        for _ in range(self.pruner_epochs and max(self.pruner_epochs, min(n_least, MOST_PASSES))):
            self._random.shuffle(prepared)
            for words, nodes in prepared:
                assert words is not None
                parsing.pruner.learn(words, nodes, self.pruner_step, time)
                time += 1
        return weights.averaged(time)

    def _resize_weights(self) -> None:
        """Weights do not depend on the number of labels."""
        for label in self._classes[self._n_classes() :]:
            self._add_to_grammar(label)

    def _get_learner(self) -> SpanLearner:
        has_learned = len(get_table(self.model, "spans").get_param("weights")) > 0
        if self._learner is None and self.learner == "smo" and has_learned:
            warnings.warn(Warnings.MAX_MARGIN_ANEW.format(name=self.name), stacklevel=4)
        return super()._get_learner()

    def _make_learner(self) -> SpanLearner:
        part = get_table(self.model, "spans")
        pruner = hashed_table(get_table(self.model, "pruner"), trainable=True, adaptive=True)
        if self.learner == "smo":
            return MarginLearner(part.attrs["n_bits"], pruner=pruner, c=self.c)
        return SpanLearner(
            part.attrs["n_bits"],
            start=saved_hashed_weights(part),
            pruner=pruner,
            adaptive=self.adaptive,
        )

    def _about(self) -> dict[str, Any]:
        bits = {layer.name: layer.attrs["n_bits"] for layer in self.model.layers}
        smo = {"c": self.c} if self.learner == "smo" else {}
        return {**super()._about(), "n_bits": bits, "learner": self.learner, **smo}

    def _survey_state(self) -> LearnerState:
        halves = [put_under(f"halves/{i}", half.state()) for i, half in enumerate(self._halves)]
        fitted = digest_state(self._fitted)
        return {"fitted": fitted, **{name: x for half in halves for name, x in half.items()}}

    def _restore_survey(self, state: LearnerState) -> None:
        fitted = read_digests(state, "fitted")
        parts = [part_of(state, f"halves/{i}") for i in (0, 1)]
        halves = [self._make_half(*read_half(part)) for part in parts if self._is_assisted and part]
        self._fitted = fitted
        self._brackets.clear()
        self._halves[:] = halves

    @property
    def is_mixable(self) -> bool:
        # The weights of SMO are made of the trees that it has learned from.
        return self.learner != "smo"

    def _sentence_state(self, references: Sequence[Doc] | None) -> LearnerState:
        if self.learner != "smo":
            return {}
        return self._numbers.state(references, self.name)

    def _restore_sentences(self, state: LearnerState, references: Sequence[Doc] | None) -> None:
        if self.learner == "smo":
            self._numbers.set_state(state, references, self.name)

    def _learner_changed(self, learner: SpanLearner) -> None:
        self._training = SpanTraining(self._own_parsing(learner.weights, learner.pruner))

    def _own_parsing(self, weights: HashedWeights, pruner: HashedWeights) -> SpanParsing:
        """A decoder that is alone with its lexeme table."""
        self._symbols = self._make_symbols()
        return self._decoding.make_alone(weights, pruner, self._symbols)

    def _store_average(self, learner: SpanLearner) -> None:
        part = get_table(self.model, "spans")
        set_hashed_weights(part, learner.average(min_weight=part.attrs["min_weight"]))
        if learner.has_pruned:
            set_hashed_weights(get_table(self.model, "pruner"), learner.pruner.averaged(0))

    # --- Loading ----------------------------------------------------------------------------

    def _made_with(self) -> dict[str, Any]:
        templates = self._decoding.templates
        spans, pruner = templates.spans.templates, templates.pruner.templates
        # Models that were saved before there was a choice do not have it.
        more = {"learner": self.learner} if self.learner == "generative" else {}
        return {
            **super()._made_with(),
            **more,
            "head_features": self.head_features,
            "templates": fingerprint([*spans["spans"], *spans["symbols"], *spans["shared"]]),
            "head_templates": fingerprint(spans["heads"]),
            "pruner_templates": fingerprint(pruner["spans"]),
        }

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        grammar, names = SpanGrammar.from_dict(cfg["grammar"]), cfg["grammar_labels"]
        are_texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not are_texts or len({*names}) < len(names) or not grammar_labels(grammar) <= {*names}:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        read_readings(cfg["readings"])

    def _check_loaded(self) -> None:
        check_max_margin(self.model)
        super()._check_loaded()
        self._halves.clear()
        self._brackets.clear()


def _count_long(phrases: Iterable[Constituent]) -> int:
    """The number of phrases of several words."""
    return sum(end - start > 1 for _, start, end in phrases)
