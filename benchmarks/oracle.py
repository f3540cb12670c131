"""The share of gold arcs that the pruner of this package's parser leaves in reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import spacy
from spacy.training import Example

from .corpora import Corpus
from .systems.mira_parser import PARSER
from .systems.spacy_pipeline import PipelineRunner


def oracle_recall(model: Path, corpus: Corpus, split: str) -> float:
    """Recall of gold arcs after pruning, on predicted tags.

    model (Path): a trained pipeline.
    corpus (Corpus): the corpus.
    split (str): the split to judge by.
    RETURNS (float): the share of gold arcs that are not pruned.
    """
    nlp = spacy.load(model)
    inputs = PipelineRunner(nlp).prepare(corpus.sentences(split))
    tagged = nlp.pipe(inputs, disable=[PARSER])
    examples = [
        Example(doc, reference)
        for doc, reference in zip(tagged, corpus.docs(split, nlp.vocab), strict=True)
    ]
    parser = cast(Any, nlp.get_pipe(PARSER))
    return float(parser.oracle_recall(examples))
