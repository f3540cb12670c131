"""A parser that knows two trees only: every word hangs on the one before it, or on the one after.
Which, and with what labels, it learns from the number of words. Its model has no pruner.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import spacy
from spacy.language import Language

from spacy_perceptron.answers.explanation import FeatureWeight
from spacy_perceptron.components._dependencies.decoder import Trees
from spacy_perceptron.components._dependencies.explanation import (
    ExplainedSentence,
    pair_features,
)
from spacy_perceptron.components._dependencies.pipe import DependencyPipe
from spacy_perceptron.components._dependencies.settings import ParserSettings
from spacy_perceptron.decode.arcs.input import ParsingInput
from spacy_perceptron.decode.search.control import Control
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.learn.parser_weights import ParserTables
from spacy_perceptron.models.parser import EasyFirstModel

N_BITS = 12


def chain(n: int, direction: int) -> np.ndarray:
    """Heads of a chain, with the root last (0) or first (1)."""
    return (
        np.arange(n, dtype=np.int32) if direction else np.arange(2, n + 2, dtype=np.int32) % (n + 1)
    )


def tree_id(n: int, direction: int) -> int:
    return 2 * n + direction


def label_id(n: int, is_root: bool) -> int:
    return 2 * n + is_root + 2


class ChainParsing:
    def __init__(self, lexemes: LexemeTable, tables: ParserTables):
        assert tables.pruner is None
        self.lexemes = lexemes
        self.tables = tables
        self.control = Control()
        self.longest = 0

    def scores(self, n: int) -> list[float]:
        return [self.tables.parts.weight(tree_id(n, direction)) for direction in (0, 1)]

    def labels(self, heads: np.ndarray) -> np.ndarray:
        found = []
        for head in heads.tolist():
            row = self.tables.labels.row(label_id(len(heads), head == 0))
            found.append(max(range(self.tables.labels.n_classes), key=lambda i: row.get(i, 0.0)))
        return np.array(found, np.int32)

    def parse(
        self, words: ParsingInput, starts: np.ndarray, *, scale: float = 0.0, k: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Trees]]:
        none = np.zeros(0, np.int32)
        heads, labels, sure = [none], [none], [np.zeros(0)]
        lengths = np.diff(starts).tolist()
        for n in lengths:
            scores = self.scores(n)
            best = int(scores[1] > scores[0])
            heads.append(chain(n, best))
            labels.append(self.labels(heads[-1]))
            share = 1 / (1 + np.exp(-scale * abs(scores[1] - scores[0])))
            sure.append(np.full(n, share if scale and n > 1 else 1.0))
        lists = [self.best_trees(n, k) for n in lengths if n and k]
        return np.concatenate(heads), np.concatenate(labels), np.concatenate(sure), lists

    def nbest(self, sentence: ParsingInput, k: int) -> Trees:
        return self.best_trees(sentence.n_words, k)

    def best_trees(self, n: int, k: int) -> Trees:
        scores = self.scores(n)
        order = sorted((0, 1) if n > 1 else (0,), key=lambda i: -scores[i])[:k]
        heads = np.stack([chain(n, i) for i in order])
        labels = np.stack([self.labels(tree) for tree in heads])
        return heads, labels, np.array([scores[i] for i in order])

    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None:
        trees = zip(*self.nbest(sentence, 2), strict=True)
        return next((tree for tree in trees if tree[0][word - 1] != head), None)


class ChainTraining:
    def __init__(self, parsing: ChainParsing):
        self.parsing = parsing

    def learn(
        self,
        words: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        time: float,
        *,
        step: float,
    ) -> int:
        """A perceptron's step, for trees that do not win by 1 too."""
        n, tables = words.n_words, self.parsing.tables
        starts = np.array([0, n], np.int32)
        found, found_labels, *_ = self.parsing.parse(words, starts)
        n_mistakes = int((found != heads).sum() + (found_labels != labels).sum())
        gold = int(np.array_equal(heads, chain(n, 1)))
        scores = self.parsing.scores(n)
        if scores[gold] < scores[1 - gold] + 1:
            for direction, delta in ((gold, step), (1 - gold, -step)):
                ids = np.array([tree_id(n, direction)], np.uint64)
                tables.parts.update(ids, np.array([delta], np.float32), time)
        for head, label, other in zip(heads, labels, self.parsing.labels(heads), strict=True):
            key = np.array([label_id(n, head == 0)] * 2, np.uint64)
            deltas = np.array([step, -step], np.float32) * (label != other)
            tables.labels.update(key, np.array([label, other], np.int32), deltas, time)
        return n_mistakes


class ChainParser(DependencyPipe):
    def _make_parsing(self, lexemes: LexemeTable, tables: ParserTables) -> ChainParsing:
        return ChainParsing(lexemes, tables)

    def _make_training(self, parsing: ChainParsing) -> ChainTraining:
        return ChainTraining(parsing)

    def _learn_sentence(
        self, words: ParsingInput, heads: np.ndarray, labels: np.ndarray, time: int, drop: float
    ) -> int:
        return self._training.learn(words, heads, labels, time, step=1.0)

    def _correct_step(
        self,
        training: ChainTraining,
        words: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        margin: float,
    ) -> tuple[np.ndarray, bool]:
        return heads, not training.learn(words, heads, labels, 0.0, step=margin)

    def _compare(
        self,
        parsing: ChainParsing,
        labels: Sequence[str],
        sentence: ExplainedSentence,
        word: int,
        chosen: np.ndarray,
        other: np.ndarray,
    ) -> list[FeatureWeight]:
        n = sentence.words.n_words
        scores = parsing.scores(n)
        sides = [
            {("words", word): [(f"{n}", scores[int(heads[0] == 0)])]} for heads in (chosen, other)
        ]
        return pair_features(*sides, word)


@Language.factory("test_chain_parser", default_config={"nbest": 0})
def make_chain_parser(nlp: Language, name: str, nbest: int) -> ChainParser:
    return ChainParser(
        nlp.vocab,
        EasyFirstModel(N_BITS),
        name,
        settings=ParserSettings(
            adaptive=False,
            dropout=0.0,
            guide=False,
            guide_dropout=0.0,
            confidence=True,
            nbest=nbest,
            seed=0,
        ),
        attributes=[],
        projective=True,
        max_words=50,
        scorer=None,
    )


def blank(**settings: Any) -> Language:
    """RETURNS (Language): A pipeline with the parser, not initialized."""
    nlp = spacy.blank("en")
    nlp.add_pipe("test_chain_parser", name="parser", config=settings)
    return nlp
