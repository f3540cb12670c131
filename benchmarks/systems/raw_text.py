"""Pipelines from raw text to every column of CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..corpora.raw_text import RawText
from ..corpora.sentences import Sentence
from .pipelines import PipelineRunner


class RawPipelineRunner(PipelineRunner):
    """Annotates texts, or sentences whose words are given; one list of sentences for each."""

    def prepare(self, sentences: Sequence[Sentence | RawText]) -> list[Any]:
        if all(isinstance(item, RawText) for item in sentences):
            return [item.text for item in sentences]
        return super().prepare(sentences)

    def annotations(self, outputs: list[Any]) -> list[Any]:
        from spacy_perceptron.corpus.conllu.writer import doc_to_conllu

        return [list(doc_to_conllu(doc)) for doc in outputs]
