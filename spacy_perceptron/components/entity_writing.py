"""Tags of words -> entities of Docs and BIO strings of tokens."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from spacy.attrs import ENT_IOB, ENT_TYPE
from spacy.tokens import Doc
from thinc.types import Ints2d

from .entity_tags import BEGIN, INSIDE, OUTSIDE, EntityTags
from .words import Words


def token_entities(
    tags: np.ndarray, words: Words, table: EntityTags, label_ids: np.ndarray
) -> np.ndarray:
    """`ent_iob` and `ent_type` of all tokens.

    A whitespace token belongs to an entity that goes on behind it. What was there is kept.

    tags (np.ndarray): A tag per word.
    words (Words): The words, read with `ent_iob` and `ent_type` as the first further attributes.
    table (EntityTags): What tags mean.
    label_ids (np.ndarray): Ids of the labels.
    RETURNS (np.ndarray): Two columns, a row per token.
    """
    # Number -1, of O, finds the 0 at the end.
    types = np.concatenate([label_ids, np.zeros(1, np.uint64)])[table.label_of[tags]]
    of_words = np.stack([table.iob[tags], types], axis=1)
    if words.is_word.all():
        found = of_words
    else:
        found = np.zeros((len(words.is_word), 2), np.uint64)
        found[:, 0] = OUTSIDE
        found[words.is_word] = of_words
        _fill_spaces(found, words)
    before = words.more[:, :2]
    kept = (before[:, 0] == BEGIN) | (before[:, 0] == INSIDE)
    return np.where(kept[:, None], before, found) if kept.any() else found


def _fill_spaces(found: np.ndarray, words: Words) -> None:
    for i in np.flatnonzero(~words.is_word)[::-1]:
        if i + 1 < len(found) and found[i + 1, 0] == INSIDE and not words.is_start[i + 1]:
            found[i] = found[i + 1]


def write_entities(doc: Doc, entities: np.ndarray) -> None:
    """Give a doc its entities.

    doc (Doc): The doc.
    entities (np.ndarray): `ent_iob` and `ent_type` of its tokens.
    """
    doc.from_array([ENT_IOB, ENT_TYPE], cast(Ints2d, entities))


def bio_strings(doc: Doc, entities: np.ndarray) -> list[str]:
    """BIO tags as text.

    doc (Doc): The doc, for its strings.
    entities (np.ndarray): `ent_iob` and `ent_type` of its tokens.
    RETURNS (list[str]): A tag per token.
    """
    strings = doc.vocab.strings
    names: Sequence[str] = ("", "I", "O", "B")
    return [
        f"{names[code]}-{strings[label]}" if label else "O" for code, label in entities.tolist()
    ]
