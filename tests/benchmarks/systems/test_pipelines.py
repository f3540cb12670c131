"""How pipelines are run and read."""

from __future__ import annotations

import spacy

from benchmarks.corpora.corpus import Corpus
from benchmarks.measures.parses import parse_accuracy
from benchmarks.systems.pipelines import ParserRunner, PipelineRunner

from ..samples import TRAIN


def test_pipeline_inputs_are_one_sentence_without_tags() -> None:
    runner = PipelineRunner(spacy.blank("en"))
    docs = runner.prepare(TRAIN)
    assert [len(list(doc.sents)) for doc in docs] == [1, 1]
    assert runner.annotations(runner.run(docs)) == [[""] * 4, [""] * 4]


def test_pipeline_answers_with_tags_and_trees(corpus: Corpus) -> None:
    docs = list(corpus.docs("test"))
    answers = ParserRunner(spacy.blank("en")).annotations(docs)
    gold = corpus.sentences("test")
    assert all(count["share"] == 1 for count in parse_accuracy(gold, answers).values())
