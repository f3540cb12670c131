"""Learns one sentence until its tree is found."""

import numpy as np

from ....decode.constituents.incremental.input import IncrementalInput
from ....decode.constituents.max_margin.parsing import SpanParsing
from ....decode.constituents.max_margin.training import SpanTraining
from .symbols import SpanSymbols

# Each step mends the worst tree that is left; sentences need a few.
MAX_STEPS = 100
# The steps by which the pruner learns to keep a tree.
PRUNER_STEP = 0.1


def correct_sentence(
    training: SpanTraining,
    words: IncrementalInput,
    rows: np.ndarray,
    symbols: SpanSymbols,
    margin: float,
) -> int:
    """Take steps until the best tree is the correct one: first of the pruner, until it leaves all
    nodes of the tree, then of the parser.

    training (SpanTraining): What learns; the pruner's weights must be trainable, too.
    words (IncrementalInput): The sentence.
    rows (int32 array): The correct tree.
    symbols (SpanSymbols): What the numbers of the parser mean.
    margin (float): By how much the correct tree should win for each wrong node.
    RETURNS (int): The number of steps.
    """
    parsing = training.parsing
    expected = _phrases(rows, symbols)
    for n_steps in range(MAX_STEPS):
        ((found, _, _, _),) = parsing.parse(words, np.array([0, words.n_words], np.int32))
        if _phrases(found, symbols) == expected:
            return n_steps
        if _is_kept(parsing, words, rows):
            training.learn(words, rows, 0.0, margin=margin)
        else:
            parsing.pruner.learn(words, rows[:, :3].copy(), PRUNER_STEP, 0.0)
    return MAX_STEPS


def _phrases(rows: np.ndarray, symbols: SpanSymbols) -> list[list[int]]:
    return [column.tolist() for column in symbols.phrases(rows)[0]]


def _is_kept(parsing: SpanParsing, words: IncrementalInput, rows: np.ndarray) -> bool:
    """Whether the pruner leaves all phrases of a tree."""
    kept = parsing.pruner.choose(words, parsing.threshold, parsing.grammar.n_symbols).to_array()
    nodes = {(start, end, x) for start, end, x in rows[:, :3].tolist() if end - start > 1}
    return nodes <= {*map(tuple, kept.tolist())}
