"""How sure a parser is of the heads it chooses, set against gold heads."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from spacy.training import Example

from .gold import read_gold

if TYPE_CHECKING:
    from .pipe import DependencyPipe


def head_confidences(
    parser: "DependencyPipe", examples: Sequence[Example], temperature: float
) -> tuple[np.ndarray, np.ndarray]:
    """Confidences before calibration.

    parser (DependencyPipe): The parser.
    examples (Sequence[Example]): Examples with gold heads.
    temperature (float): The temperature to try.
    RETURNS (tuple): Confidence of the chosen head, and whether it is right, per word with a gold
        head.
    """
    docs = [example.predicted for example in examples]
    words = parser._read_docs(docs)
    offsets, numbers, confidences = parser._parse(words, 1 / temperature)
    right: list[bool] = []
    sure: list[float] = []
    start = 0
    for example, doc in zip(examples, docs, strict=True):
        end = start + len(doc)
        tree = parser._writer.annotate(doc, offsets[start:end], numbers[start:end])
        gold, _ = read_gold(example)
        for i, (head, gold_head) in enumerate(zip(tree["head"], gold, strict=True), start):
            if gold_head is not None and words.words.is_word[i]:
                right.append(head == gold_head)
                sure.append(confidences[i])
        start = end
    return np.array(sure, dtype=np.float64), np.array(right, dtype=bool)
