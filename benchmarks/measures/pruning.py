"""What the pruners of this package's parsers keep of gold trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from spacy.training import Example

from ..corpora.corpus import Corpus
from ..corpora.sentences import PhraseAnalysis
from ..systems.own.parser import PARSER, OwnParser
from .constituents import bracket_result, count_brackets


def read_tagged(
    system: OwnParser, directory: Path, corpus: Corpus, split: str
) -> tuple[Any, list[Example]]:
    """A trained parser, and examples with the tags that it gets.

    system (OwnParser): the parser, with the settings it is loaded with.
    directory (Path): where it was trained.
    corpus (Corpus): the corpus.
    split (str): the split to read.
    RETURNS (tuple[Any, list[Example]]): the component and the examples.
    """
    runner = system.load(directory)
    tagged = runner.run_first(runner.prepare(corpus.sentences(split)))
    references = corpus.docs(split, runner.nlp.vocab)
    examples = [Example(doc, gold) for doc, gold in zip(tagged, references, strict=True)]
    return cast(Any, runner.nlp.get_pipe(PARSER)), examples


def oracle_recall(system: OwnParser, directory: Path, corpus: Corpus, split: str) -> float:
    """The share of gold arcs that survive pruning, on predicted tags. See `read_tagged`."""
    parser, examples = read_tagged(system, directory, corpus, split)
    return float(parser.oracle_recall(examples))


def phrase_pruning(
    system: OwnParser, directory: Path, corpus: Corpus, split: str
) -> dict[str, Any]:
    """What survives pruning of gold phrases. See `read_tagged`.

    RETURNS (dict[str, Any]): `oracle_recall`, the share of gold phrases of several words; `oracle`,
        the brackets of gold trees without the phrases that are lost, in the manner of EVALB.
    """
    parser, examples = read_tagged(system, directory, corpus, split)
    kept = [
        PhraseAnalysis([], [phrase for found in parser.unpruned_phrases(eg) for phrase in found])
        for eg in examples
    ]
    return {
        "oracle_recall": float(parser.oracle_recall(examples)),
        "oracle": bracket_result(count_brackets(corpus.sentences(split), kept)),
    }
