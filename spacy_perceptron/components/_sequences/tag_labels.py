"""What the labels of a tagger say: a value of each of its attributes.

A label is a combination of values that training has. A search over all of them would be slow and
learn little about rare ones. So it goes over the values of some attributes, its *tags*; each label
belongs to one tag, and a second step chooses among those of the tag that was found.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from spacy.attrs import IS_SPACE, MORPH, ORTH, POS, TAG
from spacy.strings import StringStore
from spacy.tokens import Doc
from spacy.training import Example

from ...decode.sequences.tag_sets import TagSets
from ...errors import Errors

TOKEN_ATTRIBUTES = {"tag": TAG, "pos": POS, "morph": MORPH}
# What whitespace tokens get: tags as in spaCy's own English models, and no features.
SPACE_VALUES = {"tag": "_SP", "pos": "SPACE", "morph": "_"}
# Between the values of a label.
SEPARATOR = "\t"
# With more tags than this, a search over them would take too long.
MAX_TAGS = 200
UNKNOWN = -1


def searched_attributes(labels: Iterable[str], attributes: Sequence[str]) -> list[str]:
    """Which attributes to search over: all but morphology, or coarse tags alone if that makes too
    many tags; the only attribute, if there is one.

    labels (Iterable[str]): The labels.
    attributes (Sequence[str]): The attributes.
    RETURNS (list[str]): Some of the attributes.
    """
    searched = [name for name in attributes if name != "morph"] or [*attributes]
    places = [attributes.index(name) for name in searched]
    values = [label.split(SEPARATOR) for label in labels]
    n_tags = len({tuple(value[place] for place in places) for value in values})
    return ["pos"] if n_tags > MAX_TAGS and "pos" in searched else searched


class TagLabels:
    """Labels, their tags and their parts, all of them numbered.

    names (Sequence[str]): The labels: values of the attributes, with tabs between them. No features
        at all are `_`. New ones come last, so that numbers stay the same.
    attributes (Sequence[str]): What the values are of: `tag`, `pos` or `morph`.
    searched (Sequence[str]): The attributes that make tags.
    strings (StringStore): Hashes values.
    """

    def __init__(
        self,
        names: Sequence[str],
        attributes: Sequence[str],
        searched: Sequence[str],
        strings: StringStore,
    ):
        self.names = tuple(names)
        self.attributes = tuple(attributes)
        self.searched = tuple(searched)
        self.refined = tuple(name for name in attributes if name not in searched)
        values = [name.split(SEPARATOR) for name in names]
        # The last one is for whitespace, whose label number is -1.
        values.append([SPACE_VALUES[name] for name in attributes])
        self.values = {
            name: [value[k] for value in values] for k, name in enumerate(self.attributes)
        }
        self.ids = np.array(
            [[strings.add(text) for text in self.values[name]] for name in self.attributes],
            dtype=np.uint64,
        )
        tags: dict[str, int] = {}
        rows = zip(*(self.values[name][:-1] for name in self.searched), strict=True)
        numbers = [tags.setdefault(SEPARATOR.join(row), len(tags)) for row in rows]
        self.tag_of = np.array(numbers, dtype=np.int32)
        self.tags = tuple(tags)
        self.parts = self._number_parts()
        self.sets = TagSets(len(self.tags))
        self._codes: dict[tuple[int, ...], tuple[int, int]] = {}

    @property
    def tag_names(self) -> list[str]:
        """RETURNS (list[str]): The tags as text; the last one is for whitespace."""
        space = "/".join(SPACE_VALUES[name] for name in self.searched)
        return [*(tag.replace(SEPARATOR, "/") for tag in self.tags), space]

    @property
    def n_parts(self) -> int:
        """RETURNS (int): The number of different parts; 1 if there are none, as tables have a class
        at least."""
        return 1 + max((part for parts in self.parts for part in parts), default=0)

    def _number_parts(self) -> list[list[int]]:
        """The parts of each label: the label itself and its single features."""
        if not self.refined:
            return []
        numbers: dict[tuple[str, str], int] = {}
        features = self.values["morph"] if "morph" in self.refined else [""] * len(self.names)
        return [
            [
                numbers.setdefault(part, len(numbers))
                for part in (("label", name), *(("feature", x) for x in text.split("|") if x))
            ]
            for name, text in zip(self.names, features, strict=False)
        ]

    def groups(self, attributes: Sequence[str]) -> np.ndarray:
        """Which labels say the same about attributes.

        attributes (Sequence[str]): The attributes.
        RETURNS (np.ndarray): A row for each of them, with a number for each label.
        """
        rows = [np.unique(self.values[name][:-1], return_inverse=True)[1] for name in attributes]
        return np.array(rows, dtype=np.int32).reshape(len(rows), len(self.names))

    def tag_groups(self) -> np.ndarray:
        """RETURNS (np.ndarray): Which tags say the same about each searched attribute; a last row
        tells all tags apart."""
        _, first = np.unique(self.tag_of, return_index=True)
        own = np.arange(len(self.tags), dtype=np.int32)
        return np.ascontiguousarray(np.vstack([self.groups(self.searched)[:, first], own]))

    # --- Gold -------------------------------------------------------------------------------

    def gold(self, example: Example) -> np.ndarray:
        """What the tokens of the doc to predict on should get.

        example (Example): The example.
        RETURNS (np.ndarray): For each token, first the tag: its number, -1 if nothing is known, or
            what stands for the tags that agree with what is known; then the number of the label,
            -1 if several agree or none does.
        """
        ids = gold_ids(example, self.attributes)
        codes = [self._code(tuple(row)) for row in ids.tolist()]
        return np.array(codes, dtype=np.int32).reshape(-1, 2)

    def _code(self, ids: tuple[int, ...]) -> tuple[int, int]:
        code = self._codes.get(ids)
        if code is None:
            code = self._codes[ids] = self._find_code(np.array(ids, dtype=np.uint64))
        return code

    def _find_code(self, ids: np.ndarray) -> tuple[int, int]:
        labels = self._agreeing(ids, self.attributes)
        label = int(labels[0]) if len(labels) == 1 else UNKNOWN
        if not len(labels):
            # A combination that training did not have: its tag may be known all the same.
            labels = self._agreeing(ids, self.searched)
        tags = np.unique(self.tag_of[labels])
        if len(tags) == 1:
            return int(tags[0]), label
        leaves_a_choice = 0 < len(tags) < len(self.tags)
        return self.sets.add(tags.tolist()) if leaves_a_choice else UNKNOWN, label

    def _agreeing(self, ids: np.ndarray, attributes: Sequence[str]) -> np.ndarray:
        """The labels that agree with what is known about some attributes; none if nothing is."""
        known = [k for k, name in enumerate(self.attributes) if name in attributes and ids[k] != 0]
        if not known:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero((self.ids[known, :-1] == ids[known, None]).all(axis=0))

    def are_wrong(self, tags: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Which tags do not agree with gold.

        tags (np.ndarray): A tag per word, or -1.
        codes (np.ndarray): What stands for gold, as in the first column of `gold`.
        RETURNS (np.ndarray): A flag per word.
        """
        known = (tags != UNKNOWN) & (codes != UNKNOWN) & (tags != codes)
        sets = self.sets.sets()
        return np.array(
            [
                bool(flag) and not (code < UNKNOWN and tag in sets[UNKNOWN - 1 - code])
                for flag, tag, code in zip(known, tags, codes, strict=True)
            ],
            dtype=bool,
        )


def gold_ids(example: Example, attributes: Sequence[str]) -> np.ndarray:
    """The gold values of the tokens of the doc to predict on.

    example (Example): The example.
    attributes (Sequence[str]): The attributes.
    RETURNS (np.ndarray): A row per token, a column per attribute; 0: missing or not aligned.
    """
    columns = [TOKEN_ATTRIBUTES[name] for name in attributes]
    reference = example.reference.to_array([ORTH, *columns])
    if np.array_equal(reference[:, 0], example.predicted.to_array(ORTH)):
        return reference[:, 1:]
    aligned = [example.get_aligned(name.upper()) for name in attributes]
    rows = [[value or 0 for value in row] for row in zip(*aligned, strict=True)]
    return np.array(rows, dtype=np.uint64).reshape(-1, len(attributes))


class LabelCounter:
    """Counts the words of gold docs with their labels.

    attributes (Sequence[str]): What labels are made of. Words count that have a value of each.
    """

    def __init__(self, attributes: Sequence[str]):
        self._columns = [IS_SPACE, ORTH, *(TOKEN_ATTRIBUTES[name] for name in attributes)]
        self._names: dict[tuple[int, ...], tuple[str, str]] = {}
        # How often each word has each label.
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, doc: Doc) -> None:
        """Count the words of a doc; whitespace does not count.

        doc (Doc): The gold doc.
        """
        tokens = doc.to_array(self._columns)
        chosen = tokens[(tokens[:, 0] == 0) & (tokens[:, 1:] != 0).all(axis=1), 1:]
        for row in map(tuple, chosen.tolist()):
            pair = self._names.get(row)
            if pair is None:
                word, *values = (doc.vocab.strings[value] for value in row)
                pair = self._names[row] = (word, SEPARATOR.join(values))
            self.counts[pair] += 1

    def labels(self) -> list[str]:
        """RETURNS (list[str]): All labels, each once."""
        return list(dict.fromkeys(label for _, label in self.counts))


def check_label(label: str, attributes: Sequence[str], name: str) -> None:
    """Refuse what is no label of a tagger with several attributes.

    label (str): The label.
    attributes (Sequence[str]): The attributes.
    name (str): The tagger's name.
    """
    values = label.split(SEPARATOR)
    if len(attributes) > 1 and (len(values) != len(attributes) or not all(values)):
        raise ValueError(
            Errors.LABEL_VALUES.format(name=name, label=label, attributes=", ".join(attributes))
        )


def check_searched(searched: Any, attributes: Sequence[str]) -> None:
    """Raise ValueError if saved attributes to search over are not some of a tagger's."""
    if not isinstance(searched, list) or not searched or not {*searched} <= {*attributes}:
        raise ValueError(Errors.MODEL_VALUE.format(name="searched", value=searched))
