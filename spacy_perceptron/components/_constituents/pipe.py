"""What constituency parsers share: reading docs, writing phrases, lists of trees, confidences.

A parser adds how it parses (`_parse`) and learns.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.sentences import SentenceAnswers
from ...trees.constituents import SPANS_KEY, tree_to_constituents
from ...trees.tree import Tree
from ...values import TEMPERATURE
from .._shared.labelled import LabelledPipe, LabelledState
from .._shared.threads import locked
from .gold import GoldSentence, GoldTrees
from .lists import rank_phrases
from .reader import TaggedReader, TaggedWords
from .settings import ConstituencySettings
from .writer import Phrases, PhraseWriter


class ParsedSentence(NamedTuple):
    """What a parser finds in a sentence.

    phrases (Phrases): The best tree.
    confidences (np.ndarray): How sure the parser is of each phrase, before calibration.
    is_partial (bool): Whether the grammar has no tree for the sentence.
    trees (list[tuple[float, Phrases]]): The best trees with their scores, if they were asked for.
    """

    phrases: Phrases
    confidences: np.ndarray
    is_partial: bool
    trees: list[tuple[float, Phrases]]


class ConstituencyPredictions(NamedTuple):
    """What a parser finds in docs.

    words (TaggedWords): The words of the docs.
    sentences (list[ParsedSentence]): Their trees.
    answers (list): For each doc, the trees to keep with it, sentence by sentence.
    state (ConstituencyState): What has found them.
    surprisal (Optional[list]): For each token, how unexpected it is; None: not measured.
    """

    words: TaggedWords
    sentences: list[ParsedSentence]
    answers: list[list[SentenceAnswers]]
    state: "ConstituencyState"
    surprisal: list[float | None] | None = None


@dataclass(frozen=True)
class ConstituencyState(LabelledState):
    """What predictions depend on.

    writer (PhraseWriter): Writes phrases.
    """

    writer: PhraseWriter


class ConstituencyPipe(LabelledPipe):
    """Finds a constituency tree for each sentence.

    Sets `doc.spans["constituents"]` and `span._.confidence`: the calibrated probability that a
    phrase is right. Sentence boundaries are kept.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        settings: ConstituencySettings,
        scorer: Callable | None,
        cfg: dict[str, Any],
    ):
        """Set up what parsers share.

        vocab (Vocab): The shared vocabulary.
        model (Model): The model.
        name (str): The component instance name.
        settings (ConstituencySettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        cfg (dict): Settings saved with the component.
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
            attribute=SPANS_KEY,
            cfg=cfg,
        )
        self.dropout = settings.dropout
        self.confidence = settings.confidence
        self._read = TaggedReader()
        self._gold = GoldTrees(self._read)

    # --- What parsers provide ---------------------------------------------------------------

    def _parse(
        self, words: TaggedWords, state: Any, scale: float, k: int = 0
    ) -> list[ParsedSentence]:
        """Parse sentences.

        words (TaggedWords): The words.
        state (Any): What predicts.
        scale (float): What scores are multiplied by for confidences; 0 for no confidences.
        k (int): How many trees of each sentence to list; 0 for no lists.
        """
        raise NotImplementedError

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> ConstituencyPredictions:
        """Parse docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (ConstituencyPredictions): Trees, confidences and lists of trees.
        """
        docs = list(docs)
        state = self._get_state()
        words = self._read_docs(docs, state)
        scale = 1 / state.calibration.temperature if self.confidence else 0.0
        sentences = self._parse(words, state, scale, self.n_stored)
        lists = [sentence.trees for sentence in sentences]
        answers = self._make_answers(docs, words, lists, state)
        return ConstituencyPredictions(words, sentences, answers, state)

    def set_annotations(self, docs: Iterable[Doc], predictions: ConstituencyPredictions) -> None:
        """Write phrases and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (ConstituencyPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        state, sentences = predictions.state, predictions.sentences
        confidences = None
        if self.confidence:
            confidences = [state.calibration.apply(s.confidences) for s in sentences]
        state.writer.write_all(
            docs,
            predictions.words.words,
            [sentence.phrases for sentence in sentences],
            confidences=confidences,
            partial=[sentence.is_partial for sentence in sentences],
        )
        self._store_answers(docs, predictions.answers, state)

    def _read_docs(self, docs: Sequence[Doc], state: ConstituencyState) -> TaggedWords:
        words = self._read(docs)
        state.writer.labels.add_to(words.words.texts)
        return words

    # --- Answers beyond the best one --------------------------------------------------------

    def _list_answers(self, doc: Doc, k: int, state: ConstituencyState) -> list[SentenceAnswers]:
        words = self._read_docs([doc], state)
        lists = [sentence.trees for sentence in self._parse(words, state, 0.0, k)]
        return self._rank(doc, words, lists, state, k)

    def _rank(
        self,
        doc: Doc,
        words: TaggedWords,
        lists: Sequence[Any],
        state: ConstituencyState,
        k: int,
    ) -> list[SentenceAnswers]:
        columns = [([tree for _, tree in trees], [score for score, _ in trees]) for trees in lists]
        return rank_phrases(words.words, columns, state.writer, k)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold constituents.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of each phrase of the best trees, and whether it is right, for
            sentences with a gold tree.
        """
        TEMPERATURE.check("temperature", temperature)
        state = self._get_state()
        right: list[bool] = []
        sure: list[np.ndarray] = [np.zeros(0)]
        for example in examples:
            for gold in self._find_gold(example):
                (found,) = self._parse(gold.words, state, 1 / temperature)
                expected = Counter(tree_to_constituents(gold.tree))
                for number, start, end in zip(*found.phrases, strict=True):
                    phrase = (state.writer.names[number], int(start), int(end))
                    right.append(expected[phrase] > 0)
                    expected[phrase] -= 1
                sure.append(found.confidences)
        return np.concatenate(sure), np.array(right, dtype=bool)

    # --- Training ---------------------------------------------------------------------------

    @locked
    def _find_gold(self, example: Example) -> list[GoldSentence]:
        """The sentences of an example with gold trees."""
        return self._gold(example)

    def _labels_of(self, example: Example) -> Iterable[str]:
        return [
            label
            for sentence in self._gold(example)
            for label, _, _ in tree_to_constituents(sentence.tree)
        ]

    def _knows_labels(self, tree: Tree) -> bool:
        """Whether all labels of a tree are those of the component."""
        return {label for label, _, _ in tree_to_constituents(tree)} <= {*self._classes}
