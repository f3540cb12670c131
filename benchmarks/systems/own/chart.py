"""This package's baseline: a smoothed treebank grammar and a chart, behind a tagger."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import spacy
from spacy.language import Language

from ...corpora.corpus import Corpus
from ...corpora.sentences import PhraseAnalysis, Sentence
from ..base import SplitRunner, System
from ..pipelines import make_doc
from ..records import Stopwatch, TrainingRecord
from .base import SMALL_CORPUS, OwnSystem
from .sequences import TAGGER_CONFIG

if TYPE_CHECKING:
    from spacy_perceptron.trees.pcfg.parser import PcfgParser

FAMILY = "chart"
NAME = "chart, treebank grammar"
TAGGER_KEY = "chart-tagger"


def tagger_system(*, small: bool = False) -> OwnSystem:
    """The tagger of predicted tags; `small` for a small corpus."""
    return OwnSystem(
        key=TAGGER_KEY,
        name="easy_first_tagger",
        overrides=dict(SMALL_CORPUS) if small else {},
        shipped=TAGGER_CONFIG,
        family=FAMILY,
        last_step=True,
    )


class TaggedSentence(NamedTuple):
    """What the parser reads."""

    sentence: Sentence
    tags: list[str]


class ChartRunner(SplitRunner):
    """Runs tagger and parser; the parser can be timed alone. Without a parser, does nothing.

    parser (PcfgParser | None): the parser.
    tagger (Language | None): the tagger; None for gold tags.
    """

    def __init__(self, parser: PcfgParser | None = None, tagger: Language | None = None) -> None:
        self.parser = parser
        self.tagger = tagger

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        return [TaggedSentence(sentence, sentence.tags) for sentence in sentences]

    def run_first(self, inputs: list[Any]) -> list[Any]:
        if self.tagger is None:
            return inputs
        docs = [make_doc(self.tagger.vocab, sentence) for sentence, _ in inputs]
        return [
            TaggedSentence(tagged.sentence, [token.tag_ for token in doc])
            for tagged, doc in zip(inputs, self.tagger.pipe(docs), strict=True)
        ]

    def run_last(self, inputs: list[Any]) -> list[Any]:
        if self.parser is None:
            return []
        return [self.parser.nbest(s.words, tags, k=1)[0] for s, tags in inputs]

    def annotations(self, outputs: list[Any]) -> list[Any]:
        from spacy_perceptron.trees.constituents import tree_to_constituents

        return [
            PhraseAnalysis(found.tree.tags(), tree_to_constituents(found.tree), found.is_coarse)
            for found in outputs
        ]


@dataclass(frozen=True)
class ChartSystem(System):
    """Counts a grammar. Its form on disk is that of the benchmark: the package has none.

    tagged (bool): whether it gets gold tags.
    """

    key: str
    name: str = NAME
    setting: str = ""
    library: str = "spacy_perceptron"
    has_parts: bool = True
    tagged: bool = False

    @property
    def group(self) -> str:
        return FAMILY

    @property
    def home(self) -> str:
        return FAMILY

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        from spacy_perceptron.trees.constituents import doc_to_tree
        from spacy_perceptron.trees.pcfg.parser import PcfgParser

        directory.mkdir(parents=True, exist_ok=True)
        trees = [doc_to_tree(doc) for doc in corpus.docs("train")]
        watch = Stopwatch()
        made = PcfgParser.train(trees)
        parts = made.fine, made.coarse, made.lexicon, made.settings
        self.model_path(directory).write_bytes(pickle.dumps(parts))
        return watch.record()

    def load(self, directory: Path) -> SplitRunner:
        from spacy_perceptron.trees.pcfg.parser import PcfgParser

        tagger = directory.parent / TAGGER_KEY / "model-best"
        return ChartRunner(
            PcfgParser(*pickle.loads(self.model_path(directory).read_bytes())),
            None if self.tagged else spacy.load(tagger),
        )

    def blank(self) -> SplitRunner:
        return ChartRunner()

    def model_path(self, directory: Path) -> Path:
        return directory / "grammar.pickle"


def chart_systems() -> list[ChartSystem]:
    """The baseline on predicted and on gold tags: one training."""
    return [
        ChartSystem(f"{FAMILY}-predicted", setting="predicted tags"),
        ChartSystem(f"{FAMILY}-gold", setting="gold tags", tagged=True),
    ]
