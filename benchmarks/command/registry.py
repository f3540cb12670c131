"""The commands. Each is a module with `add_arguments(parser)` and `run(args)`.

A benchmark also has `make_report(data)` and `draw(data, directory)`, which turn results that were
saved as JSON into tables and plots.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

BENCHMARKS: dict[str, str] = {
    "tagger": "part-of-speech tagging on UD English EWT against spaCy, NLTK and CRFsuite",
    "parser": "dependency parsing on UD English EWT against spaCy and UDPipe 1",
    "easy_first": "easy-first parsing on UD English EWT by beam width, beside other parsers",
    "raw_text": "raw text to every column of CoNLL-U on UD English EWT, against spaCy and UDPipe 1",
    "morphology": "coarse tags and morphology on UD Czech CLTT against spaCy's morphologizer",
    "ner": "entity recognition on web text against spaCy and CRFsuite",
    "constituency": "phrase structure on a WSJ sample: chart, left to right, reranked",
    "max_margin": "max-margin parsing on a WSJ sample: MIRA, SMO, pruning, time by length",
    "clusters": "every task without and with word clusters, beside spaCy with word vectors",
    "scale": "annotation by one process and two, memory over words, training on shards",
    "rerank": "kernel reranking of dependency trees and entities, and the speed of kernels",
    "kernels": "speed of the tree kernel on WSJ trees: pairs, and lists against a model",
}
COMMANDS: dict[str, str] = {
    **BENCHMARKS,
    "memory": "resident memory of a trained pipeline while millions of words stream through it",
    "playground": "the playground's server: how long answers take, and many clients at once",
    "results": "write docs/results.md and the tables from the results of earlier runs",
}


def load_benchmark(name: str) -> ModuleType:
    """Import the module of a command; child processes, which do not need it, never do."""
    package = __package__.rpartition(".")[0]
    return import_module(f"{package}.{name}")
