"""The benchmarks there are. Each is a module with `add_arguments(parser)` and `run(args)`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

BENCHMARKS: dict[str, str] = {
    "tagger": "part-of-speech tagging on UD English EWT against spaCy, NLTK and CRFsuite",
    "parser": "dependency parsing on UD English EWT against spaCy and UDPipe 1",
    "ner": "entity recognition on web text against spaCy and CRFsuite",
    "easy_first": "easy-first parsing on UD English EWT by beam width, beside other parsers",
    "kernels": "speed of the tree kernel on WSJ trees: pairs, and lists against a model",
    "rerank": "kernel reranking of dependency trees and entities, and the speed of kernels",
}


def load_benchmark(name: str) -> ModuleType:
    """Import a benchmark's module; only when it is asked for, because child processes are not."""
    return import_module(f"{__package__}.{name}")
