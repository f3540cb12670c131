"""Tags of words -> sentence starts of Docs, and what a component remembers of having set them."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from spacy.attrs import SENT_START
from spacy.tokens import Doc
from thinc.types import Ints2d

from ...answers.records import all_characters, drop_records, find_records, keep_record
from ...answers.sentence_starts import INSIDE, START, UNKNOWN
from .._shared.words import Words

# Followed by a component's name: the number of characters of a Doc, the first characters of tokens
# that the component has made sentence starts, and those of tokens whose boundaries were given.
_RECORD = "spacy_perceptron.sent_starts."


def token_starts(tags: np.ndarray, words: Words) -> np.ndarray:
    """Tags of words -> what each token gets. Whitespace belongs to the sentence before; at the
    beginning of a doc it belongs to the first one.

    tags (np.ndarray): For each word, 1 if it starts a sentence, otherwise 0.
    words (Words): The words. What is known in advance is the second of their further attributes.
    RETURNS (np.ndarray): `START` or `INSIDE` for each token.
    """
    known = words.more[:, 1].astype(np.int64)
    found = np.full(len(known), INSIDE)
    found[words.is_word] = np.where(tags == 1, START, INSIDE)
    if len(words.orths) < len(known):
        # The sentence of a doc's first word starts with the doc, and one that whitespace is known
        # to start does not start again with its first word.
        n_begun = np.cumsum(~words.is_word & ((known == START) | words.is_start))
        begun = np.diff(n_begun[words.is_word], prepend=0) > 0
        found[np.flatnonzero(words.is_word)[begun]] = INSIDE
    found[words.is_start] = START
    return np.where(known == UNKNOWN, found, known)


def write_starts(
    docs: Sequence[Doc],
    starts: np.ndarray,
    given: np.ndarray,
    name: str,
    characters: np.ndarray | None = None,
) -> None:
    """Write sentence starts to docs, and record with them which ones are new.

    docs (Sequence[Doc]): The docs.
    starts (np.ndarray): `START` or `INSIDE` for all tokens of all docs.
    given (np.ndarray): For each token, whether that was known in advance.
    name (str): Name of the component.
    characters (Optional[np.ndarray]): First character and length of each token, if they are at
        hand.
    """
    if characters is None or len(characters) != len(starts):
        characters = all_characters(docs)
    key = _RECORD + name
    values = starts.view(np.uint64).reshape(-1, 1)
    begins = characters[:, 0]
    is_new = (starts == START) & ~given
    any_given = given.any()
    end = 0
    for doc in docs:
        start, end = end, end + len(doc)
        if doc.user_data:
            drop_records(doc, key)
        if start == end or (any_given and given[start:end].all()):
            continue
        doc.from_array([SENT_START], cast(Ints2d, values[start:end]))
        first = begins[start:end]
        keep_record(
            doc,
            key,
            [
                int(characters[end - 1].sum()),
                first[is_new[start:end]].tolist(),
                first[given[start:end]].tolist() if any_given else [],
            ],
        )


def forget_own(docs: Sequence[Doc], known: np.ndarray, characters: np.ndarray, name: str) -> None:
    """Forget boundaries that the component itself has set, and that nobody has changed since.

    docs (Sequence[Doc]): The docs.
    known (np.ndarray): What is known of the start of a sentence at each token of all docs; changed
        in place.
    characters (np.ndarray): First character and length of each token.
    name (str): Name of the component.
    """
    end = 0
    for doc in docs:
        start, end = end, end + len(doc)
        if not doc.user_data:
            continue
        for offset, (n_chars, new, given) in find_records(doc, _RECORD + name):
            begins = characters[start:end, 0].astype(np.int64) - offset
            is_same = np.isin(begins, new) == (known[start:end] == START)
            is_own = (begins >= 0) & (begins < n_chars) & is_same & ~np.isin(begins, given)
            known[start:end][is_own] = UNKNOWN
