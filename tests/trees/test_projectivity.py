import itertools

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_perceptron.trees.projectivity import (
    check_tree,
    is_lifted,
    is_projective,
    lift,
    lower,
    plain_label,
    restore_sentences,
)

from .crossing import HEADS, LABELS, LIFTED_HEADS, LIFTED_LABELS, WORDS

VOCAB = spacy.blank("en").vocab


def crosses(heads: list[int]) -> bool:
    """Straight from the definition: two arcs cross, or an arc covers the root."""
    arcs = [tuple(sorted((head, i))) for i, head in enumerate(heads) if head != i]
    root = next(i for i, head in enumerate(heads) if head == i)
    pairs = itertools.combinations(arcs, 2)
    return any(a < root < b for a, b in arcs) or any(
        a < c < b < d or c < a < d < b for (a, b), (c, d) in pairs
    )


@st.composite
def gold_trees(draw: st.DrawFn) -> list[int]:
    """Any tree with one root."""
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(n)))
    heads = [0] * n
    heads[order[0]] = order[0]
    for k in range(1, n):
        heads[order[k]] = order[draw(st.integers(0, k - 1))]
    return heads


def parsed(words: list[str], heads: list[int], labels: list[str]) -> Doc:
    return Doc(VOCAB, words=words, heads=heads, deps=labels)


def test_check_of_a_tree():
    check = check_tree(HEADS)
    assert check.is_tree
    assert check.is_sound
    assert (check.roots, check.missing, check.outside, check.cycle) == ((3,), (), (), ())
    assert not check_tree([]).is_tree


@pytest.mark.parametrize(
    ("heads", "field", "value", "is_sound"),
    [
        ([1, 1, 3, 3], "roots", (1, 3), False),
        ([1, 2, 0, 3], "cycle", (0, 1, 2), False),
        ([0, 2, 3, 2], "cycle", (2, 3), False),
        ([1, 1, 3, 1], "outside", (), True),
        ([1, 1, 4, 1], "outside", (2,), False),
        ([1, 1, -2, 1], "outside", (2,), False),
        ([1, 1, None, -1], "missing", (2, 3), True),
        ([1, None, 1, 1], "missing", (1,), True),
        ([1, 0, None, None], "cycle", (0, 1), False),
    ],
)
def test_check_of_what_is_no_tree(heads: list, field: str, value: tuple, is_sound: bool):
    check = check_tree(heads)
    assert getattr(check, field) == value
    assert check.is_sound == is_sound
    assert check.is_tree == (is_sound and not check.missing)


def test_cycles():
    assert check_tree([1, 0]).cycle == (0, 1)
    # A word that leads into a cycle is no part of it.
    assert check_tree([1, 2, 3, 1]).cycle == (1, 2, 3)
    for heads in ([0], [1, None, 1, -1, 9], HEADS):
        assert check_tree(heads).cycle == ()


def test_projective():
    assert not is_projective(HEADS)
    assert is_projective(LIFTED_HEADS)
    # An arc over the root; a cycle; a head outside; a word without head under an arc.
    assert not is_projective([2, 1, 1])
    assert not is_projective([1, 0])
    assert not is_projective([3, 1])
    assert is_projective([2, None, 2])
    assert is_projective([2, -1, 2])


@given(gold_trees())
def test_projective_by_definition(heads: list[int]):
    assert is_projective(heads) == (not crosses(heads))


def test_lift_by_hand():
    assert lift(HEADS, LABELS) == (LIFTED_HEADS, LIFTED_LABELS)
    assert HEADS[6] == 1, "the given lists stay as they are"
    assert lift(LIFTED_HEADS, LABELS) == (LIFTED_HEADS, LABELS)
    assert lift([], []) == ([], [])
    assert [plain_label(label) for label in LIFTED_LABELS] == LABELS
    assert [is_lifted(label) for label in LIFTED_LABELS] == [i == 6 for i in range(8)]


@given(gold_trees())
def test_lifted_trees_are_projective_and_labels_of_real_heads_bring_them_back(heads: list[int]):
    labels = [f"label{i}" for i in range(len(heads))]
    lifted, decorated = lift(heads, labels)
    assert check_tree(lifted).is_tree
    assert is_projective(lifted)
    assert [plain_label(label or "") for label in decorated] == labels
    assert [new != old for new, old in zip(lifted, heads, strict=True)] == [
        is_lifted(label or "") for label in decorated
    ]
    doc = parsed(["w"] * len(heads), [h or 0 for h in lifted], [str(label) for label in decorated])
    lower(doc)
    lowered = [token.head.i for token in doc]
    # Where several words are lifted, one of them may hide the real head of another.
    if sum(new != old for new, old in zip(lifted, heads, strict=True)) <= 1:
        assert lowered == heads
    assert check_tree(lowered).is_tree
    assert [token.dep_ for token in doc] == labels
    assert len(list(doc.sents)) == 1


def test_what_is_no_complete_tree_is_not_lifted():
    for change in [None, -1, 6, 4, 100]:
        # Without a head, with a second root, in a cycle, outside.
        heads: list[int | None] = [*HEADS[:6], change, HEADS[7]]
        assert lift(heads, LABELS) == (heads, LABELS)


def test_missing_labels_stay_missing():
    without_own = [*LABELS[:6], None, LABELS[7]]
    assert lift(HEADS, without_own) == (LIFTED_HEADS, without_own)
    without_head = [LABELS[0], "", *LABELS[2:]]
    assert lift(HEADS, without_head) == (LIFTED_HEADS, without_head)


def test_labels_with_the_mark_are_refused():
    with pytest.raises(ValueError, match=r"'nmod\|\|nsubj'"):
        lift(LIFTED_HEADS, LIFTED_LABELS)


def test_lower_by_hand():
    doc = parsed(WORDS, LIFTED_HEADS, LIFTED_LABELS)
    lower(doc)
    assert [token.head.i for token in doc] == HEADS
    assert [token.dep_ for token in doc] == LABELS
    assert doc[7].dep_ == "obl"
    lower(doc)
    assert [token.head.i for token in doc] == HEADS


def test_lower_keeps_to_the_sentence_and_skips_whitespace():
    # Two sentences; the first has no `nsubj`, so its word keeps its head. Whitespace is no head.
    words = ["See", "\n", "here", *WORDS]
    heads = [0, 0, 0, *(head + 3 for head in LIFTED_HEADS)]
    labels = ["ROOT", "nsubj", "advmod||nsubj", *LIFTED_LABELS]
    doc = parsed(words, heads, labels)
    lower(doc)
    assert [token.head.i for token in doc] == [0, 0, 0, *(head + 3 for head in HEADS)]
    assert doc[2].dep_ == "advmod"
    assert [sent.start for sent in doc.sents] == [0, 3]


def test_root_with_a_lifted_label_stays_root():
    doc = parsed(["a", "b", "c"], [0, 0, 1], ["x||y", "y", "z"])
    lower(doc)
    assert [token.head.i for token in doc] == [0, 0, 1]
    assert [token.dep_ for token in doc] == ["x", "y", "z"]


def test_sentences_stay_whole_with_many_crossing_arcs():
    # From the ends of the sentence to its middle, each word the head of its counterpart.
    n = 60
    inwards = [word for i in range(n // 2) for word in (i, n - 1 - i)]
    heads = [0] * n
    for child, head in itertools.pairwise(inwards):
        heads[child] = head
    heads[inwards[-1]] = inwards[-1]
    doc = Doc(VOCAB, words=["w"] * n, sent_starts=[True] + [False] * (n - 1))
    starts = doc.to_array("SENT_START")
    relative = np.array([head - i for i, head in enumerate(heads)], dtype=np.int64)
    label = VOCAB.strings.add("dep")
    columns = np.stack([relative.astype(np.uint64), np.full(n, label, dtype=np.uint64)], axis=1)
    doc.from_array(["HEAD", "DEP"], columns)
    restore_sentences(doc, starts)
    assert [token.head.i for token in doc] == heads
    assert [(sent.start, sent.end) for sent in doc.sents] == [(0, n)]
