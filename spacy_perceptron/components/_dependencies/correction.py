"""Teaches a parser one corrected sentence at once, in steps without a limit."""

from typing import TYPE_CHECKING

import numpy as np
from spacy.training import Example

from ...decode.arcs.input import ParsingInput
from ...errors import Errors
from ...models.parser import parser_tables, set_parser_weights
from .decoder import TreeDecoder

if TYPE_CHECKING:
    from .pipe import DependencyPipe

# Each step mends the worst tree that is left; sentences need a few.
MAX_STEPS = 100


def correct_parse(parser: "DependencyPipe", example: Example, *, margin: float) -> int:
    """Change the weights that predict until they give the example's gold tree.

    parser (DependencyPipe): The parser.
    example (Example): The prediction's text with the heads and labels it should have.
    margin (float): By how much the correct tree should win for each mistake of another.
    RETURNS (int): Number of changes; 0 when the prediction was right.
    """
    parser.sync()
    parser._require_labels()
    parser._use_vocab(example.predicted.vocab)
    unknown = sorted(set(parser._labels_of(example)) - set(parser.labels))
    if unknown:
        raise ValueError(Errors.CORRECT_LABEL.format(name=parser.name, label=unknown[0]))
    tables = parser_tables(parser.model, trainable=True)
    parsing = parser._make_parsing(tables)
    training = parser._make_training(parsing)
    n_steps = 0
    for sentence in parser._gold(example):
        words = parser._input(sentence.words)
        labels = parser._gold_labels(sentence)
        heads = sentence.heads
        if _is_right(parsing, words, heads, labels):
            continue
        for _ in range(MAX_STEPS):
            # From the first step on the tree that completes the gold heads is the goal.
            heads, is_done = parser._correct_step(training, words, heads, labels, margin)
            n_steps += 1
            if is_done and _is_right(parsing, words, sentence.heads, labels):
                break
    if n_steps:
        set_parser_weights(parser.model, len(parser.labels), tables.averaged(0))
        parser._drop_learner()
        parser._weights_changed()
    return n_steps


def _is_right(
    parsing: TreeDecoder, words: ParsingInput, heads: np.ndarray, labels: np.ndarray
) -> bool:
    """Whether a sentence is parsed as it should be, as far as that is known."""
    starts = np.array([0, len(heads)], dtype=np.int32)
    found_heads, found_labels, *_ = parsing.parse(words, starts)
    is_right = (heads < 0) | (found_heads == heads)
    is_labelled = (heads < 0) | (labels < 0) | (found_labels == labels)
    return bool((is_right & is_labelled).all())
