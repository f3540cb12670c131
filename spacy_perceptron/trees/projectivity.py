"""Heads of a sentence: check that they form a tree, make it projective, and undo that.

Pseudo-projective parsing (Nivre and Nilsson 2005, their scheme "head"): in a gold tree with
crossing arcs, words are lifted to a higher head until no arcs cross. The label of a lifted word
also records the label of its real head, as in `nmod||obj`. After parsing, words with such labels
are lowered to the first descendant of their head with that label, breadth-first. spaCy's own
functions do the work, so labels and results are the same as those of its parser. Lowering does not
always restore the tree: of 357 lifted words in the training part of English EWT, 41 end up
elsewhere.

Deviations: only complete trees are lifted, where spaCy also lifts parts of them; missing labels
stay missing; a root with such a label just loses it, where spaCy makes a cycle; sentences are kept,
where spaCy splits one if its arcs turn back and forth more than 20 times.

Heads are written as spaCy does, but within the sentence and without whitespace tokens: the index of
the head, from 0, with the root being its own head. A missing head is None or -1. Cost: O(n) to
check a tree, about O(n^2) for each word to lift.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import DEP, SENT_START
from spacy.pipeline._parser_internals import nonproj
from spacy.tokens import Doc

from ..errors import Errors

Heads = Sequence[int | None]
Labels = Sequence[str | None]
_MISSING = (None, -1)


@dataclass(frozen=True)
class TreeCheck:
    """What keeps the heads of a sentence from being a tree with one root.

    roots (tuple[int, ...]): Words that are their own head. A tree has exactly one, as Universal
        Dependencies requires; no decoder of this package finds trees with more.
    missing (tuple[int, ...]): Words without a head.
    outside (tuple[int, ...]): Words whose head is not in the sentence.
    cycle (tuple[int, ...]): The words of the first cycle, each one the head of the one before.
    """

    roots: tuple[int, ...]
    missing: tuple[int, ...]
    outside: tuple[int, ...]
    cycle: tuple[int, ...]

    @property
    def is_tree(self) -> bool:
        """RETURNS (bool): Whether all words are connected below one root."""
        return self.is_sound and len(self.roots) == 1 and not self.missing

    @property
    def is_sound(self) -> bool:
        """RETURNS (bool): Whether the known heads can be part of a tree: there is no cycle, no head
        outside and at most one root; without a root, some word has no head yet."""
        is_rooted = len(self.roots) == 1 or (not self.roots and bool(self.missing))
        return is_rooted and not self.outside and not self.cycle


def check_tree(heads: Heads) -> TreeCheck:
    """Check whether heads form a tree.

    heads (Sequence[Optional[int]]): The head of every word.
    RETURNS (TreeCheck): What is wrong, if anything.
    """
    n = len(heads)
    return TreeCheck(
        roots=tuple(i for i, head in enumerate(heads) if head == i),
        missing=tuple(i for i, head in enumerate(heads) if head in _MISSING),
        outside=tuple(
            i for i, h in enumerate(heads) if h is not None and h != -1 and not 0 <= h < n
        ),
        cycle=_find_cycle(heads),
    )


def _find_cycle(heads: Heads) -> tuple[int, ...]:
    """Follow heads from every word until a word seen before.

    heads (Sequence[Optional[int]]): The head of every word.
    RETURNS (tuple[int, ...]): The words of the first cycle; empty if there is none.
    """
    n = len(heads)
    seen_from = [-1] * n
    for start in range(n):
        path: list[int] = []
        word: int | None = start
        while word is not None and 0 <= word < n and seen_from[word] == -1:
            seen_from[word] = start
            path.append(word)
            word = heads[word]
        if word is not None and 0 <= word < n and seen_from[word] == start and word != path[-1]:
            return tuple(path[path.index(word) :])
    return ()


def is_projective(heads: Heads) -> bool:
    """Whether the words between a head and its child all lie below the head.

    heads (Sequence[Optional[int]]): The head of every word; words without a head cross nothing.
    RETURNS (bool): Whether no arcs cross. Never true with a cycle or a head outside the sentence.
    """
    check = check_tree(heads)
    if check.outside or check.cycle:
        return False
    return not nonproj.is_nonproj_tree([None if head in _MISSING else head for head in heads])


def lift(heads: Heads, labels: Labels) -> tuple[list[int | None], list[str | None]]:
    """Make a gold tree projective. Anything but a complete tree with one root is left as it is.

    heads (Sequence[Optional[int]]): The head of every word.
    labels (Sequence[Optional[str]]): The label of every word; None or "" where it is missing.
    RETURNS (tuple[list, list]): New heads and labels.
    """
    for label in labels:
        if label and is_lifted(label):
            raise ValueError(Errors.LIFT_LABEL.format(label=label, delimiter=nonproj.DELIMITER))
    lifted, decorated = list(heads), list(labels)
    if check_tree(heads).is_tree:
        lifted, decorated = nonproj.projectivize(lifted, decorated)
        for i, head in enumerate(heads):
            if head is not None and not (labels[i] and labels[head]):
                decorated[i] = labels[i]
    return lifted, decorated


def is_lifted(label: str) -> bool:
    """RETURNS (bool): Whether a label marks a lifted word."""
    return nonproj.DELIMITER in label


def plain_label(label: str) -> str:
    """RETURNS (str): A label without the part that lifting added."""
    return label.partition(nonproj.DELIMITER)[0]


def lower(doc: Doc) -> None:
    """Give lifted words their real heads and plain labels.

    doc (Doc): A parsed doc; changed in place.
    """
    used = {int(key): doc.vocab.strings[int(key)] for key in np.unique(doc.to_array(DEP))}
    if not any(map(is_lifted, used.values())):
        return
    starts = doc.to_array(SENT_START)
    for token in doc:
        label = used[token.dep]
        if token.head.i == token.i and is_lifted(label):
            token.dep_ = plain_label(label)
    nonproj.deprojectivize(doc)
    restore_sentences(doc, starts)


def restore_sentences(doc: Doc, starts: np.ndarray) -> None:
    """Restore sentence boundaries after heads were written. spaCy then sets them again, and does
    not always find the ends of a sentence with many crossing arcs.

    doc (Doc): The doc; changed in place.
    starts (np.ndarray): Its SENT_START attributes before heads were written.
    """
    if not np.array_equal(doc.to_array(SENT_START), starts):
        doc.from_array([SENT_START], starts)  # type: ignore[arg-type]
