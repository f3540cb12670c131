import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.transforms.binarization import (
    binarize,
    is_intermediate,
    plain_label,
    unbinarize,
)
from spacy_perceptron.trees.tree import Tree

from ...strategies import nasty_phrases, trees
from .round_trip import check_round_trip, deep_trees, read, sample_trees, wsj_trees

FLAT = read("(NP (A a) (B b) (C c) (D d) (E e))")


def fixed_head(position):
    return lambda tree: min(position, len(tree.children) - 1)


@pytest.mark.parametrize(
    ("direction", "head", "h", "expected"),
    [
        ("right", 0, 1, "(NP (A a) (@NP|B (B b) (@NP|C (C c) (@NP|D (D d) (E e)))))"),
        ("right", 0, 2, "(NP (A a) (@NP|B|C (B b) (@NP|C|D (C c) (@NP|D|E (D d) (E e)))))"),
        ("right", 0, 0, "(NP (A a) (@NP| (B b) (@NP| (C c) (@NP| (D d) (E e)))))"),
        ("left", 0, 1, "(NP (@NP|D (@NP|C (@NP|B (A a) (B b)) (C c)) (D d)) (E e))"),
        (
            "left",
            0,
            None,
            "(NP (@NP|A|B|C|D (@NP|A|B|C (@NP|A|B (A a) (B b)) (C c)) (D d)) (E e))",
        ),
        # First the right siblings of the head, then the left ones.
        ("head", 2, 1, "(NP (A a) (@NP|<C|B (B b) (@NP|>C|E (@NP|>C|D (C c) (D d)) (E e))))"),
        ("head", 2, 2, "(NP (A a) (@NP|<C|B (B b) (@NP|>C|D|E (@NP|>C|D (C c) (D d)) (E e))))"),
        ("head", 4, 2, "(NP (A a) (@NP|<E|B|C (B b) (@NP|<E|C|D (C c) (@NP|<E|D (D d) (E e)))))"),
        ("head", 0, 0, "(NP (@NP|>A (@NP|>A (@NP|>A (A a) (B b)) (C c)) (D d)) (E e))"),
    ],
)
def test_intermediate_nodes(direction, head, h, expected):
    found = binarize(FLAT, direction, horizontal=h, head_child=fixed_head(head))
    assert to_brackets(found) == expected
    assert unbinarize(found) == FLAT


def test_ancestors():
    tree = read("(ROOT (S (NP (DT a) (JJ b) (NN c)) (VP (VB d))))")
    right = "(ROOT (S^ROOT (NP^S (DT a) (@NP^S|JJ (JJ b) (NN c))) (VP^S (VB d))))"
    assert to_brackets(binarize(tree, horizontal=1, vertical=2)) == right
    tags = "(ROOT (S^ROOT (NP^S (DT^NP a) (@NP^S|JJ (JJ^NP b) (NN^NP c))) (VP^S (VB^VP d))))"
    annotated = binarize(tree, horizontal=1, vertical=2, annotate_tags=True)
    assert to_brackets(annotated) == tags
    third = "(ROOT (S^ROOT (NP^S^ROOT (DT a) (@NP^S^ROOT| (JJ b) (NN c))) (VP^S^ROOT (VB d))))"
    assert to_brackets(binarize(tree, horizontal=0, vertical=3)) == third
    assert unbinarize(annotated) == tree


def test_english_heads():
    tree = read("(VP (ADVP (RB so)) (VBD ate) (NP (NN a)) (NP (NN b)))")
    assert to_brackets(binarize(tree, "head", horizontal=0)) == (
        "(VP (ADVP (RB so)) (@VP|>VBD (@VP|>VBD (VBD ate) (NP (NN a))) (NP (NN b))))"
    )


def test_labels():
    assert plain_label("@NP^S|DT|NN") == plain_label("NP^S") == plain_label("NP") == "NP"
    assert plain_label(r"@PRT\|ADVP|RB") == "PRT|ADVP"
    assert is_intermediate("@NP|")
    assert not is_intermediate(r"\@NP")
    # A tree that is nothing but an intermediate node is a phrase.
    assert unbinarize(read("(@NP|DT (DT a) (@NP|DT (NN b) (NN c)))")) == read(
        "(NP (DT a) (NN b) (NN c))"
    )


def test_options_are_checked():
    with pytest.raises(ValueError, match="direction 'up'"):
        binarize(FLAT, "up")
    with pytest.raises(ValueError, match="got vertical=0 and horizontal=None"):
        binarize(FLAT, vertical=0)
    with pytest.raises(ValueError, match="got vertical=1 and horizontal=-1"):
        binarize(FLAT, horizontal=-1)


@settings(deadline=None)
@given(
    trees() | nasty_phrases(),
    st.sampled_from(["left", "right", "head"]),
    st.none() | st.integers(0, 3),
    st.integers(1, 3),
    st.booleans(),
)
def test_binarization_is_undone(tree, direction, horizontal, vertical, annotate_tags):
    def transform(tree: Tree) -> Tree:
        return binarize(
            tree,
            direction,
            horizontal=horizontal,
            vertical=vertical,
            annotate_tags=annotate_tags,
        )

    found = check_round_trip(tree, transform, unbinarize)
    assert all(len(node.children) <= 2 for node in found.preorder())
    assert [plain_label(tag) for tag in found.tags()] == tree.tags()


SETTINGS = [
    ("right", 1, 1, False),
    ("left", None, 2, False),
    ("head", 2, 2, True),
    ("head", 0, 3, False),
]


def check_treebank(tree: Tree) -> None:
    for direction, horizontal, vertical, tags in SETTINGS:
        options = {"horizontal": horizontal, "vertical": vertical, "annotate_tags": tags}
        found = check_round_trip(tree, lambda t: binarize(t, direction, **options), unbinarize)  # noqa: B023
        assert all(len(node.children) <= 2 for node in found.preorder())


def test_sample_treebank():
    for tree in sample_trees():
        check_treebank(tree)


@pytest.mark.slow
def test_real_treebank():
    for tree in wsj_trees():
        check_treebank(tree)


@pytest.mark.parametrize("direction", ["left", "right"])
def test_depth_is_no_limit(direction):
    for tree in deep_trees():
        found = binarize(tree, direction, horizontal=1, vertical=2)
        assert unbinarize(found) == tree
