"""Word vectors made by others: those of a spaCy pipeline, or a text file of word2vec or GloVe.

The order of the rows is taken for the rank of the words, since such files are sorted by frequency.
Digits are folded to 0; of words that become the same, the most frequent one counts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import spacy

from ...errors import Errors
from .encoding import fold_digits
from .opening import open_text


@dataclass
class Embeddings:
    """Words with vectors, frequent words first.

    words (list[str]): The words.
    vectors (np.ndarray): A row for each word.
    """

    words: list[str]
    vectors: np.ndarray


def load_embeddings(
    source: str | Path,
    *,
    max_words: int = 0,
    progress: Callable[[], object] = lambda: None,
) -> Embeddings:
    """Read word vectors.

    source (str | Path): A text file, packed or not, or the name or folder of a pipeline.
    max_words (int): Read the first ones only; 0 for all.
    progress (Callable[[], object]): Called for each word.
    RETURNS (Embeddings): The words and their vectors.
    """
    path = Path(source)
    rows = _read_file(path) if path.is_file() else _read_pipeline(source)
    found: dict[str, np.ndarray] = {}
    for word, vector in islice(rows, max_words or None):
        found.setdefault(fold_digits(word), vector)
        progress()
    if not found:
        raise ValueError(Errors.CLUSTERS_NO_VECTORS.format(path=source))
    return Embeddings([*found], np.array([*found.values()], dtype=np.float32))


def _read_file(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Read lines such as `word 0.1 -0.2`. The first one may be `n_words n_dimensions` instead."""
    width = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            text = line.rstrip()
            if not width:
                cells = text.split(" ")
                if number == 1 and len(cells) == 2 and all(map(str.isdecimal, cells)):
                    continue
                width = len(cells) - 1
            # A word can have spaces in it.
            word, *values = text.rsplit(" ", width)
            vector = _parse(values)
            if vector is None or not (word and width) or len(vector) != width:
                message = Errors.CLUSTERS_VECTOR.format(where=f"{path}:{number}", n=width or "its")
                raise ValueError(message)
            yield word, vector


def _parse(values: list[str]) -> np.ndarray | None:
    """The numbers; None if one of them is none, or not finite."""
    try:
        vector = np.array(values, dtype=np.float32)
    except ValueError:
        return None
    return vector if np.isfinite(vector).all() else None


def _read_pipeline(source: str | Path) -> Iterator[tuple[str, np.ndarray]]:
    try:
        vocab = spacy.load(source).vocab
    except (OSError, ValueError) as error:
        message = Errors.CLUSTERS_PIPELINE.format(path=source, error=error)
        raise ValueError(message) from error
    for key, row in sorted(vocab.vectors.key2row.items(), key=lambda item: item[1]):
        if key in vocab.strings:
            yield vocab.strings[key], vocab.vectors.data[row]
