"""What dependency parsers share: reading docs, writing trees, lists of them, confidences, gold
trees, and weights of parts and labels.

A parser adds its templates, its decoder over given weights (`_make_parsing`), how that learns
(`_make_training`, `_learn_sentence`, `_correct_step`) and which features make two trees differ
(`_compare`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.confidence import store_confidences
from ...answers.explanation import ROOT_NAME, Explanation, FeatureWeight, token_names
from ...answers.sentences import SentenceAnswers
from ...decode.arcs.input import ParsingInput
from ...errors import Errors
from ...features.lexemes import LexemeTable
from ...learn.parser_weights import ParserLearner, ParserTables, empty_weights
from ...learn.states import LearnerState, read_number
from ...models.parser import (
    check_parser,
    get_part,
    has_weights,
    parser_tables,
    saved_parser_weights,
    set_parser_weights,
    table_bits,
)
from ...trees.projectivity import is_lifted, plain_label
from ...values import MARGIN, TEMPERATURE
from .._shared.decoders import Decoders, cut_sentences
from .._shared.labelled import LabelledPipe, LabelledState
from .._shared.lists import check_place
from .._shared.threads import locked
from .._shared.words import NO_CHARACTERS
from .decoder import TreeDecoder, Trees, is_right
from .explanation import ExplainedSentence, find_word
from .gold import GoldSentence, GoldTrees, read_gold
from .lists import rank_trees
from .reader import ParseReader, ParseWords, head_offsets
from .settings import ParserSettings
from .writer import TreeWriter

# Charts grow with the square of the length of a sentence.
LONGEST = 500
# How many times k trees are looked at for k different ones.
MAX_REPEATED = 8
# Each step of a correction mends the worst tree that is left; sentences need a few.
MAX_CORRECTIONS = 100


class ParsePredictions(NamedTuple):
    """What a parser finds in docs.

    offsets (np.ndarray): From each token of all docs to its head.
    labels (np.ndarray): Label numbers, -1 at whitespace.
    confidences (np.ndarray): Calibrated probabilities that the heads are right.
    is_start (np.ndarray): Whether each token starts a sentence that was parsed.
    answers (list): For each doc, the trees to keep with it, sentence by sentence.
    state (ParserState): What has found them.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    offsets: np.ndarray
    labels: np.ndarray
    confidences: np.ndarray
    is_start: np.ndarray
    answers: list[list[SentenceAnswers]]
    state: "ParserState"
    characters: np.ndarray = NO_CHARACTERS


@dataclass(frozen=True)
class ParserState(LabelledState):
    """What predictions depend on.

    labels (Sequence[str]): The labels, in the order of their numbers.
    writer (TreeWriter): Writes trees.
    """

    labels: Sequence[str]
    writer: TreeWriter


class DependencyPipe(LabelledPipe):
    """Finds a labelled dependency tree for each sentence.

    Sets `token.head`, `token.dep` and `token._.head_confidence`: the calibrated probability that
    the head is right. Sentence boundaries that are already there are kept.
    """

    _training_state = ("_learner", "_training")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        settings: ParserSettings,
        attributes: list[str],
        projective: bool,
        max_words: int,
        scorer: Callable | None,
    ):
        """Set up what parsers share.

        vocab (Vocab): The shared vocabulary.
        model (Model): A parser model: layers for parts or actions, for labels and, as an option,
            for a pruner.
        name (str): The component instance name.
        settings (ParserSettings): The settings.
        attributes (list[str]): The word attributes that the templates ask for.
        projective (bool): Whether decoders find trees without crossing arcs only. Those of gold
            trees are then lifted for training, and lowered again after decoding.
        max_words (int): The maximum number of words in a sentence; longer ones are cut.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=settings.seed,
            nbest=settings.nbest,
            n_threads=settings.n_threads,
            adaptive=settings.adaptive,
            attribute="head",
            cfg={"guided": settings.guide},
        )
        self.projective = projective
        self.max_words = max_words
        self.dropout = settings.dropout
        self.guide = settings.guide
        self.guide_dropout = settings.guide_dropout
        self.confidence = settings.confidence
        self._attributes = self._word_attributes(attributes)
        self._read = ParseReader(guided=self.guide, longest=max_words)
        self._gold = GoldTrees(self._read, projective=projective)
        self._label_numbers: dict[str, int] = {}
        self._training: Any = None
        # How many sentences `initialize` has seen; 0 without it.
        self._n_sentences = 0

    # --- What parsers provide ---------------------------------------------------------------

    def _make_parsing(self, lexemes: LexemeTable, tables: ParserTables) -> Any:
        """Make a decoder, a `TreeDecoder`, over given weights.

        lexemes (LexemeTable): The words it will get.
        tables (ParserTables): The weights.
        """
        raise NotImplementedError

    def _make_training(self, parsing: Any) -> Any:
        """Make what trains the weights of a decoder."""
        raise NotImplementedError

    def _learn_sentence(
        self, words: ParsingInput, heads: np.ndarray, labels: np.ndarray, time: int, drop: float
    ) -> int:
        """Let `self._training` learn from one sentence, and return the number of mistakes.

        words (ParsingInput): The sentence.
        heads (np.ndarray): Gold heads, -1 for unknown.
        labels (np.ndarray): Gold label numbers, -1 for unknown.
        time (int): Number of examples finished before this one.
        drop (float): Share of features to leave out at random.
        """
        raise NotImplementedError

    def _correct_step(
        self,
        training: Any,
        words: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        margin: float,
    ) -> tuple[np.ndarray, bool]:
        """Take one step, however long, towards a gold tree.

        training (Any): What `_make_training` made.
        words, heads, labels: As for `_learn_sentence`.
        margin (float): By how much the gold tree should win.
        RETURNS (tuple): The heads to go on with, gaps filled, and whether nothing was wrong.
        """
        raise NotImplementedError

    def _compare(
        self,
        parsing: Any,
        labels: Sequence[str],
        sentence: ExplainedSentence,
        word: int,
        chosen: np.ndarray,
        other: np.ndarray,
    ) -> list[FeatureWeight]:
        """The features in which two trees differ, what spoke most for the first tree first.

        parsing (Any): The decoder.
        labels (Sequence[str]): The labels, in the order of their numbers.
        sentence (ExplainedSentence): The sentence.
        word (int): The word whose head is explained, from 1 on.
        chosen, other (np.ndarray): The heads of the trees; the decoder found the second one last.
        RETURNS (list[FeatureWeight]): Features with weight.
        """
        raise NotImplementedError

    # --- Labels -----------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The labels that docs can get, without those that mark lifted
        words while a tree is searched for."""
        return tuple(dict.fromkeys(map(self._written, self._classes)))

    def _written(self, label: str) -> str:
        return plain_label(label)

    def _explain_unknown(self, label: str) -> str:
        plain = plain_label(label)
        if plain in self.labels and is_lifted(label):
            return Errors.CORRECT_LIFTED.format(name=self.name, plain=plain, label=label)
        return super()._explain_unknown(label)

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> ParsePredictions:
        """Parse docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (ParsePredictions): Trees, confidences and lists of trees.
        """
        docs = list(docs)
        state = self._get_state()
        words = self._read_docs(docs, state)
        scale = 1 / state.calibration.temperature if self.confidence else 0.0
        offsets, labels, confidences, lists = self._parse(words, state, scale, self.n_stored)
        if self.confidence:
            confidences = state.calibration.apply(confidences)
        answers = self._make_answers(docs, words, lists, state)
        return ParsePredictions(
            offsets,
            labels,
            confidences,
            words.words.is_start,
            answers,
            state,
            words.words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: ParsePredictions) -> None:
        """Write heads, labels and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (ParsePredictions): What `predict` returned for them.
        """
        docs = list(docs)
        writer, is_start = predictions.state.writer, predictions.is_start
        writer.write_all(docs, predictions.offsets, predictions.labels, is_start)
        if self.confidence:
            confidences = predictions.confidences.tolist()
            store_confidences(docs, "head", confidences, predictions.characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _parse(
        self, words: ParseWords, state: ParserState, scale: float, k: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Trees]]:
        """Offsets to heads, label numbers and confidences, token by token, and if k is not 0 the
        best trees of each sentence."""
        state, input = self._look_up(words, state)
        starts = words.words.starts
        n_threads = self._count_threads()

        def parse(parsing: TreeDecoder, part: tuple[int, int]) -> tuple:
            first, last = part
            own = input.cut(int(starts[first]), int(starts[last]))
            return parsing.parse(own, starts[first : last + 1] - starts[first], scale=scale, k=k)

        found = state.decoders.run(parse, cut_sentences(starts, n_threads), n_threads)
        heads, labels, confidences, lists = zip(*found, strict=True)
        return (
            head_offsets(words.words, np.concatenate(heads)),
            words.words.spread(np.concatenate(labels), -1),
            words.words.spread(np.concatenate(confidences), 1.0),
            list(chain(*lists)),
        )

    def _read_docs(self, docs: Sequence[Doc], state: ParserState) -> ParseWords:
        words = self._read(docs)
        state.writer.labels.add_to(words.words.texts)
        return words

    def _look_up(self, words: ParseWords, state: ParserState) -> tuple[ParserState, ParsingInput]:
        """Words as decoders take them, and a state whose decoders know them."""
        found = words.input(state.decoders.lexemes.extend, self._attributes)
        while found is None:
            state = self._with_room(state, len(words))
            found = words.input(state.decoders.lexemes.extend, self._attributes)
        return state, found

    def _own_input(self, words: ParseWords, parsing: Any) -> ParsingInput:
        """Words for a decoder that is alone with its lexeme table."""
        found = words.input(parsing.lexemes.lookup, self._attributes)
        assert found is not None
        return found

    # --- Answers beyond the best one --------------------------------------------------------

    def _list_answers(self, doc: Doc, k: int, state: ParserState) -> list[SentenceAnswers]:
        words = self._read_docs([doc], state)
        return self._rank(doc, words, self._list_trees(words, state, k), state, k)

    def _list_trees(self, words: ParseWords, state: ParserState, k: int) -> list[Trees]:
        """The k best trees of each sentence."""
        state, input = self._look_up(words, state)

        def find(parsing: TreeDecoder, bounds: tuple[int, int]) -> Trees:
            return parsing.nbest(input.cut(*bounds), k)

        bounds = list(pairwise(words.words.starts.tolist()))
        return state.decoders.run(find, bounds, self._count_threads())

    def _rank(
        self,
        doc: Doc,
        words: ParseWords,
        lists: Sequence[Trees],
        state: ParserState,
        k: int,
    ) -> list[SentenceAnswers]:
        """The k best different trees of each sentence of a doc, from lists of k trees."""
        sentences = rank_trees(doc, words, lists, state.writer, k)
        # Two projective trees can be the same one once their crossing arcs are lowered.
        short = [s for s, trees in enumerate(lists) if len(sentences[s]) < k <= len(trees[2])]
        if not short:
            return sentences
        parts = list(words.split(np.diff(words.words.sentence_bounds()).tolist()))
        for s in short:
            n_trees = k
            while len(sentences[s]) < k and n_trees <= MAX_REPEATED * k:
                n_trees *= 2
                (trees,) = self._list_trees(parts[s], state, n_trees)
                (found,) = rank_trees(doc, parts[s], [trees], state.writer, k)
                sentences[s] = replace(found, start=sentences[s].start, end=sentences[s].end)
                if len(trees[2]) < n_trees:
                    break
        return sentences

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold heads.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen head, and whether it is right, per word with a
            gold head.
        """
        TEMPERATURE.check("temperature", temperature)
        docs = [example.predicted for example in examples]
        state = self._get_state()
        words = self._read_docs(docs, state)
        offsets, numbers, confidences, _ = self._parse(words, state, 1 / temperature)
        right: list[bool] = []
        sure: list[float] = []
        start = 0
        for example, doc in zip(examples, docs, strict=True):
            end = start + len(doc)
            tree = state.writer.annotate(doc, offsets[start:end], numbers[start:end])
            gold, _ = read_gold(example)
            for i, (head, gold_head) in enumerate(zip(tree["head"], gold, strict=True), start):
                if gold_head is not None and words.words.is_word[i]:
                    right.append(head == gold_head)
                    sure.append(confidences[i])
            start = end
        return np.array(sure, dtype=np.float64), np.array(right, dtype=bool)

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its head rather than the next best one.

        The best tree is set against the best one in which the word has another head.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        state = self._get_state()
        words = self._read_docs([doc], state)
        i = check_place(doc, i, words.words)
        state, input = self._look_up(words, state)
        sentence, word = find_word(doc, i, words, input, self._attributes.describe)
        with state.decoders.borrow() as parsing:
            chosen = parsing.nbest(sentence.words, 1)[0][0]
            found = parsing.without(sentence.words, word, int(chosen[word - 1]))
            if found is None:
                raise ValueError(Errors.EXPLAIN_ONE_HEAD.format(i=i))
            other = found[0]
            features = self._compare(parsing, state.labels, sentence, word, chosen, other)
        names = token_names([token.text for token in doc])

        def name(head: int) -> str:
            return names[sentence.tokens[head - 1].i] if head else ROOT_NAME

        return Explanation(
            doc[i].text,
            name(int(chosen[word - 1])),
            name(int(other[word - 1])),
            sum(feature.chosen for feature in features),
            sum(feature.runner_up for feature in features),
            None,
            features,
            subject="head",
        )

    @locked
    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: steps without a limit on the weights that predict.

        Each step is the smallest change that lets the correct tree win over the best other one by
        the margin. Tokens without a gold head stay free. The training state, if any, starts again
        from the result.

        example (Example): The prediction's text with the heads and labels it should have.
        margin (float): By how much the correct tree should win for each mistake of the other.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        MARGIN.check("margin", margin)
        self._require_known_labels(example)
        tables = parser_tables(self.model, trainable=True)
        parsing = self._make_parsing(self._make_lexemes(), tables)
        training = self._make_training(parsing)
        n_steps = 0
        for sentence in self._gold(example):
            words = self._own_input(sentence.words, parsing)
            labels = self._gold_labels(sentence)
            heads = sentence.heads
            if is_right(parsing, words, heads, labels):
                continue
            for _ in range(MAX_CORRECTIONS):
                # From the first step on the tree that completes the gold heads is the goal.
                heads, is_done = self._correct_step(training, words, heads, labels, margin)
                n_steps += 1
                if is_done and is_right(parsing, words, sentence.heads, labels):
                    break
        if n_steps:
            set_parser_weights(self.model, len(self._classes), tables.averaged(0))
            self._drop_learner()
            self._weights_changed()
        return n_steps

    # --- Training ---------------------------------------------------------------------------

    @locked
    def _find_gold(self, example: Example) -> list[GoldSentence]:
        """The sentences of an example with gold trees."""
        return self._gold(example)

    def _labels_of(self, example: Example) -> Iterable[str]:
        labels = (label for sentence in self._gold(example) for label in sentence.labels)
        return [label for label in labels if label]

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._n_sentences = 0
        for example in examples:
            self._n_sentences += len(self._gold(example))
            yield example

    def _about(self) -> dict[str, Any]:
        return {**super()._about(), "n_bits": [*table_bits(self.model)]}

    def _survey_state(self) -> LearnerState:
        return {"n_sentences": np.array(self._n_sentences, np.int64)}

    def _restore_survey(self, state: LearnerState) -> None:
        self._n_sentences = read_number(state, "n_sentences")

    def _learn(self, example: Example, learner: ParserLearner, drop: float) -> float:
        drop = drop if self.dropout is None else self.dropout
        n_mistakes = 0
        sentences = self._gold(example)
        self._read.warn_of_tags([sentence.words for sentence in sentences])
        for sentence in sentences:
            learner.next_example()
            n_mistakes += self._learn_sentence(
                self._own_input(self._hide_guide(sentence.words), self._training.parsing),
                sentence.heads,
                self._gold_labels(sentence),
                learner.time,
                drop,
            )
        return float(n_mistakes)

    def _hide_guide(self, words: ParseWords) -> ParseWords:
        """The words of a sentence to learn from, at random without what the guide says."""
        if not self.guide or self._random.random() >= self.guide_dropout:
            return words
        return words.unguided()

    def _gold_labels(self, sentence: GoldSentence) -> np.ndarray:
        """Gold label numbers; -1: missing or unknown."""
        numbers = [self._label_numbers.get(label or "", -1) for label in sentence.labels]
        return np.array(numbers, dtype=np.int32)

    # --- Weights ----------------------------------------------------------------------------

    def _has_weights(self) -> bool:
        return has_weights(self.model)

    def _copy_model(self) -> Model:
        copied = super()._copy_model()
        # Finding a part restores the names of all of them.
        get_part(copied, "parts")
        return copied

    def _n_classes(self) -> int:
        return int(get_part(self.model, "labels").attrs["n_classes"])

    def _empty_weights(self) -> None:
        set_parser_weights(self.model, len(self._classes), empty_weights())

    def _resize_weights(self) -> None:
        set_parser_weights(self.model, len(self._classes), saved_parser_weights(self.model))

    def _make_learner(self) -> ParserLearner:
        return ParserLearner(
            len(self._classes),
            *table_bits(self.model),
            start=saved_parser_weights(self.model),
            adaptive=self.adaptive,
        )

    def _store_average(self, learner: ParserLearner) -> None:
        average = learner.average(min_weight=get_part(self.model, "parts").attrs["min_weight"])
        set_parser_weights(self.model, len(self._classes), average)

    def _made_with(self) -> dict[str, Any]:
        return {**super()._made_with(), "guide": self.guide}

    def _check_loaded(self) -> None:
        check_parser(self.model)
        super()._check_loaded()
        guided = self.cfg.get("guided", self.guide)
        if guided != self.guide:
            raise ValueError(
                Errors.MODEL_GUIDE.format(saved=str(guided).lower(), given=str(self.guide).lower())
            )

    def _make_state(self) -> ParserState:
        make = partial(self._make_parsing, tables=parser_tables(self.model))
        decoders = Decoders(make, len(self._attributes.names), longest=LONGEST)
        writer = TreeWriter(self._classes, projective=self.projective)
        return ParserState(decoders, self.calibration, self._classes, writer)

    def _make_lexemes(self) -> LexemeTable:
        return LexemeTable(len(self._attributes.names))

    def _weights_changed(self) -> None:
        self._label_numbers = {label: i for i, label in enumerate(self._classes)}
        super()._weights_changed()

    def _learner_changed(self, learner: ParserLearner) -> None:
        parsing = self._make_parsing(self._make_lexemes(), learner.tables)
        self._training = self._make_training(parsing)
