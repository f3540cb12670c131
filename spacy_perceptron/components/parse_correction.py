"""Teaches a parser one corrected sentence at once (MIRA without a limit on its steps)."""

from typing import TYPE_CHECKING

import numpy as np
from spacy.training import Example

from ..architectures import weight_table
from ..decode.dependency_parsing import DependencyParsing
from ..decode.dependency_training import DependencyTraining
from ..decode.parsing_input import ParsingInput
from ..errors import Errors
from ..hashed_architecture import hashed_table, set_parser_weights
from ..learn.parser_weights import SavedParserWeights

if TYPE_CHECKING:
    from .mira_parser import MiraParser

# Each step mends the worst tree that is left; sentences need a few.
MAX_STEPS = 100


def correct_parse(parser: "MiraParser", example: Example, *, margin: float) -> int:
    """Change the weights that predict until they give the example's gold tree.

    parser (MiraParser): The parser.
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
    layers = parser.model.layers
    parts = hashed_table(layers[0], trainable=True)
    labels = weight_table(layers[1], trainable=True)
    pruner = hashed_table(layers[2], trainable=True)
    parsing = parser._make_parsing(parts, labels, pruner)
    training = DependencyTraining(parsing)
    n_steps = 0
    for sentence in parser._gold(example):
        words = parser._input(sentence.words)
        numbers = [parser._label_numbers.get(label or "", -1) for label in sentence.labels]
        gold_labels = np.array(numbers, dtype=np.int32)
        heads = sentence.heads
        if _is_right(parsing, words, heads, gold_labels):
            continue
        for _ in range(MAX_STEPS):
            gold = {(int(head), i) for i, head in enumerate(heads, start=1) if head >= 0}
            is_pruned = not gold.issubset(parsing.allowed(words))
            n_mistakes = training.learn(
                words,
                heads,
                gold_labels,
                0.0,
                margin=margin,
                pruner_rate=float(is_pruned),
            )
            if n_mistakes < 0:
                kind = "projective" if parser.decoder == "eisner" else "single-rooted"
                raise ValueError(Errors.CORRECT_NO_TREE.format(name=parser.name, kind=kind))
            n_steps += 1
            # From here on the tree that completes the gold heads is the goal.
            heads = training.gold_tree()
            is_done = not n_mistakes and not is_pruned
            if is_done and _is_right(parsing, words, sentence.heads, gold_labels):
                break
    if n_steps:
        weights: SavedParserWeights = {
            "parts": parts.averaged(0),
            "labels": labels.averaged(0),
            "pruner": pruner.averaged(0),
        }
        set_parser_weights(parser.model, len(parser.labels), weights)
        parser._drop_learner()
        parser._weights_changed()
    return n_steps


def _is_right(
    parsing: DependencyParsing, words: ParsingInput, heads: np.ndarray, labels: np.ndarray
) -> bool:
    """Whether a sentence is parsed as it should be, as far as that is known."""
    starts = np.array([0, len(heads)], dtype=np.int32)
    found_heads, found_labels, _ = parsing.parse(words, starts)
    is_right = (heads < 0) | (found_heads == heads)
    is_labelled = (heads < 0) | (labels < 0) | (found_labels == labels)
    return bool((is_right & is_labelled).all())
