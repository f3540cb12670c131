"""Entity tags as numbers, from Docs and gold annotation."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from spacy.training import Example

from ...decode.sequences.entities import SCHEMES, tag_names
from .._shared.words import Words

# Token.ent_iob
MISSING, INSIDE, OUTSIDE, BEGIN = range(4)
# Given or gold: any tag, and any tag that does not continue the entity before.
ANY, NEW_START = -1, -2

_IOB = {"O": OUTSIDE, "B": BEGIN, "U": BEGIN, "I": INSIDE, "L": INSIDE}


class EntityTags:
    """The tags of some labels.

    labels (Sequence[str]): The labels.
    scheme (str): `bio` or `biluo`.
    """

    def __init__(self, labels: Sequence[str], scheme: str):
        self.names = tag_names(labels, scheme)
        self.scheme = scheme
        self.n_prefixes = len(SCHEMES[scheme])
        self.label_numbers = {label: number for number, label in enumerate(labels)}
        self.iob = np.array([_IOB[name[0]] for name in self.names], dtype=np.uint64)
        self.label_of = np.array([self._label(t) for t in range(len(self.names))])

    def _label(self, tag: int) -> int:
        return (tag - 1) // self.n_prefixes if tag else -1

    def encode(self, label: str | None, length: int) -> list[int]:
        """The tags of one entity.

        label (Optional[str]): Its label; None or an unknown one gives O.
        length (int): Its number of words.
        RETURNS (list[int]): A tag per word.
        """
        number = self.label_numbers.get(label) if label else None
        if number is None:
            return [0] * length
        first = 1 + number * self.n_prefixes
        if self.scheme == "bio":
            return [first, *[first + 1] * (length - 1)]
        if length == 1:
            return [first + 3]
        return [first, *[first + 1] * (length - 2), first + 2]


def find_spans(iob: Sequence[int], types: Sequence[int]) -> list[tuple[int, int, int]]:
    """Find entities and blocked tokens in spaCy's token attributes.

    iob (Sequence[int]): `ent_iob` of each token.
    types (Sequence[int]): `ent_type` of each token; 0 with a B is a blocked token.
    RETURNS (list[tuple]): First token, end and type of each.
    """
    spans: list[tuple[int, int, int]] = []
    for i, (code, label) in enumerate(zip(iob, types, strict=True)):
        if code == INSIDE and spans and spans[-1][1] == i and spans[-1][2] == label:
            spans[-1] = (spans[-1][0], i + 1, label)
        elif code == BEGIN or (code == INSIDE and label):
            spans.append((i, i + 1, label))
    return spans


def given_tags(
    tags: EntityTags,
    spans: Sequence[tuple[int, int, str]],
    words: Words,
) -> np.ndarray:
    """What existing entities leave to decide.

    tags (EntityTags): The tags.
    spans (Sequence[tuple]): First token, end and label of given spans; no label means no entity.
    words (Words): The words.
    RETURNS (np.ndarray): A tag per word; `ANY` where free, `NEW_START` right after a given entity.
    """
    places = words.places()
    given = np.full(len(words.orths), ANY, dtype=np.int32)
    for _, end, _ in spans:
        if places[end] < len(given):
            given[places[end]] = NEW_START
    for start, end, label in spans:
        first, last = int(places[start]), int(places[end])
        if first == last:
            continue  # Whitespace alone.
        # To the search, an entity over two sentences is one in each.
        cuts = [first, *(s for s in words.starts.tolist() if first < s < last), last]
        for left, right in pairwise(cuts):
            given[left:right] = tags.encode(label, right - left)
    return given


def gold_tags(tags: EntityTags, example: Example, words: Words) -> np.ndarray:
    """The gold tags of the words of the doc to predict on.

    Only complete entities and tokens known to be outside count. An entity counts as missing if its
    label is unknown or if it does not fit the tokens or sentences.

    tags (EntityTags): The tags.
    example (Example): The example.
    words (Words): The words of its predicted doc.
    RETURNS (np.ndarray): A tag per word; where missing `ANY`, or `NEW_START` right after a known
        entity.
    """
    biluo = ["-" if tag is None else tag for tag in example.get_aligned_ner()]
    outside = np.array([tag == "O" for tag in biluo], dtype=bool)
    gold = np.where(outside[words.is_word], 0, ANY).astype(np.int32)
    places = words.places()
    for start, end, label in _whole_entities(biluo):
        first, last = places[start], places[end]
        crosses = ((words.starts > first) & (words.starts < last)).any()
        if label not in tags.label_numbers or first == last or crosses:
            continue
        gold[first:last] = tags.encode(label, int(last - first))
        if last < len(gold) and gold[last] == ANY:
            gold[last] = NEW_START
    return gold


def _whole_entities(biluo: Sequence[str]) -> list[tuple[int, int, str]]:
    """Entities without missing tokens."""
    found = []
    start = -1
    for i, tag in enumerate(biluo):
        prefix, label = tag[:1], tag[2:]
        if prefix in ("B", "U"):
            start = i
        elif prefix not in ("I", "L") or start < 0 or biluo[start][2:] != label:
            start = -1
        if start >= 0 and prefix in ("L", "U"):
            found.append((start, i + 1, label))
            start = -1
    return found


def reconcile(gold: np.ndarray, given: np.ndarray | None, tags: EntityTags) -> np.ndarray:
    """Gold tags without entities that contradict the given tags.

    gold (np.ndarray): Gold tags.
    given (Optional[np.ndarray]): Given tags.
    tags (EntityTags): The tags.
    RETURNS (np.ndarray): Gold tags that the search can reach.
    """
    if given is None:
        return gold
    clash = (given >= 0) & (gold != given)
    clash |= (given == NEW_START) & (gold >= 0) & (tags.iob[gold] == INSIDE)
    if not clash.any():
        return gold
    gold = gold.copy()
    known = np.where(gold >= 0, gold, 0)
    inside = (gold >= 0) & (tags.iob[known] == INSIDE)
    entity = np.cumsum(~inside)
    gold[np.isin(entity, entity[clash])] = ANY
    return gold
