"""Writes lemmas to Docs. The lemma of whitespace is its text, as in spaCy's own lemmatizers."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from spacy.attrs import LEMMA, ORTH
from spacy.tokens import Doc
from thinc.types import Ints2d


def write_lemmas(
    docs: Sequence[Doc],
    texts: Sequence[str],
    lemmas: np.ndarray,
    confidences: np.ndarray,
    *,
    overwrite: bool,
) -> list[float | None]:
    """Write lemmas.

    docs (Sequence[Doc]): The docs.
    texts (Sequence[str]): All lemmas that occur.
    lemmas (np.ndarray): Which of them each token of all docs has, -1 at whitespace.
    confidences (np.ndarray): The confidence of each.
    overwrite (bool): Whether lemmas that are there are replaced.
    RETURNS (list[Optional[float]]): The confidences of the lemmas that the tokens now have; None
        where another component has written it.
    """
    # A vocab in a memory zone forgets what it learns: all lemmas are added to it every time.
    ids = {
        id(vocab): np.array([vocab.strings.add(text) for text in texts], np.uint64)
        for vocab in {id(doc.vocab): doc.vocab for doc in docs}.values()
    }
    known: list[float | None] = confidences.tolist()
    has_spaces = bool(lemmas.min(initial=0) < 0)
    start = 0
    for doc in docs:
        end = start + len(doc)
        index = lemmas[start:end]
        # Whitespace, at -1, has got the last lemma.
        values = ids[id(doc.vocab)][index] if len(texts) else np.zeros(len(doc), np.uint64)
        if has_spaces:
            values = np.where(index < 0, doc.to_array(ORTH), values)
        if not overwrite:
            present = doc.to_array(LEMMA)
            values = np.where(present == 0, values, present)
            for i in np.flatnonzero(present).tolist():
                known[start + i] = None
        doc.from_array([LEMMA], cast(Ints2d, values))
        start = end
    return known


def fill_spaces(doc: Doc, is_word: np.ndarray, lemmas: Iterable[str]) -> list[str]:
    """Lemmas of words -> lemmas of tokens.

    doc (Doc): The doc.
    is_word (np.ndarray): For each token, whether it is a word.
    lemmas (Iterable[str]): The lemmas of the words.
    RETURNS (list[str]): A lemma per token.
    """
    of_words = iter(lemmas)
    return [
        next(of_words) if word else token.text
        for token, word in zip(doc, is_word.tolist(), strict=True)
    ]
