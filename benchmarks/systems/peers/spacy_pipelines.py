"""Parsers that are spaCy pipelines: how they are read, and spaCy's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spacy.language import Language

from ...corpora.corpus import doc_heads
from ...corpora.sentences import ROOT_HEAD, ROOT_LABEL, Analysis
from ..base import Runner
from ..pipelines import PipelineRunner, SpacySystem, step_limit

METRIC = "dep_las"
SPACY_KEY = "spacy"


class ParserRunner(PipelineRunner):
    """Runs a pipeline with a parser in it."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        analyses = []
        for doc in outputs:
            heads = doc_heads(doc)
            labels = [
                ROOT_LABEL if head == ROOT_HEAD else token.dep_
                for head, token in zip(heads, doc, strict=True)
            ]
            analyses.append(Analysis([token.tag_ for token in doc], heads, labels))
        return analyses


@dataclass(frozen=True)
class SpacyParserSystem(SpacySystem):
    """spaCy's tagger and parser on one tok2vec."""

    components: tuple[str, ...] = ("tagger", "parser")
    metric: str = METRIC

    def make_runner(self, nlp: Language) -> Runner:
        return ParserRunner(nlp)


def spacy_parser_system(
    *, max_steps: int | None = None, max_minutes: float = 0.0
) -> SpacyParserSystem:
    """spaCy's tagger and parser, with their default stopping unless limited."""
    return SpacyParserSystem(
        key=SPACY_KEY,
        name="spaCy tok2vec + tagger + parser",
        overrides=step_limit(max_steps),
        max_minutes=max_minutes,
    )
