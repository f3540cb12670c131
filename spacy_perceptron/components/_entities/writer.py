"""Tags of words -> entities of Docs and BIO strings of tokens."""

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

import numpy as np
from spacy.attrs import ENT_IOB, ENT_TYPE
from spacy.tokens import Doc
from thinc.types import Ints2d

from ...answers.records import all_characters, drop_records, find_records, keep_record
from .._shared.words import Words
from .tags import BEGIN, INSIDE, OUTSIDE, EntityTags

# Followed by a component's name: first and last character and label of the entities it has written.
_RECORD = "spacy_perceptron.ents."


def token_entities(
    tags: np.ndarray, words: Words, table: EntityTags, label_ids: np.ndarray
) -> np.ndarray:
    """`ent_iob` and `ent_type` of all tokens.

    A whitespace token belongs to an entity that continues after it. Existing entities are kept.

    tags (np.ndarray): A tag per word.
    words (Words): The words, read with `ent_iob` and `ent_type` as the first further attributes.
    table (EntityTags): What tags mean.
    label_ids (np.ndarray): Ids of the labels.
    RETURNS (np.ndarray): Two columns, a row per token.
    """
    # The label number of O, -1, selects the 0 at the end.
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
    kept = is_given(before)
    return np.where(kept[:, None], before, found) if kept.any() else found


def is_given(entities: np.ndarray) -> np.ndarray:
    """RETURNS (np.ndarray): For each token, whether it is part of an entity, or blocked."""
    return (entities[:, 0] == BEGIN) | (entities[:, 0] == INSIDE)


def _fill_spaces(found: np.ndarray, words: Words) -> None:
    for i in np.flatnonzero(~words.is_word)[::-1]:
        if i + 1 < len(found) and found[i + 1, 0] == INSIDE and not words.is_start[i + 1]:
            found[i] = found[i + 1]


def write_entities(
    docs: Sequence[Doc],
    entities: np.ndarray,
    given: np.ndarray,
    name: str,
    characters: np.ndarray | None = None,
) -> None:
    """Write entities to docs, and record with them which ones are new.

    docs (Sequence[Doc]): The docs.
    entities (np.ndarray): `ent_iob` and `ent_type` of all tokens of all docs.
    given (np.ndarray): For each token, whether it is part of an existing entity.
    name (str): Name of the component.
    characters (Optional[np.ndarray]): First character and length of each token, if they are at
        hand.
    """
    if characters is None or len(characters) != len(entities):
        characters = all_characters(docs)
    outside = np.append(np.flatnonzero(entities[:, 0] != INSIDE), len(entities))
    begins = np.flatnonzero((entities[:, 0] == BEGIN) & ~given)
    ends = outside[np.searchsorted(outside, begins, side="right")]
    spans = list(
        zip(
            begins.tolist(),
            characters[begins, 0].tolist(),
            characters[ends - 1].sum(axis=1).tolist(),
            entities[begins, 1].tolist(),
            strict=True,
        )
    )
    key = _RECORD + name
    start = at = 0
    for doc in docs:
        end = start + len(doc)
        doc.from_array([ENT_IOB, ENT_TYPE], cast(Ints2d, entities[start:end]))
        if doc.user_data:
            # Where older versions kept them.
            doc.user_data.pop(key, None)
            drop_records(doc, key)
        if at < len(spans) and spans[at][0] < end:
            own = []
            while at < len(spans) and spans[at][0] < end:
                _, first, last, label = spans[at]
                own.append([first, last, doc.vocab.strings[label]])
                at += 1
            keep_record(doc, key, own)
        start = end


def forget_own(docs: Iterable[Doc], entities: np.ndarray, name: str) -> None:
    """Remove entities that the component itself has written.

    docs (Iterable[Doc]): The docs.
    entities (np.ndarray): `ent_iob` and `ent_type` of all tokens of all docs; changed in place.
    name (str): Name of the component.
    """
    start = 0
    for doc in docs:
        end = start + len(doc)
        for first, last, label in _own_spans(doc, name) if doc.user_data else ():
            part = entities[start + first : start + last]
            expected = [BEGIN, *[INSIDE] * (last - first - 1)]
            ends = start + last == end or entities[start + last, 0] != INSIDE
            same = part[:, 0].tolist() == expected and (part[:, 1] == doc.vocab.strings[label])
            if ends and np.all(same):
                part[:] = (OUTSIDE, 0)
        start = end


def _own_spans(doc: Doc, name: str) -> Iterator[tuple[int, int, str]]:
    """First token, end and label of what a component has written, as far as it still fits the
    tokens."""
    for first, last, label in doc.user_data.get(_RECORD + name, ()):
        if last <= len(doc):
            yield first, last, label
    for offset, spans in find_records(doc, _RECORD + name):
        for first, last, label in spans:
            span = doc.char_span(offset + first, offset + last) if first < last else None
            if span is not None:
                yield span.start, span.end, label


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
