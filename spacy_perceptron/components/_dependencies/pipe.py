"""What dependency parsers share: reading docs, writing trees, lists of them, confidences, gold
trees, and weights of parts and labels.

A parser adds its templates, its decoder over given weights (`_make_parsing`) and how that learns
(`_make_training`, `_learn_sentence`, `_correct_step`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.candidate import register_extensions
from ...answers.confidence import confidence_key, register_confidence
from ...answers.sentences import SentenceAnswers
from ...decode.arcs.input import ParsingInput
from ...errors import Errors
from ...features.lexemes import LexemeTable
from ...features.word_attributes import WordAttributes
from ...learn.parser_weights import ParserLearner, ParserTables, empty_weights
from ...models.parser import (
    parser_tables,
    saved_parser_weights,
    set_parser_weights,
    table_bits,
)
from ..base import LinearPipe
from .confidence import head_confidences
from .correction import correct_parse
from .decoder import TreeDecoder, Trees
from .gold import GoldSentence, GoldTrees
from .nbest import nbest_trees
from .reader import ParseReader, ParseWords, check_length, head_offsets
from .settings import ParserSettings
from .writer import TreeWriter


class DependencyPipe(LinearPipe):
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
        max_words (int): The most words of a sentence.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=settings.seed,
            adaptive=settings.adaptive,
            cfg={"guided": settings.guide},
        )
        self.projective = projective
        self.max_words = max_words
        self.dropout = settings.dropout
        self.guide = settings.guide
        self.guide_dropout = settings.guide_dropout
        self.confidence = settings.confidence
        self.n_stored = settings.nbest
        self._attributes = WordAttributes(vocab, attributes)
        self._lexemes = LexemeTable(len(attributes))
        self._read = ParseReader(guided=self.guide)
        self._gold = GoldTrees(self._read, projective=projective, max_words=max_words)
        self._writer = TreeWriter((), vocab.strings, projective=projective)
        self._label_numbers: dict[str, int] = {}
        self._parsing: TreeDecoder | None = None
        self._training: Any = None
        # How many sentences `initialize` has seen; 0 without it.
        self._n_sentences = 0
        register_extensions()
        register_confidence("head")

    # --- What parsers provide ---------------------------------------------------------------

    def _make_parsing(self, tables: ParserTables) -> Any:
        """Make a decoder, a `TreeDecoder`, over given weights."""
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

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> Trees:
        """Parse docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (tuple): For all tokens of all docs, one after the other: offsets to the heads,
            label numbers (-1 at whitespace) and calibrated confidences.
        """
        words = self._read_docs(list(docs))
        calibration = self.calibration
        scale = 1 / calibration.temperature if self.confidence else 0.0
        offsets, numbers, confidences = self._parse(words, scale)
        return offsets, numbers, calibration.apply(confidences) if self.confidence else confidences

    def set_annotations(self, docs: Iterable[Doc], predictions: Trees) -> None:
        """Write heads, labels and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (tuple): What `predict` returned for them.
        """
        offsets, labels, confidences = predictions
        docs = list(docs)
        key = confidence_key("head")
        sure = confidences.tolist()
        # Before the heads are there, which a guided parser would take for its guide's.
        n = self.n_stored
        nbest = [self.sentence_nbest(doc, n) if n else [] for doc in docs]
        self._writer.write_all(docs, offsets, labels)
        start = 0
        for doc, trees in zip(docs, nbest, strict=True):
            end = start + len(doc)
            if self.confidence:
                doc.user_data[key] = sure[start:end]
            if trees:
                self._store_answers(doc, trees)
            start = end

    def _parse(self, words: ParseWords, scale: float) -> Trees:
        """Offsets to heads, label numbers and confidences, token by token."""
        parsing = self._get_parsing()
        heads, labels, confidences, _ = parsing.parse(
            self._input(words), words.words.starts, scale=scale
        )
        return (
            head_offsets(words.words, heads),
            words.words.spread(labels, -1),
            words.words.spread(confidences, 1.0),
        )

    def _get_parsing(self) -> TreeDecoder:
        self.sync()
        self._require_labels()
        if self._parsing is None:
            self._parsing = self._make_parsing(parser_tables(self.model))
        return self._parsing

    def _read_docs(self, docs: Sequence[Doc]) -> ParseWords:
        if docs:
            self._use_vocab(docs[0].vocab)
        words = self._read(docs)
        check_length(words, self.max_words)
        return words

    def _input(self, words: ParseWords) -> ParsingInput:
        return words.input(self._lexemes, self._attributes)

    def _use_vocab(self, vocab: Vocab) -> None:
        """Look texts up in the vocab of the docs: a sourced pipe keeps its old one."""
        if vocab is not self._attributes.vocab:
            self._attributes = WordAttributes(vocab, self._attributes.names)
            self._writer.add_strings(vocab.strings)

    # --- Answers beyond the best one --------------------------------------------------------

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The k best trees of each sentence.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[SentenceAnswers]): At most k of each, best first, with `head` and `dep`.
        """
        return nbest_trees(self, doc, k)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold heads.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen head, and whether it is right, per word with a
            gold head.
        """
        return head_confidences(self, examples, temperature)

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: steps without a limit on the weights that predict.

        Each step is the smallest change that lets the correct tree win over the best other one by
        the margin. Tokens without a gold head stay free. The training state, if any, starts again
        from the result.

        example (Example): The prediction's text with the heads and labels it should have.
        margin (float): By how much the correct tree should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        return correct_parse(self, example, margin=margin)

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        labels = (label for sentence in self._gold(example) for label in sentence.labels)
        return [label for label in labels if label]

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._n_sentences = 0
        for example in examples:
            self._n_sentences += len(self._gold(example))
            yield example

    def _learn(self, example: Example, learner: ParserLearner, drop: float) -> float:
        self._use_vocab(example.predicted.vocab)
        drop = drop if self.dropout is None else self.dropout
        n_mistakes = 0
        for sentence in self._gold(example):
            learner.next_example()
            n_mistakes += self._learn_sentence(
                self._input(self._hide_guide(sentence.words)),
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
        return all(layer.has_param("weights") for layer in self.model.layers)

    def _n_classes(self) -> int:
        return int(self.model.layers[1].attrs["n_classes"])

    def _empty_weights(self) -> None:
        set_parser_weights(self.model, len(self.labels), empty_weights())

    def _resize_weights(self) -> None:
        set_parser_weights(self.model, len(self.labels), saved_parser_weights(self.model))

    def _make_learner(self) -> ParserLearner:
        return ParserLearner(
            len(self.labels),
            *table_bits(self.model),
            start=saved_parser_weights(self.model),
            adaptive=self.adaptive,
        )

    def _store_average(self, learner: ParserLearner) -> None:
        average = learner.average(min_weight=self.model.layers[0].attrs["min_weight"])
        set_parser_weights(self.model, len(self.labels), average)

    def _check_loaded(self) -> None:
        guided = self.cfg.get("guided", self.guide)
        if guided != self.guide:
            raise ValueError(
                Errors.MODEL_GUIDE.format(saved=str(guided).lower(), given=str(self.guide).lower())
            )

    def _weights_changed(self) -> None:
        self._label_numbers = {label: i for i, label in enumerate(self.labels)}
        self._writer = TreeWriter(self.labels, self.vocab.strings, projective=self.projective)
        self._writer.add_strings(self._attributes.vocab.strings)
        self._parsing = None

    def _learner_changed(self, learner: ParserLearner) -> None:
        self._training = self._make_training(self._make_parsing(learner.tables))

    def __reduce__(self) -> tuple[Callable, tuple, tuple]:
        """A copy makes its own decoder from the weights."""
        make, args, (*fields, attributes) = super().__reduce__()
        return make, args, (*fields, {**attributes, "_parsing": None})
