"""The share of gold arcs that the pruner of this package's parser keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from spacy.training import Example

from ..corpora.corpus import Corpus
from ..systems.own.mira import MiraSystem
from ..systems.own.parser import PARSER


def oracle_recall(system: MiraSystem, directory: Path, corpus: Corpus, split: str) -> float:
    """The recall of gold arcs after pruning, on predicted tags.

    system (MiraSystem): the parser, with the settings it is loaded with.
    directory (Path): where it was trained.
    corpus (Corpus): the corpus.
    split (str): the split to judge by.
    RETURNS (float): the share of gold arcs that survive.
    """
    runner = system.load(directory)
    tagged = runner.run_first(runner.prepare(corpus.sentences(split)))
    references = corpus.docs(split, runner.nlp.vocab)
    examples = [Example(doc, gold) for doc, gold in zip(tagged, references, strict=True)]
    parser = cast(Any, runner.nlp.get_pipe(PARSER))
    return float(parser.oracle_recall(examples))
