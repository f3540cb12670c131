"""Trees as arrays -> heads and labels of docs, with crossing arcs lowered and sentences kept."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from spacy.attrs import DEP, HEAD, SENT_START
from spacy.strings import get_string_id
from spacy.tokens import Doc
from thinc.types import Ints2d

from ...trees.projectivity import is_lifted, lower, plain_label, restore_sentences
from .._shared.words import Labels

# The label of whitespace tokens, as in spaCy's own English models.
SPACE_LABEL = "dep"


class TreeWriter:
    """Writes trees. A tree is two arrays with an item per token: the offset to its head, and the
    number of its label, -1 at whitespace.

    labels (Sequence[str]): The labels, in the order of their numbers.
    projective (bool): Whether the arcs of the arrays never cross.
    """

    def __init__(self, labels: Sequence[str], *, projective: bool):
        # The last one is for whitespace, whose label number is -1.
        self.names = [*labels, SPACE_LABEL]
        self.labels = Labels([*self.names, *map(plain_label, self.names)])
        self.projective = projective
        self._ids = np.array([get_string_id(name) for name in self.names], dtype=np.uint64)
        self._is_lifted = np.array([is_lifted(name) for name in self.names])

    def write(self, doc: Doc, offsets: np.ndarray, numbers: np.ndarray) -> None:
        """Write a tree to a doc; existing sentence boundaries are kept.

        doc (Doc): The doc; changed in place.
        offsets (np.ndarray): Offset from each token to its head.
        numbers (np.ndarray): Number of each token's label.
        """
        self.write_all([doc], offsets, numbers, doc.to_array(SENT_START) == 1)

    def write_all(
        self, docs: Sequence[Doc], offsets: np.ndarray, numbers: np.ndarray, is_start: np.ndarray
    ) -> None:
        """Write the trees of docs.

        docs (Sequence[Doc]): The docs; changed in place.
        offsets (np.ndarray): Offset from each token to its head, for all docs one after the other.
        numbers (np.ndarray): Number of each token's label.
        is_start (np.ndarray): Whether each token starts a sentence that was parsed.
        """
        values = np.stack([offsets.astype(np.int64).view(np.uint64), self._ids[numbers]], 1)
        lifted = np.flatnonzero(self._is_lifted[numbers])
        ends = np.cumsum([len(doc) for doc in docs])
        crossing = set(np.searchsorted(ends, lifted, side="right").tolist())
        for i, (doc, end) in enumerate(zip(docs, ends.tolist(), strict=True)):
            at = slice(end - len(doc), end)
            self._write_rows(doc, values[at], is_start[at], may_cross=i in crossing)

    def _write_rows(
        self, doc: Doc, values: np.ndarray, is_start: np.ndarray, *, may_cross: bool
    ) -> None:
        """Write offsets to heads and label ids, a row per token."""
        if not len(doc):
            return
        # spaCy does not always find the sentences of trees with crossing arcs.
        keeps_starts = may_cross or not self.projective
        starts = doc.to_array(SENT_START) if keeps_starts else np.zeros(0, np.uint64)
        doc.from_array([HEAD, DEP], cast(Ints2d, values))
        if may_cross:
            lower(doc)
        if keeps_starts:
            if not starts[1:].any():
                starts = np.full(len(doc), -1, np.int64).view(np.uint64)
            # Whatever was set in advance, a doc starts with a sentence, and so does each piece of
            # one that was too long.
            starts[is_start] = 1
            starts[:1] = 1
            restore_sentences(doc, starts)

    def annotate(self, doc: Doc, offsets: np.ndarray, numbers: np.ndarray) -> dict[str, Any]:
        """A tree as it would be written to a doc.

        doc (Doc): The doc; it is not changed.
        offsets (np.ndarray): Offset from each token to its head.
        numbers (np.ndarray): Number of each token's label.
        RETURNS (dict): `head`, an index in the doc per token, and `dep`.
        """
        heads = (np.arange(len(offsets)) + offsets).tolist()
        labels = [self.names[number] for number in numbers.tolist()]
        for start, end in _find_trees(offsets, np.flatnonzero(self._is_lifted[numbers])):
            # Words do not matter here. Arcs stay within the tree, so the rest of the doc is left.
            part = Doc(doc.vocab, words=["_"] * (end - start))
            self.write(part, offsets[start:end], numbers[start:end])
            heads[start:end] = [start + token.head.i for token in part]
            labels[start:end] = [token.dep_ for token in part]
        return {"head": heads, "dep": labels}


def _find_trees(offsets: np.ndarray, tokens: np.ndarray) -> list[tuple[int, int]]:
    """First token and end of the trees that some tokens belong to; no arc leaves them."""
    if not len(tokens):
        return []
    place = np.arange(len(offsets))
    opened = np.bincount(np.minimum(place, place + offsets), minlength=len(offsets))
    closed = np.bincount(np.maximum(place, place + offsets), minlength=len(offsets))
    ends = np.flatnonzero(np.cumsum(opened - closed) == 0) + 1
    trees = np.unique(np.searchsorted(ends, tokens, side="right"))
    return [(int(ends[i - 1]) if i else 0, int(ends[i])) for i in trees.tolist()]
